// SPDX-License-Identifier: Apache-2.0
// Any words: decoding never fails in another way than by its status, and what is an instruction
// encodes and assembles to the same words.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "models/gpgpu/southern_islands/assembler.h"
#include "models/gpgpu/southern_islands/codec.h"
#include "models/gpgpu/southern_islands/disassembler.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace gvp::gpgpu::southern_islands;
  std::vector<uint32_t> words(size / 4);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 4);
  const Decoded decoded = decode(words.data(), words.size());
  if (decoded.status == DecodeStatus::kOk) {
    if (encode(decoded.instruction).words != decoded.words) std::abort();
    if (encode(assemble_instruction(to_text(decoded.instruction))).words != decoded.words)
      std::abort();
  }
  if (assemble(to_listing(words), "listing.s").words != words) std::abort();
  return 0;
}

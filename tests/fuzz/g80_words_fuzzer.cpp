// SPDX-License-Identifier: Apache-2.0
// Any words: decoding never fails in another way than by its status, and what executes encodes
// and assembles to the same words.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/g80/encoder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace gvp::gpgpu::g80;
  uint32_t words[2] = {};
  const std::size_t count = size / 4 < 2 ? size / 4 : 2;
  if (count != 0) std::memcpy(words, data, count * 4);
  const Decoded decoded = decode(words, count);
  if (!decoded.executable()) return 0;
  if (encode(decoded.instruction) != decoded.words) std::abort();
  if (encode(assemble_instruction(to_text(decoded.instruction))) != decoded.words) std::abort();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// PTX text is compiled or refused; an instruction of ours that has no encoding is a defect.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "models/base/error.h"
#include "tools/kcc/g80/compiler.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 8192) return 0;  // long inputs only make the fuzzer slow
  try {
    gvp::kcc::g80::Options options;
    options.optimise = size % 2 == 0 ? 2 : 0;
    gvp::kcc::g80::compile("fuzz.ptx", std::string(reinterpret_cast<const char*>(data), size),
                           options);
  } catch (const gvp::Error& error) {
    if (error.code() != gvp::ExitCode::kBadInput) std::abort();
  }
  return 0;
}

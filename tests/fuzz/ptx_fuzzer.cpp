// SPDX-License-Identifier: Apache-2.0
// PTX text is parsed or refused with a located error, whatever it is.
#include <cstddef>
#include <cstdint>
#include <string>

#include "models/base/error.h"
#include "tools/ptx/flow.h"
#include "tools/ptx/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto module =
        gvp::ptx::parse("fuzz.ptx", std::string(reinterpret_cast<const char*>(data), size));
    for (const auto& function : module.functions) gvp::ptx::flow_graph(function);
  } catch (const gvp::Error&) {
  }
  return 0;
}

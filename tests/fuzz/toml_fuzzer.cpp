// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/base/error.h"
#include "platform/configuration/toml.h"

// Device types bring SystemC along, whose library wants one; nothing is simulated here.
int sc_main(int, char**) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  gvp::platform::Configuration configuration;
  try {
    gvp::platform::read_text(configuration, {reinterpret_cast<const char*>(data), size}, "input");
  } catch (const gvp::Error&) {
    return 0;
  }
  // What was accepted must survive being written and read.
  gvp::platform::Configuration again;
  gvp::platform::read_text(again, gvp::platform::write_toml(configuration), "dump");
  return 0;
}

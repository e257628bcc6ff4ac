// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

#include "models/host/host.h"
#include "tests/models/host/assembler.h"

namespace gvp::host::test {

// Writes a program (assemble_program) to memory as the host's debugger sees it, past all timing.
inline void load_program(Host& host, std::string_view text, uint32_t address) {
  for (const uint32_t word : assemble_program(text)) {
    ASSERT_EQ(host.debug_write(address, &word, 4), 4u);
    address += 4;
  }
}

}  // namespace gvp::host::test

// SPDX-License-Identifier: Apache-2.0
// Names for addresses of the guest program, as the loader knows them.  All members may be empty.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace gvp::host {

struct Symbols {
  // "main+0x10", or "" where there is no symbol.
  std::function<std::string(uint32_t address)> describe;
  // Name and first address of the function that includes an address; false: there is none.
  std::function<bool(uint32_t address, std::string& name, uint32_t& start)> function;
};

}  // namespace gvp::host

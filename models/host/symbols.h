// SPDX-License-Identifier: Apache-2.0
// Names for addresses of the guest program, as the loader knows them, and what it says about calls.
// All members may be empty.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gvp::host {

// A section .debug_frame or .eh_frame (call_frames.h).
struct CallFrameSection {
  std::vector<uint8_t> bytes;
  uint32_t address = 0;       // in the program; of .eh_frame
  bool is_exception = false;  // .eh_frame
};

struct Symbols {
  // "main+0x10", or "" where there is no symbol.
  std::function<std::string(uint32_t address)> describe;
  // Name and first address of the function that includes an address; false: there is none.
  std::function<bool(uint32_t address, std::string& name, uint32_t& start)> function;
  std::vector<CallFrameSection> call_frames;
  bool big_endian = false;  // of call_frames
};

}  // namespace gvp::host

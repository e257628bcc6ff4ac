// SPDX-License-Identifier: Apache-2.0
// A register as its device's data sheet lists it: the row that the model declares its register
// from (models/tlm/register_bank.h), and that lists and pages are made of.  Registers are 32 bits
// wide; offsets are bytes from the beginning of the window they are in.
// Not here: what reading and writing do beyond the access rule; that is the model's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gvp::device {

enum class Access : uint8_t {
  kReadWrite,
  kReadOnly,      // a write is an error
  kWriteOnly,     // a read is an error
  kWriteIgnored,  // a write is acknowledged and does nothing
  kReadsZero,     // a read is acknowledged and returns 0
};

inline const char* access_text(Access access) {
  switch (access) {
    case Access::kReadWrite:
      return "read, write";
    case Access::kReadOnly:
      return "read";
    case Access::kWriteOnly:
      return "write";
    case Access::kWriteIgnored:
      return "read; writes are ignored";
    case Access::kReadsZero:
      return "write; reads as 0";
  }
  return "?";
}

struct RegisterRow {
  const char* name;  // "TCSR0"
  uint32_t offset;   // a multiple of 4
  Access access;
  uint32_t reset;       // value after reset
  const char* meaning;  // one line
  // Several alike, `stride` bytes apart.
  uint32_t count = 1;
  uint32_t stride = 4;
};

// The registers of a device, all in one of its windows.
struct RegisterMap {
  std::string window;
  std::vector<RegisterRow> rows;
};

}  // namespace gvp::device

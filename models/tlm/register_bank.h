// SPDX-License-Identifier: Apache-2.0
// A peripheral's registers, declared as its data sheet lists them (models/device/register_row.h),
// and what reading and writing them do.  Registers are 32 bits wide, lie at
// multiples of 4 and are little-endian on the bus.
//
// Access rules of every bank: a read of 1, 2 or 4 aligned bytes inside one register; a write of a
// whole register, or, where the bank allows narrow writes, of 1 or 2 bytes at the register's own
// offset (zero-extended).  Transfers of several words go register by register.  Anything else,
// and whatever the registers forbid, is an error response and a log message that names device,
// time, register and rule.  Knows nothing of time; see peripheral.h for the socket.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include "models/device/register_row.h"

namespace gvp::kit {

using device::Access;

struct Register {
  const char* name;
  uint32_t offset;  // bytes, a multiple of 4
  Access access = Access::kReadWrite;
  uint32_t reset = 0;
  // Each may be empty: then the register is a plain word.
  std::function<uint32_t()> read = {};
  std::function<void(uint32_t)> write = {};
  // What a debugger sees; needed only where read has a side effect.
  std::function<uint32_t()> peek = {};
  uint32_t value = 0;  // of a plain register
};

class RegisterBank {
 public:
  enum class NarrowWrites { kForbidden, kAllowed };

  // place: gives "name @ time" for messages
  RegisterBank(std::function<std::string()> place, NarrowWrites narrow_writes);

  // Adds a register, with its reset value.  The reference stays valid for the bank's life.
  Register& add(Register definition);
  // Adds all of a description, as plain words.
  void add(const std::vector<device::RegisterRow>& rows);
  // What reading, writing and looking at the register at this offset do, where it is more than a
  // word; each may be empty.
  void handle(uint32_t offset, std::function<uint32_t()> read,
              std::function<void(uint32_t)> write = {}, std::function<uint32_t()> peek = {});
  // The register at this offset, which must be there.
  Register& at(uint32_t offset);
  // Sets every plain register to its reset value.
  void reset();

  // Performs the transaction, whose address is relative to the bank, and sets its response.
  void access(tlm::tlm_generic_payload& payload);
  // The same without side effects of reading; returns the bytes moved.
  unsigned debug_access(tlm::tlm_generic_payload& payload);
  // For handlers: the access that is being handled fails (SLVERR), for this reason.
  void fail(const std::string& reason);

 private:
  Register* find(uint64_t offset);
  bool read_word(uint64_t offset, uint32_t& value);
  bool write_word(uint64_t offset, uint32_t value);
  bool access_word(bool write, uint64_t offset, uint8_t* data);
  bool access_words(tlm::tlm_generic_payload& payload);
  bool access_narrow(tlm::tlm_generic_payload& payload, uint64_t address, unsigned length,
                     uint8_t* data);
  bool misuse(const std::string& what);

  std::function<std::string()> place_;
  NarrowWrites narrow_writes_;
  std::vector<std::unique_ptr<Register>> registers_;
  std::vector<Register*> by_word_;  // offset / 4 -> register or null
  bool failed_ = false;
};

}  // namespace gvp::kit

// SPDX-License-Identifier: Apache-2.0
// The fast path from an effective address to memory, for one mode of address translation: an entry
// for each 4 KiB page of the address space, so no two pages ever compete for one.  The operating
// system gives memory only for those parts of the table that are used.
//
// An entry matches when the page number and the low address bits that alignment demands to be zero
// are equal to its tag, in one comparison; then the host address is one addition away.  An entry
// that was never used is all zero, and equals no address of its page (page 0 is set up to).
//
// An entry also says where an access that found it is counted (direct_lanes.h).
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/direct_lanes.h"

namespace gvp::host {

class PageTable {
 public:
  static constexpr uint32_t kPageBytes = 4096;
  static constexpr uint32_t kPages = 1u << 20;
  static constexpr uint32_t kNoTag = 0x800;  // equals no masked address

  struct alignas(64) Page {
    uint32_t read_tag = kNoTag;
    uint32_t write_tag = kNoTag;
    uintptr_t offset = 0;     // host address = offset + effective address
    uint64_t code_lines = 0;  // lines that hold decoded code: stores there take the slow path
    uint64_t read_cycles = 0;
    uint64_t write_cycles = 0;
    Lanes lanes{};  // what an access adds; all zero where nobody wants to know of it
  };

  PageTable() = default;
  ~PageTable();
  PageTable(const PageTable&) = delete;
  PageTable& operator=(const PageTable&) = delete;

  // Null until allocate() was called.  A reference for the translator, whose code reads it.
  Page* const& pages() const { return pages_; }
  // Throws Error where the system gives no memory.
  void allocate();

  static uint32_t index(uint32_t address) { return address / kPageBytes; }
  // The bits of an address that are compared with a tag: an aligned access has the low ones zero.
  static constexpr uint32_t tag_mask(uint32_t bytes) { return ~(kPageBytes - 1) | (bytes - 1); }

  void remember(uint32_t address, uint32_t physical, const Page& page);
  void forget();
  // In every entry for this physical page.
  void set_code_lines(uint32_t physical, uint64_t lines);

 private:
  struct Moved {
    uint32_t number = 0;  // of the page in the program
    uint32_t physical_number = 0;
  };

  Page* pages_ = nullptr;
  std::vector<uint32_t> used_;  // numbers of pages
  std::vector<Moved> moved_;    // those whose physical address is another
};

}  // namespace gvp::host

// SPDX-License-Identifier: Apache-2.0
// Memory management unit (UG984 chapter 2, "Virtual-Memory Management"): 64 entries of a unified
// TLB, process identifier, zone protection.  Not modelled: the shadow TLBs (they only cost time);
// the G and M attributes (stored and read back, without effect).
#pragma once

#include <array>
#include <cstdint>

namespace gvp::host {

enum class Access : uint8_t { kRead, kWrite, kExecute };

struct Translation {
  enum class Result : uint8_t { kOk, kMiss, kDenied };
  Result result = Result::kMiss;
  bool zone_denied = false;  // DIZ
  uint32_t physical = 0;
  uint32_t page_bytes = 0;
  bool writable = false;       // the page allows stores
  bool inhibited = false;      // TLBLO.I: not through the caches
  bool write_through = false;  // TLBLO.W: in a write-back cache too
};

class Mmu {
 public:
  static constexpr unsigned kEntries = 64;
  // zones: number of protection zones; those that do not exist count as 11 (full access).
  explicit Mmu(unsigned zones) : zones_(zones) {}

  Translation translate(uint32_t address, Access access, bool user) const;

  // Special registers.  Writing any but TLBX changes translations.
  uint32_t pid() const { return pid_; }
  uint32_t zpr() const { return zpr_; }
  uint32_t tlbx() const { return tlbx_; }
  uint32_t tlblo() const { return entries_[index()].low; }
  uint32_t read_tlbhi(bool user);  // also loads PID with the entry's TID in privileged mode
  void set_pid(uint32_t value) { pid_ = value & 0xff; }
  void set_zpr(uint32_t value);
  void set_tlbx(uint32_t value) { tlbx_ = (tlbx_ & kMissBit) | (value & 63); }
  void set_tlblo(uint32_t value) { entries_[index()].low = value; }
  void set_tlbhi(uint32_t value);
  void search(uint32_t address);  // TLBSX: the result is in TLBX
  // External reset clears PID, ZPR and TLBX; the entries keep their contents.
  void reset();

 private:
  static constexpr uint32_t kMissBit = 1u << 31;
  struct Entry {
    uint32_t high = 0;  // tag, size, V
    uint32_t low = 0;   // RPN, EX, WR, ZSEL, WIMG
    uint8_t tid = 0;
  };
  unsigned index() const { return tlbx_ & 63; }
  int find(uint32_t address) const;

  std::array<Entry, kEntries> entries_{};
  unsigned zones_;
  uint32_t pid_ = 0;
  uint32_t zpr_ = 0;
  uint32_t tlbx_ = 0;
};

}  // namespace gvp::host

// SPDX-License-Identifier: Apache-2.0
#include "models/host/mmu.h"

namespace gvp::host {
namespace {

constexpr uint32_t kValid = 1u << 6;         // TLBHI.V
constexpr uint32_t kExecutable = 1u << 9;    // TLBLO.EX
constexpr uint32_t kWritable = 1u << 8;      // TLBLO.WR
constexpr uint32_t kWriteThrough = 1u << 3;  // TLBLO.W
constexpr uint32_t kInhibited = 1u << 2;     // TLBLO.I

// TLBHI.SIZE: 1 KB, 4 KB ... 16 MB.
uint32_t page_bytes(uint32_t high) { return 1024u << (2 * ((high >> 7) & 7)); }

}  // namespace

int Mmu::find(uint32_t address) const {
  for (unsigned i = 0; i < kEntries; ++i) {
    const Entry& entry = entries_[i];
    if ((entry.high & kValid) == 0 || (entry.tid != 0 && entry.tid != pid_)) continue;
    if (((entry.high ^ address) & ~(page_bytes(entry.high) - 1)) == 0) return static_cast<int>(i);
  }
  return -1;
}

Translation Mmu::translate(uint32_t address, Access access, bool user) const {
  Translation translation;
  const int i = find(address);
  if (i < 0) return translation;
  const Entry& entry = entries_[static_cast<unsigned>(i)];
  const uint32_t offset_mask = page_bytes(entry.high) - 1;
  translation.page_bytes = offset_mask + 1;
  translation.physical = (entry.low & ~offset_mask & ~0x3ffu) | (address & offset_mask);

  // UG984 "Zone Protection Register": 00 no access for user mode; 10 full access in privileged
  // mode; 11 full access; otherwise what the entry says.
  const uint32_t zone_number = (entry.low >> 4) & 15;
  const uint32_t zone = zone_number < zones_ ? (zpr_ >> (30 - 2 * zone_number)) & 3 : 3;
  const bool denied_by_zone = user && zone == 0;
  const bool full = zone == 3 || (!user && zone == 2);
  translation.writable = !denied_by_zone && (full || (entry.low & kWritable) != 0);
  const bool executable = !denied_by_zone && (full || (entry.low & kExecutable) != 0);
  const bool allowed = access == Access::kRead    ? !denied_by_zone
                       : access == Access::kWrite ? translation.writable
                                                  : executable;
  translation.result = allowed ? Translation::Result::kOk : Translation::Result::kDenied;
  translation.zone_denied = denied_by_zone;
  translation.inhibited = (entry.low & kInhibited) != 0;
  translation.write_through = (entry.low & kWriteThrough) != 0;
  return translation;
}

uint32_t Mmu::read_tlbhi(bool user) {
  const Entry& entry = entries_[index()];
  if (!user) pid_ = entry.tid;
  return entry.high;
}

void Mmu::set_zpr(uint32_t value) {
  // Only the bits of existing zones are implemented.
  const uint32_t implemented = zones_ >= 16 ? 0xffffffff : ~(0xffffffffu >> (2 * zones_));
  zpr_ = value & implemented;
}

void Mmu::set_tlbhi(uint32_t value) {
  Entry& entry = entries_[index()];
  entry.high = value & 0xffffffc0;  // E and U0 are not implemented in the 32-bit little-endian core
  entry.tid = static_cast<uint8_t>(pid_);
}

void Mmu::search(uint32_t address) {
  const int i = find(address);
  tlbx_ = i < 0 ? (tlbx_ | kMissBit) : static_cast<uint32_t>(i);
}

void Mmu::reset() {
  pid_ = 0;
  zpr_ = 0;
  tlbx_ = 0;
}

}  // namespace gvp::host

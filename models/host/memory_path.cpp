// SPDX-License-Identifier: Apache-2.0
#include "models/host/memory_path.h"

#include <cstring>

namespace gvp::host {
namespace {

constexpr uint32_t kOffsetMask = MemoryPath::kPageBytes - 1;

uint32_t swap_bytes(uint32_t value, uint32_t bytes) {
  if (bytes == 4) return __builtin_bswap32(value);
  if (bytes == 2) return __builtin_bswap16(static_cast<uint16_t>(value));
  return value;
}

// Reversed accesses also flip the address, so that a byte or halfword lands where the other byte
// order has it.
uint32_t flip(uint32_t address, MemoryShape shape) {
  if (!shape.reversed) return address;
  return shape.bytes == 1 ? address ^ 3 : shape.bytes == 2 ? address ^ 2 : address;
}

}  // namespace

void MemoryPath::set_mode(uint32_t msr_bits) {
  const bool virtual_mode = configuration_.use_mmu >= 2 && (msr_bits & msr::kVm) != 0;
  mode_ = !virtual_mode ? 0 : (msr_bits & msr::kUm) != 0 ? 2 : 1;
}

void MemoryPath::forget_pages() {
  for (auto& table : pages_) table.fill(Page{});
}

void MemoryPath::update_code_lines(uint32_t physical) {
  const uint32_t page = physical & ~kOffsetMask;
  const uint64_t lines = blocks_.code_lines(physical);
  for (unsigned mode = 0; mode < pages_.size(); ++mode)
    for (unsigned i = 0; i < kPages; ++i)
      if (physical_[mode][i] == page) pages_[mode][i].code_lines = lines;
}

bool MemoryPath::translate(uint32_t address, Access access, Translation& translation,
                           Fault& fault) const {
  if (mode_ == 0) {
    translation = {Translation::Result::kOk, false, address, kPageBytes, true};
    return true;
  }
  translation = mmu_.translate(address, access, mode_ == 2);
  // C_USE_MMU = 2 protects, but does not translate.
  if (configuration_.use_mmu == 2) translation.physical = address;
  if (translation.result == Translation::Result::kOk) return true;
  const bool miss = translation.result == Translation::Result::kMiss;
  fault.address = address;
  fault.physical = address;
  fault.esr_bits = !miss && translation.zone_denied ? esr::kZone : 0;
  if (access == Access::kExecute) {
    fault.cause = miss ? Cause::kInstructionTlbMiss : Cause::kInstructionStorage;
  } else {
    fault.cause = miss ? Cause::kDataTlbMiss : Cause::kDataStorage;
    if (access == Access::kWrite) fault.esr_bits |= esr::kStore;
  }
  return false;
}

bool MemoryPath::check(uint32_t address, MemoryShape shape, bool check_alignment,
                       Fault& fault) const {
  if (!check_alignment || shape.exclusive || (address & (shape.bytes - 1u)) == 0) return true;
  fault.cause = Cause::kUnaligned;
  fault.address = address;
  fault.physical = address;
  fault.esr_bits = (shape.bytes == 4 ? esr::kWord : 0) | (shape.store ? esr::kStore : 0);
  return false;
}

bool MemoryPath::fail(BusStatus status, Cause cause, uint32_t address, uint32_t physical,
                      Fault& fault) const {
  fault = {cause, 0, address, physical, status};
  return false;
}

// Puts the page into the table of the current mode, if it may be accessed directly.
void MemoryPath::remember(uint32_t address, const Translation& translation, Port port) {
  if (translation.page_bytes < kPageBytes) return;
  const uint32_t page = address & ~kOffsetMask;
  const uint32_t physical = translation.physical & ~kOffsetMask;
  DirectMemory memory;
  if (watched(page, page | kOffsetMask) || !bus_.direct(port, translation.physical, memory)) return;
  if (memory.first > physical || memory.last < (physical | kOffsetMask)) return;
  Page& entry = pages_[mode_][index(address)];
  entry.read_tag = memory.readable ? page : kNoTag;
  entry.write_tag = memory.writable && translation.writable ? page : kNoTag;
  entry.offset = reinterpret_cast<uintptr_t>(memory.data) + (physical - memory.first) - page;
  entry.code_lines = blocks_.code_lines(physical);
  entry.read_cycles = configuration_.use_dcache ? 0 : memory.read_cycles;
  entry.write_cycles = configuration_.use_dcache ? 0 : memory.write_cycles;
  physical_[mode_][index(address)] = physical;
}

bool MemoryPath::load(uint32_t address, MemoryShape shape, bool check_alignment, uint32_t& value,
                      uint64_t& cycles, Fault& fault) {
  Translation translation;
  if (!translate(address, Access::kRead, translation, fault) ||
      !check(address, shape, check_alignment, fault))
    return false;
  const uint32_t low_bits = shape.bytes - 1u;
  const uint32_t aligned = flip(address & ~low_bits, shape);
  const uint32_t physical = (translation.physical & ~kOffsetMask) | (aligned & kOffsetMask);
  if (!watchpoints_.empty()) note_watch(aligned, shape.bytes, false);

  uint32_t raw = 0;
  DirectMemory memory;
  if (bus_.direct(Port::kData, physical, memory) && memory.readable &&
      memory.last - physical >= low_bits) {
    std::memcpy(&raw, memory.data + (physical - memory.first), shape.bytes);
    if (!configuration_.use_dcache) cycles += memory.read_cycles;
    remember(address, translation, Port::kData);
  } else {
    const BusStatus status = bus_.read(Port::kData, physical, &raw, shape.bytes, cycles);
    if (status != BusStatus::kOkay) return fail(status, Cause::kDataBus, address, physical, fault);
  }
  value = configuration_.big_endian != shape.reversed ? swap_bytes(raw, shape.bytes) : raw;
  return true;
}

bool MemoryPath::store(uint32_t address, MemoryShape shape, bool check_alignment, uint32_t value,
                       uint64_t& cycles, bool& code_changed, Fault& fault) {
  Translation translation;
  if (!translate(address, Access::kWrite, translation, fault) ||
      !check(address, shape, check_alignment, fault))
    return false;
  const uint32_t low_bits = shape.bytes - 1u;
  const uint32_t aligned = flip(address & ~low_bits, shape);
  const uint32_t physical = (translation.physical & ~kOffsetMask) | (aligned & kOffsetMask);
  if (!watchpoints_.empty()) note_watch(aligned, shape.bytes, true);

  const uint32_t raw =
      configuration_.big_endian != shape.reversed ? swap_bytes(value, shape.bytes) : value;
  DirectMemory memory;
  if (bus_.direct(Port::kData, physical, memory) && memory.writable &&
      memory.last - physical >= low_bits) {
    std::memcpy(memory.data + (physical - memory.first), &raw, shape.bytes);
    if (!configuration_.use_dcache) cycles += memory.write_cycles;
    remember(address, translation, Port::kData);
  } else {
    const BusStatus status = bus_.write(physical, &raw, shape.bytes, cycles);
    if (status != BusStatus::kOkay) return fail(status, Cause::kDataBus, address, physical, fault);
  }
  const uint64_t line = uint64_t{1} << ((physical & kOffsetMask) / BlockCache::kLineBytes);
  if ((blocks_.code_lines(physical) & line) != 0) {
    code_changed = blocks_.invalidate(physical, physical + low_bits);
    update_code_lines(physical);
  }
  return true;
}

bool MemoryPath::fetch_region(uint32_t pc, FetchRegion& region, Fault& fault) {
  Translation translation;
  if (!translate(pc, Access::kExecute, translation, fault)) return false;
  region = {translation.physical, nullptr, 0};
  DirectMemory memory;
  const uint32_t last = region.physical | (kRegionBytes - 1);
  if (bus_.direct(Port::kInstruction, region.physical, memory) && memory.readable &&
      memory.last >= last) {
    region.data = memory.data + (region.physical - memory.first);
    region.cycles = configuration_.use_icache ? 0 : memory.read_cycles;
  }
  return true;
}

bool MemoryPath::fetch_word(uint32_t physical, uint32_t& word, uint64_t& cycles, Fault& fault) {
  const BusStatus status = bus_.read(Port::kInstruction, physical, &word, 4, cycles);
  if (status == BusStatus::kOkay) return true;
  return fail(status, Cause::kInstructionBus, physical, physical, fault);
}

bool MemoryPath::watched(uint32_t first, uint32_t last) const {
  for (const Watchpoint& watch : watchpoints_)
    if (watch.first <= last && watch.last >= first) return true;
  return false;
}

void MemoryPath::note_watch(uint32_t address, uint32_t bytes, bool is_store) {
  for (const Watchpoint& watch : watchpoints_) {
    if (watch.first > address + (bytes - 1) || watch.last < address) continue;
    if (watch.kind == (is_store ? Watchpoint::Kind::kRead : Watchpoint::Kind::kWrite)) continue;
    watch_hit_ = true;
    hit_ = watch;
    hit_address_ = address;
    return;
  }
}

bool MemoryPath::take_watch_hit(Watchpoint& hit, uint32_t& address) {
  if (!watch_hit_) return false;
  watch_hit_ = false;
  hit = hit_;
  address = hit_address_;
  return true;
}

}  // namespace gvp::host

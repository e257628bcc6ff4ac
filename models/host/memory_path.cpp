// SPDX-License-Identifier: Apache-2.0
#include "models/host/memory_path.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/host/log.h"

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

MemoryPath::MemoryPath(const Configuration& configuration, Bus& bus, BlockCache& blocks, Mmu& mmu)
    : configuration_(configuration),
      bus_(bus),
      blocks_(blocks),
      mmu_(mmu),
      caches_(configuration, bus, blocks),
      icache_always_hits_(configuration.icache_always_hits()),
      dcache_always_hits_(configuration.dcache_always_hits()) {
  pages_[mode_].allocate();
}

void MemoryPath::set_mode(uint32_t msr_bits) {
  const bool instruction_was_on = caches_.instruction_on();
  const bool data_was_on = caches_.data_on();
  caches_.set_enabled((msr_bits & msr::kIce) != 0, (msr_bits & msr::kDce) != 0);
  // Blocks come from the cache or from memory, pages are for direct access only.
  if (caches_.instruction_on() != instruction_was_on) blocks_.invalidate_all();
  if (caches_.data_on() != data_was_on) forget_pages();
  const bool virtual_mode = configuration_.use_mmu >= 2 && (msr_bits & msr::kVm) != 0;
  mode_ = !virtual_mode ? 0 : (msr_bits & msr::kUm) != 0 ? 2 : 1;
  pages_[mode_].allocate();
  device_page_ = PageTable::kNoTag;
}

void MemoryPath::forget_pages() {
  for (PageTable& table : pages_) table.forget();
  device_page_ = PageTable::kNoTag;
}

void MemoryPath::update_code_lines(uint32_t physical) {
  const uint64_t lines = blocks_.code_lines(physical);
  for (PageTable& table : pages_) table.set_code_lines(physical, lines);
}

bool MemoryPath::translate(uint32_t address, Access access, Translation& translation,
                           Fault& fault) const {
  if (mode_ == 0) {
    translation = {Translation::Result::kOk, false, address, kPageBytes, true, false, false};
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
  fault = {cause, 0, address, physical, status, false};
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
  Page entry;
  if (memory.readable) entry.read_tag = page;
  if (memory.writable && translation.writable) entry.write_tag = page;
  entry.offset = reinterpret_cast<uintptr_t>(memory.data) + (physical - memory.first) - page;
  entry.code_lines = blocks_.code_lines(physical);
  entry.read_cycles = dcache_always_hits_ ? 0 : memory.read_cycles;
  entry.write_cycles = dcache_always_hits_ ? 0 : memory.write_cycles;
  if (memory.source != 0) {
    const unsigned lane = lane_of(memory.source);
    if (lane == kLanes) return;
    entry.lanes[lane] = 1;
  }
  pages_[mode_].remember(page, physical, entry);
}

// Where addresses are those of the bus, the whole page is beyond pointers, caches and local memory,
// and nobody watches: aligned accesses to it need no further look.
void MemoryPath::remember_device(uint32_t address, const DirectMemory& denied) {
  const uint32_t page = address & ~kOffsetMask;
  const uint32_t last = page | kOffsetMask;
  const uint32_t local_last = configuration_.lmb_base + (configuration_.lmb_size - 1);
  const bool local =
      configuration_.lmb_size != 0 && page <= local_last && last >= configuration_.lmb_base;
  const bool whole = denied.data == nullptr && denied.first <= page && denied.last >= last;
  if (mode_ == 0 && whole && !local && !configuration_.big_endian && !caches_.data_on() &&
      watchpoints_.empty())
    device_page_ = page;
}

bool MemoryPath::update_code(uint32_t physical, uint32_t bytes) {
  const uint64_t line = uint64_t{1} << ((physical & kOffsetMask) / BlockCache::kLineBytes);
  if ((blocks_.code_lines(physical) & line) == 0) return false;
  const bool changed = blocks_.invalidate(physical, physical + (bytes - 1));
  update_code_lines(physical);
  return changed;
}

bool MemoryPath::load(uint32_t address, MemoryShape shape, bool check_alignment, uint32_t& value,
                      uint64_t& cycles, Fault& fault) {
  if (at_device(address, shape)) {
    uint32_t raw = 0;
    const BusStatus status = bus_.read(Port::kData, address, &raw, shape.bytes, cycles);
    if (status != BusStatus::kOkay) return fail(status, Cause::kDataBus, address, address, fault);
    value = raw;
    return true;
  }
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
  if (caches_.caches_data(physical, translation.inhibited)) {
    caches_.load(physical, &raw, shape.bytes, cycles);
  } else if (exclusive_on_bus(physical, shape)) {
    const BusStatus status = bus_.read_exclusive(physical, &raw, cycles);
    value = configuration_.big_endian ? swap_bytes(raw, shape.bytes) : raw;
    if (status == BusStatus::kExclusiveOkay) return true;
    fail(status, Cause::kDataBus, address, physical, fault);
    fault.exclusive = true;
    return false;
  } else if (bus_.direct(Port::kData, physical, memory) && memory.readable &&
             memory.last - physical >= low_bits) {
    std::memcpy(&raw, memory.data + (physical - memory.first), shape.bytes);
    if (!dcache_always_hits_) cycles += memory.read_cycles;
    ++counts_of(memory.source).reads[DirectCounts::size_index(shape.bytes)];
    remember(address, translation, Port::kData);
  } else {
    remember_device(address, memory);
    const BusStatus status = bus_.read(Port::kData, physical, &raw, shape.bytes, cycles);
    if (status != BusStatus::kOkay) return fail(status, Cause::kDataBus, address, physical, fault);
  }
  value = configuration_.big_endian != shape.reversed ? swap_bytes(raw, shape.bytes) : raw;
  return true;
}

bool MemoryPath::store(uint32_t address, MemoryShape shape, bool check_alignment, uint32_t value,
                       uint64_t& cycles, bool& code_changed, Fault& fault) {
  if (at_device(address, shape)) {
    const BusStatus status = bus_.write(address, &value, shape.bytes, cycles);
    if (status != BusStatus::kOkay) return fail(status, Cause::kDataBus, address, address, fault);
    code_changed |= update_code(address, shape.bytes);
    return true;
  }
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
  const bool cached = caches_.caches_data(physical, translation.inhibited);
  if (cached && !caches_.store(physical, &raw, shape.bytes, translation.write_through, cycles))
    return true;
  DirectMemory memory;
  if (!cached && exclusive_on_bus(physical, shape)) {
    const BusStatus status = bus_.write_exclusive(physical, &raw, cycles);
    if (status != BusStatus::kExclusiveOkay) {
      fail(status, Cause::kDataBus, address, physical, fault);
      fault.exclusive = true;
      return false;
    }
  } else if (bus_.direct(Port::kData, physical, memory) && memory.writable &&
             memory.last - physical >= low_bits) {
    std::memcpy(memory.data + (physical - memory.first), &raw, shape.bytes);
    if (!dcache_always_hits_) cycles += memory.write_cycles;
    ++counts_of(memory.source).writes[DirectCounts::size_index(shape.bytes)];
    if (!cached) remember(address, translation, Port::kData);
  } else {
    if (!cached) remember_device(address, memory);
    const BusStatus status = bus_.write(physical, &raw, shape.bytes, cycles);
    if (status != BusStatus::kOkay && !cached)
      return fail(status, Cause::kDataBus, address, physical, fault);
    if (status != BusStatus::kOkay)
      kLog.warning("store to {:#010x} through the data cache failed; the processor ignores that",
                   physical);
  }
  code_changed |= update_code(physical, shape.bytes);
  return true;
}

bool MemoryPath::fetch_region(uint32_t pc, FetchRegion& region, Fault& fault) {
  Translation translation;
  if (!translate(pc, Access::kExecute, translation, fault)) return false;
  region = {};
  region.physical = translation.physical;
  region.bytes = kRegionBytes - region.physical % kRegionBytes;
  if (caches_.caches_fetch(region.physical, translation.inhibited)) {
    region.cached = true;
    return true;
  }
  DirectMemory memory;
  const uint32_t last = region.physical | (kRegionBytes - 1);
  if (bus_.direct(Port::kInstruction, region.physical, memory) && memory.readable &&
      memory.last >= last) {
    region.data = memory.data + (region.physical - memory.first);
    if (mode_ == 0 && !caches_.instruction_on())
      region.bytes = std::min(memory.last - region.physical, FetchRegion::kLongest - 1) + 1;
    region.cycles = icache_always_hits_ ? 0 : memory.read_cycles;
    region.source = memory.source;
  }
  return true;
}

bool MemoryPath::fetch_word(const FetchRegion& region, uint32_t physical, uint32_t& word,
                            uint64_t& cycles, Fault& fault) {
  if (region.cached) {
    word = caches_.fetch(physical, cycles);
    return true;
  }
  const BusStatus status = bus_.read(Port::kInstruction, physical, &word, 4, cycles);
  if (status == BusStatus::kOkay) return true;
  return fail(status, Cause::kInstructionBus, physical, physical, fault);
}

// kLanes: none is left until the next run.
unsigned MemoryPath::lane_of(uint8_t source) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (lane_sources_[lane] == 0) lane_sources_[lane] = source;
    if (lane_sources_[lane] == source) return lane;
  }
  lanes_wanted_ = true;
  return kLanes;
}

void MemoryPath::settle(DirectLanes& lanes) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (lane_sources_[lane] == 0) continue;
    DirectCounts& counts = counts_of(lane_sources_[lane]);
    counts.reads[0] += lanes.read1[lane];
    counts.reads[1] += lanes.read2[lane];
    counts.reads[2] += lanes.read4[lane];
    counts.writes[0] += lanes.write1[lane];
    counts.writes[1] += lanes.write2[lane];
    counts.writes[2] += lanes.write4[lane];
  }
  lanes = {};
}

void MemoryPath::renew_lanes(DirectLanes& lanes) {
  settle(lanes);
  lane_sources_.fill(0);
  lanes_wanted_ = false;
  forget_pages();
}

std::vector<DirectCounts> MemoryPath::take_direct(DirectLanes& lanes) {
  settle(lanes);
  return std::exchange(counted_, {});
}

uint32_t MemoryPath::physical_of(uint32_t address) const {
  if (mode_ == 0 || configuration_.use_mmu != 3) return address;
  const Translation translation = mmu_.translate(address, Access::kRead, false);
  return translation.result == Translation::Result::kMiss ? address : translation.physical;
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

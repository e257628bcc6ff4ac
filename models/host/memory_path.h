// SPDX-License-Identifier: Apache-2.0
// The way from an effective address to memory: address translation, protection, alignment, direct
// access or the bus.
//
// The fast path is a table of the pages that were accessed (page_table.h), one for each translation
// mode.  Everything that does not match it, whatever the reason (page not seen yet, unaligned,
// device, store into decoded code, watchpoint), takes the slow path, which sorts it out.  There the
// page of the device that the last access went to is known, too: programs that poll and feed a
// device do little else.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/host/block_cache.h"
#include "models/host/bus.h"
#include "models/host/cache_controller.h"
#include "models/host/configuration.h"
#include "models/host/micro_op_selection.h"
#include "models/host/mmu.h"
#include "models/host/page_table.h"
#include "models/host/state.h"

namespace gvp::host {

// Why an access failed.
struct Fault {
  Cause cause = Cause::kDataBus;
  uint32_t esr_bits = 0;
  uint32_t address = 0;
  uint32_t physical = 0;
  BusStatus status = BusStatus::kOkay;
  bool exclusive = false;  // an AXI exclusive access that was not answered with EXOKAY
};

struct Watchpoint {
  enum class Kind : uint8_t { kWrite, kRead, kAccess };
  uint32_t first = 0;
  uint32_t last = 0;
  Kind kind = Kind::kWrite;
};

class MemoryPath {
 public:
  static constexpr uint32_t kPageBytes = PageTable::kPageBytes;
  using Page = PageTable::Page;

  MemoryPath(const Configuration& configuration, Bus& bus, BlockCache& blocks, Mmu& mmu);

  // The page table of the current mode, for the interpreter's fast path.
  const Page* pages() const { return pages_[mode_].pages(); }
  const PageTable& page_table(unsigned mode) const { return pages_[mode]; }
  // Of address translation: 0 real, 1 virtual privileged, 2 virtual user.
  unsigned mode() const { return mode_; }
  // From MSR: translation, and which caches are on.
  void set_mode(uint32_t msr);
  void forget_pages();
  // Blocks were built or killed in this physical page.
  void update_code_lines(uint32_t physical);

  // One access as an instruction makes it; check_alignment: unaligned is a fault, otherwise the low
  // address bits are ignored.  cycles as in Bus.  code_changed: the store hit decoded code.
  bool load(uint32_t address, MemoryShape shape, bool check_alignment, uint32_t& value,
            uint64_t& cycles, Fault& fault);
  bool store(uint32_t address, MemoryShape shape, bool check_alignment, uint32_t value,
             uint64_t& cycles, bool& code_changed, Fault& fault);

  // Where instructions of a region come from.
  struct FetchRegion {
    uint32_t physical = 0;
    const uint8_t* data = nullptr;  // null: no direct access
    // From here on what follows in memory follows in the program: this many bytes, at most
    // kLongest.
    uint32_t bytes = 0;
    static constexpr uint32_t kLongest = 4096;
    uint32_t cycles = 0;
    uint8_t source = 0;   // of data
    bool cached = false;  // through the instruction cache; then data is null
  };
  bool fetch_region(uint32_t pc, FetchRegion& region, Fault& fault);
  // One word, as memory has it; address within the region.
  bool fetch_word(const FetchRegion& region, uint32_t physical, uint32_t& word, uint64_t& cycles,
                  Fault& fault);

  // Accesses through pointers since the last call, by DirectMemory::source: those that found their
  // page, which the lanes have counted and then begin anew, and the others.
  std::vector<DirectCounts> take_direct(DirectLanes& lanes);
  // Where more memories are in use than there are lanes, gives these to others.  Between runs.
  void share_lanes(DirectLanes& lanes) {
    if (lanes_wanted_) renew_lanes(lanes);
  }

  CacheController& caches() { return caches_; }
  const CacheController& caches() const { return caches_; }
  // The physical address that wic and wdc mean: in virtual mode they take a virtual one (UG984 wic,
  // "Notes").  Assumed: one without translation is taken as it is.
  uint32_t physical_of(uint32_t address) const;

  std::vector<Watchpoint>& watchpoints() { return watchpoints_; }
  // The watchpoint that an access hit since the last call.
  bool take_watch_hit(Watchpoint& hit, uint32_t& address);

 private:
  bool translate(uint32_t address, Access access, Translation& translation, Fault& fault) const;
  bool check(uint32_t address, MemoryShape shape, bool check_alignment, Fault& fault) const;
  void remember(uint32_t address, const Translation& translation, Port port);
  void remember_device(uint32_t address, const DirectMemory& denied);
  // An access that is nothing but one over the bus, whatever else this path knows.
  bool at_device(uint32_t address, MemoryShape shape) const {
    return (address & PageTable::tag_mask(shape.bytes)) == device_page_ && !shape.reversed &&
           !shape.exclusive;
  }
  // A store has changed memory there; true: decoded code, too.
  bool update_code(uint32_t physical, uint32_t bytes);
  // lwx, swx beyond the local memory and the cache, where the processor has AXI exclusive accesses.
  bool exclusive_on_bus(uint32_t physical, MemoryShape shape) const {
    return shape.exclusive && configuration_.m_axi_dp_exclusive_access &&
           physical - configuration_.lmb_base >= configuration_.lmb_size;
  }
  DirectCounts& counts_of(uint8_t source) {
    if (counted_.size() <= source) counted_.resize(source + size_t{1});
    return counted_[source];
  }
  unsigned lane_of(uint8_t source);
  void settle(DirectLanes& lanes);
  void renew_lanes(DirectLanes& lanes);
  bool watched(uint32_t first, uint32_t last) const;
  void note_watch(uint32_t address, uint32_t bytes, bool is_store);
  bool fail(BusStatus status, Cause cause, uint32_t address, uint32_t physical, Fault& fault) const;

  const Configuration& configuration_;
  Bus& bus_;
  BlockCache& blocks_;
  Mmu& mmu_;
  CacheController caches_;
  const bool icache_always_hits_;
  const bool dcache_always_hits_;
  unsigned mode_ = 0;
  uint32_t device_page_ = PageTable::kNoTag;    // the last one, addresses as programs say them
  std::array<PageTable, 3> pages_;              // by mode
  std::vector<DirectCounts> counted_;           // of accesses that are not in lanes, by source
  std::array<uint8_t, kLanes> lane_sources_{};  // whose each lane is; 0: nobody's
  bool lanes_wanted_ = false;                   // a page has found no lane
  std::vector<Watchpoint> watchpoints_;
  bool watch_hit_ = false;
  Watchpoint hit_;
  uint32_t hit_address_ = 0;
};

}  // namespace gvp::host

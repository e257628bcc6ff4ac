// SPDX-License-Identifier: Apache-2.0
// Where an SM's accesses enter its memory hierarchy, and what they take.  The lanes of an
// instruction come one a cycle where the SM's first level has miss registers, else each when the
// one before has its answer, as FlexGrip's do.
//
// With a rule of coalescing the requests that it makes of an instruction come in place of the
// lanes: each with the lowest lane that it serves, the others have their data with it.  A load asks
// for the whole request; a store changes its lanes' bytes only, with strobes where they have gaps,
// and of two lanes at an address the higher one's stay.  Where memory refuses a request, its lanes
// come one by one, so that a fault is the same as without.
//
// Loads of textures (settings.h) go by a cache of their own in place of the first level, and the
// lanes of an instruction that are in one sector of its lines are one request with any rule, as in
// a texture unit.  A store drops the lines that it changes from that cache: so loads of an SM find
// what it has stored before, as behind an L1 cache.
//
// A request goes out when the first level has taken the one before it: a cache that has no miss
// register for that one, or a network whose first link is not free, holds those behind it.
//
// With sm_requests the instruction is done with memory when its last request has gone out, one a
// cycle, and its warp waits for the data of loads until data_cycle(); stores are not waited for.
// When so many are on their way the next one goes out when the first of them is answered.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/cache/coalescing.h"
#include "models/gpgpu/global_memory.h"
#include "models/gpgpu/hierarchy/byte_runs.h"
#include "models/gpgpu/hierarchy/cache_level.h"
#include "models/gpgpu/hierarchy/memory_level.h"
#include "models/gpgpu/hierarchy/settings.h"

namespace gvp::gpgpu::hierarchy {

struct SmPortCounters {
  uint64_t requests = 0;
  // From the first cycle in which a request of an instruction could go out until its last one did.
  uint64_t stall_cycles = 0;
};

class SmPort : public AccessClock, public GlobalPort {
 public:
  // current: becomes the port that has begun last.  texture: its texture cache, if it has one.
  SmPort(SmPort*& current, MemoryLevel& first, bool overlapping, const Settings& settings,
         CacheLevel* texture = nullptr);

  // From here on this SM's accesses come.
  void begin(uint64_t cycle) override;
  // The last of them is over so much later than the one before it.
  const std::vector<uint32_t>& accesses() const override { return accesses_; }
  uint64_t data_cycle() const override { return slots_.empty() ? 0 : loaded_; }
  // Cycles from begin() to the end of all accesses since, or until the last of them has gone out.
  uint64_t taken() const {
    return (slots_.empty() ? done_ : next_ + (gone_ != 0 ? 1 : 0)) - begun_;
  }

  // A kernel begins.
  void reset();
  // Of the kernels from the next one on.
  void set_textures(const std::vector<Texture>& textures) {
    if (texture_ != nullptr) textures_ = textures;
  }
  // When all requests of the kernel are answered, where nobody has waited for them.
  uint64_t over() const { return slots_.empty() ? 0 : over_; }
  const SmPortCounters& counters() const { return counters_; }

  FaultCause read(uint32_t address, void* data, unsigned bytes) override;
  FaultCause write(uint32_t address, const void* data, unsigned bytes) override;
  bool coalesces() const override { return rule_ != cache::Coalescing::kNone; }
  void announce(const WarpAccesses& accesses) override;

 private:
  // What several lanes ask for.
  struct LaneRequest {
    enum class State : uint8_t { kNew, kServed, kRefused };
    State state;
    uint32_t address, bytes;
    uint32_t lanes;
    LineBytes stored;  // bytes, of a store
    std::array<uint8_t, kMostLineBytes> data;
  };

  // What the lanes of the instruction under way have of a texture.
  struct Texels {
    uint32_t address;
    std::array<uint8_t, kMostLineBytes> data;
  };

  bool is_texture(uint32_t address) const;
  FaultCause read_texture(uint32_t address, uint8_t* data, uint32_t bytes);
  LaneRequest* of_next_lane();
  void ask(LaneRequest& request, bool write);
  FaultCause read_around(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle);
  uint64_t next_request();
  void answered_at(const MemoryLevel& level, uint64_t cycle, bool load);

  SmPort*& current_;
  MemoryLevel& first_;
  const bool overlapping_;
  const uint32_t ports_;          // requests that go out in a cycle, where they overlap
  const uint32_t request_bytes_;  // what a load asks for at least, aligned; 0: its own bytes
  const cache::Coalescing rule_;
  const uint32_t segment_bytes_;  // of the rule of 2.x
  CacheLevel* const texture_;
  const uint32_t texel_bytes_;  // that lanes share
  std::vector<Texture> textures_;
  std::vector<Texels> texels_;
  uint64_t begun_ = 0;
  uint64_t next_ = 0;            // when the next access comes
  uint32_t gone_ = 0;            // in that cycle
  uint64_t went_out_ = 0;        // when the last one did
  uint64_t done_ = 0;            // when all so far are answered
  std::vector<uint64_t> slots_;  // with sm_requests: when those on their way are answered
  size_t slot_ = 0;              // of the next one
  uint64_t loaded_ = 0;          // when all loads so far are answered
  uint64_t over_ = 0;            // when all of the kernel so far are
  std::vector<uint32_t> accesses_;
  cache::WarpAccess access_;
  std::vector<cache::Request> coalesced_;
  std::vector<LaneRequest> requests_;
  uint32_t lanes_left_ = 0;  // of what has been announced
  SmPortCounters counters_;  // of the kernel
};

}  // namespace gvp::gpgpu::hierarchy

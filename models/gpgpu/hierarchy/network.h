// SPDX-License-Identifier: Apache-2.0
// The network between SMs and what they share, a cache or memory: one for requests and one for
// answers (GPGPU-Sim: network_count = 2), packet-switched, a flit a cycle on each link.
//
//   crossbar  a link from each SM to the switch, one from there to the memory's node
//   mesh      the smallest square that has room for the SMs and the memory's node, row by row,
//   which
//             comes last; packets go along the row first, then along the column (X-Y routing)
//
// A packet is a header of 8 bytes (GPGPU-Sim's control packets) and its data, in flits.  Its head
// takes hop_cycles from link to link, the flits follow one a cycle (wormhole): where the next link
// is busy it waits, and holds the links behind it meanwhile.  At the memory's node so many requests
// have room as its queue has places, from their arrival until the level there has taken them:
// further ones stand in the network.  Links are given to packets by their own time, also where
// those of another SM have been worked out before: between two packets a third has room.  No
// SystemC.  Units: clock cycles.
//
// Not modelled: virtual channels, buffers in the switches, other routes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "models/gpgpu/hierarchy/memory_level.h"
#include "models/gpgpu/hierarchy/settings.h"

namespace gvp::gpgpu::hierarchy {

struct NetworkCounters {
  uint64_t packets = 0;  // of requests; as many answers
  uint64_t answers = 0;
  uint64_t flits = 0;        // of both, at their source
  uint64_t bytes = 0;        // data, without headers
  uint64_t cycles = 0;       // requests and answers were under way, added up
  uint64_t blocked = 0;      // of these, they waited for a link or a place in the queue
  uint64_t queue_waits = 0;  // requests that found the queue full
  uint64_t most_queued = 0;  // requests at the memory's node at a time
};

// When something is taken: intervals of cycles that do not overlap.
class Occupancy {
 public:
  // The first cycle from this one on in which it is free for so many.
  uint64_t find(uint64_t cycle, uint64_t length) const;
  void take(uint64_t cycle, uint64_t length);
  void clear() { taken_.clear(); }

 private:
  static constexpr size_t kMost = 64;   // the oldest is forgotten...
  uint64_t forgotten_ = 0;              // ...and all before its end is taken
  std::map<uint64_t, uint64_t> taken_;  // begin to end
};

class Network {
 public:
  Network(const NetworkSettings& settings, unsigned sms);

  void begin();
  // A request with so much data leaves the SM in this cycle: when it has arrived, and has a place.
  uint64_t request(unsigned sm, uint32_t bytes, uint64_t cycle);
  // The memory's level has taken the last request in this cycle, which gives the place free.
  void taken(uint64_t cycle) { places_[place_] = cycle; }
  // Its answer leaves in this cycle: when it has arrived.
  uint64_t answer(unsigned sm, uint32_t bytes, uint64_t cycle);
  // When the last packet took its first link: until then it stood at its source.
  uint64_t entered() const { return entered_; }
  const NetworkCounters& counters() const { return counters_; }
  unsigned hops(unsigned sm) const { return static_cast<unsigned>(to_memory_[sm].size()); }

 private:
  using Path = std::vector<unsigned>;  // links
  static constexpr uint32_t kHeaderBytes = 8;

  void lay_crossbar(unsigned sms);
  void lay_mesh(unsigned sms);
  uint64_t send(std::vector<Occupancy>& links, const Path& path, uint32_t bytes, uint64_t cycle,
                uint64_t place);
  uint64_t place_from(uint64_t cycle);

  const NetworkSettings settings_;
  std::vector<Path> to_memory_, from_memory_;  // by SM
  std::vector<Occupancy> requests_, answers_;  // by link
  std::vector<uint64_t> places_;               // of the queue: when each is free
  size_t place_ = 0;                           // of the last request
  uint64_t entered_ = 0;
  NetworkCounters counters_;
};

// An SM's side of it.
class NetworkPort : public MemoryLevel {
 public:
  NetworkPort(Network& network, unsigned sm, MemoryLevel& next)
      : network_(network), sm_(sm), next_(next) {}

  FaultCause read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) override;
  FaultCause write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                           const LineBytes* strobes, uint64_t& cycle) override;
  uint64_t accepted() const override { return accepted_; }

 private:
  Network& network_;
  const unsigned sm_;
  MemoryLevel& next_;
  uint64_t accepted_ = 0;
};

}  // namespace gvp::gpgpu::hierarchy

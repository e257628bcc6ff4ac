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
// takes hop_cycles from link to link, the flits follow one a cycle.  Before an SM's first link
// input_flits have room, and buffer_flits at the end of each: a request that must wait there leaves
// the link to others, as far as it fits.  At the memory's node so many requests have room as its
// queue has places, from their arrival until the level there has taken them.  All further ones
// stand in the buffers, and where the first is full, in the SM: the back-pressure.
//
// Answers wait at the memory's node alone, whose link all of them share: input_flits before the
// link, and answer_queue of them behind that (thesis 5.4.2: L2->ICNT); one that finds no room there
// holds the level, and so the requests behind it (MemoryLevel::answer_taken).
//
// Links are given to packets by their own time, also where those of another SM have been worked out
// before: between two packets a third has room.  No SystemC.  Units: clock cycles.
//
// Not modelled: virtual channels, other routes, buffers that are not first in, first out.
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
  uint64_t flits = 0;  // of both, at their source
  uint64_t bytes = 0;  // data, without headers
  // Requests and answers were under way, added up: from the buffer before the first link on.
  uint64_t cycles = 0;
  uint64_t blocked = 0;      // of these, they waited for a link or a place in a buffer or the queue
  uint64_t queue_waits = 0;  // requests that found the queue full
  uint64_t most_queued = 0;  // requests at the memory's node at a time
  uint64_t answer_waits = 0;  // answers that found the queue there full
};

// When something is taken: intervals of cycles that do not overlap.
class Occupancy {
 public:
  // The first cycle from this one on in which it is free for so many.
  uint64_t find(uint64_t cycle, uint64_t length) const;
  void take(uint64_t cycle, uint64_t length);
  // Those of before this cycle stand in a row before it, in a buffer of so many cycles and behind
  // that in a queue of so many intervals: when the buffer or the queue has room for the next one.
  uint64_t room(uint64_t before, uint64_t buffer, uint64_t queue) const;

 private:
  static constexpr size_t kMost = 128;  // the oldest is forgotten...
  uint64_t forgotten_ = 0;              // ...and all before its end is taken
  std::map<uint64_t, uint64_t> taken_;  // begin to end
};

// At a link's end: flits come one a cycle and leave one a cycle, in the same order.
class FlitBuffer {
 public:
  explicit FlitBuffer(uint32_t flits) : free_(flits, 0) {}
  // The first cycle from this one on from which so many find room, as far as they are not before
  // each other.
  uint64_t find(uint64_t cycle, uint64_t flits) const;
  // So many come, and leave from this cycle on.
  void take(uint64_t flits, uint64_t leave);

 private:
  std::vector<uint64_t> free_;  // of each place: when it is, in the order in which they are taken
  size_t next_ = 0;
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
  // When the source of the last packet was rid of it.
  uint64_t entered() const { return entered_; }
  const NetworkCounters& counters() const { return counters_; }
  unsigned hops(unsigned sm) const { return static_cast<unsigned>(to_memory_[sm].size()); }

 private:
  using Path = std::vector<unsigned>;  // links
  static constexpr uint32_t kHeaderBytes = 8;

  void lay_crossbar(unsigned sms);
  void lay_mesh(unsigned sms);
  void resize(size_t links);
  uint64_t flits_of(uint32_t bytes) const;
  void count(const Path& path, uint32_t bytes, uint64_t flits, uint64_t cycles);
  uint64_t send_request(const Path& path, uint64_t flits, uint64_t cycle, uint64_t place);
  uint64_t send_answer(const Path& path, uint64_t flits, uint64_t cycle);

  const NetworkSettings settings_;
  std::vector<Path> to_memory_, from_memory_;  // by SM
  std::vector<Occupancy> requests_, answers_;  // by link
  std::vector<FlitBuffer> buffers_;            // of requests, at the end of each link
  std::vector<FlitBuffer> inputs_;             // of requests, by SM
  std::vector<uint64_t> begins_;               // of the last packet: when it takes each link
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
  template <typename Ask>
  FaultCause go(uint32_t request_bytes, uint32_t answer_bytes, uint64_t& cycle, Ask ask);

  Network& network_;
  const unsigned sm_;
  MemoryLevel& next_;
  uint64_t accepted_ = 0;
};

}  // namespace gvp::gpgpu::hierarchy

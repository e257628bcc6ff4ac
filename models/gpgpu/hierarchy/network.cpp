// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/network.h"

#include <algorithm>
#include <iterator>

namespace gvp::gpgpu::hierarchy {

uint64_t Occupancy::find(uint64_t cycle, uint64_t length) const {
  uint64_t begin = std::max(cycle, forgotten_);
  auto next = taken_.upper_bound(begin);
  if (next != taken_.begin()) begin = std::max(begin, std::prev(next)->second);
  for (; next != taken_.end() && next->first < begin + length; ++next)
    begin = std::max(begin, next->second);
  return begin;
}

void Occupancy::take(uint64_t cycle, uint64_t length) {
  taken_.emplace(cycle, cycle + length);
  if (taken_.size() <= kMost) return;
  forgotten_ = std::max(forgotten_, taken_.begin()->second);
  taken_.erase(taken_.begin());
}

uint64_t Occupancy::room(uint64_t before, uint64_t buffer, uint64_t queue) const {
  for (auto each = taken_.lower_bound(before); each != taken_.begin();) {
    --each;
    const uint64_t length = each->second - each->first;
    if (buffer >= length) {
      buffer -= length;
      continue;
    }
    buffer = 0;
    if (queue == 0) return each->second;
    --queue;
  }
  return 0;
}

uint64_t FlitBuffer::find(uint64_t cycle, uint64_t flits) const {
  for (uint64_t i = 0; i < std::min<uint64_t>(flits, free_.size()); ++i) {
    const uint64_t free = free_[(next_ + i) % free_.size()];
    cycle = std::max(cycle, free - std::min(free, i));
  }
  return cycle;
}

void FlitBuffer::take(uint64_t flits, uint64_t leave) {
  for (uint64_t i = 0; i < flits; ++i) {
    free_[next_] = leave + i;
    next_ = (next_ + 1) % free_.size();
  }
}

Network::Network(const NetworkSettings& settings, unsigned sms)
    : settings_(settings), inputs_(sms, FlitBuffer(settings.input_flits)), places_(settings.queue) {
  if (settings.topology == "mesh")
    lay_mesh(sms);
  else
    lay_crossbar(sms);
}

// Links: one of each SM, and the memory's own.
void Network::lay_crossbar(unsigned sms) {
  for (unsigned sm = 0; sm < sms; ++sm) {
    to_memory_.push_back({sm, sms});
    from_memory_.push_back({sms, sm});
  }
  resize(sms + 1);
}

// Links: five of each node, to its four neighbours and out of the mesh (or, of answers, into it).
void Network::lay_mesh(unsigned sms) {
  unsigned width = 1;
  while (width * width < sms + 1) ++width;
  enum : unsigned { kEast, kWest, kSouth, kNorth, kLocal, kLinks };
  const unsigned memory = sms;
  const auto route = [&](unsigned from, unsigned to) {
    Path path{from * kLinks + kLocal};
    unsigned x = from % width, y = from / width;
    const auto go = [&](unsigned direction) {
      path.push_back((y * width + x) * kLinks + direction);
    };
    for (; x < to % width; ++x) go(kEast);
    for (; x > to % width; --x) go(kWest);
    for (; y < to / width; ++y) go(kSouth);
    for (; y > to / width; --y) go(kNorth);
    return path;
  };
  for (unsigned sm = 0; sm < sms; ++sm) {
    to_memory_.push_back(route(sm, memory));
    from_memory_.push_back(route(memory, sm));
  }
  resize(size_t{width} * width * kLinks);
}

void Network::resize(size_t links) {
  requests_.assign(links, Occupancy());
  answers_.assign(links, Occupancy());
  buffers_.assign(links, FlitBuffer(settings_.buffer_flits));
}

void Network::begin() {
  resize(requests_.size());
  std::fill(inputs_.begin(), inputs_.end(), FlitBuffer(settings_.input_flits));
  std::fill(places_.begin(), places_.end(), 0);
  counters_ = {};
}

uint64_t Network::flits_of(uint32_t bytes) const {
  return (kHeaderBytes + bytes + settings_.flit_bytes - 1) / settings_.flit_bytes;
}

// Sends a request whose last link it may leave from `place` on: when its last flit has.  A packet
// of more flits than a buffer has room for keeps others from the link in front of it, too: their
// first flit finds room there when its last one has.
uint64_t Network::send_request(const Path& path, uint64_t flits, uint64_t cycle, uint64_t place) {
  begins_.clear();
  uint64_t head = cycle;
  for (const unsigned link : path) {
    const uint64_t begin = requests_[link].find(buffers_[link].find(head, flits), flits);
    begins_.push_back(begin);
    head = begin + settings_.hop_cycles;
  }
  begins_.push_back(std::max(head, place));
  for (size_t i = 0; i < path.size(); ++i) {
    requests_[path[i]].take(begins_[i], flits);
    buffers_[path[i]].take(flits, begins_[i + 1]);
  }
  return begins_.back() + flits - 1;
}

// All answers come from one node, whose link they share, and an SM takes them as they come: behind
// that link they never wait for each other.
uint64_t Network::send_answer(const Path& path, uint64_t flits, uint64_t cycle) {
  uint64_t head = cycle;
  begins_.clear();
  for (const unsigned link : path) {
    begins_.push_back(answers_[link].find(head, flits));
    answers_[link].take(begins_.back(), flits);
    head = begins_.back() + settings_.hop_cycles;
  }
  return head + flits - 1;
}

void Network::count(const Path& path, uint32_t bytes, uint64_t flits, uint64_t cycles) {
  counters_.flits += flits;
  counters_.bytes += bytes;
  counters_.cycles += cycles;
  counters_.blocked += cycles - path.size() * settings_.hop_cycles - (flits - 1);
}

uint64_t Network::request(unsigned sm, uint32_t bytes, uint64_t cycle) {
  const auto first = std::min_element(places_.begin(), places_.end());
  place_ = static_cast<size_t>(first - places_.begin());
  ++counters_.packets;
  const uint64_t alone = cycle + to_memory_[sm].size() * settings_.hop_cycles;
  if (*first > alone) ++counters_.queue_waits;
  const uint64_t flits = flits_of(bytes);
  entered_ = inputs_[sm].find(cycle, flits);
  const uint64_t arrives = send_request(to_memory_[sm], flits, entered_, *first);
  inputs_[sm].take(flits, begins_.front());
  count(to_memory_[sm], bytes, flits, arrives - entered_);
  const auto queued =
      std::count_if(places_.begin(), places_.end(), [&](uint64_t free) { return free > arrives; });
  counters_.most_queued = std::max(counters_.most_queued, static_cast<uint64_t>(queued) + 1);
  return arrives;
}

// Those before it stand in the buffer before the first link, and behind it in the queue.
uint64_t Network::answer(unsigned sm, uint32_t bytes, uint64_t cycle) {
  ++counters_.answers;
  const uint64_t flits = flits_of(bytes);
  const Path& path = from_memory_[sm];
  const uint64_t arrives = send_answer(path, flits, cycle);
  const Occupancy& link = answers_[path.front()];
  const uint64_t room = settings_.input_flits - std::min<uint64_t>(settings_.input_flits, flits);
  entered_ = std::max(cycle, link.room(begins_.front(), room, settings_.answer_queue));
  if (entered_ > cycle) ++counters_.answer_waits;
  count(path, bytes, flits, arrives - std::max(cycle, link.room(begins_.front(), room, 0)));
  return arrives;
}

// A request with so much data, the answer of the level behind it, and that answer's data.
template <typename Ask>
FaultCause NetworkPort::go(uint32_t request_bytes, uint32_t answer_bytes, uint64_t& cycle,
                           Ask ask) {
  const uint64_t arrived = cycle = network_.request(sm_, request_bytes, cycle);
  accepted_ = network_.entered();
  const FaultCause cause = ask(cycle);
  network_.taken(std::max(arrived, next_.accepted()));
  cycle = network_.answer(sm_, answer_bytes, cycle);
  next_.answer_taken(network_.entered());
  return cause;
}

FaultCause NetworkPort::read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  return go(0, bytes, cycle, [&](uint64_t& at) { return next_.read(address, data, bytes, at); });
}

FaultCause NetworkPort::write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                                      const LineBytes* strobes, uint64_t& cycle) {
  return go(bytes, 0, cycle,
            [&](uint64_t& at) { return next_.write_strobed(address, data, bytes, strobes, at); });
}

}  // namespace gvp::gpgpu::hierarchy

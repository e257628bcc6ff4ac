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

Network::Network(const NetworkSettings& settings, unsigned sms)
    : settings_(settings), places_(settings.queue) {
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
  requests_.resize(sms + 1);
  answers_.resize(sms + 1);
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
  requests_.resize(size_t{width} * width * kLinks);
  answers_.resize(requests_.size());
}

void Network::begin() {
  for (Occupancy& link : requests_) link = {};
  for (Occupancy& link : answers_) link = {};
  std::fill(places_.begin(), places_.end(), 0);
  counters_ = {};
}

// Sends a packet whose last link it may leave from `place` on: when its last flit has.
uint64_t Network::send(std::vector<Occupancy>& links, const Path& path, uint32_t bytes,
                       uint64_t cycle, uint64_t place) {
  const uint64_t flits = (kHeaderBytes + bytes + settings_.flit_bytes - 1) / settings_.flit_bytes;
  counters_.flits += flits;
  counters_.bytes += bytes;
  // When the head takes each link, and last the place; later than it could where the link is not
  // free for as long as the packet holds it: until the tail has left it for the next one.
  std::vector<uint64_t> begins(path.size() + 1, 0);
  const auto held = [&](size_t i) {
    return flits + begins[i + 1] - begins[i] - settings_.hop_cycles;
  };
  for (bool moved = true; moved;) {
    uint64_t head = cycle;
    for (size_t i = 0; i < path.size(); ++i) {
      begins[i] = links[path[i]].find(std::max(head, begins[i]), flits);
      head = begins[i] + settings_.hop_cycles;
    }
    begins.back() = std::max(head, place);
    moved = false;
    for (size_t i = 0; i < path.size() && !moved; ++i) {
      const uint64_t free = links[path[i]].find(begins[i], held(i));
      moved = free != begins[i];
      begins[i] = free;
    }
  }
  for (size_t i = 0; i < path.size(); ++i) links[path[i]].take(begins[i], held(i));
  entered_ = begins[0];
  const uint64_t arrives = begins.back() + flits - 1;
  counters_.cycles += arrives - cycle;
  counters_.blocked += arrives - cycle - path.size() * settings_.hop_cycles - (flits - 1);
  return arrives;
}

uint64_t Network::request(unsigned sm, uint32_t bytes, uint64_t cycle) {
  const auto first = std::min_element(places_.begin(), places_.end());
  place_ = static_cast<size_t>(first - places_.begin());
  ++counters_.packets;
  const uint64_t alone = cycle + to_memory_[sm].size() * settings_.hop_cycles;
  if (*first > alone) ++counters_.queue_waits;
  const uint64_t arrives = send(requests_, to_memory_[sm], bytes, cycle, *first);
  const auto queued =
      std::count_if(places_.begin(), places_.end(), [&](uint64_t free) { return free > arrives; });
  counters_.most_queued = std::max(counters_.most_queued, static_cast<uint64_t>(queued) + 1);
  return arrives;
}

uint64_t Network::answer(unsigned sm, uint32_t bytes, uint64_t cycle) {
  ++counters_.answers;
  return send(answers_, from_memory_[sm], bytes, cycle, 0);
}

FaultCause NetworkPort::read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  const uint64_t arrived = cycle = network_.request(sm_, 0, cycle);
  accepted_ = network_.entered();
  const FaultCause cause = next_.read(address, data, bytes, cycle);
  network_.taken(std::max(arrived, next_.accepted()));
  cycle = network_.answer(sm_, bytes, cycle);
  return cause;
}

FaultCause NetworkPort::write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                                      const LineBytes* strobes, uint64_t& cycle) {
  const uint64_t arrived = cycle = network_.request(sm_, bytes, cycle);
  accepted_ = network_.entered();
  const FaultCause cause = next_.write_strobed(address, data, bytes, strobes, cycle);
  network_.taken(std::max(arrived, next_.accepted()));
  cycle = network_.answer(sm_, 0, cycle);
  return cause;
}

}  // namespace gvp::gpgpu::hierarchy

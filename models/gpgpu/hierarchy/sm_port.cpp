// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/sm_port.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace gvp::gpgpu::hierarchy {

SmPort::SmPort(SmPort*& current, MemoryLevel& first, bool overlapping, const Settings& settings,
               CacheLevel* texture)
    : current_(current),
      first_(first),
      overlapping_(overlapping),
      ports_(settings.l1.enabled ? settings.l1.ports : 1),
      request_bytes_(settings.l1.enabled ? 0 : settings.request_bytes),
      rule_(cache::coalescing_of(settings.coalescing)),
      segment_bytes_(settings.l1.enabled ? settings.l1.line_bytes
                                         : std::max(settings.request_bytes, kSegmentBytes)),
      texture_(texture),
      texel_bytes_(settings.texture_cache.sector_bytes),
      slots_(settings.sm_requests) {}

void SmPort::reset() {
  std::fill(slots_.begin(), slots_.end(), 0);
  over_ = 0;
  counters_ = {};
}

void SmPort::begin(uint64_t cycle) {
  current_ = this;
  begun_ = next_ = went_out_ = done_ = loaded_ = cycle;
  gone_ = 0;
  accesses_.clear();
  texels_.clear();
  lanes_left_ = 0;
}

void SmPort::announce(const WarpAccesses& accesses) {
  uint32_t lanes = accesses.lanes;
  for (uint32_t rest = accesses.write ? 0 : lanes; rest != 0; rest &= rest - 1)
    if (is_texture(accesses.addresses[static_cast<unsigned>(__builtin_ctz(rest))]))
      lanes &= ~(rest & (~rest + 1));
  access_ = {accesses.addresses, lanes, accesses.bytes, accesses.write};
  cache::coalesce(rule_, access_, segment_bytes_, coalesced_);
  requests_.clear();
  for (const cache::Request& each : coalesced_) {
    requests_.push_back({LaneRequest::State::kNew, each.address, each.bytes, each.lanes, {}, {}});
    LaneRequest& request = requests_.back();
    if (!accesses.write && request.bytes < request_bytes_) {
      request.bytes = request_bytes_;
      request.address -= request.address % request_bytes_;
    }
    for (uint32_t rest = accesses.write ? each.lanes : 0; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
      const uint32_t offset = accesses.addresses[lane] - request.address;
      std::memcpy(&request.data[offset], accesses.stored[lane].data(), accesses.bytes);
      for (uint32_t i = 0; i < accesses.bytes; ++i) request.stored.set(offset + i);
    }
  }
  lanes_left_ = lanes;
}

bool SmPort::is_texture(uint32_t address) const {
  return std::any_of(textures_.begin(), textures_.end(),
                     [&](const Texture& each) { return each.holds(address); });
}

FaultCause SmPort::read_texture(uint32_t address, uint8_t* data, uint32_t bytes) {
  const uint32_t begin = address - address % texel_bytes_;
  auto found = std::find_if(texels_.begin(), texels_.end(),
                            [&](const Texels& each) { return each.address == begin; });
  if (found == texels_.end()) {
    texels_.push_back({begin, {}});
    found = std::prev(texels_.end());
    uint64_t cycle = next_request();
    if (texture_->read(begin, found->data.data(), texel_bytes_, cycle) != FaultCause::kNone) {
      texels_.pop_back();  // not all of it is memory
      const FaultCause cause = texture_->read(address, data, bytes, cycle);
      answered_at(*texture_, cycle, true);
      return cause;
    }
    answered_at(*texture_, cycle, true);
  }
  std::memcpy(data, &found->data[address - begin], bytes);
  return FaultCause::kNone;
}

// The one that serves the next lane; null: lanes are not announced.
SmPort::LaneRequest* SmPort::of_next_lane() {
  if (lanes_left_ == 0) return nullptr;
  const uint32_t lane = lanes_left_ & (~lanes_left_ + 1);
  lanes_left_ &= ~lane;
  return &*std::find_if(requests_.begin(), requests_.end(),
                        [&](const LaneRequest& each) { return (each.lanes & lane) != 0; });
}

void SmPort::ask(LaneRequest& request, bool write) {
  const auto one = [&](auto&& access) {
    uint64_t cycle = next_request();
    const FaultCause cause = access(cycle);
    answered_at(first_, cycle, !write);
    return cause;
  };
  const FaultCause cause =
      write ? write_at_once(request.address, request.stored, request.bytes,
                            [&](uint32_t offset, uint32_t bytes, const LineBytes* strobes) {
                              return one([&](uint64_t& cycle) {
                                return first_.write_strobed(request.address + offset,
                                                            &request.data[offset], bytes, strobes,
                                                            cycle);
                              });
                            })
            : one([&](uint64_t& cycle) {
                return first_.read(request.address, request.data.data(), request.bytes, cycle);
              });
  request.state =
      cause == FaultCause::kNone ? LaneRequest::State::kServed : LaneRequest::State::kRefused;
}

FaultCause SmPort::read(uint32_t address, void* data, unsigned bytes) {
  const uint64_t before = taken();
  auto* const to = static_cast<uint8_t*>(data);
  FaultCause cause = FaultCause::kNone;
  if (is_texture(address)) {
    cause = read_texture(address, to, bytes);
    accesses_.push_back(static_cast<uint32_t>(taken() - before));
    return cause;
  }
  LaneRequest* const request = of_next_lane();
  if (request != nullptr && request->state == LaneRequest::State::kNew) {
    ask(*request, false);
    // Compute capability 1.0 asks for the other half of a 16-byte access, too, whoever is active.
    for (LaneRequest& each : requests_)
      if (each.lanes == 0 && each.state == LaneRequest::State::kNew) ask(each, false);
  }
  if (request != nullptr && request->state == LaneRequest::State::kServed) {
    std::memcpy(to, &request->data[address - request->address], bytes);
  } else {
    uint64_t cycle = next_request();
    cause = request == nullptr && bytes < request_bytes_ ? read_around(address, to, bytes, cycle)
                                                         : first_.read(address, to, bytes, cycle);
    answered_at(first_, cycle, true);
  }
  accesses_.push_back(static_cast<uint32_t>(taken() - before));
  return cause;
}

// The whole request that the bytes lie in; where memory refuses that, they alone.
FaultCause SmPort::read_around(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  std::array<uint8_t, kMostRequestBytes> request;
  const uint32_t offset = address % request_bytes_;
  if (first_.read(address - offset, request.data(), request_bytes_, cycle) != FaultCause::kNone)
    return first_.read(address, data, bytes, cycle);
  std::memcpy(data, request.data() + offset, bytes);
  return FaultCause::kNone;
}

FaultCause SmPort::write(uint32_t address, const void* data, unsigned bytes) {
  const uint64_t before = taken();
  FaultCause cause = FaultCause::kNone;
  LaneRequest* const request = of_next_lane();
  if (request != nullptr && request->state == LaneRequest::State::kNew) ask(*request, true);
  if (request == nullptr || request->state == LaneRequest::State::kRefused) {
    uint64_t cycle = next_request();
    cause = first_.write(address, static_cast<const uint8_t*>(data), bytes, cycle);
    answered_at(first_, cycle, false);
  }
  if (is_texture(address)) texture_->forget(address, bytes);
  accesses_.push_back(static_cast<uint32_t>(taken() - before));
  return cause;
}

// When the next request goes out.
uint64_t SmPort::next_request() {
  if (!slots_.empty() && slots_[slot_] > next_) {
    next_ = slots_[slot_];
    gone_ = 0;
  }
  return next_;
}

void SmPort::answered_at(const MemoryLevel& level, uint64_t cycle, bool load) {
  done_ = std::max(done_, cycle);
  over_ = std::max(over_, cycle);
  if (const uint64_t accepted = level.accepted(); accepted > next_) {
    next_ = accepted;
    gone_ = 0;
  }
  ++counters_.requests;
  counters_.stall_cycles += next_ - std::exchange(went_out_, next_);
  if (slots_.empty() && !overlapping_) {
    next_ = done_;
    return;
  }
  if (++gone_ == ports_) {
    ++next_;
    gone_ = 0;
  }
  if (slots_.empty()) return;
  if (load) loaded_ = std::max(loaded_, cycle);
  slots_[slot_] = cycle;
  slot_ = (slot_ + 1) % slots_.size();
}

}  // namespace gvp::gpgpu::hierarchy

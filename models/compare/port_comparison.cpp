// SPDX-License-Identifier: Apache-2.0
#include "models/compare/port_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gvp::compare {
namespace {

// What a payload carries: a write without the bytes before the first and behind the last enabled
// one, so that it does not matter how wide the bus is that it has come over.
struct Carried {
  uint64_t address = 0;
  std::vector<uint8_t> data;
  std::vector<bool> enabled;  // empty: all
};

Carried carried_by(const tlm::tlm_generic_payload& payload) {
  const uint8_t* const data = payload.get_data_ptr();
  const uint8_t* const enables = payload.get_byte_enable_ptr();
  const unsigned bytes = payload.get_data_length();
  if (enables == nullptr || payload.is_read())
    return {payload.get_address(), {data, data + bytes}, {}};
  std::vector<bool> enabled(bytes);
  for (unsigned i = 0; i < bytes; ++i)
    enabled[i] = enables[i % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
  const auto first = std::find(enabled.begin(), enabled.end(), true);
  const auto last = std::find(enabled.rbegin(), std::make_reverse_iterator(first), true).base();
  const auto at = [&](auto position) { return data + (position - enabled.begin()); };
  Carried carried{payload.get_address() + static_cast<uint64_t>(first - enabled.begin()),
                  {at(first), at(last)},
                  {first, last}};
  for (size_t i = 0; i < carried.enabled.size(); ++i)
    if (!carried.enabled[i]) carried.data[i] = 0;
  if (std::find(first, last, false) == last) carried.enabled.clear();
  return carried;
}

std::string text_of(const std::vector<uint8_t>& data, const std::vector<bool>& enabled) {
  std::string text;
  for (size_t i = data.size(); i-- > 0;)
    text += enabled.empty() || enabled[i] ? fmt::format("{:02x}", data[i]) : "--";
  return "0x" + text;
}

}  // namespace

PortComparison::PortComparison(const sc_core::sc_module_name& name) : sc_module(name) {
  steering_.register_b_transport(this, &PortComparison::transport_steering);
  following_.register_b_transport(this, &PortComparison::transport_following);
  steering_.register_transport_dbg(this, &PortComparison::transport_debug);
  following_.register_transport_dbg(this, &PortComparison::transport_debug);
}

void PortComparison::bind(Side side, tlm::tlm_initiator_socket<>& port) {
  port.bind(side == kSteering ? steering_ : following_);
}

void PortComparison::listen(std::function<uint64_t(Side)> ended,
                            std::function<void(const Difference&)> differ) {
  ended_ = std::move(ended);
  differ_ = std::move(differ);
}

void PortComparison::job_ended() { arrived_.notify(sc_core::SC_ZERO_TIME); }

void PortComparison::restart() {
  ++restarts_;
  jobs_.clear();
  arrived_.notify(sc_core::SC_ZERO_TIME);
}

unsigned PortComparison::transport_debug(tlm::tlm_generic_payload& payload) {
  return bus->transport_dbg(payload);
}

std::string PortComparison::describe(const Place& place, size_t bytes) {
  return fmt::format("the {} of {} bytes at {:#x}", place.second ? "write" : "read", bytes,
                     place.first);
}

void PortComparison::transport_steering(tlm::tlm_generic_payload& payload,
                                        sc_core::sc_time& delay) {
  const uint64_t before = restarts_;
  const uint64_t job = ended_(kSteering);
  const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
  bus->b_transport(payload, delay);
  payload.set_dmi_allowed(false);
  if (before != restarts_) return;
  Carried carried = carried_by(payload);
  jobs_[job][{carried.address, payload.is_write()}].push_back(
      {std::move(carried.data), std::move(carried.enabled), payload.is_response_ok(),
       sc_core::sc_time_stamp() + delay - begin});
  arrived_.notify(sc_core::SC_ZERO_TIME);
}

// The first device's next one at the same place; nothing if it makes none.
std::optional<PortComparison::Access> PortComparison::first_access(const Place& place,
                                                                   sc_core::sc_time& delay) {
  const uint64_t before = restarts_;
  const uint64_t job = ended_(kFollowing);
  while (restarts_ == before) {
    if (const auto made = jobs_[job].find(place); made != jobs_[job].end()) {
      Access access = std::move(made->second.front());
      made->second.pop_front();
      if (made->second.empty()) jobs_[job].erase(made);
      return access;
    }
    if (ended_(kSteering) > job) break;
    if (delay != sc_core::SC_ZERO_TIME)
      sc_core::wait(delay);  // the first one may come meanwhile
    else
      sc_core::wait(arrived_);
    delay = sc_core::SC_ZERO_TIME;
  }
  return std::nullopt;
}

void PortComparison::transport_following(tlm::tlm_generic_payload& payload,
                                         sc_core::sc_time& delay) {
  const Carried own = carried_by(payload);
  const Place place{own.address, payload.is_write()};
  const uint64_t before = restarts_;
  const std::optional<Access> first = first_access(place, delay);
  if (!first) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (payload.is_read() && bus->transport_dbg(payload) != payload.get_data_length())
      payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (restarts_ == before)
      differ_({payload.is_write(),
               own.address,
               describe(place, own.data.size()),
               {"not made", payload.is_write() ? text_of(own.data, own.enabled) : "made"}});
    return;
  }
  ++compared_;
  delay += first->duration;
  payload.set_response_status(first->ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
  if (first->data.size() != own.data.size())
    differ_({payload.is_write(),
             own.address,
             fmt::format("the {} at {:#x}", payload.is_write() ? "write" : "read", own.address),
             {fmt::format("of {} bytes", first->data.size()),
              fmt::format("of {} bytes", own.data.size())}});
  else if (payload.is_write() && (first->data != own.data || first->enabled != own.enabled))
    differ_({true,
             own.address,
             describe(place, own.data.size()),
             {text_of(first->data, first->enabled), text_of(own.data, own.enabled)}});
  if (payload.is_read())
    std::copy_n(first->data.begin(), std::min(first->data.size(), own.data.size()),
                payload.get_data_ptr());
}

std::optional<PortComparison::Difference> PortComparison::close(uint64_t job) {
  std::optional<Difference> left;
  if (!jobs_[job].empty()) {
    const auto& [place, accesses] = *jobs_[job].begin();
    const Access& access = accesses.front();
    left = Difference{place.second,
                      place.first,
                      describe(place, access.data.size()),
                      {place.second ? text_of(access.data, access.enabled) : "made", "not made"}};
  }
  jobs_.erase(job);
  return left;
}

}  // namespace gvp::compare

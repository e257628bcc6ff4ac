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

const char* kind_of(bool write) { return write ? "write" : "read"; }

std::string describe(bool write, uint64_t address, size_t bytes) {
  return fmt::format("the {} of {} bytes at {:#x}", kind_of(write), bytes, address);
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

void PortComparison::transport_steering(tlm::tlm_generic_payload& payload,
                                        sc_core::sc_time& delay) {
  const uint64_t before = restarts_;
  const uint64_t job = ended_(kSteering);
  const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
  bus->b_transport(payload, delay);
  payload.set_dmi_allowed(false);
  if (before != restarts_) return;
  Carried carried = carried_by(payload);
  jobs_[job][{carried.address, payload.is_write()}].waiting.push_back(
      {std::move(carried.data), std::move(carried.enabled), payload.is_response_ok(),
       sc_core::sc_time_stamp() + delay - begin, accesses_++});
  arrived_.notify(sc_core::SC_ZERO_TIME);
}

// The first device's next one at the same place; nothing if it makes none.
std::optional<PortComparison::Access> PortComparison::first_access(const Place& place,
                                                                   sc_core::sc_time& delay) {
  const uint64_t before = restarts_;
  const uint64_t job = ended_(kFollowing);
  while (restarts_ == before) {
    if (Here& here = jobs_[job][place]; !here.waiting.empty()) {
      Access access = std::move(here.waiting.front());
      here.waiting.pop_front();
      access.first = here.paired++ == 0;
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
  const uint64_t job = ended_(kFollowing);
  const std::optional<Access> first = first_access(place, delay);
  if (!first) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (payload.is_read() && bus->transport_dbg(payload) != payload.get_data_length())
      payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (restarts_ == before)
      differ_alone(job, place, text_of(own.data, own.enabled), own.data.size());
    return;
  }
  ++compared_;
  delay += first->duration;
  payload.set_response_status(first->ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
  if (first->data.size() != own.data.size())
    differ_({payload.is_write(),
             own.address,
             fmt::format("the {} at {:#x}", kind_of(payload.is_write()), own.address),
             {fmt::format("of {} bytes", first->data.size()),
              fmt::format("of {} bytes", own.data.size())},
             first->first});
  else if (payload.is_write() && (first->data != own.data || first->enabled != own.enabled))
    differ_({true,
             own.address,
             describe(payload.is_write(), own.address, own.data.size()),
             {text_of(first->data, first->enabled), text_of(own.data, own.enabled)},
             first->first});
  if (payload.is_read())
    std::copy_n(first->data.begin(), std::min(first->data.size(), own.data.size()),
                payload.get_data_ptr());
}

// The second device's access, which the first one has not made: instead of the first one's earliest
// that is still to come, if there is any.
void PortComparison::differ_alone(uint64_t job, const Place& place, const std::string& value,
                                  size_t bytes) {
  const auto& [address, write] = place;
  const Job::value_type* const instead = earliest(job, write);
  if (instead == nullptr)
    return differ_({write,
                    address,
                    describe(write, address, bytes),
                    {"not made", write ? value : std::string("made")}});
  const auto text = [](size_t size, uint64_t at) {
    return fmt::format("of {} bytes at {:#x}", size, at);
  };
  differ_({write,
           instead->first.first,
           fmt::format("the next {}", kind_of(write)),
           {text(instead->second.waiting.front().data.size(), instead->first.first),
            text(bytes, address)},
           instead->second.paired == 0});
}

// Of those that the second device has not made; null: there is none.
const PortComparison::Job::value_type* PortComparison::earliest(uint64_t job,
                                                                const std::optional<bool>& write) {
  const Job::value_type* found = nullptr;
  for (const Job::value_type& each : jobs_[job])
    if (!each.second.waiting.empty() && (!write || each.first.second == *write) &&
        (found == nullptr ||
         each.second.waiting.front().number < found->second.waiting.front().number))
      found = &each;
  return found;
}

std::optional<PortComparison::Difference> PortComparison::close(uint64_t job) {
  std::optional<Difference> left;
  if (const Job::value_type* const each = earliest(job, std::nullopt)) {
    const auto& [address, write] = each->first;
    const Access& access = each->second.waiting.front();
    left =
        Difference{write,
                   address,
                   describe(write, address, access.data.size()),
                   {write ? text_of(access.data, access.enabled) : std::string("made"), "not made"},
                   each->second.paired == 0};
  }
  jobs_.erase(job);
  return left;
}

}  // namespace gvp::compare

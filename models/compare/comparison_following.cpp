// SPDX-License-Identifier: Apache-2.0
// The second device of a comparison: what came to the first one is repeated to it, and its answers
// are compared.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/compare/comparison.h"

namespace gvp::compare {
namespace {

// Until an interrupt of the second device has followed that of the first.
constexpr unsigned kInterruptCycles = 16;

std::string hexadecimal(const std::vector<uint8_t>& bytes) {
  std::string text;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte)
    text += fmt::format("{:02x}", *byte);
  return "0x" + text;
}

}  // namespace

bool Comparison::is_level() const {
  return waiting_.empty() && !repeating_ && ended(kFollowing) >= ended(kSteering) &&
         busy(kFollowing) == busy(kSteering);
}

void Comparison::wait_until_level() {
  const uint64_t before = restarts_;
  while (!is_level() && restarts_ == before && !lost_) {
    hurry();
    sc_core::wait(cycle_ * kInterruptCycles);
  }
}

void Comparison::hurry() {
  if (!waiting_.empty() || repeating_) return;
  Access nothing;
  nothing.kind = Access::Kind::kDebugWrite;
  push(std::move(nothing));
}

void Comparison::follow() {
  for (;;) {
    while (waiting_.empty()) sc_core::wait(arrived_);
    const uint64_t before = restarts_;
    repeating_ = true;
    Access access = std::move(waiting_.front());
    waiting_.pop_front();
    if (wait_for_jobs(access) && before == restarts_) repeat(access);
    if (before == restarts_) look_for_more_interrupts(access);
    repeating_ = false;
  }
}

// False: it will not end them any more.
bool Comparison::wait_for_jobs(const Access& access) {
  const uint64_t before = restarts_;
  while (ended(kFollowing) < access.ended && restarts_ == before) {
    const sc_core::sc_time limit = inside_->patience();
    const sc_core::sc_time begin = sc_core::sc_time_stamp();
    sc_core::wait(limit, inside_->ends() | restarted_);
    if (restarts_ != before || ended(kFollowing) >= access.ended ||
        sc_core::sc_time_stamp() - begin < limit)
      continue;
    lost_ = true;
    differ({"the end of the job", {"has come", "has not come"}, "", Mismatch::kNoPc});
    return false;
  }
  return restarts_ == before;
}

void Comparison::repeat(Access& access) {
  Device& device = devices_[kFollowing];
  if (access.kind == Access::Kind::kReset) {
    if (device.parts.reset) device.parts.reset();
    return;
  }
  if (access.data.empty()) return;
  std::vector<uint8_t> data = access.data;
  tlm::tlm_generic_payload payload;
  payload.set_command(access.command);
  payload.set_address(access.address);
  payload.set_data_ptr(data.data());
  payload.set_data_length(static_cast<unsigned>(data.size()));
  payload.set_streaming_width(access.streaming_width);
  if (access.kind == Access::Kind::kDebugWrite) {
    payload.set_streaming_width(static_cast<unsigned>(data.size()));
    (*device.windows[access.window])->transport_dbg(payload);
    return;
  }
  if (!access.enables.empty()) {
    payload.set_byte_enable_ptr(access.enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(access.enables.size()));
  }
  ++transactions_;
  const uint64_t before = restarts_;
  const bool was_busy = busy(kFollowing);
  const uint64_t jobs = ended(kFollowing);
  sc_core::sc_time delay;
  (*device.windows[access.window])->b_transport(payload, delay);
  sc_core::wait(delay);
  if (restarts_ != before) return;
  compare(access, payload, data, was_busy || busy(kFollowing),
          was_busy && busy(kFollowing) && jobs == ended(kFollowing));
}

void Comparison::compare(const Access& access, const tlm::tlm_generic_payload& payload,
                         const std::vector<uint8_t>& data, bool busy, bool throughout) {
  const bool at_job = access.busy || busy;
  if (at_job && !(access.throughout && throughout)) {
    other_reads_ += payload.is_read() ? 1 : 0;
    return;
  }
  if (payload.is_response_ok() != access.ok) {
    const auto text = [](bool ok) { return ok ? "accepted" : "refused"; };
    differ(
        {describe(access), {text(access.ok), text(payload.is_response_ok())}, "", Mismatch::kNoPc});
    return;
  }
  const std::string& window = devices_[kSteering].parts.targets[access.window].window;
  if (payload.is_read() && access.ok && !at_job &&
      (!inside_ || inside_->compares(window, access.address))) {
    ++compared_reads_;
    if (data != access.data) {
      differ(
          {describe(access), {hexadecimal(access.data), hexadecimal(data)}, "", Mismatch::kNoPc});
      return;
    }
  } else if (payload.is_read()) {
    ++other_reads_;
  }
  compare_interrupts(access);
}

// Once the second device has had time for it: every change that the first one had shown by then.
void Comparison::compare_interrupts(const Access& access) {
  const uint64_t before = restarts_;
  const auto missing = [&] {
    for (size_t i = 0; i < access.edges.size(); ++i)
      if (edges_[kFollowing][i] < access.edges[i]) return i;
    return access.edges.size();
  };
  for (unsigned i = 0; i < kInterruptCycles && missing() < access.edges.size(); ++i)
    sc_core::wait(cycle_);
  const size_t line = missing();
  if (restarts_ != before || line == access.edges.size()) return;
  differ_in_interrupt(line, access.edges[line], access);
}

// Changes that the first device has not shown, once nothing is under way that could bring them.
void Comparison::look_for_more_interrupts(const Access& access) {
  const uint64_t before = restarts_;
  const auto nothing_under_way = [&] {
    return waiting_.empty() && restarts_ == before && !busy(kSteering) && !busy(kFollowing) &&
           ended(kSteering) == ended(kFollowing);
  };
  if (edges_[kFollowing].empty() || !nothing_under_way()) return;
  sc_core::wait(cycle_ * kInterruptCycles, arrived_ | restarted_);
  if (!nothing_under_way()) return;
  for (size_t line = 0; line < edges_[kFollowing].size(); ++line)
    if (edges_[kFollowing][line] > edges_[kSteering][line])
      differ_in_interrupt(line, edges_[kSteering][line], access);
}

void Comparison::differ_in_interrupt(size_t line, uint64_t edges, const Access& access) {
  const auto text = [](uint64_t count) { return fmt::format("changed {} times", count); };
  differ({devices_[kSteering].parts.interrupts[line].output,
          {text(edges), text(edges_[kFollowing][line])},
          "after " + describe(access),
          Mismatch::kNoPc});
}

void Comparison::restart() {
  ++restarts_;
  lost_ = false;
  counts_from_ = sc_core::sc_time_stamp() + cycle_ * kInterruptCycles;
  waiting_.clear();
  for (Device& device : devices_)
    if (device.parts.reset) device.parts.reset();
  for (const auto& [master, port] : ports_) port->restart();
  if (inside_) inside_->restart();
  for (auto& edges : edges_) std::fill(edges.begin(), edges.end(), 0);
  restarted_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace gvp::compare

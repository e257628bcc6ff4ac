// SPDX-License-Identifier: Apache-2.0
#include "trace/host_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/tlm/transaction_identity.h"

namespace gvp::trace {

using Kind = host::ControlEvent::Kind;

HostRecorder::HostRecorder(Recorder& recorder, const std::string& host, FindFunction find)
    : recorder_(recorder), host_(host), find_(std::move(find)), port_text_(host + "_lmb") {
  if (recorder.wants(trace::Subject::kFunctions)) wants_ |= kControl;
  local_ = recorder.wanted(port_text_, {}, trace::Subject::kLocal);
  port_ = recorder.names().number(port_text_);
  if (!local_.empty()) wants_ |= kLocalMemory;
}

const HostRecorder::Function& HostRecorder::function_at(uint32_t pc) {
  const auto [found, added] = functions_.try_emplace(pc);
  if (!added) return found->second;
  std::string name;
  uint32_t start = pc;
  if (!find_(pc, name, start)) name = fmt::format("{:#010x}", pc);
  found->second = {start, recorder_.names().number(name)};
  return found->second;
}

void HostRecorder::push(const Function& function, uint64_t time) {
  while (tracks_.size() <= stack_.size())
    tracks_.push_back(recorder_.track(trace::Subject::kFunctions, host_,
                                      fmt::format("functions {}", tracks_.size())));
  recorder_.begins(function.name, time);
  Span span{tracks_[stack_.size()], function.name, function.name, time, time, ""};
  recorder_.span_begins(span);
  stack_.push_back({function, span});
}

void HostRecorder::pop(uint64_t time) {
  Span& span = stack_.back().span;
  span.end = std::max(time, span.begin);
  recorder_.span(span);
  stack_.pop_back();
}

void HostRecorder::go_back_to(const Function& function, uint64_t time) {
  const bool is_there = std::any_of(stack_.begin(), stack_.end(), [&](const Frame& frame) {
    return frame.function.start == function.start;
  });
  if (is_there)
    while (stack_.back().function.start != function.start) pop(time);
  else
    push(function, time);
}

void HostRecorder::control(const host::ControlEvent& event) {
  const Function function = function_at(event.pc);
  switch (event.kind) {
    case Kind::kStart:
    case Kind::kCall:
    case Kind::kException:
      push(function, event.time_ps);
      break;
    case Kind::kReturn:
      if (!stack_.empty()) pop(event.time_ps);
      go_back_to(function, event.time_ps);
      break;
    case Kind::kJump:
      if (!stack_.empty() && stack_.back().function.start == function.start) break;
      if (!stack_.empty()) pop(event.time_ps);
      push(function, event.time_ps);
      break;
  }
}

void HostRecorder::local_access(const host::LocalAccess& access) {
  const uint64_t last = uint64_t{access.address} + access.bytes - 1;
  if (std::none_of(local_.begin(), local_.end(),
                   [&](const Range& r) { return access.address <= r.last && r.first <= last; }))
    return;
  kit::TransactionIdentity identity;
  identity.begin(port_text_.c_str());
  Transaction t;
  t.local = true;
  t.number = t.root = identity.number;
  t.port = t.initiator = t.target = port_;
  t.origin = function_at(access.pc).name;
  t.command = access.write ? Command::kWrite : Command::kRead;
  t.length = access.bytes;
  t.address = access.address;
  t.begin = t.request_end = access.begin_ps;
  t.response_begin = t.end = std::max(access.begin_ps, access.end_ps);
  recorder_.transaction(t);
}

void HostRecorder::finish_all(uint64_t now_ps) {
  while (!stack_.empty()) pop(now_ps);
}

}  // namespace gvp::trace

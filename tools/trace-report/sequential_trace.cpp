// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/sequential_trace.h"

#include <string>
#include <unordered_set>

namespace gvp::trace_report {

void SequentialTrace::transactions_of(const std::vector<uint64_t>& roots,
                                      const TakeTransaction& take) {
  const std::unordered_set<uint64_t> wanted(roots.begin(), roots.end());
  read(
      [&](const Transaction& t) {
        if (wanted.count(t.root) != 0) take(t);
      },
      [](const Span&) {});
}

void SequentialTrace::spans_in(const SpanWindow& window, const TakeSpan& take) {
  read([](const Transaction&) {},
       [&](const Span& span) {
         if (span.begin >= window.begin && span.begin < window.end &&
             tracks_[span.track].subject == window.subject)
           take(span);
       });
}

uint32_t SequentialTrace::number(std::string_view text) {
  const auto found = numbers_.find(text);
  if (found != numbers_.end()) return found->second;
  const auto number = static_cast<uint32_t>(names_.size());
  numbers_.emplace(names_.emplace_back(text), number);
  return number;
}

size_t SequentialTrace::track(std::string_view subject, std::string_view place,
                              std::string_view name) {
  const auto [at, is_new] = track_numbers_.try_emplace(
      std::tuple(number(subject), number(place), number(name)), tracks_.size());
  if (is_new) tracks_.push_back({std::string(subject), std::string(place), std::string(name)});
  return at->second;
}

}  // namespace gvp::trace_report

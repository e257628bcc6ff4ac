// SPDX-License-Identifier: Apache-2.0
// What traces that can only be read from their beginning to their end have in common: numbers for
// texts and tracks as they come, and one way of reading for every question.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "tools/trace-report/trace_file.h"

namespace gvp::trace_report {

class SequentialTrace : public TraceFile {
 public:
  void records(const TakeTransaction& transaction, const TakeSpan& span) final {
    read(transaction, span);
  }
  void transactions_of(const std::vector<uint64_t>& roots, const TakeTransaction& take) final;
  void spans_in(const SpanWindow& window, const TakeSpan& take) final;

 protected:
  SequentialTrace() { number(""); }

  // The whole file.
  virtual void read(const TakeTransaction& transaction, const TakeSpan& span) = 0;

  uint32_t number(std::string_view text);
  size_t track(std::string_view subject, std::string_view place, std::string_view name);

 private:
  std::unordered_map<std::string_view, uint32_t> numbers_;  // of names_
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, size_t> track_numbers_;
};

}  // namespace gvp::trace_report

// SPDX-License-Identifier: Apache-2.0
// A trace in comma-separated values (docs/tracing.md, "CSV").  Columns are found by their names, in
// any order.
#pragma once

#include <string>

#include "tools/trace-report/sequential_trace.h"

namespace gvp::trace_report {

class CsvTrace : public SequentialTrace {
 public:
  explicit CsvTrace(const std::string& path) : path_(path) {}

 protected:
  void read(const TakeTransaction& transaction, const TakeSpan& span) override;

 private:
  std::string path_;
};

}  // namespace gvp::trace_report

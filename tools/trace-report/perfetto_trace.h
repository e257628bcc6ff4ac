// SPDX-License-Identifier: Apache-2.0
// A trace in Perfetto's format, as gpgpu-vp writes it (docs/tracing.md, "Perfetto"): the slices'
// annotations have what a record consists of, in picoseconds.  Others' traces lack those and are
// refused.
#pragma once

#include <string>

#include "tools/trace-report/sequential_trace.h"

namespace gvp::trace_report {

class PerfettoTrace : public SequentialTrace {
 public:
  explicit PerfettoTrace(const std::string& path) : path_(path) {}

 protected:
  void read(const TakeTransaction& transaction, const TakeSpan& span) override;

 private:
  class Packets;

  std::string path_;
};

}  // namespace gvp::trace_report

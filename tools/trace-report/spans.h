// SPDX-License-Identifier: Apache-2.0
// What lasted: launches of kernels, the host's functions, what DRAM banks did; and, of one chosen
// launch, what each warp did when.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/trace-report/time_bins.h"
#include "tools/trace-report/trace_file.h"

namespace gvp::trace_report {

// Which launch's warps are shown: "matmul" its longest one, "matmul:3" its third, "" the longest of
// all.
struct KernelChoice {
  std::string name;
  uint64_t launch = 0;  // of this name; 0: the longest
};
KernelChoice parse_kernel_choice(const std::string& text);

class Spans {
 public:
  explicit Spans(const TraceFile& trace) : trace_(trace) {}
  void add(const Span& span);

  nlohmann::json launches() const;   // in the order of their beginnings
  nlohmann::json kernels() const;    // by name
  nlohmann::json functions() const;  // by name
  nlohmann::json banks();
  bool has_warps() const { return warps_ != 0; }
  // What the trace has in place of the chosen launch: "no launch of a kernel..."; "" where it has
  // that.
  std::string lacks(const KernelChoice& choice) const;
  // Of the chosen launch, which there must be; reads them.
  nlohmann::json warps(const KernelChoice& choice, TraceFile& trace) const;

 private:
  struct Launch {
    size_t track = 0;
    uint32_t name = 0;
    uint64_t begin = 0, end = 0;
    std::string detail;
  };
  struct Bank {
    Bank() : busy(kMostBins) {}
    TimeBins busy;                      // counts and picoseconds
    std::map<uint32_t, Amount> states;  // by name: counts and picoseconds
  };
  struct Times {
    uint64_t count = 0, total = 0, longest = 0;  // ps
    void add(const Span& span) {
      ++count;
      total += span.end - span.begin;
      if (span.end - span.begin > longest) longest = span.end - span.begin;
    }
  };
  static constexpr size_t kMostBins = 512;

  const Launch* choose(const KernelChoice& choice) const;  // null: there is none
  nlohmann::json times(const std::map<uint32_t, Times>& all) const;

  const TraceFile& trace_;
  std::vector<Launch> launches_;  // the first of them
  uint64_t more_launches_ = 0;
  std::map<uint32_t, Times> kernels_, functions_;
  std::map<size_t, Bank> banks_;  // by track
  uint64_t warps_ = 0;
};

}  // namespace gvp::trace_report

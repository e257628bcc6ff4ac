// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/error.h"
#include "tools/trace-report/hops.h"
#include "tools/trace-report/slowest.h"
#include "tools/trace-report/statistics.h"
#include "tools/trace-report/trace_file.h"
#include "tools/trace-report/traffic.h"

namespace gvp::trace_report {

using nlohmann::json;

namespace {

struct Inputs {
  std::string trace, statistics;  // empty: none
};

Inputs tell_apart(const std::vector<std::string>& files) {
  Inputs inputs;
  for (const std::string& path : files) {
    std::string& place = is_trace(type_of(path)) ? inputs.trace : inputs.statistics;
    if (!place.empty())
      throw bad_input(
          fmt::format("{} and {} are both {}", place, path,
                      &place == &inputs.trace ? "traces" : "statistics"),
          {},
          "give one trace and one file of statistics for each run; --compare names a second run");
    place = path;
  }
  return inputs;
}

constexpr const char* kRecordWarps =
    "gpgpu-vp --trace 'FILE.db:record=transactions|kernels|warps' records them";

// warps_lacking: why there are none of the chosen launch, a sentence.
void analyse_trace(TraceFile& trace, const KernelChoice& kernel, const std::string& path, json& run,
                   std::string& warps_lacking) {
  Traffic traffic(trace);
  Hops hops(trace);
  Slowest slowest;
  Spans spans(trace);
  trace.records(
      [&](const Transaction& t) {
        traffic.add(t);
        hops.add(t);
        slowest.add(t);
      },
      [&](const Span& span) { spans.add(span); });
  run["summary"] = traffic.summary();
  run["ports"] = traffic.ports();
  run["bandwidth"] = traffic.bandwidth();
  run["origins"] = traffic.origins();
  run["hops"] = hops.to_json();
  run["slowest"] = slowest.to_json(trace);
  run["launches"] = spans.launches();
  run["kernel_times"] = spans.kernels();
  run["function_times"] = spans.functions();
  run["banks"] = spans.banks();
  if (!spans.has_warps())
    warps_lacking = fmt::format("{} has no warps; {}.", path, kRecordWarps);
  else if (const std::string has = spans.lacks(kernel); !has.empty())
    warps_lacking = fmt::format("{} has {}.", path, has);
  else
    run["warps"] = spans.warps(kernel, trace);
}

bool has_stalls(const json& kernels) {
  return std::any_of(kernels.begin(), kernels.end(), [](const json& kernel) {
    return !kernel["stalls"].empty() || !kernel["cycles_by_class"].empty();
  });
}

// What the page cannot show, and why: by section.
json missing(const json& run, const Inputs& inputs, const std::string& warps_lacking) {
  json result = json::object();
  const auto lacks = [&](const char* section, const std::string& why) { result[section] = why; };
  if (inputs.trace.empty()) {
    for (const char* section : {"ports", "bandwidth", "latency", "heat_map", "hops", "slowest",
                                "origins", "launches", "warps"})
      lacks(section, "This needs a trace: gpgpu-vp --trace FILE.db.");
  } else {
    if (run["summary"]["records"] == 0)
      for (const char* section :
           {"ports", "bandwidth", "latency", "heat_map", "hops", "slowest", "origins"})
        lacks(section, "The trace has no transactions.");
    else if (run["hops"].empty())
      lacks("hops", "No transaction of the trace was recorded at more than one port.");
    if (run["launches"]["launches"].empty()) lacks("launches", "The trace has no kernels.");
    if (!warps_lacking.empty()) lacks("warps", warps_lacking);
  }
  if (run["banks"]["banks"].empty() && run["memories"].empty())
    lacks("banks", "Neither the trace nor the statistics say anything of DRAM banks.");
  if (inputs.statistics.empty()) {
    lacks("roofline", "This needs statistics: gpgpu-vp --stats FILE.json.");
    for (const char* section : {"kernels", "cycles"})
      lacks(section, "This needs statistics: gpgpu-vp --stats FILE.json.");
  } else {
    if (run["kernels"].empty()) lacks("kernels", "The run started no kernel.");
    if (run["host"].empty() && !has_stalls(run["kernels"]))
      lacks("cycles",
            "Only approximately timed models tell where cycles go (--model host=at, "
            "--model gpgpu=at).");
    if (run["rooflines"].empty())
      lacks("roofline", run["kernels"].empty()
                            ? "The run started no kernel."
                            : "Nothing says how many bytes the kernels moved; a trace of the run "
                              "(gpgpu-vp --trace FILE.db) does.");
  }
  return result;
}

}  // namespace

void check_kernel(const json& runs, const std::string& kernel) {
  if (kernel.empty()) return;
  std::string why;
  for (const json& run : runs) {
    if (run.contains("warps")) return;
    std::string sentence = run["missing"]["warps"];
    if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
    why += (why.empty() ? "" : "; and ") + sentence;
  }
  throw bad_input(fmt::format("--kernel {}: {}", kernel, why));
}

json analyse_run(const std::vector<std::string>& files, const KernelChoice& kernel) {
  const Inputs inputs = tell_apart(files);
  const json none = json::array();
  json run = {{"files", files},
              {"origins", none},
              {"hops", none},
              {"banks", {{"banks", none}}},
              {"memories", none}};
  std::string warps_lacking;
  if (!inputs.trace.empty())
    analyse_trace(*open_trace(inputs.trace), kernel, inputs.trace, run, warps_lacking);
  if (!inputs.statistics.empty()) {
    const json statistics = read_statistics(inputs.statistics);
    run["run"] = describe_run(statistics);
    run["kernels"] = kernels_of(statistics);
    run["rooflines"] = rooflines_of(statistics, run["origins"]);
    run["memories"] = memories_of(statistics);
    run["interconnect"] = interconnect_of(statistics);
    run["host"] = host_of(statistics);
  }
  run["missing"] = missing(run, inputs, warps_lacking);
  return run;
}

}  // namespace gvp::trace_report

// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "models/base/error.h"
#include "tools/trace-report/database.h"
#include "tools/trace-report/hops.h"
#include "tools/trace-report/slowest.h"
#include "tools/trace-report/statistics.h"
#include "tools/trace-report/traffic.h"

namespace gvp::trace_report {

using nlohmann::json;

namespace {

struct Inputs {
  std::string trace, statistics;  // empty: none
};

bool is_database(const std::string& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::ifstream file(path, std::ios::binary);
  std::array<char, 16> begin{};
  file.read(begin.data(), begin.size());
  if (file.bad() || (!file.is_open()))
    throw bad_input(fmt::format("cannot read this file: {}", std::strerror(errno)), {path});
  if (file.gcount() == 0)
    throw bad_input("this file is empty", {path},
                    "a trace (gpgpu-vp --trace FILE.db) or statistics (--stats FILE.json) is read");
  return std::string_view(begin.data(), static_cast<size_t>(file.gcount())) == kMagic;
}

Inputs tell_apart(const std::vector<std::string>& files) {
  Inputs inputs;
  for (const std::string& path : files) {
    std::string& place = is_database(path) ? inputs.trace : inputs.statistics;
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

void analyse_trace(const Database& database, const KernelChoice& kernel, json& run) {
  Traffic traffic(database);
  Hops hops(database);
  Slowest slowest;
  database.transactions([&](const Transaction& t) {
    traffic.add(t);
    hops.add(t);
    slowest.add(t);
  });
  Spans spans(database);
  database.spans([&](const Span& span) { spans.add(span); });
  run["summary"] = traffic.summary();
  run["ports"] = traffic.ports();
  run["bandwidth"] = traffic.bandwidth();
  run["origins"] = traffic.origins();
  run["hops"] = hops.to_json();
  run["slowest"] = slowest.to_json(database);
  run["launches"] = spans.launches();
  run["kernel_times"] = spans.kernels();
  run["function_times"] = spans.functions();
  run["banks"] = spans.banks();
  if (spans.has_warps() && !run["kernel_times"].empty())
    run["warps"] = spans.warps(kernel);
  else if (!kernel.name.empty())
    throw bad_input(fmt::format("--kernel {}: the trace has no warps", kernel.name), {},
                    "record them: gpgpu-vp --trace FILE.db:record=kernels|warps");
}

bool has_stalls(const json& kernels) {
  return std::any_of(kernels.begin(), kernels.end(), [](const json& kernel) {
    return !kernel["stalls"].empty() || !kernel["cycles_by_class"].empty();
  });
}

// What the page cannot show, and why: by section.
json missing(const json& run, const Inputs& inputs) {
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
    if (!run.contains("warps"))
      lacks("warps",
            "The trace has no warps; gpgpu-vp --trace 'FILE.db:record=transactions|kernels"
            "|warps' records them.");
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

json analyse_run(const std::vector<std::string>& files, const KernelChoice& kernel) {
  const Inputs inputs = tell_apart(files);
  const json none = json::array();
  json run = {{"files", files},
              {"origins", none},
              {"hops", none},
              {"banks", {{"banks", none}}},
              {"memories", none}};
  if (!inputs.trace.empty()) analyse_trace(Database(inputs.trace), kernel, run);
  if (!inputs.statistics.empty()) {
    const json statistics = read_statistics(inputs.statistics);
    run["run"] = describe_run(statistics);
    run["kernels"] = kernels_of(statistics);
    run["rooflines"] = rooflines_of(statistics, run["origins"]);
    run["memories"] = memories_of(statistics);
    run["interconnect"] = interconnect_of(statistics);
    run["host"] = host_of(statistics);
  }
  run["missing"] = missing(run, inputs);
  return run;
}

}  // namespace gvp::trace_report

// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/differences.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace gvp::trace_report {

using nlohmann::json;

namespace {

struct Key {
  std::string group, name, figure, unit;
  bool operator<(const Key& other) const {
    return std::tie(group, name, figure) < std::tie(other.group, other.name, other.figure);
  }
};
struct Pair {
  std::optional<double> value[2];
};
using Figures = std::map<Key, Pair>;

// Of each side: the figures that are compared.
class Collector {
 public:
  Collector(Figures& figures, int side) : figures_(figures), side_(side) {}
  void collect(const json& run) {
    if (run.contains("summary")) {
      const json& summary = run["summary"];
      put({"run", "trace", "time", "ps"},
          summary["end_ps"].get<double>() - number(summary, "begin_ps"));
      put({"run", "trace", "transactions", ""}, number(summary, "transactions"));
      put({"run", "trace", "bytes", "B"}, number(summary, "bytes"));
      put({"run", "trace", "errors", ""}, number(summary, "errors"));
    }
    if (run.contains("run")) {
      put({"run", "simulation", "time", "ps"}, number(run["run"], "time_ps"));
      put({"run", "simulation", "host instructions", ""}, number(run["run"], "instructions"));
    }
    for (const json& port : list(run, "ports")) collect_port(port);
    for (const json& hop : list(run, "hops")) {
      const std::string name = text(hop, "from") + " to " + text(hop, "to");
      put({"waiting", name, "waited", "ps"}, number(hop, "waited_ps"));
      put({"waiting", name, "p99", "ps"}, number(hop, "p99_ps"));
    }
    for (const json& kernel : list(run, "kernels")) {
      const std::string name = text(kernel, "device") + " " + text(kernel, "name");
      for (const char* figure :
           {"launches", "cycles", "thread_instructions", "stall_cycles", "divergent_branches"})
        put({"kernel", name, figure, ""}, number(kernel, figure));
    }
    for (const json& kernel : list(run, "kernel_times"))
      put({"kernel", text(kernel, "name"), "time", "ps"}, number(kernel, "total_ps"));
    for (const json& origin : list(run, "origins")) collect_origin(origin);
    for (const json& memory : list(run, "memories"))
      for (const char* figure : {"bytes", "row_hits", "row_misses", "row_conflicts"})
        if (memory.contains(figure))
          put({"memory", text(memory, "device"), figure, ""}, number(memory, figure));
  }

 private:
  static double number(const json& from, const char* key) { return from[key].get<double>(); }
  static std::string text(const json& from, const char* key) {
    return from[key].get<std::string>();
  }
  static const json& list(const json& run, const char* key) {
    static const json none = json::array();
    return run.contains(key) ? run[key] : none;
  }
  void put(const Key& key, double value) {
    std::optional<double>& place = figures_[key].value[side_];
    place = place.value_or(0) + value;
  }
  void collect_port(const json& port) {
    for (const json& command : port["commands"]) {
      const std::string name = text(port, "port") + " " + text(command, "command");
      put({"port", name, "transactions", ""}, number(command, "transactions"));
      put({"port", name, "bytes", "B"}, number(command, "bytes"));
      const json& latency = command["latency"];
      put({"port", name, "mean latency", "ps"}, number(latency, "mean_ps"));
      put({"port", name, "p99 latency", "ps"}, number(latency, "p99_ps"));
    }
  }
  void collect_origin(const json& origin) {
    if (!origin["initiator"].get<bool>() || text(origin, "name").empty()) return;
    const std::string group = origin["kernel"].get<bool>() ? "kernel" : "function";
    put({group, text(origin, "name"), "bytes read", "B"}, number(origin, "bytes_read"));
    put({group, text(origin, "name"), "bytes written", "B"}, number(origin, "bytes_written"));
  }

  Figures& figures_;
  int side_;
};

double size_of_change(const json& row) {
  if (row["first"].is_null() || row["second"].is_null()) return -1;
  if (row["change"].is_number()) return std::fabs(std::log1p(row["change"].get<double>()));
  return std::numeric_limits<double>::max();  // from 0
}

constexpr double kNotable = 0.05;
constexpr const char* kBetterFewer[] = {"cycles",     "stall_cycles",  "errors",
                                        "row_misses", "row_conflicts", "divergent_branches"};

const char* judge(const Key& key, const Pair& pair, const json& change) {
  const auto& [a, b] = pair.value;
  if (!a) return "second only";
  if (!b) return "first only";
  if (change.is_number() && std::fabs(change.get<double>()) < kNotable) return "same";
  const bool directed =
      key.unit == "ps" || std::find(std::begin(kBetterFewer), std::end(kBetterFewer), key.figure) !=
                              std::end(kBetterFewer);
  if (!directed) return "changed";
  return *b > *a ? "worse" : "better";
}

}  // namespace

json differences(const json& first, const json& second) {
  Figures figures;
  Collector(figures, 0).collect(first);
  Collector(figures, 1).collect(second);
  json rows = json::array();
  for (const auto& [key, pair] : figures) {
    const auto& [a, b] = pair.value;
    json change;
    if (a && b && *a == *b)
      change = 0.0;
    else if (a && b && *a > 0)
      change = *b / *a - 1;
    rows.push_back({{"group", key.group},
                    {"name", key.name},
                    {"figure", key.figure},
                    {"unit", key.unit},
                    {"first", a ? json(*a) : json()},
                    {"second", b ? json(*b) : json()},
                    {"change", change},
                    {"judgement", judge(key, pair, change)}});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const json& x, const json& y) {
    return size_of_change(x) > size_of_change(y);
  });
  return rows;
}

}  // namespace gvp::trace_report

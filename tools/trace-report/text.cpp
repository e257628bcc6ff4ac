// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace gvp::trace_report {

using nlohmann::json;

namespace {

constexpr size_t kMostRows = 20;

// With a unit of its size: 1.23 us, 4.5 MB.
std::string scaled(double value, const std::vector<std::pair<double, const char*>>& units) {
  for (const auto& [size, name] : units)
    if (std::fabs(value) >= size) return fmt::format("{:.4g} {}", value / size, name);
  return fmt::format("{:.4g} {}", value / units.back().first, units.back().second);
}
std::string time(double ps) {
  return scaled(ps, {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}, {1, "ps"}});
}
std::string bytes(double count) {
  return scaled(count, {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}});
}
std::string number(double value) {
  return std::fabs(value) < 1e15 && value == std::floor(value)
             ? fmt::format("{}", static_cast<int64_t>(value))
             : fmt::format("{:.4g}", value);
}
std::string in_unit(const json& value, const std::string& unit) {
  if (value.is_null()) return "-";
  const auto of = value.get<double>();
  return unit == "ps" ? time(of) : unit == "B" ? bytes(of) : number(of);
}

// Columns as wide as they must be; the first ones left, numbers right.
class Table {
 public:
  Table(std::string title, std::vector<std::string> columns, size_t texts)
      : title_(std::move(title)), texts_(texts) {
    rows_.push_back(std::move(columns));
  }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void more(size_t rows) { more_ = rows; }
  std::string to_string() const {
    if (rows_.size() == 1) return "";
    std::vector<size_t> widths(rows_.front().size());
    for (const auto& row : rows_)
      for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text = "\n" + title_ + "\n";
    for (const auto& row : rows_) {
      std::string line;
      for (size_t i = 0; i < row.size(); ++i)
        line += i < texts_ ? fmt::format("  {:<{}}", row[i], widths[i])
                           : fmt::format("  {:>{}}", row[i], widths[i]);
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    if (more_ != 0) text += fmt::format("  and {} more\n", more_);
    return text;
  }

 private:
  std::string title_;
  size_t texts_;
  std::vector<std::vector<std::string>> rows_;
  size_t more_ = 0;
};

// add(element) for the first rows of a list.
template <typename Add>
void first_rows(Table& table, const json& list, Add add) {
  for (size_t i = 0; i < std::min(list.size(), kMostRows); ++i) add(list[i]);
  if (list.size() > kMostRows) table.more(list.size() - kMostRows);
}

std::string text(const json& from, const char* key) { return from[key].get<std::string>(); }
double value(const json& from, const char* key) { return from[key].get<double>(); }
std::string origin_name(const json& origin) {
  const std::string name = text(origin, "name");
  return name.empty() ? "(unknown)" : name;
}

std::string summary(const json& run) {
  std::string result;
  if (run.contains("run")) {
    const json& about = run["run"];
    result += fmt::format("{}: {} after {}\n", text(about, "firmware"), text(about, "end"),
                          time(value(about, "time_ps")));
  }
  if (run.contains("summary")) {
    const json& sum = run["summary"];
    result += fmt::format(
        "{} transactions with {} begun by initiators, {} errors; {} records with {} on all ports, "
        "from {} to {}\n",
        number(value(sum, "transactions")), bytes(value(sum, "bytes")),
        number(value(sum, "errors")), number(value(sum, "records")),
        bytes(value(sum, "record_bytes")), time(value(sum, "begin_ps")),
        time(value(sum, "end_ps")));
  }
  return result;
}

std::string ports(const json& run) {
  Table table(
      "Ports",
      {"port", "command", "transactions", "bytes", "errors", "mean", "p50", "p95", "p99", "max"},
      2);
  for (const json& port : run["ports"])
    for (const json& command : port["commands"]) {
      const json& latency = command["latency"];
      table.add({text(port, "port"), text(command, "command"),
                 number(value(command, "transactions")), number(value(command, "bytes")),
                 number(value(command, "errors")), time(value(latency, "mean_ps")),
                 time(value(latency, "p50_ps")), time(value(latency, "p95_ps")),
                 time(value(latency, "p99_ps")), time(value(latency, "max_ps"))});
    }
  return table.to_string();
}

std::string hops(const json& run) {
  Table table("Waiting between ports",
              {"from", "to", "transactions", "shortest", "mean", "p99", "max", "waited"}, 2);
  first_rows(table, run["hops"], [&](const json& hop) {
    table.add({text(hop, "from"), text(hop, "to"), number(value(hop, "transactions")),
               time(value(hop, "shortest_ps")), time(value(hop, "mean_ps")),
               time(value(hop, "p99_ps")), time(value(hop, "max_ps")),
               time(value(hop, "waited_ps"))});
  });
  return table.to_string();
}

std::string origins(const json& run) {
  Table table("Functions and kernels by the time of their transactions",
              {"port", "what", "name", "transactions", "read", "written", "time"}, 3);
  json begun = json::array();
  for (const json& origin : run["origins"])
    if (origin["initiator"].get<bool>()) begun.push_back(origin);
  first_rows(table, begun, [&](const json& origin) {
    table.add({text(origin, "port"), origin["kernel"].get<bool>() ? "kernel" : "function",
               origin_name(origin), number(value(origin, "transactions")),
               bytes(value(origin, "bytes_read")), bytes(value(origin, "bytes_written")),
               time(value(origin, "latency_ps"))});
  });
  return table.to_string();
}

std::string kernels(const json& run) {
  Table table(
      "Kernels",
      {"device", "name", "launches", "cycles", "time", "thread instructions", "stall cycles"}, 2);
  if (run.contains("kernels"))
    first_rows(table, run["kernels"], [&](const json& kernel) {
      table.add({text(kernel, "device"), text(kernel, "name"), number(value(kernel, "launches")),
                 number(value(kernel, "cycles")), time(value(kernel, "time_ps")),
                 number(value(kernel, "thread_instructions")),
                 number(value(kernel, "stall_cycles"))});
    });
  Table roofline("Roofline",
                 {"device", "kernel", "bytes", "instructions/byte", "instructions/s",
                  "of the bound", "bound by"},
                 2);
  if (run.contains("rooflines"))
    for (const json& device : run["rooflines"])
      for (const json& point : device["kernels"])
        roofline.add({text(device, "device"), text(point, "kernel"), bytes(value(point, "bytes")),
                      fmt::format("{:.3g}", value(point, "instructions_per_byte")),
                      fmt::format("{:.3g}", value(point, "instructions_per_s")),
                      fmt::format("{:.1f} %", 100 * value(point, "share_of_bound")),
                      text(point, "bound")});
  return table.to_string() + roofline.to_string();
}

// Each kernel's cycles in percent, the classes with the most first.
std::string cycles(const json& run) {
  Table table("Where the kernels' cycles went", {"device", "name", "class", "cycles", "share"}, 3);
  if (run.contains("kernels"))
    for (const json& kernel : run["kernels"]) {
      std::vector<std::pair<double, std::string>> classes;
      double sum = 0;
      for (const auto& [name, count] : kernel["cycles_by_class"].items()) {
        classes.emplace_back(-count.get<double>(), name);
        sum += count.get<double>();
      }
      std::sort(classes.begin(), classes.end());
      for (const auto& [count, name] : classes)
        if (count < 0)
          table.add({text(kernel, "device"), text(kernel, "name"), name, number(-count),
                     fmt::format("{:.1f} %", -100 * count / sum)});
    }
  return table.to_string();
}

std::string waits(const json& run) {
  Table table(
      "Waiting for arbiters, by the statistics",
      {"interconnect", "port", "reads, mean", "most", "lost", "writes, mean", "most", "lost"}, 2);
  constexpr double kPsPerNs = 1e3;
  const auto cell = [](const json& port, const char* key) {
    return port[key].is_number() ? time(port[key].get<double>() * kPsPerNs) : std::string("-");
  };
  const auto losses = [](const json& port, const char* key) {
    return port[key].is_number() ? number(port[key].get<double>()) : std::string("-");
  };
  if (run.contains("interconnect"))
    for (const json& port : run["interconnect"])
      if (port["read_wait_ns"].is_number() || port["write_wait_ns"].is_number())
        table.add({text(port, "interconnect"), text(port, "port"), cell(port, "read_wait_ns"),
                   cell(port, "most_read_wait_ns"), losses(port, "read_losses"),
                   cell(port, "write_wait_ns"), cell(port, "most_write_wait_ns"),
                   losses(port, "write_losses")});
  return table.to_string();
}

std::string banks(const json& run) {
  Table table("DRAM", {"device", "row hits", "misses", "conflicts"}, 1);
  for (const json& memory : run["memories"])
    table.add({text(memory, "device"), number(value(memory, "row_hits")),
               number(value(memory, "row_misses")), number(value(memory, "row_conflicts"))});
  Table spans("DRAM banks, as traced", {"device", "bank", "state", "times", "total"}, 3);
  for (const json& bank : run["banks"]["banks"])
    for (const json& state : bank["states"])
      spans.add({text(bank, "device"), text(bank, "bank"), text(state, "name"),
                 number(value(state, "count")), time(value(state, "total_ps"))});
  return table.to_string() + spans.to_string();
}

std::string slowest(const json& run) {
  Table table("Slowest transactions", {"#", "initiator", "caused by", "address", "latency", "path"},
              6);
  first_rows(table, run["slowest"], [&](const json& each) {
    std::string path;
    for (const json& step : each["path"]) {
      if (path.size() > 80) {
        path += " ...";
        break;
      }
      path += (path.empty() ? "" : " > ") + text(step, "port");
    }
    table.add({number(value(each, "number")), text(each, "initiator"), text(each, "origin"),
               text(each["path"][0], "address"), time(value(each, "latency_ps")), path});
  });
  return table.to_string();
}

// Of the chosen launch: what each warp did, or why there is nothing.
std::string warps(const json& run) {
  if (!run.contains("warps")) return "\n" + text(run["missing"], "warps") + "\n";
  const json& launch = run["warps"];
  struct Warp {
    uint64_t instructions = 0, busy = 0, begin = ~uint64_t{0}, end = 0;
  };
  std::vector<Warp> all(launch["warps"].size());
  for (const json& span : launch["shown"]) {  // [warp, begin, end, name]
    Warp& warp = all[span[0].get<size_t>()];
    const auto begin = span[1].get<uint64_t>(), end = span[2].get<uint64_t>();
    ++warp.instructions;
    warp.busy += end - begin;
    warp.begin = std::min(warp.begin, begin);
    warp.end = std::max(warp.end, end);
  }
  const auto from = value(launch, "begin_ps");
  Table table(
      fmt::format("Warps of {} on {}, {} long; times from its beginning", text(launch, "kernel"),
                  text(launch, "device"), time(value(launch, "end_ps") - from)),
      {"warp", "instructions", "in instructions", "first", "last"}, 1);
  const auto since = [&](uint64_t at) { return time(static_cast<double>(at) - from); };
  for (size_t i = 0; i < std::min(all.size(), kMostRows); ++i)
    table.add({launch["warps"][i].get<std::string>(), fmt::format("{}", all[i].instructions),
               time(static_cast<double>(all[i].busy)), since(all[i].begin), since(all[i].end)});
  if (all.size() > kMostRows) table.more(all.size() - kMostRows);
  std::string result = table.to_string();
  if (launch["spans"] != launch["shown"].size())
    result += fmt::format("  of the first {} of {} instructions\n", launch["shown"].size(),
                          number(value(launch, "spans")));
  return result;
}

std::string change_of(const json& row) {
  const std::string judgement = text(row, "judgement");
  if (judgement == "first only" || judgement == "second only")
    return judgement == "first only" ? "only in the first run" : "only in the second run";
  const std::string change =
      row["change"].is_null() ? "from 0" : fmt::format("{:+.1f} %", 100 * value(row, "change"));
  return judgement == "better" || judgement == "worse" ? change + ", " + judgement : change;
}

std::string compared(const json& report) {
  Table table("Differences, the largest first",
              {"", "name", "figure", "first run", "second run", "change"}, 3);
  json changed = json::array();
  for (const json& row : report["differences"])
    if (row["change"] != 0.0) changed.push_back(row);
  first_rows(table, changed, [&](const json& row) {
    const std::string unit = text(row, "unit");
    table.add({text(row, "group"), text(row, "name"), text(row, "figure"),
               in_unit(row["first"], unit), in_unit(row["second"], unit), change_of(row)});
  });
  const std::string text = table.to_string();
  return text.empty() ? "\nThe two runs do not differ in any figure.\n" : text;
}

}  // namespace

std::string to_text(const json& report) {
  std::string result;
  for (const json& run : report["runs"]) {
    std::string files;
    for (const json& file : run["files"])
      files += (files.empty() ? "" : ", ") + file.get<std::string>();
    result += (result.empty() ? "" : "\n") + files + "\n" + summary(run);
    if (run.contains("summary")) result += ports(run) + hops(run) + origins(run) + slowest(run);
    result += kernels(run) + cycles(run) + waits(run) + banks(run);
    if (report.contains("kernel")) result += warps(run);
  }
  if (report.contains("differences")) result += compared(report);
  return result;
}

}  // namespace gvp::trace_report

// SPDX-License-Identifier: Apache-2.0
#include "platform/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "platform/time_text.h"

namespace gvp::platform {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& json, const char* pointer) {
  const Json::json_pointer at(pointer);
  return json.contains(at) && json[at].is_number() ? json[at].get<double>() : 0;
}

// Names that do not fit their column end in a dot.
std::string cell(const std::string& text, size_t width) {
  if (text.size() <= width) return fmt::format("{:<{}}", text, width);
  return text.substr(0, width - 1) + '.';
}

// "global 41%, read 22%, ...": what at least one cycle in fifty is in, as far as the line goes.
std::string classes_text(const Json& classes, size_t columns) {
  std::vector<std::pair<double, std::string>> parts;
  double all = 0;
  for (const auto& [name, cycles] : classes.items()) {
    parts.emplace_back(cycles.get<double>(), name);
    all += cycles.get<double>();
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr double kLeast = 0.02;
  std::string text;
  for (const auto& [cycles, name] : parts) {
    if (cycles < kLeast * all || all == 0) break;
    const std::string part =
        fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", name, 100 * cycles / all);
    if (text.size() + part.size() > columns) break;
    text += part;
  }
  return text;
}

std::string kernels_text(const std::string& device, const Json& totals) {
  std::string text =
      fmt::format("\n{}: kernels\n  {:<19} {:>5} {:>11} {:>6} {:>5} {:>5} {:>9} {:>9}\n", device,
                  "", "runs", "cycles", "IPC", "SIMD", "occ.", "read", "written");
  std::vector<const Json*> kernels;
  for (const Json& kernel : totals) kernels.push_back(&kernel);
  std::stable_sort(kernels.begin(), kernels.end(), [](const Json* a, const Json* b) {
    return number(*a, "/cycles") > number(*b, "/cycles");
  });
  for (const Json* each : kernels) {
    const Json& kernel = *each;
    const auto bytes = [&](const char* at) {
      return bytes_text(static_cast<uint64_t>(number(kernel, at)));
    };
    const auto percent = [&](const char* at) {  // a launch that was stopped has no average
      return kernel.contains(Json::json_pointer(at))
                 ? fmt::format("{:.0f}%", 100 * number(kernel, at))
                 : std::string("-");
    };
    text += fmt::format(
        "  {} {:>5} {:>11} {:>6} {:>5} {:>5} {:>9} {:>9}\n", cell(kernel.value("name", "?"), 19),
        count_text(number(kernel, "/launches")), count_text(number(kernel, "/cycles")),
        kernel.contains("ipc") ? fmt::format("{:.4f}", number(kernel, "/ipc")) : "-",
        percent("/simd_efficiency"), percent("/occupancy"), bytes("/memory/global/bytes_read"),
        bytes("/memory/global/bytes_written"));
    constexpr size_t kRoom = 76;
    if (kernel.contains("cycles_by_class"))
      text += "    " + classes_text(kernel["cycles_by_class"], kRoom) + '\n';
  }
  return text;
}

std::string port_rows(const std::string& name, const Json& port) {
  std::string text;
  for (const char* command : {"read", "write"}) {
    if (!port.contains(command) ||
        (number(port[command], "/transactions") == 0 && number(port[command], "/errors") == 0))
      continue;
    const Json& c = port[command];
    text += fmt::format("  {} {:<5} {:>9} {:>9} {:>5.1f}% {:>7.1f} {:>7.1f} {:>7.0f} {:>6}\n",
                        cell(name, 14), command, count_text(number(c, "/transactions")),
                        bytes_text(static_cast<uint64_t>(number(c, "/bytes"))),
                        100 * number(c, "/utilisation"), number(c, "/latency_ns/mean"),
                        number(c, "/latency_ns/p95"), number(c, "/latency_ns/max"),
                        count_text(number(c, "/errors")));
  }
  if (port.contains("direct"))
    for (const auto& [command, accesses, bytes] :
         {std::tuple{"read", "/direct/reads", "/direct/bytes_read"},
          std::tuple{"write", "/direct/writes", "/direct/bytes_written"}})
      if (number(port, accesses) != 0)
        text += fmt::format("  {} {:<5} {:>9} {:>9}  direct\n", cell(name, 14), command,
                            count_text(number(port, accesses)),
                            bytes_text(static_cast<uint64_t>(number(port, bytes))));
  return text;
}

std::string ports_text(const std::string& device, const std::string& rows) {
  if (rows.empty()) return "";
  return fmt::format("\n{}\n  {:<14} {:<5} {:>9} {:>9} {:>6} {:>7} {:>7} {:>7} {:>6}\n", device,
                     "port", "", "accesses", "bytes", "busy", "mean ns", "p95", "max", "errors") +
         rows;
}

std::string banks_text(const Json& memory) {
  std::string text = fmt::format("  {:<6} {:>12} {:>12} {:>12} {:>12}\n", "bank", "row hits",
                                 "misses", "conflicts", "activates");
  bool any = false;
  for (const Json& bank : memory["banks"]) {
    if (number(bank, "/row_hits") + number(bank, "/activates") == 0) continue;
    any = true;
    text += fmt::format(
        "  {:<6} {:>12} {:>12} {:>12} {:>12}\n", number(bank, "/bank"),
        count_text(number(bank, "/row_hits")), count_text(number(bank, "/row_misses")),
        count_text(number(bank, "/row_conflicts")), count_text(number(bank, "/activates")));
  }
  return any ? text : "";
}

std::string power_text(const Json& memory) {
  if (!memory.contains("energy_mj")) return "";
  const double total = number(memory, "/energy_mj/total");
  std::string parts;
  for (const char* part : {"background", "activate", "read", "write", "refresh"})
    parts += fmt::format(
        "{} {} {:.0f}%", parts.empty() ? "" : ",", part,
        total > 0 ? 100 * number(memory["energy_mj"], fmt::format("/{}", part).c_str()) / total
                  : 0);
  return fmt::format("  {:.1f} mW:{}\n", number(memory, "/power_mw"), parts);
}

// Whose transactions the host's were, the first of them.
std::string functions_text(const std::string& device, const Json& functions) {
  constexpr size_t kMost = 10;
  if (functions.empty()) return "";
  double all = 0;
  for (const Json& each : functions)
    all += number(each, "/bytes_read") + number(each, "/bytes_written");
  std::string text =
      fmt::format("\n{}: functions by bus traffic\n  {:<28} {:>9} {:>9} {:>9} {:>9} {:>6}\n",
                  device, "", "reads", "bytes", "writes", "bytes", "share");
  for (size_t i = 0; i < functions.size() && i < kMost; ++i) {
    const Json& each = functions[i];
    const double read = number(each, "/bytes_read"), written = number(each, "/bytes_written");
    const std::string name = each.value("name", "");
    text += fmt::format(
        "  {} {:>9} {:>9} {:>9} {:>9} {:>5.1f}%\n", cell(name.empty() ? "(unknown)" : name, 28),
        count_text(number(each, "/reads")), bytes_text(static_cast<uint64_t>(read)),
        count_text(number(each, "/writes")), bytes_text(static_cast<uint64_t>(written)),
        all > 0 ? 100 * (read + written) / all : 0);
  }
  if (functions.size() > kMost) text += fmt::format("  and {} more\n", functions.size() - kMost);
  return text;
}

}  // namespace

std::string report_text(const Json& statistics) {
  std::string text;
  for (const auto& [name, device] : statistics.items()) {
    if (name == "config" || !device.is_object()) continue;
    if (device.contains("kernel_totals") && !device["kernel_totals"].empty())
      text += kernels_text(name, device["kernel_totals"]);
    if (device.contains("functions")) text += functions_text(name, device["functions"]);
    if (device.contains("initiators")) {
      std::string rows;
      for (const auto& [port, counters] : device["initiators"].items())
        rows += port_rows(port, counters);
      if (device.contains("targets"))
        for (const auto& [port, counters] : device["targets"].items())
          rows += port_rows("to " + port, counters);
      text += ports_text(name, rows);
    }
    if (device.contains("banks"))
      text +=
          ports_text(name, port_rows("socket", device)) + banks_text(device) + power_text(device);
  }
  return text;
}

}  // namespace gvp::platform

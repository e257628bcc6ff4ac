// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace gvp::trace_report {

using nlohmann::json;

namespace {

// The number at a path of keys ("/a/b"); fallback where it is not.
double number_at(const json& from, const std::string& path, double fallback = 0) {
  const json::json_pointer pointer(path);
  if (!from.contains(pointer)) return fallback;
  const json& value = from.at(pointer);
  return value.is_number() ? value.get<double>() : fallback;
}
std::string text_at(const json& from, const std::string& path) {
  const json::json_pointer pointer(path);
  if (!from.contains(pointer)) return "";
  const json& value = from.at(pointer);
  return value.is_string() ? value.get<std::string>() : "";
}

// take(name, object) for each device that has this key.
template <typename Take>
void each_device_with(const json& statistics, const char* key, Take take) {
  for (const auto& [name, device] : statistics.items())
    if (name != "config" && device.is_object() && device.contains(key)) take(name, device);
}

// Launches of a device, and what further ones are summed up to.
template <typename Take>
void each_launch(const json& device, Take take) {
  for (const char* list : {"kernels", "further_kernels"})
    if (device.contains(list) && device[list].is_array())
      for (const json& launch : device[list])
        if (launch.is_object()) take(launch);
}

struct Work {
  double launches = 0, cycles = 0, warp_instructions = 0, thread_instructions = 0;
  double stall_cycles = 0, divergent_branches = 0, configuration_cycles = 0;
  std::map<std::string, double> stalls;   // by stage
  std::map<std::string, double> classes;  // of cycles; together all of them, of each SM
  bool has_bytes = false;
  double bytes = 0;  // of global memory
};

// Of a launch's traffic with global memory, if it is counted.
void add_bytes(Work& work, const json& launch) {
  const json::json_pointer read("/memory/global/bytes_read");
  const json::json_pointer written("/memory/global/bytes_written");
  if (!launch.contains(read) || !launch.contains(written)) return;
  work.has_bytes = true;
  work.bytes += number_at(launch, read.to_string()) + number_at(launch, written.to_string());
}

std::map<std::string, Work> work_of(const json& device) {
  std::map<std::string, Work> kernels;
  each_launch(device, [&](const json& launch) {
    Work& work = kernels[text_at(launch, "/name")];
    work.launches += number_at(launch, "/launches", 1);
    work.cycles += number_at(launch, "/cycles");
    work.warp_instructions += number_at(launch, "/warp_instructions");
    work.thread_instructions += number_at(launch, "/thread_instructions");
    work.stall_cycles += number_at(launch, "/stall_cycles");
    work.divergent_branches += number_at(launch, "/divergent_branches");
    work.configuration_cycles += number_at(launch, "/configuration_cycles");
    if (launch.contains("stalls") && launch["stalls"].is_object())
      for (const auto& [stage, cycles] : launch["stalls"].items())
        if (cycles.is_number()) work.stalls[stage] += cycles.get<double>();
    if (launch.contains("cycles_by_class") && launch["cycles_by_class"].is_object())
      for (const auto& [name, cycles] : launch["cycles_by_class"].items())
        if (cycles.is_number()) work.classes[name] += cycles.get<double>();
    add_bytes(work, launch);
  });
  return kernels;
}

// Bytes a second between a device and global memory at most, and why.
struct Ceiling {
  double bytes_per_s = 0;
  std::string because;
};
Ceiling ceiling_of(const json& statistics, const std::string& name) {
  const std::string config = "/config/" + name;
  const double clock = number_at(statistics, config + "/clock_hz");
  if (text_at(statistics, config + "/global_memory") == "ddr3") {
    const std::string port = "/config/axi/" + name;
    const double bytes = number_at(statistics, port + "/data_bytes", 4);
    double bus = number_at(statistics, port + "/clock_hz");
    if (bus == 0) bus = number_at(statistics, "/config/axi/clock_hz");
    return {bytes * bus, fmt::format("its bus port: {} bytes at {} MHz", bytes, bus / 1e6)};
  }
  const double cycles = number_at(statistics, config + "/timing/lane_access", 1);
  const double sms = number_at(statistics, config + "/sms", 1);
  return {4 * clock * sms / std::max(cycles, 1.0),
          fmt::format("its block RAM: 4 bytes in {} cycles for each SM", cycles)};
}

// Bytes that a kernel moved through ports of its initiators, by name.
std::map<std::string, double> bytes_by_kernel(const json& origins) {
  std::map<std::string, double> bytes;
  for (const json& origin : origins)
    if (origin["kernel"].get<bool>() && origin["initiator"].get<bool>())
      bytes[origin["name"].get<std::string>()] +=
          origin["bytes_read"].get<double>() + origin["bytes_written"].get<double>();
  return bytes;
}

}  // namespace

// What was run without a firmware: the kernels.
std::string launched_kernels(const json& statistics) {
  std::string names;
  each_device_with(statistics, "kernel_totals", [&](const std::string&, const json& device) {
    for (const json& kernel : device["kernel_totals"])
      if (kernel.is_object()) names += (names.empty() ? "" : ", ") + text_at(kernel, "/name");
  });
  return names.empty() ? "no kernel" : names;
}

json describe_run(const json& statistics) {
  const bool has_firmware = text_at(statistics, "/tool") == "gpgpu-vp";
  json run = {
      {"firmware", has_firmware ? text_at(statistics, "/firmware")
                                : "gpgpu-run: " + launched_kernels(statistics)},
      {"board", text_at(statistics, "/config/board")},
      {"version", text_at(statistics, "/version")},
      {"end", has_firmware ? text_at(statistics, "/end")
                           : fmt::format("exit code {}", number_at(statistics, "/exit_code"))},
      {"exit_code", number_at(statistics, "/exit_code")},
      {"time_ps", number_at(statistics, "/sim_time_ns") * 1e3},
      {"instructions", number_at(statistics, "/host/instructions")}};
  json models = json::object();
  if (statistics.contains("config") && statistics["config"].is_object())
    for (const auto& [name, settings] : statistics["config"].items())
      if (settings.is_object() && settings.contains("model") && settings["model"].is_string())
        models[name] = settings["model"];
  run["models"] = std::move(models);
  return run;
}

json kernels_of(const json& statistics) {
  json result = json::array();
  each_device_with(statistics, "kernels", [&](const std::string& name, const json& device) {
    const double clock = number_at(statistics, "/config/" + name + "/clock_hz");
    for (const auto& [kernel, work] : work_of(device))
      result.push_back({{"device", name},
                        {"name", kernel},
                        {"launches", work.launches},
                        {"cycles", work.cycles},
                        {"time_ps", clock > 0 ? work.cycles / clock * 1e12 : 0},
                        {"warp_instructions", work.warp_instructions},
                        {"thread_instructions", work.thread_instructions},
                        {"stall_cycles", work.stall_cycles},
                        {"divergent_branches", work.divergent_branches},
                        {"configuration_cycles", work.configuration_cycles},
                        {"stalls", work.stalls},
                        {"cycles_by_class", work.classes}});
  });
  std::stable_sort(result.begin(), result.end(), [](const json& a, const json& b) {
    return a["cycles"].get<double>() > b["cycles"].get<double>();
  });
  return result;
}

json rooflines_of(const json& statistics, const json& origins) {
  const std::map<std::string, double> traced = bytes_by_kernel(origins);
  json result = json::array();
  each_device_with(statistics, "kernels", [&](const std::string& name, const json& device) {
    const std::string config = "/config/" + name;
    const double clock = number_at(statistics, config + "/clock_hz");
    const double lanes =
        number_at(statistics, config + "/sms") * number_at(statistics, config + "/sps");
    if (clock <= 0 || lanes <= 0) return;
    const Ceiling ceiling = ceiling_of(statistics, name);
    json points = json::array();
    for (const auto& [kernel, work] : work_of(device)) {
      const auto found = traced.find(kernel);
      const double bytes = work.has_bytes ? work.bytes : found == traced.end() ? 0 : found->second;
      if (bytes <= 0 || work.cycles <= 0 || work.thread_instructions <= 0) continue;
      const double intensity = work.thread_instructions / bytes;
      const double rate = work.thread_instructions / work.cycles * clock;
      const double bound = std::min(lanes * clock, intensity * ceiling.bytes_per_s);
      points.push_back(
          {{"kernel", kernel},
           {"bytes", bytes},
           {"instructions_per_byte", intensity},
           {"instructions_per_s", rate},
           {"share_of_bound", rate / bound},
           {"bound", intensity * ceiling.bytes_per_s < lanes * clock ? "memory" : "instructions"}});
    }
    if (points.empty()) return;
    result.push_back({{"device", name},
                      {"peak_instructions_per_s", lanes * clock},
                      {"peak_bytes_per_s", ceiling.bytes_per_s},
                      {"peak_bytes_because", ceiling.because},
                      {"kernels", std::move(points)}});
  });
  return result;
}

json memories_of(const json& statistics) {
  json result = json::array();
  each_device_with(statistics, "row_hits", [&](const std::string& name, const json& device) {
    json memory = {{"device", name}};
    for (const char* key :
         {"reads", "writes", "bytes", "row_hits", "row_misses", "row_conflicts", "refreshes"})
      if (device.contains(key) && device[key].is_number()) memory[key] = device[key];
    json banks = json::array();
    if (device.contains("banks") && device["banks"].is_array())
      for (const json& bank : device["banks"])
        if (bank.is_object()) banks.push_back(bank);
    memory["banks"] = std::move(banks);
    result.push_back(std::move(memory));
  });
  return result;
}

json interconnect_of(const json& statistics) {
  json result = json::array();
  each_device_with(statistics, "initiators", [&](const std::string& name, const json& device) {
    for (const char* side : {"initiators", "targets", "regions"}) {
      if (!device.contains(side) || !device[side].is_object()) continue;
      for (const auto& [port, value] : device[side].items()) {
        const json& counts = value;  // a lambda cannot capture a binding
        const auto sum = [&](const char* total, const char* command, const char* what) {
          return number_at(counts, total, number_at(counts, fmt::format("/{}/{}", command, what)));
        };
        const double transactions =
            sum("/reads", "read", "transactions") + sum("/writes", "write", "transactions");
        if (transactions == 0) continue;
        result.push_back({{"interconnect", name},
                          {"side", side},
                          {"port", port},
                          {"transactions", transactions},
                          {"bytes_read", sum("/bytes_read", "read", "bytes")},
                          {"bytes_written", sum("/bytes_written", "write", "bytes")},
                          {"errors", number_at(counts, "/errors",
                                               number_at(counts, "/read/errors") +
                                                   number_at(counts, "/write/errors"))}});
        json& row = result.back();
        for (const auto& [key, path] : {std::pair{"stalled_requests", "/stalled_requests"},
                                        {"mean_latency_ns", "/latency_ns/mean"},
                                        {"p99_latency_ns", "/latency_ns/p99"},
                                        {"read_wait_ns", "/read/arbitration_wait_ns/mean"},
                                        {"read_losses", "/read/arbitration_losses"},
                                        {"write_losses", "/write/arbitration_losses"},
                                        {"read_utilisation", "/read/utilisation"},
                                        {"write_utilisation", "/write/utilisation"},
                                        {"most_read_wait_ns", "/read/arbitration_wait_ns/max"},
                                        {"write_wait_ns", "/write/arbitration_wait_ns/mean"},
                                        {"most_write_wait_ns", "/write/arbitration_wait_ns/max"}})
          row[key] =
              counts.contains(json::json_pointer(path)) ? json(number_at(counts, path)) : json();
      }
    }
  });
  return result;
}

json host_of(const json& statistics) {
  if (!statistics.contains("host") || !statistics["host"].is_object()) return json::object();
  const json& host = statistics["host"];
  if (!host.contains("stall_cycles") || !host["stall_cycles"].is_object()) return json::object();
  return {{"cycles", number_at(host, "/cycles")},
          {"instructions", number_at(host, "/instructions")},
          {"idle_cycles", number_at(host, "/idle_cycles")},
          {"stall_cycles", host["stall_cycles"]}};
}

}  // namespace gvp::trace_report

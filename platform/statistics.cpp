// SPDX-License-Identifier: Apache-2.0
#include "platform/statistics.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <systemc>
#include <utility>

#include "models/base/error.h"
#include "platform/configuration/keys.h"
#include "platform/version.h"

namespace gvp::platform {
namespace {

using Json = nlohmann::ordered_json;

double wall_now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

double cpu_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

uint64_t thread_instructions(const Json& blocks) {
  uint64_t sum = 0;
  for (const Json& block : blocks)
    for (const char* list : {"kernels", "further_kernels"})
      if (block.contains(list))
        for (const Json& kernel : block[list])
          sum += kernel.value("thread_instructions", uint64_t{0});
  return sum;
}

}  // namespace

Json configuration_json(const Configuration& configuration) {
  Configuration copy = configuration;
  Json json;
  json["board"] = configuration.board().source;
  for (const Key& key : configuration.keys()) {
    std::string pointer = "/" + key.name;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    Json& place = json[Json::json_pointer(pointer)];
    std::visit([&](auto* field) { place = *field; }, key.field(copy));
  }
  return json;
}

Json run_statistics(const Configuration& configuration, const std::string& firmware,
                    const Outcome& outcome, Json blocks, const WallClock& wall) {
  const auto per_second = [&](double count) { return wall.seconds > 0 ? count / wall.seconds : 0; };
  Json json = {{"tool", "gpgpu-vp"},
               {"version", version()},
               {"firmware", firmware},
               {"config", configuration_json(configuration)},
               {"sim_time_ns", sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS)},
               {"wall_s", wall.seconds},
               {"exit_code", outcome.exit_code},
               {"end", to_string(outcome.end)}};
  if (const auto* processor = configuration.processor()) {
    Json& host = blocks[processor->name];
    host["mips"] = per_second(host.value("instructions", 0.0)) / 1e6;
  }
  const auto threads = static_cast<double>(thread_instructions(blocks));
  json.update(blocks);
  json["wall"] = {{"cpu_s", wall.cpu_seconds},
                  {"setup_s", wall.setup_seconds},
                  {"gpgpu_thread_instructions_per_s", per_second(threads)},
                  {"peak_memory_bytes", wall.peak_memory_bytes}};
  return json;
}

namespace {

// Every value with its path: "gpgpu.kernels[0].cycles,1234".
void add_rows(const Json& json, const std::string& path, std::string& rows) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      add_rows(value, path.empty() ? key : fmt::format("{}.{}", path, key), rows);
  } else if (json.is_array()) {
    for (size_t i = 0; i < json.size(); ++i)
      add_rows(json[i], path + '[' + std::to_string(i) + ']', rows);
  } else if (json.is_string()) {
    rows += path + ",\"";
    for (const char c : json.get_ref<const std::string&>())
      rows += c == '"' ? "\"\"" : std::string(1, c);
    rows += "\"\n";
  } else {
    rows += path + ',' + json.dump() + '\n';
  }
}

bool is_csv(const std::string& path) {
  constexpr std::string_view kCsv = ".csv";
  return path.size() > kCsv.size() &&
         path.compare(path.size() - kCsv.size(), kCsv.size(), kCsv) == 0;
}

}  // namespace

std::string statistics_csv(const Json& statistics) {
  std::string rows = "key,value\n";
  add_rows(statistics, "", rows);
  return rows;
}

void write_statistics(const Json& statistics, const std::string& path) {
  const std::string text =
      is_csv(path) ? statistics_csv(statistics)
                   : statistics.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
  if (path == "-") {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream)
    throw bad_input("cannot write the statistics", {path}, "check the path and the free space");
}

Stopwatch::Stopwatch() : started_(wall_now()) {}

void Stopwatch::simulation_starts() {
  simulation_started_ = wall_now();
  cpu_at_start_ = cpu_now();
  result_.setup_seconds = simulation_started_ - started_;
}

void Stopwatch::simulation_ends() {
  result_.seconds = wall_now() - simulation_started_;
  result_.cpu_seconds = cpu_now() - cpu_at_start_;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  result_.peak_memory_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;  // Linux: KiB
}

}  // namespace gvp::platform

// SPDX-License-Identifier: Apache-2.0
#include "fidelity/platform_runs.h"

#include <iterator>
#include <sstream>
#include <utility>

#include "fidelity/command.h"
#include "models/base/error.h"

namespace gvp::fidelity {
namespace {

// As the firmware prints them, and as the thesis's tables abbreviate them.
constexpr std::pair<const char*, const char*> kNames[] = {
    {"autocorrelation", "autocorr"},
    {"bitonic sort", "bitonic"},
    {"matrix multiplication", "matrixmul"},
    {"parallel reduction", "reduction"},
    {"transpose", "transpose"},
};

}  // namespace

std::vector<Measurement> parse_table(const std::string& output) {
  std::vector<Measurement> measurements;
  std::istringstream lines(output);
  std::string line;
  while (std::getline(lines, line)) {
    for (const auto& [printed, name] : kNames) {
      if (line.rfind(std::string(printed) + ' ', 0) != 0) continue;
      std::istringstream cells(line.substr(std::string(printed).size()));
      Measurement m;
      std::string size, host_ms, device_ms, ratio, copies_ms, verdict;
      cells >> size >> m.host_cycles >> host_ms >> m.device_cycles >> device_ms >> ratio >>
          copies_ms >> verdict;
      if (!cells) throw model_error("cannot read the benchmark's line: " + line);
      m.benchmark = name;
      m.with_copies_ms = std::stod(copies_ms);
      m.size = static_cast<uint32_t>(std::stoul(size));
      m.verified = verdict == "ok";
      measurements.push_back(m);
    }
  }
  return measurements;
}

std::vector<Measurement> run_benchmarks(const Platform& platform,
                                        const std::vector<std::string>& options,
                                        const std::vector<uint32_t>& sizes) {
  std::string arguments;
  for (const uint32_t size : sizes) arguments += std::to_string(size) + ' ';
  std::vector<std::string> command = {platform.gpgpu_vp, "--quiet",     "--progress",
                                      "never",           "--arguments", arguments};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(platform.firmware);
  std::vector<Measurement> measurements = parse_table(output_of(command));
  if (measurements.size() != sizes.size() * std::size(kNames))
    throw model_error("the benchmark firmware has not printed a line for each benchmark and size",
                      platform.firmware);
  for (const Measurement& m : measurements)
    if (!m.verified)
      throw model_error("wrong result of " + m.benchmark + ' ' + std::to_string(m.size),
                        platform.firmware);
  return measurements;
}

}  // namespace gvp::fidelity

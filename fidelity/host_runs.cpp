// SPDX-License-Identifier: Apache-2.0
#include "fidelity/host_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "fidelity/benchmarks.h"
#include "fidelity/command.h"
#include "fidelity/thesis_tables.h"
#include "models/base/error.h"

namespace gvp::fidelity {

HostCycles parse_host_output(const std::string& output) {
  HostCycles cycles;
  std::istringstream lines(output);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.empty()) continue;
    std::istringstream cells(line);
    std::string benchmark;
    uint32_t size = 0, checksum = 0;
    uint64_t count = 0;
    cells >> benchmark >> size >> count >> std::hex >> checksum;
    if (!cells || std::find(kBenchmarks.begin(), kBenchmarks.end(), benchmark) == kBenchmarks.end())
      throw model_error("cannot read the benchmark's line: " + line);
    if (checksum != host_checksum(benchmark, size))
      throw model_error(fmt::format("wrong result of {} {} on the MicroBlaze", benchmark, size));
    cycles[{benchmark, size}] = count;
  }
  return cycles;
}

HostCycles run_on_host(const HostProgram& program, const HostSetting& setting,
                       const std::vector<BenchmarkSize>& what) {
  std::string arguments = std::to_string(setting.level);
  for (const auto& [benchmark, size] : what)
    arguments += fmt::format(
        " {} {}",
        std::find(kBenchmarks.begin(), kBenchmarks.end(), benchmark) - kBenchmarks.begin(), size);
  std::vector<std::string> command = {program.gpgpu_vp, "--quiet",     "--progress",
                                      "never",          "--arguments", arguments};
  command.insert(command.end(), setting.options.begin(), setting.options.end());
  command.push_back(program.firmware);
  HostCycles cycles = parse_host_output(output_of(command));
  for (const BenchmarkSize& each : what)
    if (cycles.count(each) == 0)
      throw model_error(fmt::format("no line for {} {}", each.first, each.second),
                        program.firmware);
  return cycles;
}

}  // namespace gvp::fidelity

// SPDX-License-Identifier: Apache-2.0
// opencl-benchmarks: the SCRATCH paper's benchmarks at the sizes that are asked for, verified, with
// the cycles of one compute unit.
#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "tests/opencl/benchmarks.h"
#include "tools/console.h"

namespace {

namespace po = boost::program_options;
using gvp::test::BenchmarkResult;

constexpr const char* kHelp =
    "usage: opencl-benchmarks [options]\n\n"
    "Runs the 17 benchmarks of the SCRATCH paper, compiled from OpenCL C, on MIAOW's\n"
    "compute unit, and compares their results with the host's.  Exit code 0, or 125\n"
    "where any differs.\n\n";

int run(int argc, char** argv) {
  po::options_description options = gvp::tools::common_options();
  options.add_options()("size", po::value<std::vector<uint32_t>>()->value_name("N")->composing(),
                        "images of N x N pixels; default: 32, 64, 128, 256 and 512")(
      "only", po::value<std::string>()->value_name("TEXT"), "benchmarks whose names contain this")(
      "timing", po::value<std::string>()->value_name("lt|at")->default_value("lt"), "lt or at");
  const auto parsed =
      gvp::tools::parse_command_line(argc, argv, "opencl-benchmarks", kHelp, options);
  if (!parsed) return 0;
  const po::variables_map& values = *parsed;
  const auto timing = values["timing"].as<std::string>();
  if (timing != "lt" && timing != "at")
    throw gvp::bad_input("--timing takes lt or at", {"command line"});
  std::vector<uint32_t> sizes{32, 64, 128, 256, 512};
  if (values.count("size") != 0) sizes = values["size"].as<std::vector<uint32_t>>();
  for (const uint32_t size : sizes)
    if (size < 16 || size > 512 || (size & (size - 1)) != 0)
      throw gvp::bad_input(fmt::format("--size {}: sizes are powers of two from 16 to 512", size),
                           {"command line"});
  const std::string only = values.count("only") != 0 ? values["only"].as<std::string>() : "";
  bool good = true;
  std::cout << fmt::format("{:32} {:>5} {:>15} {:>14} {:>16} {:>9}  {}\n", "benchmark", "size",
                           "cycles", "instructions", "lane instructions", "seconds", "result");
  for (const auto& benchmark : gvp::test::opencl_benchmarks()) {
    if (benchmark.name.find(only) == std::string::npos) continue;
    for (const uint32_t size : sizes) {
      const auto begin = std::chrono::steady_clock::now();
      const BenchmarkResult result = benchmark.run(size, timing == "at");
      const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
      good = good && result.problem.empty();
      std::cout << fmt::format("{:32} {:5} {:15} {:14} {:16} {:9.2f}  {}\n", benchmark.name, size,
                               result.cycles, result.instructions, result.lane_instructions,
                               wall.count(), result.problem.empty() ? "right" : result.problem)
                << std::flush;
    }
  }
  return good ? 0 : static_cast<int>(gvp::ExitCode::kModelError);
}

}  // namespace

int main(int argc, char** argv) {
  return gvp::tools::run_guarded("opencl-benchmarks", [&] { return run(argc, argv); });
}

// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/kcc/both_timings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "models/gpgpu/g80/cubin.h"
#include "tests/end_to_end/program.h"

namespace gvp::kcc {
namespace {

std::vector<std::string> arguments_of(const std::string& kernel, const ptx::Grid& grid,
                                      const std::vector<uint32_t>& parameters) {
  std::vector<std::string> arguments = {
      "--quiet", "--kernel", kernel, "--grid", fmt::format("{},{}", grid.grid_x, grid.grid_y),
      "--block", fmt::format("{},{},{}", grid.block_x, grid.block_y, grid.block_z),
      "--dynamic-shared", std::to_string(grid.dynamic_shared_bytes),
      // As large as the functional core of the other comparisons.
      "--set", "gpgpu.threads_per_block=512", "--set", "gpgpu.stack_depth=32", "--set",
      "gpgpu.local_bytes=4096", "--set", "gpgpu.constant_bytes=32768", "--set",
      "gpgpu.device_extensions=true"};
  for (const uint32_t parameter : parameters) {
    arguments.push_back("--param");
    arguments.push_back(std::to_string(parameter));
  }
  return arguments;
}

// A file of many kernels takes longer to read than to run.
gpgpu::g80::Module with_one_kernel(const gpgpu::g80::Module& module, const std::string& kernel) {
  gpgpu::g80::Module one;
  one.architecture = module.architecture;
  one.abi_version = module.abi_version;
  one.name = module.name;
  one.kernels = {module.kernel(kernel, "test")};
  one.constants = module.constants;
  one.relocations = module.relocations;
  return one;
}

}  // namespace

std::string wrong_with_timings(const gpgpu::g80::Module& module, const std::string& kernel,
                               const ptx::Grid& grid, const std::vector<uint32_t>& parameters,
                               const std::vector<uint8_t>& before,
                               const std::vector<uint8_t>& after, const Timings& timings) {
  const std::string cubin = test::temporary("timings.cubin");
  const std::string memory = test::temporary("timings.bin");
  const std::string result = test::temporary("timings.out.bin");
  test::write(cubin, gpgpu::g80::to_text_cubin(with_one_kernel(module, kernel)));
  test::write(memory, std::string(before.begin(), before.end()));
  std::string wrong;
  for (const std::string& timing : timings) {
    std::vector<std::string> arguments = arguments_of(kernel, grid, parameters);
    arguments.insert(arguments.end(),
                     {"--check", "--cubin", cubin, "--timing", timing, "--load", "0=" + memory,
                      "--dump", fmt::format("0:{}={}", before.size(), result)});
    const test::Result run = test::run("gpgpu-run", arguments);
    if (run.exit_code != 0) {
      wrong += fmt::format("{}: exit status {}: {}\n", timing, run.exit_code, run.err);
      continue;
    }
    const std::string found = test::read(result);
    const auto differs =
        std::mismatch(found.begin(), found.end(), after.begin(), after.end(),
                      [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; });
    if (differs.first != found.end() || found.size() != before.size())
      wrong += fmt::format("{}, {}: byte {} of {} differs\n", kernel, timing,
                           differs.first - found.begin(), before.size());
  }
  for (const std::string& path : {cubin, memory, result}) std::remove(path.c_str());
  return wrong;
}

void expect_with_both_timings(const gpgpu::g80::Module& module, const std::string& kernel,
                              const ptx::Grid& grid, const std::vector<uint32_t>& parameters,
                              const std::vector<uint8_t>& before,
                              const std::vector<uint8_t>& after) {
  EXPECT_EQ(wrong_with_timings(module, kernel, grid, parameters, before, after, {"lt", "at"}), "");
}

uint64_t cycles_of(const gpgpu::g80::Module& module, const std::string& kernel,
                   const ptx::Grid& grid, const std::vector<uint32_t>& parameters,
                   const std::vector<uint8_t>& before) {
  const std::string cubin = test::temporary("cycles.cubin");
  const std::string memory = test::temporary("cycles.bin");
  const std::string statistics = test::temporary("cycles.csv");
  test::write(cubin, gpgpu::g80::to_text_cubin(with_one_kernel(module, kernel)));
  test::write(memory, std::string(before.begin(), before.end()));
  std::vector<std::string> arguments = arguments_of(kernel, grid, parameters);
  arguments.insert(arguments.end(), {"--cubin", cubin, "--timing", "at", "--load", "0=" + memory,
                                     "--stats", statistics});
  const test::Result run = test::run("gpgpu-run", arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string text = test::read(statistics);
  const std::string key = "gpgpu.kernels[0].cycles,";
  const size_t at = text.find(key);
  EXPECT_NE(at, std::string::npos) << text;
  for (const std::string& path : {cubin, memory, statistics}) std::remove(path.c_str());
  return at == std::string::npos ? 0 : std::stoull(text.substr(at + key.size()));
}

}  // namespace gvp::kcc

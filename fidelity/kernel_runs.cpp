// SPDX-License-Identifier: Apache-2.0
#include "fidelity/kernel_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "fidelity/command.h"
#include "fidelity/report.h"
#include "models/base/error.h"

namespace gvp::fidelity {
namespace {

using Words = std::vector<uint32_t>;

// Where the data are in global memory.
constexpr uint32_t kOut = 0x000000;
constexpr uint32_t kInA = 0x100000;
constexpr uint32_t kInB = 0x200000;

// Numbers that look random and are the same every time (xorshift).
Words numbers(size_t count, uint32_t seed) {
  Words words(count);
  uint32_t x = seed;
  for (uint32_t& word : words) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    word = x;
  }
  return words;
}

struct Case {
  std::string grid, block;
  Words a, b;  // inputs
  Words expected;
  std::vector<uint32_t> parameters;
};

Case autocorr(uint32_t n) {
  const uint32_t threads = n <= 64 ? 32 : 64;  // at least two blocks where there is work for two
  Case c{fmt::format("{}", n / threads),
         fmt::format("{}", threads),
         numbers(n, 1),
         {},
         Words(n),
         {kOut, kInA, n}};
  for (uint32_t k = 0; k < n; ++k)
    for (uint32_t i = 0; i < n - k; ++i) c.expected[k] += c.a[i] * c.a[i + k];
  return c;
}

Case bitonic(uint32_t n) {
  Case c{"1", fmt::format("{}", n), numbers(n, 2), {}, {}, {kOut, kInA}};
  c.expected = c.a;
  std::sort(c.expected.begin(), c.expected.end(), [](uint32_t x, uint32_t y) {
    return static_cast<int32_t>(x) < static_cast<int32_t>(y);
  });
  return c;
}

Case reduction(uint32_t n) {
  Case c{"1", fmt::format("{}", n), numbers(n, 3), {}, Words(1), {kOut, kInA}};
  for (const uint32_t word : c.a) c.expected[0] += word;
  return c;
}

Case matrixmul(uint32_t n) {
  Case c{
      fmt::format("{0},{0}", n / 16), "16,16", numbers(n * n, 4), numbers(n * n, 5), Words(n * n),
      {kOut, kInA, kInB, n}};
  for (uint32_t row = 0; row < n; ++row)
    for (uint32_t k = 0; k < n; ++k)
      for (uint32_t column = 0; column < n; ++column)
        c.expected[row * n + column] += c.a[row * n + k] * c.b[k * n + column];
  return c;
}

Case transpose(uint32_t n) {
  Case c{fmt::format("{0},{0}", n / 16),
         "16,16",
         numbers(n * n, 6),
         {},
         Words(n * n),
         {kOut, kInA, n}};
  for (uint32_t row = 0; row < n; ++row)
    for (uint32_t column = 0; column < n; ++column)
      c.expected[column * n + row] = c.a[row * n + column];
  return c;
}

Case case_of(const std::string& benchmark, uint32_t n) {
  if (benchmark == "autocorr") return autocorr(n);
  if (benchmark == "bitonic") return bitonic(n);
  if (benchmark == "reduction") return reduction(n);
  return benchmark == "matrixmul" ? matrixmul(n) : transpose(n);
}

void write_words(const std::string& path, const Words& words) {
  write_file(path, std::string(reinterpret_cast<const char*>(words.data()), words.size() * 4));
}

Words read_words(const std::string& path, size_t count) {
  Words words(count);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(count * 4));
  if (!file) throw model_error("cannot read what gpgpu-run has written", path);
  return words;
}

}  // namespace

CompiledKernels::CompiledKernels(const Tools& tools, const KernelSetting& setting)
    : tools_(tools), cubin_(tools.work + "/benchmarks.cubin") {
  std::vector<std::string> command = {tools.folder + "/kcc", setting.level, tools.source, "-o",
                                      cubin_};
  if (setting.tiled) command.insert(command.end(), {"-D", "TILED"});
  output_of(command);
}

uint64_t CompiledKernels::run(const std::string& benchmark, uint32_t size, Device device) const {
  const Case c = case_of(benchmark, size);
  const std::string a = tools_.work + "/a.bin", b = tools_.work + "/b.bin",
                    out = tools_.work + "/out.bin";
  std::vector<std::string> command = {tools_.folder + "/gpgpu-run",
                                      "--quiet",
                                      "--cubin",
                                      cubin_,
                                      "--kernel",
                                      benchmark,
                                      "--grid",
                                      c.grid,
                                      "--block",
                                      c.block,
                                      "--timing",
                                      "at",
                                      "--sms",
                                      std::to_string(device.sms),
                                      "--sps",
                                      std::to_string(device.sps),
                                      "--stats",
                                      "-"};
  write_words(a, c.a);
  command.insert(command.end(), {"--load", fmt::format("{:#x}={}", kInA, a)});
  if (!c.b.empty()) {
    write_words(b, c.b);
    command.insert(command.end(), {"--load", fmt::format("{:#x}={}", kInB, b)});
  }
  for (const uint32_t word : c.parameters)
    command.insert(command.end(), {"--param", std::to_string(word)});
  command.insert(command.end(),
                 {"--dump", fmt::format("{:#x}:{}={}", kOut, c.expected.size() * 4, out)});
  const auto statistics = nlohmann::json::parse(output_of(command), nullptr, false);
  if (statistics.is_discarded())
    throw model_error("gpgpu-run's statistics of " + benchmark + " are no JSON");
  if (read_words(out, c.expected.size()) != c.expected)
    throw model_error(fmt::format("wrong result of {} {}", benchmark, size));
  return statistics.at("gpgpu").at("kernels").at(0).at("cycles").get<uint64_t>();
}

}  // namespace gvp::fidelity

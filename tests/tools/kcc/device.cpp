// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/kcc/device.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "tests/tools/kcc/both_timings.h"
#include "tools/kcc/choice.h"
#include "tools/kcc/front_end.h"
#include "tools/ptx/parser.h"

namespace gvp::kcc {
namespace {

bool is_ptx(const std::string& file) {
  return file.size() >= 4 && file.compare(file.size() - 4, 4, ".ptx") == 0;
}

FrontEndResult read(const std::string& file, unsigned level) {
  const std::string folder = file.find('/') == std::string::npos ? "firmware/kernels/cuda/" : "";
  const std::string path = std::string(GVP_SOURCE_DIR "/") + folder + file;
  FrontEndResult result;
  if (is_ptx(file)) {
    std::ifstream in(path);
    result.ptx = {std::istreambuf_iterator<char>(in), {}};
    return result;
  }
  FrontEndOptions options;
  options.optimise = level;
  options.both_ways = true;
  return compile_cuda_file(path, options);
}

// Each file is compiled once by a test program.
const FrontEndResult& front_of(const std::string& file, unsigned level) {
  static std::map<std::pair<std::string, unsigned>, FrontEndResult> known;
  FrontEndResult& front = known[{file, level}];
  if (front.ptx.empty()) front = read(file, level);
  return front;
}

const gpgpu::g80::Module& module_of(const std::string& file, unsigned level) {
  static std::map<std::pair<std::string, unsigned>, gpgpu::g80::Module> known;
  const auto found = known.find({file, level});
  if (found != known.end()) return found->second;
  g80::Options options;
  options.optimise = level;
  return known[{file, level}] = compile(file, front_of(file, level), options).module;
}

bool close(uint32_t a, uint32_t b, float tolerance) {
  if (a == b) return true;
  if (tolerance == 0) return false;
  float x = 0;
  float y = 0;
  std::memcpy(&x, &a, 4);
  std::memcpy(&y, &b, 4);
  if (std::isnan(x) && std::isnan(y)) return true;
  return std::fabs(x - y) <= tolerance * std::max(1.0F, std::max(std::fabs(x), std::fabs(y)));
}

}  // namespace

TestDevice::TestDevice(const std::string& file, float tolerance)
    : file_(file),
      tolerance_(tolerance),
      ptx_(ptx::parse(file, front_of(file, g80::Options().optimise).ptx)),
      memory_(256) {
  compiled_ = compile(file, front_of(file, g80::Options().optimise), {});
}

void TestDevice::set_constant(const std::string& name, const std::vector<uint32_t>& words) {
  for (auto& symbol : ptx_.symbols) {
    if (symbol.name != name) continue;
    symbol.initial.resize(symbol.size);
    std::memcpy(symbol.initial.data(), words.data(), 4 * words.size());
  }
  for (auto& segment : compiled_.module.constants) {
    if (segment.name != name) continue;
    segment.words = words;
    segment.words.resize(segment.bytes / 4);
  }
}

void TestDevice::run(const std::string& kernel, const ptx::Grid& grid,
                     const std::vector<uint32_t>& parameters) {
  const std::vector<uint8_t> before = memory_;
  std::vector<uint8_t> expected = memory_;
  ptx::Interpreter(ptx_, expected).run(name_in_ptx(kernel), grid, parameters);
  const RunResult result = run_on_machine(compiled_.module, kernel, grid, parameters, memory_);
  ASSERT_EQ(result.fault, "") << kernel;
  expected.resize((expected.size() + 3) / 4 * 4);
  std::vector<uint8_t> found = memory_;
  found.resize(expected.size());
  for (size_t i = 0; i < expected.size(); i += 4) {
    uint32_t is = 0;
    uint32_t should = 0;
    std::memcpy(&is, &found[i], 4);
    std::memcpy(&should, &expected[i], 4);
    ASSERT_TRUE(close(is, should, tolerance_))
        << kernel << ", address " << i << ": machine " << is << ", interpreter " << should;
  }
  expect_with_both_timings(compiled_.module, kernel, grid, parameters, before, memory_);
  if (measured_.insert(kernel).second)
    expect_faster_than_at_lower_levels(kernel, grid, parameters, before);
}

void TestDevice::expect_faster_than_at_lower_levels(const std::string& kernel,
                                                    const ptx::Grid& grid,
                                                    const std::vector<uint32_t>& parameters,
                                                    const std::vector<uint8_t>& before) {
  const uint64_t best = cycles_of(compiled_.module, kernel, grid, parameters, before);
  for (const unsigned level : {0u, 1u}) {
    gpgpu::g80::Module module = module_of(file_, level);
    module.constants = compiled_.module.constants;  // as set_constant() left them
    const uint64_t cycles = cycles_of(module, kernel, grid, parameters, before);
    EXPECT_LE(best, cycles) << kernel << " at -O" << level;
  }
}

// The compiler leaves out what C++ adds to a name, and keeps the order.
std::string TestDevice::name_in_ptx(const std::string& kernel) const {
  size_t index = 0;
  for (const auto& function : ptx_.functions) {
    if (!function.entry) continue;
    if (compiled_.kernels.at(index++).name == kernel) return function.name;
  }
  throw std::runtime_error("no kernel " + kernel);
}

const g80::KernelReport& TestDevice::report(const std::string& kernel) const {
  for (const g80::KernelReport& report : compiled_.kernels) {
    if (report.name == kernel) return report;
  }
  throw std::runtime_error("no kernel " + kernel);
}

std::vector<int> random_integers(size_t count, int low, int high, unsigned seed) {
  std::mt19937 random(seed);
  // Unsigned, because the span may be wider than an int.
  const unsigned span = static_cast<unsigned>(high) - static_cast<unsigned>(low) + 1;
  std::vector<int> result(count);
  for (int& value : result) {
    value = static_cast<int>(static_cast<unsigned>(low) + static_cast<unsigned>(random() % span));
  }
  return result;
}

std::vector<float> random_floats(size_t count, float low, float high, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> result(count);
  for (float& value : result) {
    value = low + (high - low) * static_cast<float>(random() % 65536) / 65536.0F;
  }
  return result;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected,
                 float tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], tolerance * std::max(1.0F, std::fabs(expected[i])))
        << "element " << i;
  }
}

}  // namespace gvp::kcc

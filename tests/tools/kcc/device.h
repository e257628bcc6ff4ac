// SPDX-License-Identifier: Apache-2.0
// A test's view of a device: kernels from CUDA C or PTX, memory, launches.  Each launch runs on the
// machine and in the PTX interpreter, on copies of the same memory, and compares the two; the whole
// device must leave the same bits as the machine, loosely and approximately timed.  The first
// launch of a kernel must also take no more cycles than at -O0 and -O1, but for a 250th part.  What
// the test reads afterwards is the machine's.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/tools/kcc/machine_runner.h"
#include "tools/kcc/g80/compiler.h"
#include "tools/ptx/module.h"

namespace gvp::kcc {

class TestDevice {
 public:
  // A file of firmware/kernels/cuda, or a path from the root of the repository, of CUDA C or PTX
  // (k.ptx).  tolerance: 0
  // compares bits, else floats may differ by this part of themselves (where the machine's special
  // functions are at work).
  explicit TestDevice(const std::string& file, float tolerance = 0);

  template <typename T>
  uint32_t upload(const std::vector<T>& data) {
    const auto address = static_cast<uint32_t>((memory_.size() + 255) / 256 * 256);
    memory_.resize(address + data.size() * sizeof(T));
    std::memcpy(&memory_[address], data.data(), data.size() * sizeof(T));
    return address;
  }
  template <typename T>
  uint32_t allocate(size_t count) {
    return upload(std::vector<T>(count));
  }
  template <typename T>
  std::vector<T> download(uint32_t address, size_t count) const {
    std::vector<T> data(count);
    std::memcpy(data.data(), &memory_.at(address), count * sizeof(T));
    return data;
  }
  template <typename T>
  void write(uint32_t address, const T& value) {
    std::memcpy(&memory_.at(address), &value, sizeof value);
  }
  // Contents of a __constant__ variable.
  void set_constant(const std::string& name, const std::vector<uint32_t>& words);

  template <typename... Parameters>
  void launch(const std::string& kernel, const ptx::Grid& grid, Parameters... parameters) {
    run(kernel, grid, {word(parameters)...});
  }

  const g80::KernelReport& report(const std::string& kernel) const;

 private:
  template <typename T>
  static uint32_t word(T value) {
    static_assert(sizeof value == 4 && std::is_arithmetic_v<T>);
    uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    return bits;
  }
  std::string name_in_ptx(const std::string& kernel) const;
  void run(const std::string& kernel, const ptx::Grid& grid,
           const std::vector<uint32_t>& parameters);

  void expect_faster_than_at_lower_levels(const std::string& kernel, const ptx::Grid& grid,
                                          const std::vector<uint32_t>& parameters,
                                          const std::vector<uint8_t>& before);

  std::string file_;
  float tolerance_;
  std::set<std::string> measured_;
  ptx::Module ptx_;
  g80::Result compiled_;
  std::vector<uint8_t> memory_;
};

// Reproducible numbers.
std::vector<int> random_integers(size_t count, int low, int high, unsigned seed = 1);
std::vector<float> random_floats(size_t count, float low, float high, unsigned seed = 1);
void expect_near(const std::vector<float>& found, const std::vector<float>& expected,
                 float tolerance);

}  // namespace gvp::kcc

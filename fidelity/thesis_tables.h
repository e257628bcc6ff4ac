// SPDX-License-Identifier: Apache-2.0
// The figures of the thesis's tables 4, 7, 8 and 10 (tests/data/papers), each with the range its
// printed digits leave.  Units: ms, factors, mJ.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "fidelity/csv.h"

namespace gvp::fidelity {

inline constexpr std::array<const char*, 5> kBenchmarks = {"autocorr", "bitonic", "matrixmul",
                                                           "reduction", "transpose"};
inline constexpr std::array<uint32_t, 4> kSizes = {32, 64, 128, 256};
inline constexpr std::array<unsigned, 3> kSps = {8, 16, 32};

// A number as printed: the truth lies between low and high.
struct Printed {
  double value;
  double low;
  double high;
  // Whether the digits are worth comparing with: the range is not more than 15 % to each side.
  bool certain() const { return high - low <= 2 * 0.15 * value; }
};

class ThesisTables {
 public:
  // `folder` is that of the reference tables; throws Error (bad input) when one cannot be read.
  explicit ThesisTables(const std::string& folder);

  // Times on the MicroBlaze (table 7), whole milliseconds.
  Printed host_ms(const std::string& benchmark, uint32_t size) const;
  // Times on one SM: table 4 for size 256, table 7 for the others; table 7 prints times below 1 ms
  // with one digit, so that those are the MicroBlaze's time over the speed-up.
  Printed kernel_ms(const std::string& benchmark, uint32_t size, unsigned sps) const;
  // Speed-ups of one SM over the MicroBlaze: as printed in table 7, at size 256 from table 4's
  // times; as uncertain as the MicroBlaze's time.
  Printed speed_up(const std::string& benchmark, uint32_t size, unsigned sps) const;
  // How many times as fast two SMs are as one, at size 256 (table 8).
  double two_sms(const std::string& benchmark, unsigned sps) const;
  // Dynamic energy at size 256 on 8 SPs, and the part of the MicroBlaze's that it saves (table 4).
  double energy_mj(const std::string& benchmark) const;
  double energy_saved(const std::string& benchmark) const;
  // Warp stack entries a kernel needs (table 10).
  unsigned stack_depth(const std::string& benchmark) const;
  // The least that the benchmark runs with.
  unsigned operands(const std::string& benchmark) const;

 private:
  Printed printed_speed_up(const std::string& benchmark, uint32_t size, unsigned sps) const;
  size_t row7(uint32_t size, const std::string& config) const;
  size_t row_of(const Csv& table, const std::string& column, const std::string& name) const;

  Csv table4_, table7_, table8_, table10_;
};

}  // namespace gvp::fidelity

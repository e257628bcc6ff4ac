// SPDX-License-Identifier: Apache-2.0
// What is known about PTX registers before code is generated: constants, ranges of the 32 bits
// they hold, and which state space an address points to.  One answer per register, over all of
// its definitions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/ptx/module.h"

namespace gvp::kcc {

// Bounds of a register's 32 bits, taken as a signed number.
struct Range {
  int64_t low = INT32_MIN;
  int64_t high = INT32_MAX;
  bool within(int64_t minimum, int64_t maximum) const { return low >= minimum && high <= maximum; }
  bool empty() const { return low > high; }
};

class Values {
 public:
  // address_of(symbol) gives the addresses of variables.
  Values(const ptx::Module& module, const ptx::Function& function,
         const std::vector<uint32_t>& address_of);

  // The register's value when all of its definitions are the same constant.
  std::optional<uint32_t> constant(uint32_t reg) const { return constants_[reg]; }
  std::optional<uint32_t> constant(const ptx::Operand& operand) const;
  Range range(const ptx::Operand& operand) const;

  // The space that a generic address points to.  Throws gvp::Error when it is not one and the
  // same on all ways.
  ptx::Space space(const ptx::Instruction& access, const ptx::Operand& memory) const;

 private:
  void find_constants();
  void find_ranges();
  Range result_range(const ptx::Instruction& instruction) const;
  void find_spaces();
  unsigned spaces_of(const ptx::Operand& operand) const;
  unsigned spaces_of(const ptx::Instruction& instruction) const;

  const ptx::Module& module_;
  const ptx::Function& function_;
  const std::vector<uint32_t>& address_of_;
  std::vector<std::optional<uint32_t>> constants_;
  std::vector<Range> ranges_;
  std::vector<unsigned> spaces_;  // bits: 1 << Space
};

}  // namespace gvp::kcc

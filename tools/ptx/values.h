// SPDX-License-Identifier: Apache-2.0
// What is known about PTX registers before code is generated: constants, ranges of the 32 bits
// they hold, and which state space an address points to.  One answer per register, over all of
// its definitions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/ptx/module.h"

namespace gvp::ptx {

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
  Values(const Module& module, const Function& function, const std::vector<uint32_t>& address_of);

  // The register's value when all of its definitions are the same constant.
  std::optional<uint32_t> constant(uint32_t reg) const { return constants_[reg]; }
  std::optional<uint32_t> constant(const Operand& operand) const;
  Range range(const Operand& operand) const;

  // The spaces that a generic address may point to: bits (1 << Space), and whether there is no
  // telling, because it was loaded or computed.
  struct Target {
    unsigned spaces = 0;
    bool anything = false;
  };
  Target target(const Operand& memory) const;
  // What an argument of a call points to: Function::parameter_spaces of the one that is called.
  unsigned pointers(const Operand& operand) const;
  // The one space of an access.  Throws gvp::Error when it is not one and the same on all ways
  // (resolve_generic() sees to that).
  Space space(const Instruction& access, const Operand& memory) const;

 private:
  std::vector<uint32_t> parameters() const;
  void find_constants();
  void find_ranges();
  Range result_range(const Instruction& instruction) const;
  void find_spaces();
  unsigned spaces_of(const Operand& operand) const;
  unsigned spaces_of(const Instruction& instruction) const;

  const Module& module_;
  const Function& function_;
  const std::vector<uint32_t>& address_of_;
  std::vector<std::optional<uint32_t>> constants_;
  std::vector<Range> ranges_;
  std::vector<unsigned> spaces_;  // bits: 1 << Space
};

}  // namespace gvp::ptx

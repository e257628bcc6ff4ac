// SPDX-License-Identifier: Apache-2.0
// The constants of the special function unit: for each interval of a function's operand the
// coefficients of a polynomial (special_functions.def), and 2/pi.
#pragma once

#include <array>
#include <cstdint>

namespace gvp::gpgpu::g80 {

constexpr unsigned kPolynomialDegree = 5;
constexpr unsigned kPolynomialFractionBits = 52;

// c0 ... c5 of powers of the place within the interval, 0 to 1; multiples of 2^-52.
using Polynomial = std::array<int64_t, kPolynomialDegree + 1>;

struct PolynomialTable {
  const char* name;
  unsigned first;  // interval that polynomials[0] is of
  unsigned count;
  const Polynomial* polynomials;
};

extern const PolynomialTable kExp2Table;   // 2^x, 0 <= x < 1
extern const PolynomialTable kSineTable;   // sin(x pi/2) / x, 0 <= x < 1
extern const PolynomialTable kLog2Table;   // log2(1 + x) / x, from x = -1/2 on
extern const PolynomialTable kRsqrtTable;  // 1 / sqrt(x), 1 <= x < 2, then 2 <= x < 4

// 2/pi in multiples of 2^-206, least significant word first.
constexpr unsigned kTwoOverPiBits = 206;
constexpr std::array<uint64_t, 4> kTwoOverPi = {0xa5664f10e4107f94, 0xd5f47d4d377036d8,
                                                0x60db9391054a7f09, 0x28be};

}  // namespace gvp::gpgpu::g80

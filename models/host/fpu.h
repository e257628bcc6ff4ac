// SPDX-License-Identifier: Apache-2.0
// The floating-point unit (UG984 chapter 2, "Floating-Point Unit", and the instruction pages):
// single precision, round to nearest, no denormals: a denormal operand gives the NaN 0xFFC00000 and
// FSR.DO, a denormal result becomes a zero of its sign and FSR.UF; every NaN result is 0xFFC00000.
// Assumed: tininess is judged after rounding, and a result that vanishes entirely is an underflow.
#pragma once

#include <cstdint>

#include "models/host/isa.h"

namespace gvp::host {

namespace fsr {
inline constexpr uint32_t kDenormal = 1u << 0;      // DO
inline constexpr uint32_t kUnderflow = 1u << 1;     // UF
inline constexpr uint32_t kOverflow = 1u << 2;      // OF
inline constexpr uint32_t kDivideByZero = 1u << 3;  // DZ
inline constexpr uint32_t kInvalid = 1u << 4;       // IO
}  // namespace fsr

struct FpuResult {
  uint32_t value = 0;
  uint32_t flags = 0;  // of FSR; not zero: an FPU exception, if enabled
};

// a, b: contents of rA and rB.  operation: one of the FPU rows of the table.
FpuResult fpu_execute(Operation operation, uint32_t a, uint32_t b);

}  // namespace gvp::host

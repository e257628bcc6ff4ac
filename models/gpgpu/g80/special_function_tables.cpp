// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/special_function_tables.h"

#include <iterator>

namespace gvp::gpgpu::g80 {
namespace {

#define EXP2(interval, ...)
#define SINE(interval, ...)
#define LOG2(interval, ...)
#define RSQRT(interval, ...)

#undef EXP2
#define EXP2(interval, ...) {{__VA_ARGS__}},
constexpr Polynomial kExp2[] = {
#include "models/gpgpu/g80/special_functions.def"
};
#undef EXP2
#define EXP2(interval, ...)

#undef SINE
#define SINE(interval, ...) {{__VA_ARGS__}},
constexpr Polynomial kSine[] = {
#include "models/gpgpu/g80/special_functions.def"
};
#undef SINE
#define SINE(interval, ...)

#undef LOG2
#define LOG2(interval, ...) {{__VA_ARGS__}},
constexpr Polynomial kLog2[] = {
#include "models/gpgpu/g80/special_functions.def"
};
#undef LOG2
#define LOG2(interval, ...)

#undef RSQRT
#define RSQRT(interval, ...) {{__VA_ARGS__}},
constexpr Polynomial kRsqrt[] = {
#include "models/gpgpu/g80/special_functions.def"
};

}  // namespace

const PolynomialTable kExp2Table = {"EXP2", 0, std::size(kExp2), kExp2};
const PolynomialTable kSineTable = {"SINE", 0, std::size(kSine), kSine};
const PolynomialTable kLog2Table = {"LOG2", 26, std::size(kLog2), kLog2};
const PolynomialTable kRsqrtTable = {"RSQRT", 0, std::size(kRsqrt), kRsqrt};

}  // namespace gvp::gpgpu::g80

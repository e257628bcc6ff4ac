// SPDX-License-Identifier: Apache-2.0
// The mathematical library in single precision, against the host's in double precision.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>

#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

uint32_t bits(float value) {
  uint32_t result = 0;
  std::memcpy(&result, &value, 4);
  return result;
}
float real(uint32_t word) {
  float result = 0;
  std::memcpy(&result, &word, 4);
  return result;
}

double scaled_erfc(double x) { return std::exp(x * x) * std::erfc(x); }
// x with erfc x = a <= 1, by bisection.
double erfc_inverse(double a) {
  double low = 0;
  double high = 30;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle) > a ? low : high) = middle;
  }
  return low;
}

struct Function {
  const char* expression;
  std::function<double(double, double)> reference;
  // Of the result, or of one where that is less.
  double tolerance;
};

// Arguments within [-4, 4], but for what the expression makes of them.  The special function unit
// gives about 22 bits; what is put together from several of its results has fewer.
const std::vector<Function>& functions() {
  static const std::vector<Function> kFunctions{
      {"atanf(9 * a)", [](double a, double) { return std::atan(9 * a); }, 1e-6},
      {"atan2f(a, b)", [](double a, double b) { return std::atan2(a, b); }, 1e-6},
      {"asinf(a / 4)", [](double a, double) { return std::asin(a / 4); }, 1e-6},
      {"acosf(a / 4)", [](double a, double) { return std::acos(a / 4); }, 1e-6},
      {"sinhf(a)", [](double a, double) { return std::sinh(a); }, 3e-6},
      {"coshf(a)", [](double a, double) { return std::cosh(a); }, 3e-6},
      {"tanhf(a)", [](double a, double) { return std::tanh(a); }, 1e-6},
      {"asinhf(a * b)", [](double a, double b) { return std::asinh(a * b); }, 2e-6},
      {"acoshf(1 + a * a)", [](double a, double) { return std::acosh(1 + a * a); }, 3e-6},
      {"atanhf(a / 4.5f)", [](double a, double) { return std::atanh(a / 4.5); }, 3e-6},
      {"erff(a)", [](double a, double) { return std::erf(a); }, 1e-6},
      {"erfcf(a)", [](double a, double) { return std::erfc(a); }, 2e-6},
      {"erfcf(fabsf(a)) * expf(a * a)",
       [](double a, double) { return std::erfc(std::fabs(a)) * std::exp(a * a); }, 1e-5},
      {"expm1f(a / 8)", [](double a, double) { return std::expm1(a / 8); }, 1e-6},
      {"log1pf(a * a / 16)", [](double a, double) { return std::log1p(a * a / 16); }, 1e-6},
      {"cbrtf(a * 100)", [](double a, double) { return std::cbrt(a * 100); }, 1e-6},
      {"rcbrtf(a * a + 1)", [](double a, double) { return 1 / std::cbrt(a * a + 1); }, 1e-6},
      {"hypotf(a, b)", [](double a, double b) { return std::hypot(a, b); }, 1e-6},
      {"tgammaf(a + 4.5f)", [](double a, double) { return std::tgamma(a + 4.5); }, 3e-5},
      {"lgammaf(a + 4.5f)", [](double a, double) { return std::lgamma(a + 4.5); }, 1e-5},
      {"sinpif(a)", [](double a, double) { return std::sin(M_PI * a); }, 2e-6},
      {"cospif(a)", [](double a, double) { return std::cos(M_PI * a); }, 2e-6},
      {"erfcxf(a * 3 + 8)", [](double a, double) { return scaled_erfc(a * 3 + 8); }, 5e-6},
      {"erfcxf(a / 3)", [](double a, double) { return scaled_erfc(a / 3); }, 1e-5},
      {"erff(erfinvf(a / 4.1f))", [](double a, double) { return a / 4.1; }, 2e-6},
      {"erfinvf(a / 4.1f)",
       [](double a, double) { return std::copysign(erfc_inverse(1 - std::fabs(a / 4.1)), a); },
       5e-6},
      {"erfcf(erfcinvf((a + 4.1f) / 8.2f))", [](double a, double) { return (a + 4.1) / 8.2; },
       3e-6},
      {"erfcinvf(expf(-fabsf(a) * 20))",
       [](double a, double) { return erfc_inverse(std::exp(-std::fabs(a) * 20)); }, 5e-6},
      {"(sincospif(a, &w, &v), w + 2 * v)",
       [](double a, double) { return std::sin(M_PI * a) + 2 * std::cos(M_PI * a); }, 5e-6},
      {"normcdff(a)", [](double a, double) { return std::erfc(-a / std::sqrt(2.0)) / 2; }, 2e-6},
      {"(float)normcdf((double)a)",
       [](double a, double) { return std::erfc(-a / std::sqrt(2.0)) / 2; }, 2e-6},
      {"fdivide((double)a, 2.5) + (isnan(nan(\"\")) ? 1 : 0)",
       [](double a, double) { return a / 2.5 + 1; }, 1e-6},
      {"pow(fabsf(a), 2)", [](double a, double) { return a * a; }, 4e-6},
      {"pow(2, b)", [](double, double b) { return std::exp2(b); }, 2e-6},
      {"(float)exp((double)b)", [](double, double b) { return std::exp(b); }, 2e-6},
      {"sqrt(3) + floor(a) + log(4)",
       [](double a, double) { return std::sqrt(3.0) + std::floor(a) + std::log(4.0); }, 1e-6},
      // Exact ones.
      {"fmodf(50 * a, b)",
       [](double a, double b) {
         return std::fmod(static_cast<double>(static_cast<float>(50 * a)), b);
       },
       0},
      {"fmodf(1e30f * a, b)",
       [](double a, double b) {
         return std::fmod(static_cast<double>(1e30F * static_cast<float>(a)), b);
       },
       0},
      {"remainderf(50 * a, b)",
       [](double a, double b) {
         return std::remainder(static_cast<double>(static_cast<float>(50 * a)), b);
       },
       0},
      {"ldexpf(a, (int)b * 20)",
       [](double a, double b) { return std::ldexp(a, static_cast<int>(b) * 20); }, 0},
      {"frexpf(a, &e) + 8 * e",
       [](double a, double) {
         int e = 0;
         const double m = std::frexp(a, &e);
         return static_cast<double>(static_cast<float>(m) + static_cast<float>(8 * e));
       },
       0},
      {"modff(a * 7, &w)",
       [](double a, double) {
         double w = 0;
         return std::modf(static_cast<double>(static_cast<float>(a * 7)), &w);
       },
       0},
      {"(modff(a * 7, &w), w)",
       [](double a, double) { return std::trunc(static_cast<double>(static_cast<float>(a * 7))); },
       0},
      {"nextafterf(a, b)",
       [](double a, double b) {
         return static_cast<double>(std::nextafter(static_cast<float>(a), static_cast<float>(b)));
       },
       0},
      {"logbf(a) + ilogbf(b)", [](double a, double b) { return std::logb(a) + std::ilogb(b); }, 0},
      {"lrintf(a * 9) + llroundf(b)",
       [](double a, double b) { return static_cast<double>(std::lrint(a * 9) + std::llround(b)); },
       0},
      {"lrint(a * 9) + lround(a) + llrint(b) + llround(b * 3)",
       [](double a, double b) {
         return static_cast<double>(std::lrint(a * 9) + std::lround(a) + std::llrint(b) +
                                    std::llround(b * 3));
       },
       0},
      {"std::lrint(a * 9) + ilogb(b)",
       [](double a, double b) { return static_cast<double>(std::lrint(a * 9) + std::ilogb(b)); },
       0},
      {"scalbn(a, 3) - scalbln(b, -1)",
       [](double a, double b) { return static_cast<double>(static_cast<float>(8 * a - b / 2)); },
       1e-6},
      {"(remquof(50 * a, b, &e), e % 8)",
       [](double a, double b) {
         int quotient = 0;
         std::remquo(static_cast<double>(static_cast<float>(50 * a)), b, &quotient);
         return static_cast<double>(quotient % 8);
       },
       0},
      {"fdim(a, b) + fmax(a, 0.5) - fmin(b, 1)",
       [](double a, double b) {
         return static_cast<double>(static_cast<float>(std::fdim(a, b)) +
                                    static_cast<float>(std::fmax(a, 0.5)) -
                                    static_cast<float>(std::fmin(b, 1)));
       },
       0},
  };
  return kFunctions;
}

TEST(Mathematics, AgreesWithTheHost) {
  std::string text =
      "#include <cmath>\n"
      "extern \"C\" __global__ void k(const float* in, float* out, int n) {\n"
      "  const int t = threadIdx.x;\n  const float a = in[2 * t], b = in[2 * t + 1];\n"
      "  out += n * t;\n  float v = 0, w = 0; int e = 0;\n";
  for (size_t i = 0; i < functions().size(); ++i)
    text += "  out[" + std::to_string(i) + "] = " + functions()[i].expression + ";\n";
  text += "}\n";
  constexpr uint32_t kThreads = 128;
  const auto count = static_cast<uint32_t>(functions().size());
  std::vector<float> arguments(2 * kThreads);
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    // Both signs, around and away from zero, never whole.
    const auto step = static_cast<float>(i * 37 % 256);
    arguments[i] = (step - 127.5F) / 32.0F + 0.0003F;
  }
  std::vector<uint32_t> in(size_t{kThreads} * count);
  for (uint32_t i = 0; i < arguments.size(); ++i) in[i] = bits(arguments[i]);
  for (const unsigned level : {0u, 2u}) {
    const auto out = results(compiled(text, level), kThreads, in, count);
    for (uint32_t t = 0; t < kThreads; ++t) {
      const auto a = static_cast<double>(arguments[2 * t]);
      const auto b = static_cast<double>(arguments[2 * t + 1]);
      for (uint32_t i = 0; i < count; ++i) {
        const Function& function = functions()[i];
        const double should = function.reference(a, b);
        const auto found = static_cast<double>(real(out[t * count + i]));
        EXPECT_NEAR(found, should, function.tolerance * std::max(1.0, std::fabs(should)))
            << function.expression << " of " << a << ", " << b << " at -O" << level;
      }
    }
  }
}

// In both precisions, with numbers whose squares are beyond all others.
TEST(Mathematics, ComplexNumbersDivideWithoutOverflow) {
  const std::string text = R"(
    #include <cuComplex.h>
    __device__ void put(float* out, cuComplex v) { out[0] = v.x; out[1] = v.y; }
    extern "C" __global__ void k(const float* in, float* out, int) {
      const cuComplex a = make_cuComplex(in[0], in[1]), b = make_cuComplex(in[2], in[3]);
      const cuDoubleComplex c = cuComplexFloatToDouble(a), d = make_cuDoubleComplex(in[2], in[3]);
      put(out, cuCdivf(a, b));
      put(out + 2, cuComplexDoubleToFloat(cuCdiv(c, d)));
      put(out + 4, cuCfmaf(cuCdivf(a, b), cuConjf(a), b));
      put(out + 6, cuComplexDoubleToFloat(cuCfma(cuCdiv(c, d), cuConj(c), d)));
      put(out + 8, make_cuComplex(cuCabs(c), cuCreal(cuCsub(c, d)) + cuCimagf(cuCaddf(a, b))));
    })";
  for (const float size : {1.0F, 1e25F, 1e-25F}) {
    const std::complex<double> a{3 * size, -5 * size};
    const std::complex<double> b{-0.5F * size, 7 * size};
    const std::complex<double> quotient = a / b;
    const std::complex<double> sum = quotient * std::conj(a) + b;
    const std::complex<double> rest{std::abs(a), (a - b).real() + (a + b).imag()};
    std::vector<uint32_t> in(10);
    in[0] = bits(static_cast<float>(a.real()));
    in[1] = bits(static_cast<float>(a.imag()));
    in[2] = bits(static_cast<float>(b.real()));
    in[3] = bits(static_cast<float>(b.imag()));
    for (const unsigned level : {0u, 2u}) {
      const auto out = results(compiled(text, level), 1, in, 0);
      const std::array<std::complex<double>, 5> should{quotient, quotient, sum, sum, rest};
      for (size_t i = 0; i < should.size(); ++i) {
        const double tolerance = 2e-6 * std::abs(should[i]);
        EXPECT_NEAR(real(out[2 * i]), should[i].real(), tolerance) << i << ' ' << size;
        EXPECT_NEAR(real(out[2 * i + 1]), should[i].imag(), tolerance) << i << ' ' << size;
      }
    }
  }
}

TEST(Mathematics, SpecialValues) {
  // Expression and what it is: NaN where it is none.
  const std::vector<std::pair<const char*, double>> cases{
      {"atan2f(0.0f * s, -s)", M_PI},
      {"atan2f(-0.0f * s, s)", -0.0},
      {"atan2f(i, i)", M_PI / 4},
      {"asinf(2 * s)", NAN},
      {"acosf(-s)", M_PI},
      {"acoshf(0.5f * s)", NAN},
      {"atanhf(s)", INFINITY},
      {"fmodf(i, s)", NAN},
      {"fmodf(s, 0.0f * s)", NAN},
      {"fmodf(-s, i)", -1.0},
      {"hypotf(-i, s)", INFINITY},
      {"hypotf(3e38f * s, 1e38f)", 3.1622776e38},
      {"erff(i)", 1.0},
      {"erfcf(-i)", 2.0},
      {"erfinvf(-s)", -INFINITY},
      {"erfinvf(2 * s)", NAN},
      {"erfcinvf(0.0f * s)", INFINITY},
      {"erfcxf(-i)", INFINITY},
      {"erfcxf(i)", 0.0},
      {"remquof(s, i, &e)", 1.0},
      {"tgammaf(-2 * s)", NAN},
      {"lgammaf(-2 * s)", INFINITY},
      {"tanhf(50 * s)", 1.0},
      {"tanhf(-50 * s)", -1.0},
      {"cbrtf(-i)", -INFINITY},
      {"ldexpf(s, 200)", INFINITY},
      {"ldexpf(s, -300)", 0.0},
      {"logbf(0.0f * s)", -INFINITY},
      {"nextafterf(s, 2.0)", 1.00000011920929},
      {"sinhf(100 * s)", INFINITY},
      {"coshf(-100 * s)", INFINITY},
      {"expm1f(-100 * s)", -1.0},
      {"INFINITY * s", INFINITY},
      {"NAN * s", NAN},
      {"M_PI * s", M_PI},
      {"FLT_MAX * s", 3.402823466e38},
      {"(float)INT_MAX * s", 2147483648.0},
      {"HUGE_VALF * s", INFINITY},
  };
  std::string text =
      "extern \"C\" __global__ void k(const float* in, float* out, int) {\n"
      "  const float s = in[0], i = in[1];\n  int e;\n";
  for (size_t i = 0; i < cases.size(); ++i)
    text += "  out[" + std::to_string(i) + "] = " + cases[i].first + ";\n";
  text += "}\n";
  std::vector<uint32_t> in(cases.size());
  in[0] = bits(1.0F);
  in[1] = bits(INFINITY);
  for (const unsigned level : {0u, 2u}) {
    const auto out = results(compiled(text, level), 1, in, 0);
    for (size_t i = 0; i < cases.size(); ++i) {
      const auto found = static_cast<double>(real(out[i]));
      const double should = cases[i].second;
      if (std::isnan(should) || std::isinf(should) || should == 0) {
        EXPECT_TRUE(std::isnan(should) ? std::isnan(found) : found == should)
            << cases[i].first << " is " << found << " at -O" << level;
        EXPECT_TRUE(std::isnan(should) || std::signbit(found) == std::signbit(should))
            << cases[i].first;
      } else {
        EXPECT_NEAR(found, should, 1e-6 * std::fabs(should)) << cases[i].first;
      }
    }
  }
}

}  // namespace
}  // namespace gvp::kcc

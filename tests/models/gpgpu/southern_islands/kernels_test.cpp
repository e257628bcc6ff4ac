// SPDX-License-Identifier: Apache-2.0
// Kernels in OpenCL C, compiled by clang, executed work-group by work-group, against what C++ makes
// of the same inputs: loops, branches, 64-bit addresses, buffers, the local data share, barriers,
// atomics.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include "models/gpgpu/southern_islands/assembler.h"
#include "models/gpgpu/southern_islands/code_object.h"
#include "models/gpgpu/southern_islands/program.h"
#include "tests/models/gpgpu/southern_islands/llvm.h"
#include "tests/support/seed.h"
#include "tests/support/temporary_file.h"

namespace gvp::gpgpu::southern_islands {
namespace {

constexpr uint32_t kMemoryBytes = 1u << 20;
constexpr uint32_t kArguments = 0x400;

std::string contents_of(const std::string& path) {
  std::ifstream text(path);
  return {std::istreambuf_iterator<char>(text), {}};
}

// What clang says.  options: -S or -c, and others.
std::string compile_kernels(const std::string& source, const std::string& output,
                            const std::string& options) {
  return test::output_of(
      "clang-14 -target amdgcn-- -mcpu=tahiti -nogpulib -fintegrated-as -x cl -cl-std=CL1.2 -O2 "
      "-ffp-contract=off -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/tahiti-amdgcn--.bc "
      "-include clc/clc.h " +
      options + source + " -o " + output + " 2>&1");
}

// Compiled once for all tests.
const Assembly& kernels() {
  static const Assembly assembly = [] {
    const test::TemporaryFile file("kernels.s");
    EXPECT_EQ(compile_kernels(GVP_SOURCE_DIR "/tests/data/southern_islands/kernels.cl", file.path(),
                              "-S "),
              "");
    return assemble(contents_of(file.path()), "kernels.s");
  }();
  return assembly;
}

// A machine with memory; a launch as clang's amdgcn-- expects it: s[0:1] the arguments, then the
// group's numbers, v0.. the work-item's; arguments behind nine words of sizes.
class Device {
 public:
  explicit Device(const Assembly& assembly = kernels())
      : assembly_(assembly),
        memory_(kMemoryBytes),
        program_(assembly.words.data(), assembly.words.size()) {
    machine_.global = {memory_.data(), 0, kMemoryBytes, 16, {}};
  }

  template <typename T>
  uint32_t put(const std::vector<T>& values) {
    const uint32_t at = next_;
    std::memcpy(memory_.data() + at, values.data(), values.size() * sizeof(T));
    next_ = (next_ + static_cast<uint32_t>(values.size() * sizeof(T)) + 255) / 256 * 256;
    return at;
  }
  template <typename T>
  void put_at(uint32_t at, const std::vector<T>& values) {
    std::memcpy(memory_.data() + at, values.data(), values.size() * sizeof(T));
  }
  template <typename T>
  std::vector<T> get(uint32_t at, std::size_t count) const {
    std::vector<T> values(count);
    std::memcpy(values.data(), memory_.data() + at, count * sizeof(T));
    return values;
  }
  void pointer(uint32_t address) {
    argument_bytes_ = (argument_bytes_ - 36 + 7) / 8 * 8 + 36;
    value(address);
    value(0);
  }
  void value(uint32_t word) {
    std::memcpy(memory_.data() + kArguments + argument_bytes_, &word, 4);
    argument_bytes_ += 4;
  }

  // global work-items in x and y, in groups of `local` in x and one in y.
  void run(const std::string& kernel, uint32_t global_x, uint32_t global_y, uint32_t local) {
    const uint32_t sizes[9] = {global_x / local, global_y, 1, global_x, global_y, 1, local, 1, 1};
    std::memcpy(memory_.data() + kArguments, sizes, sizeof sizes);
    while (argument_bytes_ % 4 != 0) ++argument_bytes_;
    value(global_y > 1 ? 2 : 1);
    for (unsigned i = 0; i < 3; ++i) value(0);
    uint32_t entry = ~0u;
    for (const Label& label : assembly_.labels)
      if (label.name == kernel) entry = label.offset;
    ASSERT_NE(entry, ~0u) << kernel;
    for (uint32_t y = 0; y < global_y; ++y)
      for (uint32_t x = 0; x < global_x / local; ++x) group(entry, x, y, local);
  }

 private:
  void group(uint32_t entry, uint32_t x, uint32_t y, uint32_t local) {
    const unsigned count = (local + 63) / 64;
    std::vector<uint8_t> share(32768);
    std::vector<std::vector<Lanes>> rows(count, std::vector<Lanes>(256));
    std::vector<Wavefront> waves(count);
    for (unsigned w = 0; w < count; ++w) {
      Wavefront& wave = waves[w];
      wave.pc = entry;
      wave.vector = rows[w].data();
      wave.vector_count = 256;
      wave.share = share.data();
      wave.share_bytes = static_cast<uint32_t>(share.size());
      wave.scalar[0] = kArguments;
      wave.scalar[2] = x;
      wave.scalar[3] = y;
      wave.scalar[code::kM0] = ~0u;
      wave.set_pair(code::kExecLo, simt::first_lanes_of<64>(std::min(local - 64 * w, 64u)));
      for (unsigned lane = 0; lane < 64; ++lane) rows[w][0].lane[lane] = 64 * w + lane;
    }
    for (bool going = true; going;) {
      going = false;
      for (Wavefront& wave : waves) {
        southern_islands::run(machine_, wave, program_, 1'000'000);
        ASSERT_NE(wave.stop, Stop::kFault) << text_of(wave.fault.cause) << " at " << wave.fault.pc
                                           << " address " << wave.fault.address;
        ASSERT_NE(wave.stop, Stop::kNone) << "endless";
        going = going || wave.stop == Stop::kBarrier;
      }
      for (Wavefront& wave : waves)
        if (wave.stop == Stop::kBarrier) wave.stop = Stop::kNone;
    }
  }

  const Assembly& assembly_;
  std::vector<uint8_t> memory_;
  Machine machine_;
  Program program_;
  uint32_t next_ = 0x1000;
  uint32_t argument_bytes_ = 36;
};

template <typename T>
std::vector<T> random_values(std::size_t count, uint32_t seed, double scale) {
  std::mt19937 random(test::seed(seed));
  std::vector<T> values(count);
  for (T& value : values)
    value = static_cast<T>((static_cast<double>(random()) / 4294967296.0 * 2 - 1) * scale);
  return values;
}
std::vector<uint32_t> random_words(std::size_t count, uint32_t seed) {
  std::mt19937 random(test::seed(seed));
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) word = static_cast<uint32_t>(random());
  return words;
}

TEST(Kernels, AddVectors) {
  Device device;
  const auto a = random_values<int32_t>(256, 1, 1e9), b = random_values<int32_t>(256, 2, 1e9);
  const uint32_t c = device.put(std::vector<int32_t>(256));
  device.pointer(c);
  device.pointer(device.put(a));
  device.pointer(device.put(b));
  device.run("add_int", 256, 1, 64);
  std::vector<int32_t> expected(256);
  for (unsigned i = 0; i < 256; ++i) expected[i] = a[i] + b[i];
  EXPECT_EQ(device.get<int32_t>(c, 256), expected);
}

TEST(Kernels, MultiplyMatrices) {
  constexpr unsigned kSize = 16;
  Device device;
  const auto a = random_values<float>(kSize * kSize, 3, 10),
             b = random_values<float>(kSize * kSize, 4, 10);
  const auto ia = random_values<int32_t>(kSize * kSize, 5, 1e5),
             ib = random_values<int32_t>(kSize * kSize, 6, 1e4);
  const uint32_t c = device.put(std::vector<float>(kSize * kSize));
  device.pointer(c);
  device.pointer(device.put(a));
  device.pointer(device.put(b));
  device.value(kSize);
  device.run("multiply_float", kSize, kSize, kSize);
  Device integers;
  const uint32_t ic = integers.put(std::vector<int32_t>(kSize * kSize));
  integers.pointer(ic);
  integers.pointer(integers.put(ia));
  integers.pointer(integers.put(ib));
  integers.value(kSize);
  integers.run("multiply_int", kSize, kSize, kSize);
  std::vector<float> expected(kSize * kSize);
  std::vector<uint32_t> whole(kSize * kSize);
  for (unsigned y = 0; y < kSize; ++y)
    for (unsigned x = 0; x < kSize; ++x)
      for (unsigned k = 0; k < kSize; ++k) {
        volatile float product = a[y * kSize + k] * b[k * kSize + x];
        expected[y * kSize + x] = product + expected[y * kSize + x];
        whole[y * kSize + x] +=
            static_cast<uint32_t>(ia[y * kSize + k]) * static_cast<uint32_t>(ib[k * kSize + x]);
      }
  EXPECT_EQ(device.get<float>(c, kSize * kSize), expected);
  EXPECT_EQ(integers.get<uint32_t>(ic, kSize * kSize), whole);
}

TEST(Kernels, SortBitonically) {
  std::vector<uint32_t> values = random_words(128, 7);
  uint32_t at = 0;
  for (uint32_t stage = 0; stage < 7; ++stage)
    for (uint32_t pass = 0; pass <= stage; ++pass) {
      Device device;
      at = device.put(values);
      device.pointer(at);
      device.value(stage);
      device.value(pass);
      device.run("bitonic_step", 64, 1, 64);
      values = device.get<uint32_t>(at, 128);
    }
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()) ||
              std::is_sorted(values.rbegin(), values.rend()));
  std::vector<uint32_t> expected = random_words(128, 7);
  std::sort(expected.begin(), expected.end());
  std::sort(values.begin(), values.end());
  EXPECT_EQ(values, expected);
}

TEST(Kernels, ConvolveBytes) {
  constexpr int kWidth = 64;
  Device device;
  const auto image = random_words(kWidth * (kWidth + 8) / 4, 8);
  const std::vector<uint32_t> filter_words = random_words(7, 9);
  std::vector<int8_t> filter(25);
  std::memcpy(filter.data(), filter_words.data(), 25);
  const uint32_t out = device.put(std::vector<int32_t>(kWidth * kWidth));
  const uint32_t pixels = device.put(image);
  const uint32_t middle = pixels + 4 * kWidth;
  device.pointer(out);
  device.pointer(middle);
  device.pointer(device.put(filter));
  device.value(kWidth);
  device.run("convolve", kWidth, 4, 64);
  const auto bytes = device.get<uint8_t>(pixels, kWidth * (kWidth + 8));
  std::vector<int32_t> expected(kWidth * 4);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < kWidth; ++x) {
      int sum = 0;
      for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i)
          sum += bytes[static_cast<unsigned>(4 * kWidth + (y + j) * kWidth + x + i)] *
                 filter[static_cast<unsigned>((j + 2) * 5 + i + 2)];
      expected[static_cast<unsigned>(y * kWidth + x)] = std::clamp(sum >> 4, -255, 255);
    }
  EXPECT_EQ(device.get<int32_t>(out, kWidth * 4), expected);
}

TEST(Kernels, SumInTheLocalDataShareAcrossWavefronts) {
  Device device;
  const auto values = random_values<int32_t>(512, 10, 1000);
  const uint32_t sums = device.put(std::vector<int32_t>{1000, 2000});
  device.pointer(sums);
  device.pointer(device.put(values));
  device.value(0);  // where the local argument lies in the share
  device.run("sum_block", 512, 1, 256);
  int32_t expected[2] = {1000, 2000};
  for (unsigned i = 0; i < 512; ++i) expected[i / 256] += values[i];
  EXPECT_EQ(device.get<int32_t>(sums, 2), (std::vector<int32_t>{expected[0], expected[1]}));
}

TEST(Kernels, FindTheNearestOfSeveralCentres) {
  constexpr unsigned kPoints = 64, kCentres = 5, kFeatures = 8;
  Device device;
  const auto points = random_values<float>(kPoints * kFeatures, 11, 10);
  const auto centres = random_values<float>(kCentres * kFeatures, 12, 10);
  const uint32_t member = device.put(std::vector<int32_t>(kPoints, -1));
  device.pointer(member);
  device.pointer(device.put(points));
  device.pointer(device.put(centres));
  device.value(kCentres);
  device.value(kFeatures);
  device.run("nearest", kPoints, 1, 64);
  std::vector<int32_t> expected(kPoints);
  for (unsigned p = 0; p < kPoints; ++p) {
    double best = 1e30;
    for (unsigned c = 0; c < kCentres; ++c) {
      double distance = 0;
      for (unsigned f = 0; f < kFeatures; ++f)
        distance +=
            std::pow(double{points[p * kFeatures + f]} - double{centres[c * kFeatures + f]}, 2);
      if (distance < best) best = distance, expected[p] = static_cast<int32_t>(c);
    }
  }
  EXPECT_EQ(device.get<int32_t>(member, kPoints), expected);
}

TEST(Kernels, CountDivideAndShift) {
  Device device;
  const auto in = random_words(64 * 4, 13);
  const uint32_t out = device.put(std::vector<uint32_t>(64 * 4));
  device.pointer(out);
  device.pointer(device.put(in));
  device.run("bits", 64, 1, 64);
  std::vector<uint32_t> expected(64 * 4);
  for (unsigned i = 0; i < 64; ++i) {
    const uint32_t *v = &in[4 * i], x = v[0], y = v[1], z = v[2], w = v[3];
    const uint32_t first[4] = {static_cast<uint32_t>(__builtin_popcount(x)),
                               y == 0 ? 32u : static_cast<uint32_t>(__builtin_clz(y)),
                               w % 32 == 0 ? z : z << w % 32 | z >> (32 - w % 32),
                               static_cast<uint32_t>(uint64_t{x} * y >> 32)};
    const uint32_t third[4] = {static_cast<uint32_t>(uint64_t{x & 0xffffff} * (y & 0xffffff)),
                               static_cast<uint32_t>((uint64_t{x} + z) >> 1), std::max(y, w), ~x};
    for (unsigned n = 0; n < 4; ++n)
      expected[4 * i + n] = first[n] ^ (v[n] / (v[(n + 1) % 4] | 1u)) ^ third[n];
  }
  EXPECT_EQ(device.get<uint32_t>(out, 64 * 4), expected);
}

TEST(Kernels, ComputeWith64And16Bits) {
  Device device;
  const auto words = random_words(128, 14), byte_words = random_words(16, 15),
             half_words = random_words(32, 16);
  const uint32_t out = device.put(std::vector<uint64_t>(64));
  const uint32_t halves = device.put(half_words);
  device.pointer(out);
  device.pointer(device.put(words));
  device.pointer(device.put(byte_words));
  device.pointer(halves);
  std::vector<uint64_t> in(64), expected(64);
  std::vector<int8_t> bytes(64);
  std::vector<int16_t> shorts(64), products(64);
  std::memcpy(in.data(), words.data(), 512);
  std::memcpy(bytes.data(), byte_words.data(), 64);
  std::memcpy(shorts.data(), half_words.data(), 128);
  device.run("wide", 64, 1, 64);
  for (unsigned i = 0; i < 64; ++i) {
    expected[i] = in[i] * 5 + (in[i] >> (bytes[i] & 63)) - (in[i] << 7);
    products[i] = static_cast<int16_t>(bytes[i] * shorts[i]);
  }
  EXPECT_EQ(device.get<uint64_t>(out, 64), expected);
  EXPECT_EQ(device.get<int16_t>(halves, 64), products);
}

// Quotients and roots that clang builds from approximations, and conversions in steps, come out as
// IEEE has them.
TEST(Kernels, ComputeWithDoubles) {
  Device device;
  auto in = random_values<double>(128, 17, 1e6);
  for (unsigned i = 0; i < 32; ++i) in[i] = std::ldexp(in[i], static_cast<int>(i) * 16 - 256);
  in[1] = 1e-310;  // a denormal
  in[2] = 1e300, in[3] = 1e-200;
  const auto integers = random_words(64, 18);
  const uint32_t out = device.put(std::vector<double>(6 * 64));
  const uint32_t rounded = device.put(std::vector<int64_t>(64));
  device.pointer(out);
  device.pointer(device.put(in));
  device.pointer(device.put(integers));
  device.pointer(rounded);
  device.run("doubles", 64, 1, 64);
  const auto results = device.get<double>(out, 6 * 64);
  const auto wholes = device.get<int64_t>(rounded, 64);
  for (unsigned i = 0; i < 64; ++i) {
    const double a = in[2 * i], b = in[2 * i + 1];
    const auto n = static_cast<int32_t>(integers[i]);
    const auto single = static_cast<float>(a);
    const bool tiny = std::fpclassify(single) == FP_SUBNORMAL;  // which floats are not
    SCOPED_TRACE(testing::Message() << i << ": " << a << ", " << b);
    EXPECT_EQ(results[6 * i], a / b);
    EXPECT_EQ(results[6 * i + 1], std::sqrt(std::fabs(a)) - b);
    EXPECT_EQ(results[6 * i + 2], a < b ? std::fma(a, b, 1.5) : std::fmin(a, -b));
    EXPECT_EQ(results[6 * i + 3], n + static_cast<double>(tiny ? 0.0f : single));
    EXPECT_EQ(results[6 * i + 4], std::floor(n * 0.125) + std::trunc(b) + std::ldexp(b, n & 15));
    EXPECT_EQ(results[6 * i + 5], n * 1e10 + integers[i]);
    if (std::fabs(a * 1e6) < 9e18) {
      EXPECT_EQ(wholes[i], static_cast<int64_t>(a * 1e6));
    }
  }
}

// Quotients of random numbers of all exponents, by the sequence that clang emits for a division
// that is rounded correctly.  Of floats the numerator is at least 2^-64: less leaves remainders
// that are denormal, and so zero.
template <typename Real, typename Word>
void divide_as_ieee_does(const std::string& type, unsigned fraction_bits,
                         unsigned least_numerator) {
  const test::TemporaryFile source("divide.cl"), text("divide.s");
  std::ofstream(source.path()) << "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                               << "kernel void divide(global " << type << "* out, global const "
                               << type << "* in) {\n  const int i = get_global_id(0);\n"
                               << "  out[i] = in[2 * i] / in[2 * i + 1];\n}\n";
  ASSERT_EQ(
      compile_kernels(source.path(), text.path(), "-S -cl-fp32-correctly-rounded-divide-sqrt "),
      "");
  const Assembly divide = assemble(contents_of(text.path()), "divide.s");
  Device device(divide);
  constexpr unsigned kQuotients = 6400;
  const unsigned exponent_bits = 8 * sizeof(Real) - 1 - fraction_bits;
  std::vector<Real> in(2 * kQuotients);
  std::mt19937_64 random(test::seed(19));
  for (unsigned i = 0; i < in.size(); ++i) {
    const unsigned least = i % 2 == 0 ? least_numerator : 1;
    const uint64_t fraction = random() >> (64 - fraction_bits);
    const uint64_t exponent = least + random() % ((1u << exponent_bits) - 1 - least);
    const uint64_t sign = random() % 2;
    const auto word =
        static_cast<Word>((sign << exponent_bits | exponent) << fraction_bits | fraction);
    std::memcpy(&in[i], &word, sizeof word);
  }
  const uint32_t out = device.put(std::vector<Real>(kQuotients));
  device.pointer(out);
  device.pointer(device.put(in));
  device.run("divide", kQuotients, 1, 64);
  const auto quotients = device.get<Real>(out, kQuotients);
  for (unsigned i = 0; i < kQuotients; ++i) {
    const Real quotient = in[2 * i] / in[2 * i + 1];
    SCOPED_TRACE(testing::Message() << i << ": " << in[2 * i] << " / " << in[2 * i + 1]);
    if (std::fabs(quotient) >= std::numeric_limits<Real>::min()) {
      ASSERT_EQ(quotients[i], quotient);
    } else if (sizeof(Real) == 4) {
      ASSERT_EQ(quotients[i], Real{0});
    } else {  // rounded twice
      ASSERT_NEAR(quotients[i], quotient, std::numeric_limits<Real>::denorm_min());
    }
  }
}
TEST(Kernels, DivideFloatsOfAllExponents) { divide_as_ieee_does<float, uint32_t>("float", 23, 63); }
TEST(Kernels, DivideDoublesOfAllExponents) {
  divide_as_ieee_does<double, uint64_t>("double", 52, 1);
}

// libclc's logarithm has two tables; the source one, and one of addresses.
TEST(Kernels, ReadTables) {
  const test::TemporaryFile source("tables.cl"), object("tables.o");
  std::ofstream(source.path())
      << "constant float t[] = {0.5f, 3.0f, 7.0f, 20.0f};\n"
         "constant float a = 1.0f, b = 2.0f;\n"
         "constant float* constant u[2] = {&a, &b};\n"
         "kernel void tables(global float* out, global const float* in) {\n"
         "  const int i = get_global_id(0);\n"
         "  out[i] = log(in[i]) * t[(i >> 2) & 3] * *u[i & 1];\n}\n";
  ASSERT_EQ(compile_kernels(source.path(), object.path(), "-c "), "");
  CodeObject compiled = read_code_object(contents_of(object.path()), "tables.o");
  constexpr uint32_t kTables = 0x80000;
  compiled.place(kTables);
  Assembly code;
  code.words = compiled.code;
  code.labels.push_back({"tables", compiled.kernels.at(0).entry});
  Device device(code);
  device.put_at(kTables, compiled.tables);
  std::vector<float> in(64);
  for (unsigned i = 0; i < 64; ++i) in[i] = 0.01f + 0.37f * static_cast<float>(i);
  const uint32_t out = device.put(std::vector<float>(64));
  device.pointer(out);
  device.pointer(device.put(in));
  device.run("tables", 64, 1, 64);
  const auto results = device.get<float>(out, 64);
  constexpr float kFactors[] = {0.5f, 3.0f, 7.0f, 20.0f};
  for (unsigned i = 0; i < 64; ++i) {
    const float expected = std::log(in[i]) * kFactors[i >> 2 & 3] * static_cast<float>(1 + i % 2);
    EXPECT_NEAR(results[i], expected, std::fabs(expected) * 1e-6f) << in[i];
  }
}

}  // namespace
}  // namespace gvp::gpgpu::southern_islands

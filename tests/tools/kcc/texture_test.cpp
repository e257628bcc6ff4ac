// SPDX-License-Identifier: Apache-2.0
// Textures in software, with descriptors as a driver fills them (docs/kcc.md, "Textures").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;

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

// The words of a descriptor.
struct Descriptor {
  bool normalised = false;
  bool linear = false;
  bool wrap = false;
  uint32_t address = 256;  // where tests put `in`
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t pitch = 0;
  uint32_t slices = 0;  // of three dimensions

  std::vector<uint32_t> words() const {
    const uint32_t mode = wrap ? 0 : 1;
    std::vector<uint32_t> all{normalised ? 1U : 0U,
                              linear ? 1U : 0U,
                              mode,
                              mode,
                              mode,
                              0,
                              0,
                              0,
                              0,
                              0,
                              address,
                              width,
                              height,
                              pitch};
    if (slices != 0) all.push_back(slices);
    return all;
  }
};

gpgpu::g80::Module with_texture(const std::string& text, unsigned level,
                                const Descriptor& descriptor) {
  gpgpu::g80::Module module = compiled(text, level);
  bool found = false;
  for (auto& constant : module.constants) {
    if (constant.name != "image") continue;
    EXPECT_EQ(constant.bytes, 4 * descriptor.words().size());
    constant.words = descriptor.words();
    found = true;
  }
  EXPECT_TRUE(found);
  return module;
}

TEST(Texture, FetchesAreLoadsWithinTheBounds) {
  const std::string text = R"(
    texture<float, 1, cudaReadModeElementType> image;
    texture<int4, 1> nobody_reads_me;
    extern "C" __global__ void k(const float*, float* out, int n) {
      out[threadIdx.x] = tex1Dfetch(image, (int)threadIdx.x - n);
    }
    void host() {
      image.filterMode = cudaFilterModePoint;
      cudaBindTexture(0, image, (float*)0, 32);
    })";
  std::vector<uint32_t> in(64);
  for (uint32_t i = 0; i < 64; ++i) in[i] = bits(static_cast<float>(i) + 1);
  Descriptor descriptor;
  descriptor.width = 40;
  for (const unsigned level : {0u, 1u, 2u}) {
    const auto module = with_texture(text, level, descriptor);
    EXPECT_EQ(module.constants.size(), 1U) << "what nobody reads costs nothing";
    const auto out = results(module, 64, in, 3);
    for (uint32_t t = 0; t < 64; ++t)
      EXPECT_EQ(real(out[t]), t >= 3 && t < 43 ? static_cast<float>(t - 2) : 0) << "-O" << level;
  }
}

TEST(Texture, FetchesElementsOfEveryKind) {
  const std::string text = R"(
    typedef unsigned char byte;
    texture<uchar4, 1, cudaReadModeNormalizedFloat> image;
    extern "C" __global__ void k(const float*, float4* out, int) {
      out[threadIdx.x] = tex1Dfetch(image, threadIdx.x);
    })";
  std::vector<uint32_t> in(4 * 16);
  for (uint32_t i = 0; i < 16; ++i) in[i] = 0x01020304 * i + 0x80ff0010;
  Descriptor descriptor;
  descriptor.width = 16;
  for (const unsigned level : {0u, 2u}) {
    const auto out = results(with_texture(text, level, descriptor), 16, in, 0);
    for (uint32_t t = 0; t < 16; ++t)
      for (uint32_t i = 0; i < 4; ++i)
        EXPECT_NEAR(real(out[4 * t + i]), static_cast<float>(in[t] >> (8 * i) & 0xff) / 255, 1e-6);
  }
  const std::string shorts = R"(
    static texture<short2, 1, cudaReadModeElementType> image;
    extern "C" __global__ void k(const float*, int2* out, int) {
      const short2 v = tex1Dfetch(image, threadIdx.x);
      out[threadIdx.x] = make_int2(v.x, v.y);
    })";
  for (const unsigned level : {0u, 2u}) {
    const auto out = results(with_texture(shorts, level, descriptor), 16, in, 0);
    for (uint32_t t = 0; t < 16; ++t) {
      EXPECT_EQ(static_cast<int32_t>(out[2 * t]), static_cast<int16_t>(in[t]));
      EXPECT_EQ(static_cast<int32_t>(out[2 * t + 1]), static_cast<int16_t>(in[t] >> 16));
    }
  }
}

// A vector of one part is a vector.
TEST(Texture, FetchesVectorsOfOnePart) {
  const std::string text = R"(
    texture<float1, 1, cudaReadModeElementType> image;
    static texture<uchar1, 2, cudaReadModeNormalizedFloat> bytes;
    extern "C" __global__ void k(const float*, float* out, int n) {
      const float1 v = tex1Dfetch(image, threadIdx.x);
      out[threadIdx.x] = v.x + 1.0f + (n ? tex2D(bytes, threadIdx.x, 0).x : 0.0f);
    })";
  std::vector<uint32_t> in(16);
  for (uint32_t i = 0; i < 16; ++i) in[i] = bits(static_cast<float>(i) * 0.5f);
  Descriptor descriptor;
  descriptor.width = 16;
  for (const unsigned level : {0u, 2u}) {
    const auto out = results(with_texture(text, level, descriptor), 16, in, 0);
    for (uint32_t t = 0; t < 16; ++t) EXPECT_EQ(real(out[t]), static_cast<float>(t) * 0.5f + 1);
  }
}

// A long has 32 bits on the host of those days, too.
TEST(Texture, FetchesLongsAndVectorsOfThem) {
  const std::string text = R"(
    texture<ulong4, 2> image;
    extern "C" __global__ void k(const float*, ulong4* out, int) {
      out[threadIdx.x] = tex2D(image, (int)threadIdx.x & 1, (int)threadIdx.x >> 1);
    })";
  const std::string singles = R"(
    texture<long, 1> image;
    extern "C" __global__ void k(const float*, long* out, int) {
      out[threadIdx.x] = tex1Dfetch(image, threadIdx.x) / -3;
    })";
  std::vector<uint32_t> in(4 * 16);
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = 0x0f0e0d0b * i;
  Descriptor rows;
  rows.width = 2;
  rows.height = 8;
  rows.pitch = 32;
  Descriptor line;
  line.width = 16;
  for (const unsigned level : {0u, 2u}) {
    EXPECT_EQ(results(with_texture(text, level, rows), 16, in, 0), in);
    const auto out = results(with_texture(singles, level, line), 16, in, 0);
    for (uint32_t t = 0; t < 16; ++t)
      EXPECT_EQ(static_cast<int32_t>(out[t]), static_cast<int32_t>(in[t]) / -3);
  }
}

// The CUDA C Programming Guide's formulas, in double precision.
double sample(const std::vector<uint32_t>& in, const Descriptor& d, double x, double y) {
  const auto index = [&](double at, uint32_t size) {
    auto i = static_cast<int>(std::floor(at));
    const auto n = static_cast<int>(size);
    i = d.wrap && d.normalised ? ((i % n) + n) % n : std::clamp(i, 0, n - 1);
    return static_cast<uint32_t>(i);
  };
  const auto texel = [&](double i, double j) {
    return static_cast<double>(real(in[index(j, d.height) * d.pitch / 4 + index(i, d.width)]));
  };
  if (d.normalised) {
    if (d.wrap) {
      x -= std::floor(x);
      y -= std::floor(y);
    }
    x *= d.width;
    y *= d.height;
  }
  if (!d.linear) return texel(x, y);
  x -= 0.5;
  y -= 0.5;
  const double a = x - std::floor(x);
  const double b = y - std::floor(y);
  return (1 - a) * (1 - b) * texel(x, y) + a * (1 - b) * texel(x + 1, y) +
         (1 - a) * b * texel(x, y + 1) + a * b * texel(x + 1, y + 1);
}

TEST(Texture, TwoDimensionsWithEveryFilterAndAddressMode) {
  const std::string text = R"(
    texture<float, 2, cudaReadModeElementType> image;
    extern "C" __global__ void k(const float* in, float* out, int) {
      const float* at = in + 64 + 2 * threadIdx.x;
      out[threadIdx.x] = tex2D(image, at[0], at[1]);
    })";
  Descriptor descriptor;
  descriptor.width = 7;
  descriptor.height = 5;
  descriptor.pitch = 32;
  constexpr uint32_t kThreads = 96;
  std::vector<uint32_t> in(64 + 2 * kThreads);
  for (uint32_t i = 0; i < 64; ++i) in[i] = bits(static_cast<float>(i * i % 23));
  for (const bool normalised : {false, true}) {
    for (const bool linear : {false, true}) {
      for (const bool wrap : {false, true}) {
        if (wrap && !normalised) continue;  // CUDA has no such
        descriptor.normalised = normalised;
        descriptor.linear = linear;
        descriptor.wrap = wrap;
        // Beyond all four edges, off the borders of elements where rounding would decide.
        for (uint32_t t = 0; t < kThreads; ++t) {
          const float x = static_cast<float>(t * 29 % 97) / 8.0F - 2.03F;
          const float y = static_cast<float>(t * 17 % 89) / 9.0F - 2.03F;
          in[64 + 2 * t] = bits(normalised ? x / 7.0F : x);
          in[64 + 2 * t + 1] = bits(normalised ? y / 5.0F : y);
        }
        for (const unsigned level : {0u, 2u}) {
          const auto out = results(with_texture(text, level, descriptor), kThreads, in, 0);
          for (uint32_t t = 0; t < kThreads; ++t) {
            const auto x = static_cast<double>(real(in[64 + 2 * t]));
            const auto y = static_cast<double>(real(in[64 + 2 * t + 1]));
            EXPECT_NEAR(static_cast<double>(real(out[t])), sample(in, descriptor, x, y),
                        linear ? 1e-3 : 0)
                << x << ", " << y << (normalised ? " normalised" : "") << (linear ? " linear" : "")
                << (wrap ? " wrap" : "") << " -O" << level;
          }
        }
      }
    }
  }
}

TEST(Texture, OneDimensionFiltersAndClamps) {
  const std::string text = R"(
    texture<float, 1, cudaReadModeElementType> image;
    extern "C" __global__ void k(const float* in, float* out, int) {
      out[threadIdx.x] = tex1D(image, in[64 + threadIdx.x]);
    })";
  Descriptor descriptor;
  descriptor.width = 9;
  descriptor.height = 1;
  descriptor.linear = true;
  std::vector<uint32_t> in(128);
  for (uint32_t i = 0; i < 64; ++i) in[i] = bits(static_cast<float>(i * i % 23));
  for (uint32_t t = 0; t < 64; ++t) in[64 + t] = bits(static_cast<float>(t) / 5.0F - 1.03F);
  for (const unsigned level : {0u, 2u}) {
    const auto out = results(with_texture(text, level, descriptor), 64, in, 0);
    for (uint32_t t = 0; t < 64; ++t) {
      EXPECT_NEAR(static_cast<double>(real(out[t])),
                  sample(in, descriptor, static_cast<double>(real(in[64 + t])), 0.5), 1e-4);
    }
  }
}

// Linear filtering is for textures that give floating-point numbers; others have no code for it.
TEST(Texture, IntegersAreNotFiltered) {
  const std::string text = R"(
    texture<int, 2, cudaReadModeElementType> image;
    extern "C" __global__ void k(const int* in, int* out, int) {
      out[threadIdx.x] = tex2D(image, 0.75f + threadIdx.x % 8, 1.75f);
    })";
  Descriptor descriptor;
  descriptor.width = 8;
  descriptor.height = 4;
  descriptor.pitch = 32;
  descriptor.linear = true;
  std::vector<uint32_t> in(32);
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = 1000 * i;
  for (const unsigned level : {0u, 2u}) {
    const auto out = results(with_texture(text, level, descriptor), 32, in, 0);
    for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], 1000 * (8 + t % 8)) << "-O" << level;
  }
}

// Slice by slice as in two dimensions.
TEST(Texture, ThreeDimensionsWithEveryFilterAndAddressMode) {
  const std::string text = R"(
    texture<float, 3, cudaReadModeElementType> image;
    extern "C" __global__ void k(const float* in, float* out, int) {
      const float* at = in + 128 + 3 * threadIdx.x;
      out[threadIdx.x] = tex3D(image, at[0], at[1], at[2]);
    })";
  Descriptor descriptor;
  descriptor.width = 7;
  descriptor.height = 5;
  descriptor.pitch = 32;
  descriptor.slices = 3;
  constexpr uint32_t kThreads = 96;
  constexpr uint32_t kSlice = 5 * 8;  // words
  std::vector<uint32_t> in(128 + 3 * kThreads);
  for (uint32_t i = 0; i < 128; ++i) in[i] = bits(static_cast<float>(i * i % 23));
  const auto expected = [&](double x, double y, double z) {
    const auto n = static_cast<int>(descriptor.slices);
    const auto plane = [&](double at) {
      auto i = static_cast<int>(std::floor(at));
      i = descriptor.wrap ? ((i % n) + n) % n : std::clamp(i, 0, n - 1);
      const auto begin = in.begin() + static_cast<std::ptrdiff_t>(kSlice) * i;
      return sample({begin, begin + kSlice}, descriptor, x, y);
    };
    if (descriptor.wrap) z -= std::floor(z);
    if (descriptor.normalised) z *= n;
    if (!descriptor.linear) return plane(z);
    z -= 0.5;
    const double c = z - std::floor(z);
    return (1 - c) * plane(z) + c * plane(z + 1);
  };
  for (const bool linear : {false, true}) {
    for (const bool wrap : {false, true}) {
      descriptor.normalised = wrap;  // CUDA wraps parts of the size only
      descriptor.linear = linear;
      descriptor.wrap = wrap;
      // Beyond all edges, off the borders of elements where rounding would decide.
      for (uint32_t t = 0; t < kThreads; ++t) {
        const float place[3] = {static_cast<float>(t * 29 % 97) / 8.0F - 2.03F,
                                static_cast<float>(t * 17 % 89) / 9.0F - 2.03F,
                                static_cast<float>(t * 13 % 83) / 13.0F - 1.03F};
        const float size[3] = {7, 5, 3};
        for (uint32_t i = 0; i < 3; ++i)
          in[128 + 3 * t + i] = bits(wrap ? place[i] / size[i] : place[i]);
      }
      for (const unsigned level : {0u, 2u}) {
        const auto out = results(with_texture(text, level, descriptor), kThreads, in, 0);
        for (uint32_t t = 0; t < kThreads; ++t) {
          const auto at = [&](uint32_t i) {
            return static_cast<double>(real(in[128 + 3 * t + i]));
          };
          EXPECT_NEAR(static_cast<double>(real(out[t])), expected(at(0), at(1), at(2)),
                      linear ? 1e-3 : 0)
              << at(0) << ", " << at(1) << ", " << at(2) << (linear ? " linear" : "")
              << (wrap ? " wrap" : "") << " -O" << level;
        }
      }
    }
  }
}

TEST(Texture, ObjectsAreRefusedWhereAKernelFetchesFromThem) {
  const std::string text = R"(
    struct Reader {
      cudaTextureObject_t from;
      __device__ float operator()(int i) const { return tex1Dfetch<float>(from, i); }
    };
    template <typename From> __global__ void k(float* out, From from) { *out = from(3); }
    void launch(float* out, Reader from) { k<<<1, 1>>>(out, from); })";
  EXPECT_THAT(refusal(text), HasSubstr("texture objects need compute capability 3.0"));
}

TEST(Texture, LaterKindsAreRefusedWhereAKernelUsesThem) {
  EXPECT_THAT(refusal(R"(
    texture<uchar4, cudaTextureType2DLayered, cudaReadModeNormalizedFloat> from;
    __global__ void k(float4* out) { *out = tex2DLayered(from, .5f, .5f, 1); })"),
              HasSubstr("layered textures, cube maps and gathers need compute capability 2.0"));
  EXPECT_THAT(refusal(R"(
    surface<void, 2> to;
    __global__ void k(float x) { surf2Dwrite(x, to, 4, 0, cudaBoundaryModeTrap); })"),
              HasSubstr("surfaces need compute capability 2.0"));
}

}  // namespace
}  // namespace gvp::kcc

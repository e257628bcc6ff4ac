// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/surplus_qualifiers.h"

#include <gtest/gtest.h>

namespace gvp::kcc {
namespace {

// What the words of CUDA C are when the preprocessor has been there.
std::string written_out(std::string text) {
  for (const char* word : {"device", "shared", "constant", "global"}) {
    const std::string name = std::string("__") + word + "__";
    const std::string attribute = std::string("__attribute__((") + word + "))";
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
      text.replace(at, name.size(), attribute);
  }
  return text;
}

// Text without its runs of spaces.
std::string squeezed(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (c != ' ' || result.empty() || result.back() != ' ') result += c;
  return result;
}

TEST(SurplusQualifiers, DeviceGoes) {
  for (const char* text :
       {"__device__ __shared__ int a;", "__shared__ __device__ int a;",
        "__device__ volatile __shared__ int a;", "extern __device__ __shared__ int a[];",
        "static __device__ __constant__ int a = 3;", "__device__ static __global__ void k();"}) {
    const std::string before = written_out(text);
    const std::string after = without_surplus_qualifiers(before);
    EXPECT_EQ(after.size(), before.size()) << "places stay what they are";
    std::string expected = text;
    expected.erase(expected.find("__device__"), 10);
    EXPECT_EQ(squeezed(" " + after), squeezed(" " + written_out(expected)));
  }
}

TEST(SurplusQualifiers, OthersStay) {
  for (const char* text :
       {"__device__ int a; __shared__ int b;", "__device__ __attribute__((aligned(8))) int a;",
        "const char* a = \"__attribute__((device)) __attribute__((shared))\";",
        "__device__ int f() { __shared__ int b; return b; }", "__device__", "__attribute__((dev"}) {
    const std::string before = text[0] == 'c' ? std::string(text) : written_out(text);
    EXPECT_EQ(without_surplus_qualifiers(before), before);
  }
}

TEST(SurplusQualifiers, VariablesOfTheDeviceAreDefined) {
  for (const char* text : {"extern \"C\" __constant__ float a[4];",
                           "extern \"C\" __device__ int a;", "extern \"C\" texture<int, 1> a;",
                           "extern \"C\" __constant__ __attribute__((aligned(8))) int a;"}) {
    const std::string before = written_out(text);
    EXPECT_EQ(without_surplus_qualifiers(before), std::string(10, ' ') + before.substr(10));
  }
  for (const char* text :
       {"extern \"C\" __device__ float f(float);", "extern \"C\" { __device__ int a; }",
        "extern \"C\" __shared__ int a[];", "extern \"C\" int a;", "extern __constant__ int a;",
        "extern \"C\"", "extern \"C\" __constant__"}) {
    const std::string before = written_out(text);
    EXPECT_EQ(without_surplus_qualifiers(before), before);
  }
}

TEST(SurplusQualifiers, LinesStay) {
  EXPECT_EQ(
      without_surplus_qualifiers("__attribute__((\ndevice)) __attribute__((shared)) int a;\n"),
      "               \n         __attribute__((shared)) int a;\n");
}

}  // namespace
}  // namespace gvp::kcc

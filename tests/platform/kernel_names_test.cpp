// SPDX-License-Identifier: Apache-2.0
#include "platform/kernel_names.h"

#include <gtest/gtest.h>

#include <string>

#include "models/gpgpu/g80/cubin.h"

namespace gvp::platform {
namespace {

gpgpu::g80::Module module() {
  gpgpu::g80::Kernel kernel;
  kernel.name = "vector_add";
  kernel.registers = 4;
  kernel.shared_bytes = 32;
  kernel.code = {0x10004205, 0x0023c780, 0xa0000005, 0x04000780, 0x30000003, 0x00000780};
  gpgpu::g80::Module module;
  module.kernels.push_back(kernel);
  return module;
}

std::vector<uint8_t> image() {
  const std::string text =
      std::string("\x7f") + "ELF" + std::string("\0\1xy", 4) + gpgpu::g80::to_text_cubin(module()) +
      std::string("xy\0\2", 4) +
      "this architecture {is no cubin}, and is long enough to be tried as one, bincode or not";
  return {text.begin(), text.end()};
}

std::string named(const std::string& name) {
  const auto names = kernel_names(image());
  const auto found = names.find(name);
  return found == names.end() ? "" : found->second;
}

std::string hash_name(size_t words) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < words; ++i)
    for (unsigned shift = 0; shift < 32; shift += 8)
      hash = (hash ^ (module().kernels[0].code[i] >> shift & 0xffu)) * 16777619u;
  char text[32];
  std::snprintf(text, sizeof text, "code-%08x", hash);
  return text;
}

TEST(KernelNames, AreFoundInTheCubinsOfTheFirmware) {
  EXPECT_EQ(named(hash_name(6)), "vector_add");
}

TEST(KernelNames, AreFoundWithoutThePaddingAtTheEnd) {
  EXPECT_EQ(named(hash_name(4)), "vector_add");
}

TEST(KernelNames, UnknownCodeHasNone) { EXPECT_EQ(named("code-00000001"), ""); }

TEST(KernelNames, AnImageWithoutCubinsHasNone) {
  EXPECT_TRUE(kernel_names({}).empty());
  EXPECT_TRUE(kernel_names(std::vector<uint8_t>(1000, 'x')).empty());
}

}  // namespace
}  // namespace gvp::platform

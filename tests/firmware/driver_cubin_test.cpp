// SPDX-License-Identifier: Apache-2.0
// The driver's reader of cubins (firmware/driver/cubin.c), compiled for this machine: it takes what
// the assembler writes, and no damage to a cubin makes it crash.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/cubin.h"

extern "C" {
#include "driver/module.h"
#include "tests/support/seed.h"
}

namespace gvp {
namespace {

using gpgpu::g80::Module;

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Module> kernels_of_the_firmware() {
  std::vector<Module> modules;
  for (const auto& entry : std::filesystem::directory_iterator(GVP_SOURCE_DIR "/firmware/kernels"))
    if (entry.path().extension() == ".s")
      modules.push_back(gpgpu::g80::assemble(contents(entry.path()), entry.path().string()));
  return modules;
}

// Reads and forgets again; what happens to the image must not matter.
gpgpu_error read_and_discard(const std::string& image) {
  gpgpu_module module;
  const gpgpu_error error = cubin_read(image.data(), image.size(), &module);
  module_discard(&module);
  return error;
}

const gpgpu_function* function_named(const gpgpu_module& module, const std::string& name) {
  const gpgpu_function* function = module.functions;
  while (function != nullptr && function->name != name) function = function->next;
  return function;
}

TEST(DriverCubin, KernelsAreWhatTheAssemblerMade) {
  const std::vector<Module> modules = kernels_of_the_firmware();
  ASSERT_FALSE(modules.empty());
  for (const Module& expected : modules) {
    const std::string image = gpgpu::g80::to_text_cubin(expected);
    gpgpu_module module;
    ASSERT_EQ(cubin_read(image.data(), image.size(), &module), GPGPU_OK);
    for (const auto& kernel : expected.kernels) {
      const gpgpu_function* function = function_named(module, kernel.name);
      ASSERT_NE(function, nullptr) << kernel.name;
      EXPECT_EQ(std::vector<uint32_t>(function->code, function->code + function->code_words),
                kernel.code);
      EXPECT_EQ(function->registers, std::max(kernel.registers, 1u));
      EXPECT_EQ(function->shared_bytes, kernel.shared_bytes);
      EXPECT_EQ(function->has_parameter_bytes, kernel.parameter_bytes.has_value());
      EXPECT_EQ(function->parameter_bytes, kernel.parameter_bytes.value_or(0));
    }
    module_discard(&module);
  }
}

TEST(DriverCubin, EveryTruncationIsRefusedOrComplete) {
  const std::string image = gpgpu::g80::to_text_cubin(
      gpgpu::g80::assemble(".kernel k\n.param a\nMOV R1, s[a]\nRET\n", ""));
  for (size_t length = 0; length < image.find_last_of('}'); ++length)
    EXPECT_EQ(read_and_discard(image.substr(0, length)), GPGPU_BAD_IMAGE) << length;
  EXPECT_EQ(read_and_discard(image), GPGPU_OK);
}

TEST(DriverCubin, DamagedImagesDoNotCrash) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  const std::string marks = "{}=\n 0x9azk";
  for (const Module& module : kernels_of_the_firmware()) {
    const std::string good = gpgpu::g80::to_text_cubin(module);
    for (unsigned round = 0; round < 500; ++round) {
      std::string image = good;
      for (unsigned damage = 0; damage <= round % 5; ++damage) {
        const size_t at = random() % image.size();
        if (random() % 2 == 0)
          image[at] = marks[random() % marks.size()];
        else
          image.erase(at, random() % 40);
      }
      const gpgpu_error error = read_and_discard(image);
      EXPECT_TRUE(error == GPGPU_OK || error == GPGPU_BAD_IMAGE) << error;
    }
  }
}

TEST(DriverCubin, TheLineOfTheErrorIsTold) {
  EXPECT_EQ(read_and_discard("architecture {sm_10}\ncode {\n  name = k\n  reg = many\n}\n"),
            GPGPU_BAD_IMAGE);
  uint32_t line = 0;
  EXPECT_STREQ(gpgpu_image_error(&line), "not a number");
  EXPECT_EQ(line, 4u);
}

}  // namespace
}  // namespace gvp

// SPDX-License-Identifier: Apache-2.0
// Random kernels: what the machine computes with the compiled code is what the interpreter
// computes with the PTX, bit for bit.  GVP_RANDOM_KERNELS sets how many, GVP_TEST_SEED where to
// begin.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "tests/support/seed.h"
#include "tests/tools/kcc/machine_runner.h"
#include "tests/tools/kcc/random_kernel.h"
#include "tools/kcc/g80/compiler.h"
#include "tools/ptx/parser.h"

namespace gvp::kcc {
namespace {

uint32_t from_environment(const char* name, uint32_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<uint32_t>(std::strtoul(text, nullptr, 0));
}

void compare(uint32_t seed, const g80::Options& options) {
  const RandomKernel kernel = random_kernel(seed);
  std::vector<uint8_t> expected = kernel.memory;
  const ptx::Module module = ptx::parse("random.ptx", kernel.ptx);
  ptx::Interpreter(module, expected).run("k", kernel.grid, kernel.parameters);
  std::vector<uint8_t> found = kernel.memory;
  const g80::Result compiled = g80::compile("random.ptx", kernel.ptx, options);
  const RunResult run = run_on_machine(compiled.module, "k", kernel.grid, kernel.parameters, found);
  ASSERT_EQ(run.fault, "") << test::text_of_seed(seed);
  for (size_t i = 0; i + 4 <= expected.size(); i += 4) {
    uint32_t is = 0;
    uint32_t should = 0;
    std::memcpy(&is, &found[i], 4);
    std::memcpy(&should, &expected[i], 4);
    ASSERT_EQ(is, should) << test::text_of_seed(seed) << ": result "
                          << i / 4 - kernel.parameters[1] / 4;
  }
}

TEST(RandomKernels, ComputeWhatTheInterpreterComputes) {
  const uint32_t count = from_environment("GVP_RANDOM_KERNELS", 1000);
  const uint32_t first = test::seed(1);
  for (uint32_t seed = first; seed != first + count; ++seed) {
    g80::Options options;
    options.optimise = seed % 4 == 0 ? 0 : 2;
    if (seed % 8 == 1) options.max_registers = 12;  // spills
    if (seed % 8 == 2) options.max_registers = 64;
    ASSERT_NO_THROW(compare(seed, options)) << test::text_of_seed(seed);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace gvp::kcc

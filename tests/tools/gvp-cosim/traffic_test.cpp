// SPDX-License-Identifier: Apache-2.0
// Random accesses of gvp-cosim: of every kind, and none that would make two runs of a kernel
// differ.
#include "tools/gvp-cosim/traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "tests/support/seed.h"

namespace gvp::cosim {
namespace {

std::vector<Access> many_accesses() {
  std::mt19937 random(test::seed(1));
  std::vector<Access> all;
  for (unsigned i = 0; i < 2000; ++i)
    for (Access& access : random_accesses(random)) all.push_back(std::move(access));
  return all;
}

bool of_constants(const Access& access) {
  return access.window == "control" && access.offset >= FLEXGRIP_CONSTANT_MEMORY;
}

TEST(Traffic, IsOfEveryKind) {
  std::set<std::tuple<Access::When, std::string, bool>> kinds;
  std::set<size_t> control_bytes, memory_bytes;
  unsigned with_strobes = 0, partial = 0, constants = 0, code_of_kernels = 0, beyond = 0;
  std::set<uint64_t> registers;
  for (const Access& access : many_accesses()) {
    kinds.insert({access.when, access.window, access.write});
    (access.window == "control" ? control_bytes : memory_bytes).insert(access.data.size());
    with_strobes += access.strobes.empty() ? 0 : 1;
    partial += std::count(access.strobes.begin(), access.strobes.end(), 0) != 0 ? 1 : 0;
    constants += of_constants(access) && access.write ? 1 : 0;
    code_of_kernels += access.window == "code" && access.offset < 0x10000 ? 1 : 0;
    beyond += of_constants(access) && access.offset >= FLEXGRIP_CONSTANT_MEMORY + 8192 ? 1 : 0;
    if (access.window == "control") registers.insert(access.offset / 4 * 4);
  }
  EXPECT_EQ(kinds.size(), 3u * 3 * 2);
  EXPECT_EQ(control_bytes, (std::set<size_t>{1, 2, 4}));
  EXPECT_EQ(memory_bytes, (std::set<size_t>{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_GT(with_strobes, 300u);
  EXPECT_GT(partial, 200u);
  EXPECT_GT(constants, 100u);
  EXPECT_GT(code_of_kernels, 100u);
  EXPECT_GT(beyond, 100u);  // where nothing is
  for (uint64_t offset = 0; offset < 0x400; offset += 4)
    EXPECT_EQ(registers.count(offset), 1u) << offset;
}

TEST(Traffic, ChangesNothingThatAKernelUses) {
  for (const Access& access : many_accesses()) {
    const uint64_t end = access.offset + access.data.size();
    EXPECT_EQ(access.offset % access.data.size(), 0u);
    if (access.window == "global") {
      EXPECT_GE(access.offset, 0x20000u);
      EXPECT_LE(end, 0x40000u);
    }
    if (access.window == "code") {
      EXPECT_LE(end, 0x40000u);
    }
    if (!access.write) continue;
    if (access.window == "code") {
      EXPECT_GE(access.offset, 0x10000u);
    }
    EXPECT_FALSE(of_constants(access) && access.when == Access::When::kDuring) << access.offset;
    if (access.window != "control" || access.offset / 4 != FLEXGRIP_CONTROL / 4) continue;
    EXPECT_EQ(access.data[0], FLEXGRIP_CONTROL_INTERRUPT_ENABLE) << "neither a start nor a reset";
    EXPECT_EQ(std::count(access.data.begin() + 1, access.data.end(), 0),
              static_cast<std::ptrdiff_t>(access.data.size()) - 1);
  }
}

// Without one the access would not reach the pins.
TEST(Traffic, StrobesAreThoseOfAWriteThatMovesSomething) {
  for (const Access& access : many_accesses()) {
    if (access.strobes.empty()) continue;
    EXPECT_TRUE(access.write);
    EXPECT_EQ(access.strobes.size(), access.data.size());
    EXPECT_GT(std::count(access.strobes.begin(), access.strobes.end(), 0xff), 0);
  }
}

}  // namespace
}  // namespace gvp::cosim

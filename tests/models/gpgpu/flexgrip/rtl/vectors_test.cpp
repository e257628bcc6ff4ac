// SPDX-License-Identifier: Apache-2.0
// The test vectors of the model's instructions (tests/models/gpgpu/g80) once more, on FlexGrip's
// RTL: before each of them is executed there, the same registers, flags and instruction go to both
// the approximately timed model and the RTL.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/operations.h"
#include "models/rtl/block_table.h"
#include "tests/models/gpgpu/flexgrip/rtl/comparison.h"
#include "tests/models/gpgpu/g80/one_warp.h"

namespace gvp::test {
namespace {

namespace g80 = gpgpu::g80;

constexpr unsigned kRegisters = 32;  // that vectors use
constexpr unsigned kFlagsAt = kRegisters, kAddressesAt = kFlagsAt + 4, kWordsOfThread = 64;
constexpr unsigned kStoreTo = 0x8000;

bool is_memory(const g80::Instruction& i) {
  bool memory = i.destination.is_memory();
  for (const g80::Operand& operand : i.sources) memory = memory || operand.is_memory();
  return memory;
}

// Those of single instructions that neither leave their place nor need a memory, in threads with
// all the registers that are compared; a product that is truncated the RTL does not have.
bool is_compared(const g80::OneWarp& warp, const std::vector<uint32_t>& code) {
  if (warp.registers() < kRegisters) return false;
  const g80::Decoded decoded = g80::decode(code.data(), code.size());
  if (!decoded.executable() || g80::is_control(decoded.instruction.operation)) return false;
  return !is_memory(decoded.instruction) && !warp.machine.truncate_products &&
         warp.warp.flow.active == gpgpu::simt::kAllLanes;
}

// A kernel that loads the warp's registers, executes the code, and stores all of them.
Subject subject_of(g80::OneWarp& warp, const std::vector<uint32_t>& code) {
  Subject subject;
  subject.words.resize(size_t{gpgpu::simt::kWarpSize} * kWordsOfThread);
  std::string before = ".kernel vector\n.regs 64\nLOP32I.AND R63, R0, 0x1f;\nSHL R63, R63, 0x8;\n" +
                       fmt::format("IADD32I R62, R63, {:#x};\n", kWordsAt);
  const auto load = [&](unsigned number, unsigned at, const std::function<uint32_t(unsigned)>& of) {
    bool empty = true;
    for (unsigned lane = 0; lane < gpgpu::simt::kWarpSize; ++lane) {
      subject.words[lane * kWordsOfThread + at] = of(lane);
      empty = empty && of(lane) == 0;
    }
    if (empty && at != 0) return false;  // R0 has the thread's index
    before +=
        fmt::format("IADD32I R63, R62, {:#x};\nGLD.U32 R{}, global14[R63];\n", 4 * at, number);
    return true;
  };
  for (unsigned r = 0; r < kRegisters; ++r)
    load(r, r, [&](unsigned lane) { return warp.r(r)[lane]; });
  for (unsigned c = 0; c < 4; ++c)
    if (load(61, kFlagsAt + c, [&](unsigned lane) { return warp.flags(c, lane); }))
      before += fmt::format("R2C C{}, R61;\n", c);
  subject.code = g80::assemble(before, "before").kernels.at(0).code;
  subject.code.insert(subject.code.end(), code.begin(), code.end());
  std::string after = fmt::format(
      ".kernel vector\n.regs 64\nS2R R63, SR_PHYSID;\nLOP32I.AND R63, R63, 0x1f;\n"
      "SHL R63, R63, 0x8;\nIADD32I R63, R63, {:#x};\n",
      kStoreTo);
  for (unsigned r = 0; r < kRegisters; r += 4)
    after += fmt::format("GST.S128 global14[R63], R{};\nIADD32I R63, R63, 0x10;\n", r);
  for (unsigned c = 0; c < 4; ++c) after += fmt::format("C2R R{}, C{};\n", c, c);
  for (unsigned a = 0; a < 4; ++a) after += fmt::format("A2R R{}, A{};\n", 4 + a, a + 1);
  after +=
      "GST.S128 global14[R63], R0;\nIADD32I R63, R63, 0x10;\nGST.S128 global14[R63], R4;\nRET;\n";
  const std::vector<uint32_t> rest = g80::assemble(after, "after").kernels.at(0).code;
  subject.code.insert(subject.code.end(), rest.begin(), rest.end());
  gpgpu::flexgrip::Kernel& k = subject.kernel;
  k.registers_per_thread = 64;
  k.block_x = gpgpu::simt::kWarpSize;
  k.block_y = k.block_z = k.grid_x = k.grid_y = 1;
  k.blocks_per_core = 1;
  return subject;
}

class Vectors : public testing::Environment {
 public:
  void SetUp() override {
    g80::OneWarp::before_instruction = [this](g80::OneWarp& warp,
                                              const std::vector<uint32_t>& code) {
      if (is_compared(warp, code) && is_next()) compare(warp, code);
    };
  }
  void TearDown() override {
    g80::OneWarp::before_instruction = nullptr;
    if (testing::GTEST_FLAG(filter) == "*") {
      EXPECT_GT(compared_, 200u);
    }
  }

 private:
  // Of tests that try many at random the first ones do.
  bool is_next() {
    constexpr unsigned kOfATest = 16;
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    if (test != test_) of_test_ = 0;
    test_ = test;
    return of_test_++ < kOfATest;
  }
  void compare(g80::OneWarp& warp, const std::vector<uint32_t>& code) {
    gpgpu::flexgrip::Configuration configuration = rtl_configuration({1, 8});
    configuration.multiplier = warp.machine.multiplier;
    configuration.three_operands = warp.machine.three_operands;
    configuration.floating_point = warp.machine.floating_point;
    configuration.denormals = warp.machine.flush_denormals ? "flush" : "keep";
    const Subject subject = subject_of(warp, code);
    EXPECT_EQ(first_mismatch(configuration, subject, rtl_), "") << listing_of(subject);
    ++compared_;
  }

  FlexGripRtl rtl_{FlexGripRtl::block_with(1, 8)};
  const testing::TestInfo* test_ = nullptr;
  unsigned of_test_ = 0, compared_ = 0;
};

const testing::Environment* const vectors = testing::AddGlobalTestEnvironment(new Vectors);

}  // namespace
}  // namespace gvp::test

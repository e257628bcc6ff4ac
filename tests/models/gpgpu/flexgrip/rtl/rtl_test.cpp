// SPDX-License-Identifier: Apache-2.0
// FlexGrip's RTL against the approximately timed model: results, faults, counters, and every row's
// cycles in every stage.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <any>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <variant>

#include "models/device/key.h"
#include "models/gpgpu/causes.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/keys.h"
#include "models/gpgpu/g80/operations.h"
#include "models/gpgpu/g80/table.h"
#include "tests/models/gpgpu/flexgrip/rtl/comparison.h"
#include "tests/support/seed.h"
#include "tools/gvp-cosim/random_instructions.h"
#include "tools/gvp-cosim/random_kernel.h"

namespace gvp::test {
namespace {

using gpgpu::flexgrip::Configuration;
using gpgpu::flexgrip::Kernel;

// Of how many seeds a random test takes kernels; ./dev compare-rtl asks for many more.
uint32_t kernels(uint32_t in_short) {
  const char* text = std::getenv("GVP_TEST_RTL_KERNELS");
  return text == nullptr ? in_short : static_cast<uint32_t>(std::stoul(text));
}

// With so many SMs and SPs.
class FlexGripRtlTest : public testing::TestWithParam<Shape> {
 protected:
  unsigned sps() const { return GetParam().sps; }
  std::unique_ptr<FlexGripRtl> rtl_ =
      std::make_unique<FlexGripRtl>(FlexGripRtl::block_with(GetParam().sms, GetParam().sps));
};

TEST_P(FlexGripRtlTest, MicrobenchmarksGoAsOnTheModel) {
  unsigned compared = 0;
  for (const fidelity::Microbenchmark& benchmark :
       fidelity::read_microbenchmarks(GVP_SOURCE_DIR "/tests/data/microbenchmarks")) {
    if (benchmark.sps != sps()) continue;
    Configuration configuration = rtl_configuration(GetParam());
    configuration.local_bytes = 1024;
    configuration.partial_warps = "full";
    configuration.global_addresses = "wrap";
    configuration.null_page = false;
    EXPECT_EQ(first_mismatch(configuration, {benchmark.kernel, benchmark.code}, *rtl_), "")
        << benchmark.name;
    ++compared;
  }
  EXPECT_GE(compared, 20u);
}

TEST_P(FlexGripRtlTest, RandomKernelsGoAsOnTheModel) {
  const uint32_t first = seed(1);
  for (uint32_t seed = first; seed != first + kernels(3); ++seed) {
    const cosim::RandomKernel random = cosim::random_kernel(seed, seed % 2 == 0);
    Configuration configuration = rtl_configuration(GetParam());
    configuration.null_page = false;
    configuration.first_path = seed % 2 == 0 ? "taken" : "not-taken";
    ASSERT_EQ(first_mismatch(configuration, {random.launch, random.code}, *rtl_), "")
        << text_of_seed(seed) << '\n'
        << random.source;
  }
}

// Each of its own, so that none can stand for another.
TEST_P(FlexGripRtlTest, CostsAreThoseOfTheConfiguration) {
  Configuration configuration = rtl_configuration(GetParam());
  configuration.null_page = false;
  std::any settings = configuration;
  uint32_t more = 0;
  for (const device::Key& key : gpgpu::flexgrip::timing_keys())
    if (rtl_->has("timing_" + key.name.substr(key.name.find('.') + 1)))
      *std::get<uint32_t*>(key.field(settings)) += ++more;
  ASSERT_EQ(more, 25u);
  configuration = std::any_cast<Configuration>(settings);
  const uint32_t first = seed(1);
  for (uint32_t seed = first; seed != first + 2; ++seed) {
    const cosim::RandomKernel random = cosim::random_kernel(seed, false);
    ASSERT_EQ(first_mismatch(configuration, {random.launch, random.code}, *rtl_), "")
        << text_of_seed(seed);
    ASSERT_EQ(first_mismatch(configuration, random_instructions(seed, Kind::kAll), *rtl_), "")
        << text_of_seed(seed);
  }
}

TEST_P(FlexGripRtlTest, RandomInstructionsGoAsOnTheModel) {
  const uint32_t first = seed(1);
  for (uint32_t seed = first; seed != first + kernels(8); ++seed) {
    const Subject subject = random_instructions(seed, Kind::kAll);
    ASSERT_EQ(first_mismatch(rtl_configuration(GetParam()), subject, *rtl_), "")
        << text_of_seed(seed) << '\n'
        << listing_of(subject);
  }
}

TEST_P(FlexGripRtlTest, RandomFloatsGoAsOnTheModel) {
  const uint32_t first = seed(1);
  for (uint32_t seed = first; seed != first + kernels(24); ++seed) {
    const Subject subject = random_instructions(seed, Kind::kFloats);
    Configuration configuration = rtl_configuration(GetParam());
    configuration.denormals = seed % 4 == 0 ? "keep" : "flush";
    ASSERT_EQ(first_mismatch(configuration, subject, *rtl_), "") << text_of_seed(seed) << '\n'
                                                                 << listing_of(subject);
  }
}

TEST_P(FlexGripRtlTest, SpecialFunctionsGoAsOnTheModel) {
  const uint32_t first = seed(1);
  for (uint32_t seed = first; seed != first + kernels(4); ++seed)
    ASSERT_EQ(first_mismatch(rtl_configuration(GetParam()), special_functions(seed), *rtl_), "")
        << text_of_seed(seed);
}

struct Case {
  const char* name;
  uint32_t cause;
  const char* source;
  void (*change)(Configuration&, Kernel&) = nullptr;
};

const Case kCases[] = {
    {"misaligned load", FLEXGRIP_CAUSE_MISALIGNED,
     "MVI R1, 0x1002;\nGLD.U32 R2, global14[R1];\nRET;\n"},
    {"one lane beyond global memory", FLEXGRIP_CAUSE_GLOBAL_OUT_OF_RANGE,
     "LOP32I.AND R1, R0, 0xff;\nSHL R1, R1, 0x2;\nIADD32I R1, R1, 0x3ff60;\n"
     "GST.U32 global14[R1], R1;\nRET;\n"},
    {"null pointer", FLEXGRIP_CAUSE_NULL_PAGE, "GLD.U32 R2, global14[R124];\nRET;\n"},
    {"beyond shared memory", FLEXGRIP_CAUSE_SHARED_OUT_OF_RANGE,
     "MVI R1, 0xfc;\nR2A A1, R1, 0x0;\nMOV R2, g [A1+0x2];\nRET;\n"},
    {"misaligned store to shared memory", FLEXGRIP_CAUSE_MISALIGNED,
     "MVI R1, 0x21;\nR2A A1, R1, 0x0;\nR2G.U32.U32 g[A1+0x4], R1;\nRET;\n"},
    {"beyond shared memory in one place", FLEXGRIP_CAUSE_SHARED_OUT_OF_RANGE,
     "R2G.U32.U32 g[0x50], R1;\nRET;\n"},
    {"beyond constant memory", FLEXGRIP_CAUSE_CONSTANT_OUT_OF_RANGE,
     "MVC R1, c[0x0][0x3000];\nRET;\n"},
    {"beyond local memory", FLEXGRIP_CAUSE_LOCAL_OUT_OF_RANGE, "LLD.U32 R1, local[0x40];\nRET;\n"},
    {"beyond local memory in some threads", FLEXGRIP_CAUSE_LOCAL_OUT_OF_RANGE,
     "SHL R1, R0, 0x2;\nR2A A1, R1, 0x0;\nLST.U32 local[A1+0x0], R0;\nRET;\n"},
    {"misaligned in local memory", FLEXGRIP_CAUSE_MISALIGNED,
     "MVI R1, 0x2;\nR2A A1, R1, 0x0;\nLLD.U32 R1, local[A1+0x4];\nRET;\n"},
    {"local memory", FLEXGRIP_CAUSE_NONE,
     "LOP32I.AND R1, R0, 0x1c;\nR2A A2, R1, 0x0;\nIADD32I R2, R0, 0x1234;\n"
     "LST.U32 local[A2+0x20], R2;\nLST.U8 local[0x5], R0;\nLST.U16 local[A2+0x2], R2;\n"
     "LLD.S128 R4, local[0x0];\nLLD.U32 R3, local[A2+0x20];\nLLD.S16 R8, local[A2+0x2];\n"
     "LLD.U8 R9, local[0x23];\nIADD R4, R4, R5;\nIADD R4, R4, R3;\nIADD R4, R4, R8;\n"
     "IADD R4, R4, R9;\nSHL R2, R0, 0x2;\nIADD32I R2, R2, 0x3000;\n"
     "GST.U32 global14[R2], R4;\nRET;\n"},
    {"no floating point", FLEXGRIP_CAUSE_UNSUPPORTED_INSTRUCTION,
     "MVI R1, 0x1;\nFADD R1, R1, R1;\nRET;\n",
     [](Configuration& c, Kernel&) { c.floating_point = false; }},
    {"no conversion to floating point", FLEXGRIP_CAUSE_UNSUPPORTED_INSTRUCTION,
     "I2F.F32.S32 R1, R0;\nRET;\n", [](Configuration& c, Kernel&) { c.floating_point = false; }},
    {"an addition that nobody executes takes the time of its operands' signs", FLEXGRIP_CAUSE_NONE,
     "ISET.C0 o[0x7f], R124, R124, NE;\nMVI R1, 0xbf800000;\nMVI R2, 0x3f800000;\n"
     "FADD R3 (C0.NE), R1, R2;\nFADD R3 (C0.NE), R2, R2;\nFADD R3 (C0.NE), R2, -R2;\n"
     "FADD R3 (C0.NE), -R1, R2;\nFADD R3 (C0.NE), -g [0x4], R2;\nFADD R3, R1, R2;\nRET;\n"},
    {"trap in some threads", FLEXGRIP_CAUSE_TRAP,
     "LOP32I.AND R1, R0, 0x1;\nISET.C0 o[0x7f], R1, R124, NE;\nSSY end;\nBRA C0.NE, other;\n"
     "end: NOP.S;\nRET;\nother: TRAP;\nRET;\n"},
    {"behind the code", FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION, "MVI R1, 0x1;\n"},
    {"outside of code memory", FLEXGRIP_CAUSE_CODE_OUT_OF_RANGE, "BRA 0x1000;\n",
     [](Configuration& c, Kernel&) { c.code_bytes = 1024; }},
    {"break without pre-break", FLEXGRIP_CAUSE_STACK_UNDERFLOW, "BRK;\nRET;\n"},
    {"stack overflow by calls", FLEXGRIP_CAUSE_STACK_OVERFLOW, "again: CAL.NOINC again;\nRET;\n"},
    {"stack overflow by a branch", FLEXGRIP_CAUSE_STACK_OVERFLOW,
     "LOP32I.AND R1, R0, 0x1;\nISET.C0 o[0x7f], R1, R124, NE;\nBRA C0.NE, other;\nRET;\n"
     "other: RET;\n",
     [](Configuration& c, Kernel& k) { c.stack_depth = 0, k.grid_x = 1; }},
    {"stack overflow by regions", FLEXGRIP_CAUSE_STACK_OVERFLOW,
     "SSY end;\nSSY end;\nPBK end;\nend: NOP.S;\nRET;\n",
     [](Configuration& c, Kernel&) { c.stack_depth = 2; }},
    {"warps that wait for each other", FLEXGRIP_CAUSE_BARRIER_DEADLOCK,
     "LOP32I.AND R1, R0, 0x20;\nISET.C0 o[0x7f], R1, R124, NE;\nBRA C0.NE, other;\n"
     "BAR.ARV.WAIT b0, 0x80;\nRET;\nother: BAR.ARV.WAIT b1, 0x80;\nRET;\n"},
    {"a barrier that the end of a warp completes", FLEXGRIP_CAUSE_NONE,
     "LOP32I.AND R1, R0, 0x20;\nISET.C0 o[0x7f], R1, R124, NE;\nRET C0.NE;\n"
     "BAR.ARV.WAIT b0, 0xfff;\nMVI R3, 0x2000;\nGST.U32 global14[R3], R0;\nRET;\n"},
    {"producers and consumers of a barrier", FLEXGRIP_CAUSE_NONE,
     "LOP32I.AND R1, R0, 0x20;\nISET.C0 o[0x7f], R1, R124, NE;\nBRA C0.NE, other;\n"
     "BAR.ARV b2, 0x40;\nRET;\nother: BAR.ARV.WAIT b2, 0x40;\nRET;\n"},
    {"a return inside of a divergent region", FLEXGRIP_CAUSE_NONE,
     "LOP32I.AND R1, R0, 0x3;\nISET.C0 o[0x7f], R1, R124, NE;\nSSY end;\nBRA C0.NE, other;\n"
     "RET;\nother: ISET.C1 o[0x7f], R1, R124, EQ;\nIADD32I R1, R1, 0x1;\nend: NOP.S;\n"
     "SHL R2, R0, 0x2;\nIADD32I R2, R2, 0x3000;\nGST.U32 global14[R2], R1;\nRET;\n"},
    {"exits by marker", FLEXGRIP_CAUSE_NONE,
     "LOP32I.AND R1, R0, 0x3;\nISET.C0 o[0x7f], R1, R124, NE;\nSHL R2, R0, 0x2;\n"
     "IADD32I R2, R2, 0x3000;\nGST.U32.END global14[R2] (C0.NE), R1;\nIADD R1, R1, R0;\n"
     "GST.U32.END global14[R2], R1;\n"},
    {"loop with breaks", FLEXGRIP_CAUSE_NONE,
     "LOP32I.AND R1, R0, 0x7;\nPBK out;\nagain: IADD32I R1, R1, -0x1;\n"
     "ISET.S32.C0 o[0x7f], R1, R124, LT;\nBRK C0.NE;\nIADD R3, R3, R1;\nBRA again;\n"
     "out: SHL R2, R0, 0x2;\nIADD32I R2, R2, 0x3000;\nGST.U32 global14[R2], R3;\nRET;\n"},
    {"special registers", FLEXGRIP_CAUSE_NONE,
     "S2R R1, SR_CLOCK;\nS2R R2, SR_PHYSID;\nSHL R3, R0, 0x3;\nIADD32I R3, R3, 0x3000;\n"
     "GST.S64 global14[R3], R1;\nRET;\n"},
    {"post-increment", FLEXGRIP_CAUSE_NONE,
     "MVI R1, 0x10;\nR2A A1, R1, 0x0;\nMOV R2, g [A1+++0x1];\nMOV R3, g [A1++-0x1];\n"
     "A2R R4, A1;\nSHL R5, R0, 0x2;\nIADD32I R5, R5, 0x3000;\nIADD R2, R2, R3;\n"
     "IADD R2, R2, R4;\nGST.U32 global14[R5], R2;\nRET;\n"},
    {"a minimum, a maximum and an addition with carry of what is gathered from c[]",
     FLEXGRIP_CAUSE_NONE,
     "LOP32I.AND R1, R0, 0x7;\nR2A A1, R1, 0x2;\nIMAX.S32 R2, R1, c[0x1][A1];\n"
     "IMIN.U32 R3, R1, c[0x1][A1+0x1];\nIMAX.S16 R4L, R1L, c[0x1][A1];\nIADD.C0 R5, R2, R3;\n"
     "IADD.CARRY0 R5, R5, c[0x1][A1];\nIADD R2, R2, R5;\nIADD R2, R2, R4;\n"
     "SHL R6, R0, 0x2;\nIADD32I R6, R6, 0x3000;\nGST.U32 global14[R6], R2;\nRET;\n"},
    {"halves that are stored to s[] as words", FLEXGRIP_CAUSE_NONE,
     "MVI R1, 0x89abcdef;\nR2G.U16.U32 g [0x10], R1L;\nR2G.U16.U32 g [0x11], R1H;\n"
     "MOV R2, g [0x10];\nMOV R3, g [0x11];\nIADD R2, R2, R3;\nSHL R5, R0, 0x2;\n"
     "IADD32I R5, R5, 0x3000;\nGST.U32 global14[R5], R2;\nRET;\n"},
    {"a block of three dimensions and a grid of two", FLEXGRIP_CAUSE_NONE,
     "SHL R1, R0, 0x0;\nMOV R2, g [0x3];\nIADD R1, R1, R2;\nIMUL.U16.U16 R3, R0L, R0H;\n"
     "LOP32I.AND R3, R3, 0xff;\nSHL R3, R3, 0x2;\nIADD32I R3, R3, 0x3000;\nGST.U32 global14[R3], "
     "R2;\nRET;\n",
     [](Configuration&, Kernel& k) {
       k.block_x = 5;
       k.block_y = 3;
       k.block_z = 2;
       k.grid_x = 3;
       k.grid_y = 2;
     }},
    {"no multiplier", FLEXGRIP_CAUSE_UNSUPPORTED_INSTRUCTION, "IMUL.U16.U16 R3, R0L, R0H;\nRET;\n",
     [](Configuration& c, Kernel&) { c.multiplier = false; }},
    {"two operands", FLEXGRIP_CAUSE_UNSUPPORTED_INSTRUCTION, "IMAD.U16 R3, R0L, R0H, R0;\nRET;\n",
     [](Configuration& c, Kernel&) { c.three_operands = false; }},
    {"too many threads", FLEXGRIP_CAUSE_TOO_MANY_THREADS, "RET;\n",
     [](Configuration&, Kernel& k) { k.block_x = 257; }},
    {"too many registers", FLEXGRIP_CAUSE_TOO_MANY_REGISTERS, "RET;\n",
     [](Configuration&, Kernel& k) {
       k.block_x = 256;
       k.registers_per_thread = 33;
     }},
    {"too much shared memory", FLEXGRIP_CAUSE_TOO_MUCH_SHARED, "RET;\n",
     [](Configuration&, Kernel& k) { k.shared_static_bytes = 17000; }},
    {"too many warps", FLEXGRIP_CAUSE_TOO_MANY_WARPS, "RET;\n",
     [](Configuration& c, Kernel&) { c.warps_per_sm = 1; }},
    {"too many blocks", FLEXGRIP_CAUSE_TOO_MANY_BLOCKS, "RET;\n",
     [](Configuration&, Kernel& k) {
       k.blocks_per_core = 9;
       k.grid_x = 10;
     }},
    {"no threads", FLEXGRIP_CAUSE_BAD_CONFIGURATION, "RET;\n",
     [](Configuration&, Kernel& k) { k.block_y = 0; }},
    {"as many blocks as fit", FLEXGRIP_CAUSE_NONE, "RET;\n",
     [](Configuration&, Kernel& k) {
       k.blocks_per_core = 0;
       k.grid_x = 20;
     }},
    // For several SMs: batches that end at different times, and blocks that are dealt to them
    {"as many batches as blocks, which end in another order than they begin", FLEXGRIP_CAUSE_NONE,
     "MOV R2, g [0x3];\nLOP32I.AND R1, R2, 0x7;\nIMUL.U16.U16 R1, R1L, R1L;\n"
     "SHR R4, R2, 0xd;\nLOP32I.AND R2, R2, 0x7;\nIADD R2, R2, R4;\nPBK out;\nagain: IADD32I R1, "
     "R1, -0x1;\n"
     "ISET.S32.C0 o[0x7f], R1, R124, LT;\nBRK C0.NE;\nIADD R3, R3, R1;\nBRA again;\n"
     "out: SHL R2, R2, 0x7;\nLOP32I.AND R5, R0, 0x1f;\nSHL R5, R5, 0x2;\nIADD R2, R2, R5;\n"
     "IADD32I R2, R2, 0x3000;\n"
     "S2R R4, SR_PHYSID;\nIADD R3, R3, R4;\nGST.U32 global14[R2], R3;\nRET;\n",
     [](Configuration&, Kernel& k) {
       k.block_x = 32;
       k.blocks_per_core = 1;
       k.grid_x = 7;
       k.grid_y = 3;
     }},
    {"a grid that is narrower than the SMs are many", FLEXGRIP_CAUSE_NONE,
     "MOV R1, g [0x3];\nSHR R1, R1, 0xe;\nIADD32I R1, R1, 0x3000;\nGST.U32 global14[R1], "
     "R1;\nRET;\n",
     [](Configuration&, Kernel& k) {
       k.grid_x = 1;
       k.grid_y = 5;
     }},
    {"one block", FLEXGRIP_CAUSE_NONE, "RET;\n", [](Configuration&, Kernel& k) { k.grid_x = 1; }},
};

TEST_P(FlexGripRtlTest, KernelsForOnePurposeEachGoAsOnTheModel) {
  for (const Case& one : kCases) {
    Configuration configuration = rtl_configuration(GetParam());
    Subject subject = subject_of(one.source);
    if (one.change != nullptr) one.change(configuration, subject.kernel);
    EXPECT_EQ(first_mismatch(configuration, subject, *rtl_), "") << one.name;
    EXPECT_EQ(rtl_->register_at(FLEXGRIP_CAUSE), one.cause) << one.name;
  }
}

// With 16 and 32 SPs a row stays in the write stage for more than 2^16 cycles, and the next one
// waits before it for as long.
TEST_P(FlexGripRtlTest, RowsStayAndWaitAsLongAsTheLargestCostsTake) {
  Configuration configuration = rtl_configuration(GetParam());
  for (uint32_t* cost : {&configuration.timing.lane_access, &configuration.timing.lane_byte,
                         &configuration.timing.lane_store, &configuration.timing.lane_store_byte})
    *cost = 255;
  Subject subject = subject_of(
      "LOP32I.AND R1, R0, 0xff;\nSHL R1, R1, 0x4;\nIADD32I R1, R1, 0x3000;\n"
      "GLD.S64 R4, global14[R1];\nGST.S128 global14[R1], R4;\nRET;\n");
  subject.kernel.block_x = 64;
  subject.kernel.grid_x = 1;
  EXPECT_EQ(first_mismatch(configuration, subject, *rtl_), "");
  EXPECT_GT(rtl_->register_at(FLEXGRIP_COUNT_CYCLES), 300000u);
}

// Every operation of the table, on an instance that lacks one thing.
TEST_P(FlexGripRtlTest, WhatAnInstanceLeavesOutFailsAsOnTheModel) {
  std::map<gpgpu::g80::Operation, std::string> operations;
  for (const gpgpu::g80::Row& row : gpgpu::g80::rows())
    operations[row.operation] = gpgpu::g80::info(row.operation).syntax;
  Configuration without_multiplier = rtl_configuration(GetParam());
  without_multiplier.null_page = false;
  Configuration two_operands = without_multiplier, without_floats = without_multiplier;
  without_multiplier.multiplier = false;
  two_operands.three_operands = false;
  without_floats.floating_point = false;
  unsigned compared = 0, unsupported = 0;
  for (const auto& [operation, syntax] : operations) {
    if (gpgpu::g80::is_control(operation)) continue;
    const std::string source = syntax + ";\nRET;\n";
    for (const Configuration& configuration : {without_multiplier, two_operands, without_floats}) {
      EXPECT_EQ(first_mismatch(configuration, subject_of(source.c_str()), *rtl_), "") << syntax;
      ++compared;
      if (rtl_->register_at(FLEXGRIP_CAUSE) == FLEXGRIP_CAUSE_UNSUPPORTED_INSTRUCTION)
        ++unsupported;
    }
  }
  EXPECT_GT(compared, 100u);
  EXPECT_GT(unsupported, 15u);
}

// Of the causes of the table each is met above, but for those that need a bus (bus_memory_test.cpp)
// or somebody who stops the kernel (control_window_test.cpp).
TEST(FlexGripRtlCasesTest, EveryCauseHasACase) {
  const auto is_met = [](uint32_t cause) {
    return std::any_of(std::begin(kCases), std::end(kCases),
                       [cause](const Case& one) { return one.cause == cause; });
  };
#define GVP_EXPECT_MET(name, enumerator, number, text)                              \
  if ((number) != FLEXGRIP_CAUSE_BUS_ERROR && (number) != FLEXGRIP_CAUSE_ABORTED) { \
    EXPECT_TRUE(is_met(number)) << (text);                                          \
  }
  GPGPU_CAUSES(GVP_EXPECT_MET)
#undef GVP_EXPECT_MET
}

INSTANTIATE_TEST_SUITE_P(Sps, FlexGripRtlTest, testing::Values(GVP_FLEXGRIP_RTL_SHAPES),
                         [](const auto& shape) {
                           return fmt::format("{}x{}", shape.param.sms, shape.param.sps);
                         });

}  // namespace
}  // namespace gvp::test

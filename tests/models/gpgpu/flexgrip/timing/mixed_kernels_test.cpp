// SPDX-License-Identifier: Apache-2.0
// Kernels that mix what the micro-benchmarks exercise one by one, in several blocks and batches.
// The cycles are not the model's: a program of its own, which knows only the rules (rows, warp
// scheduler, configuration) and a cost for each instruction written down by hand, worked them out.
#include <gtest/gtest.h>

#include "fidelity/microbenchmarks.h"

namespace gvp::fidelity {
namespace {

struct Expected {
  unsigned sps;
  uint32_t blocks;
  uint32_t blocks_at_a_time;
  uint64_t cycles;
};

uint64_t cycles_of(const std::vector<uint32_t>& code, const Expected& launch) {
  Microbenchmark kernel;
  kernel.sps = launch.sps;
  kernel.code = code;
  kernel.kernel.grid_x = launch.blocks;
  kernel.kernel.grid_y = 1;
  kernel.kernel.block_x = 64;
  kernel.kernel.block_y = kernel.kernel.block_z = 1;
  kernel.kernel.blocks_per_core = launch.blocks_at_a_time;
  kernel.kernel.registers_per_thread = 13;
  kernel.kernel.shared_static_bytes = 256;
  kernel.kernel.parameters = {0, 1, 2, 3};
  kernel.kernel.parameter_count = 4;
  const MicrobenchmarkRun ours = run(kernel);
  EXPECT_TRUE(ours.completed);
  return ours.cycles;
}

// I2I, SHL, R2A by 0, MVI, ISET; predicated R2G s[A1] (7 and 0 lanes), BAR; SSY, BRA (divergent in
// one warp only), NOP.S; short gathers; CAL of a NOP and a RET; predicated GST; RET.
const std::vector<uint32_t> kControl = {
    0xa0000005, 0x04000780, 0x30020209, 0xc4100780, 0x00000405, 0xc0000780, 0x10078015, 0x00000003,
    0x300503fd, 0x6c0047c8, 0x04002001, 0xe4204280, 0x861ffe03, 0x00000000, 0xa000c003, 0x00000000,
    0x1000b003, 0x00000280, 0x1001800d, 0x00000003, 0x1000c003, 0x00000780, 0x1002800d, 0x00000003,
    0xf0000001, 0xe0000002, 0x1500f60c, 0x1500f60c, 0x20011003, 0x00000000, 0xd00e040d, 0xa0c00280,
    0x30000003, 0x00000780, 0xf0000001, 0xe0000000, 0x30000003, 0x00000780,
};

// A warp that ends early; I2F, RCP, FMUL, FADD with and without signs, FMAD, IMUL, IMAD, IADD32I;
// s[] of 16 and 32 bits, s[] and c[] beside a register, LOP, MVC; GLD.U8 without lanes, GLD.U16,
// GST.U8; PBK, BRK by all; A2R, ADA, C2R, IMAX.
const std::vector<uint32_t> kOperations = {
    0xa0000005, 0x04000780, 0x30020209, 0xc4100780, 0x10208015, 0x00000003, 0x300503fd, 0x6c0047c8,
    0x30000003, 0x00000100, 0xa000020d, 0x44014780, 0x90000611, 0x00000780, 0xc0040611, 0x00000780,
    0xb0000611, 0x0000c780, 0xb0000611, 0x0400c780, 0xe0030611, 0x00010780, 0x40020419, 0x00000780,
    0x60020419, 0x00018780, 0x2005821d, 0x00000003, 0x10004405, 0x0023c780, 0x1000c821, 0x0423c780,
    0x2000c821, 0x04204780, 0xd0020221, 0x04008780, 0x10000825, 0x2400c780, 0x21000225, 0x04004780,
    0xd00e0429, 0x80000100, 0xd00e0429, 0x80400780, 0xd00e0405, 0xa0000780, 0x4001c003, 0x00000000,
    0x50000003, 0x00000280, 0xf0000001, 0xe0000000, 0xf0000001, 0xe0000000, 0xf0000001, 0xe0000000,
    0x0400002d, 0x40000780, 0xd4002009, 0x20000780, 0x00000031, 0x20000780, 0x30020221, 0x8c000780,
    0x30000003, 0x00000780,
};

// fpu_top_32_new.vhd takes the path of a subtraction where either operand's sign is set, and
// pipeline_execute.vhd waits for the FPUs of all lanes; what s[] without address register holds
// reaches them all.
TEST(MixedKernels, ANegativeSharedOperandCountsInLanesThatDoNotExecute) {
  Microbenchmark kernel;
  kernel.sps = 8;
  // I2I R1, R0L; MVI R5, 7; ISET C0 R1, R5, LT; I2F R3, R1; FADD R4 (C0.NE), s[0x10], R3; RET
  kernel.code = {0xa0000005, 0x04000780, 0x10078015, 0x00000003, 0x300503fd, 0x6c0047c8,
                 0xa000020d, 0x44014780, 0xb000c811, 0x0020c280, 0x30000003, 0x00000780};
  kernel.kernel.grid_x = kernel.kernel.grid_y = 1;
  kernel.kernel.block_x = 32;
  kernel.kernel.block_y = kernel.kernel.block_z = 1;
  kernel.kernel.registers_per_thread = 8;
  kernel.kernel.parameter_count = 1;
  for (const bool negative : {false, true}) {
    kernel.kernel.parameters = {negative ? 0xbf800000u : 0x3f800000u};
    unsigned rows = 0;
    for (const IssuedRow& row : run(kernel).rows) {
      if (row.pc != 0x20) continue;
      EXPECT_EQ(row.execute - row.read, negative ? 26u : 25u) << "row " << row.row;
      ++rows;
    }
    EXPECT_EQ(rows, 4u);
  }
}

TEST(MixedKernels, ControlFlowBarriersAndPartialMasks) {
  const Expected launches[] = {
      {8, 1, 1, 3574},  {8, 2, 2, 7047},  {8, 3, 2, 10618}, {8, 5, 3, 17586},  {8, 7, 4, 24576},
      {16, 1, 1, 2590}, {16, 2, 2, 5058}, {16, 3, 2, 7645}, {16, 5, 3, 12611}, {16, 7, 4, 17609},
      {32, 1, 1, 2163}, {32, 2, 2, 4044}, {32, 3, 2, 6204}, {32, 5, 3, 10076}, {32, 7, 4, 14024},
  };
  for (const Expected& launch : launches)
    EXPECT_EQ(cycles_of(kControl, launch), launch.cycles)
        << launch.sps << " SPs, " << launch.blocks << " blocks";
}

TEST(MixedKernels, OperationsOperandsAndAWarpThatEndsEarly) {
  const Expected launches[] = {
      {8, 1, 1, 3836},  {8, 2, 2, 6515},  {8, 3, 2, 10348}, {8, 5, 3, 16265}, {8, 7, 4, 22741},
      {16, 1, 1, 2581}, {16, 2, 2, 4004}, {16, 3, 2, 6582}, {16, 5, 3, 9976}, {16, 7, 4, 13923},
      {32, 1, 1, 1971}, {32, 2, 2, 2842}, {32, 3, 2, 4810}, {32, 5, 3, 6928}, {32, 7, 4, 9519},
  };
  for (const Expected& launch : launches)
    EXPECT_EQ(cycles_of(kOperations, launch), launch.cycles)
        << launch.sps << " SPs, " << launch.blocks << " blocks";
}

}  // namespace
}  // namespace gvp::fidelity

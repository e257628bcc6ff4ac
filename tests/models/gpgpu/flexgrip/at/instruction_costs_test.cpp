// SPDX-License-Identifier: Apache-2.0
// Costs of encoded instructions; the figures are those of the read, execute and write tables of
// docs/flexgrip-timing.md.
#include "models/gpgpu/flexgrip/at/instruction_costs.h"

#include <gtest/gtest.h>

#include "models/gpgpu/g80/decoder.h"

namespace gvp::gpgpu::flexgrip::at {
namespace {

InstructionCosts costs_of(uint32_t word0, uint32_t word1 = 0, unsigned sps = 8) {
  const g80::Decoded decoded = g80::decode(g80::Words{word0, word1});
  EXPECT_TRUE(decoded.executable()) << decoded.reason;
  return instruction_costs(decoded.instruction, PipelineTiming{}, sps);
}

TEST(InstructionCosts, LoadsStoresAndMultiplicationsHaveCostsOfTheirOwn) {
  PipelineTiming timing;
  timing.lane_access = 7, timing.lane_byte = 3;
  timing.lane_store = 4, timing.lane_store_byte = 1;
  timing.execute_integer = 4, timing.execute_multiply = 15, timing.execute_multiply_add = 17;
  const auto costs = [&](uint32_t word0, uint32_t word1) {
    return instruction_costs(g80::decode(g80::Words{word0, word1}).instruction, timing, 8);
  };
  EXPECT_EQ(costs(0xd00e040d, 0x80c00780).read_lanes.active, 19u);  // GLD.U32
  EXPECT_EQ(costs(0xd00e040d, 0xa0c00780).write_lanes.active, 8u);  // GST.U32
  EXPECT_EQ(costs(0x40070805, 0x00000780).execute, 15u);            // IMUL
  EXPECT_EQ(costs(0x60070805, 0x00010780).execute, 17u);            // IMAD
  EXPECT_EQ(costs(0x20000209, 0x04004780).execute, 4u);             // IADD
}

TEST(InstructionCosts, EachRegisterIsReadAfterTheOther) {
  EXPECT_EQ(costs_of(0xa0000005, 0x04000780).read_registers, 13u);  // I2I R1, R0L
  EXPECT_EQ(costs_of(0x20000209, 0x04004780).read_registers, 18u);  // IADD R2, R1, R1
}

TEST(InstructionCosts, TheZeroRegisterIsReadOneCycleSooner) {
  EXPECT_EQ(costs_of(0x307c03fd, 0x6c0147c8).read_registers, 17u);  // ISET o[0x7f], R1, R124
}

TEST(InstructionCosts, ImmediatesAreNotRead) {
  EXPECT_EQ(costs_of(0x10078015, 0x00000003).read_registers, 8u);   // MVI R5, 7
  EXPECT_EQ(costs_of(0x30020209, 0xc4100780).read_registers, 13u);  // SHL R2, R1, 2
}

TEST(InstructionCosts, LongInstructionsWaitForThePredicateOfAllRows) {
  EXPECT_EQ(costs_of(0x20000209, 0x04004780, 8).read_prologue, 14u);
  EXPECT_EQ(costs_of(0x20000209, 0x04004780, 16).read_prologue, 10u);
  EXPECT_EQ(costs_of(0x20000209, 0x04004780, 32).read_prologue, 8u);
}

TEST(InstructionCosts, ShortAndImmediateInstructionsHaveNoPredicate) {
  EXPECT_EQ(costs_of(0x10008404).read_prologue, 2u);              // MOV32 R1, R2
  EXPECT_EQ(costs_of(0x10078015, 0x00000003).read_prologue, 2u);  // MVI
  EXPECT_EQ(costs_of(0x10008404).fetch, 2u);
  EXPECT_EQ(costs_of(0x10078015, 0x00000003).fetch, 3u);
}

TEST(InstructionCosts, ControlInstructionsWaitForThePredicateUnlessEncodedAsAlways) {
  EXPECT_EQ(costs_of(0x30000003, 0x00000780).read_prologue, 2u);   // RET
  EXPECT_EQ(costs_of(0x10008003, 0x00000280).read_prologue, 14u);  // BRA C0.NE
  EXPECT_EQ(costs_of(0xa0009003, 0x00000000).read_prologue, 14u);  // SSY as ptxas writes it
  EXPECT_EQ(costs_of(0xa0009003, 0x00000780).read_prologue, 2u);   // SSY written by hand
}

TEST(InstructionCosts, ANopIsReadAtOnceUnlessItJoins) {
  const InstructionCosts nop = costs_of(0xf0000001, 0xe0000000);
  EXPECT_EQ(nop.read_registers + nop.read_prologue, 2u);
  const InstructionCosts join = costs_of(0xf0000001, 0xe0000002);
  EXPECT_EQ(join.read_registers + join.read_prologue, 22u);
  EXPECT_TRUE(join.join);
}

TEST(InstructionCosts, SharedAndConstantOperandsWithoutAddressRegisterAreReadOnceForAll) {
  const InstructionCosts word = costs_of(0x1000c805, 0x0423c780);  // MOV R1, s[0x10]
  EXPECT_EQ(word.read_memory, 18u);
  EXPECT_EQ(word.read_lanes.active, 0u);
  const InstructionCosts constant = costs_of(0x10000805, 0x2400c780);  // MVC R1, c0[0x10]
  EXPECT_EQ(constant.read_memory, 18u);
}

TEST(InstructionCosts, AGatherGoesLaneByLane) {
  const InstructionCosts costs = costs_of(0x1500f60c);  // MOV32 R3, g[A1+0xb]
  EXPECT_EQ(costs.read_memory, 20u);
  EXPECT_EQ(costs.read_lanes.active, 7u);
  EXPECT_EQ(costs.read_lanes.idle, 1u);
}

TEST(InstructionCosts, GlobalLoadsAndStoresGoByteByByte) {
  const InstructionCosts load = costs_of(0xd00e040d, 0x80c00780);  // GLD.U32
  EXPECT_EQ(load.read_memory, 21u);
  EXPECT_EQ(load.read_lanes.active, 7u);
  EXPECT_EQ(costs_of(0xd00e040d, 0x80400780).read_lanes.active, 5u);   // GLD.U16
  EXPECT_EQ(costs_of(0xd00e040d, 0x80000780).read_lanes.active, 4u);   // GLD.U8
  EXPECT_EQ(costs_of(0xd00e0409, 0x80800780).read_lanes.active, 14u);  // GLD.64: two words
  const InstructionCosts store = costs_of(0xd00e0405, 0xa0c00780);     // GST.U32
  EXPECT_EQ(store.read_registers, 13u);                                // the data, not the address
  EXPECT_EQ(store.write, 13u);
  EXPECT_EQ(store.write_lanes.active, 7u);
}

TEST(InstructionCosts, AStoreToSharedMemoryReadsOneRegisterMoreWithAnAddressRegister) {
  const InstructionCosts indexed = costs_of(0x04002001, 0xe4204780);  // R2G g[A1+0x10], R1
  EXPECT_EQ(indexed.read_registers, 18u);
  EXPECT_EQ(indexed.write, 12u);
  EXPECT_EQ(indexed.write_lanes.active, 7u);
  const InstructionCosts direct = costs_of(0x00002001, 0xe4204780);
  EXPECT_EQ(direct.read_registers, 13u);
  EXPECT_EQ(direct.write, 10u);
}

TEST(InstructionCosts, ExecutionDependsOnTheUnit) {
  EXPECT_EQ(costs_of(0x10078015, 0x00000003).execute, 2u);   // MVI
  EXPECT_EQ(costs_of(0x20000209, 0x04004780).execute, 3u);   // IADD
  EXPECT_EQ(costs_of(0xa0000405, 0x44014780).execute, 13u);  // I2F
  EXPECT_EQ(costs_of(0xb00305fd, 0x600047c8).execute, 15u);  // FSET
  EXPECT_EQ(costs_of(0xb0000405, 0x0000c780).execute, 25u);  // FADD, no sign set
  EXPECT_EQ(costs_of(0xc0030405, 0x00000780).execute, 26u);  // FMUL
  EXPECT_EQ(costs_of(0xe0030405, 0x00010780).execute, 30u);  // FMAD
  EXPECT_EQ(costs_of(0x30000003, 0x00000780).execute, 5u);   // RET
}

TEST(InstructionCosts, TheSpecialFunctionUnitTakesOneLanePerCycle) {
  EXPECT_EQ(costs_of(0x90000405, 0x00000780, 8).execute, 12u);
  EXPECT_EQ(costs_of(0x90000405, 0x00000780, 16).execute, 20u);
  EXPECT_EQ(costs_of(0x90000405, 0x00000780, 32).execute, 36u);
}

TEST(InstructionCosts, AShiftByZeroIntoAnAddressRegisterIsAMove) {
  EXPECT_EQ(costs_of(0x00020405, 0xc0000780).execute, 3u);
  EXPECT_EQ(costs_of(0x00000405, 0xc0000780).execute, 2u);
}

TEST(InstructionCosts, WritingDependsOnTheDestination) {
  EXPECT_EQ(costs_of(0x20000209, 0x04004780).write, 8u);   // register
  EXPECT_EQ(costs_of(0x20000209, 0x00004780).write, 10u);  // half register
  EXPECT_EQ(costs_of(0x30000209, 0x6c0047c0).write, 11u);  // register and flags
  EXPECT_EQ(costs_of(0x307c03fd, 0x6c0147c8).write, 9u);   // flags only
  EXPECT_EQ(costs_of(0x00020405, 0xc0000780).write, 6u);   // address register
  EXPECT_EQ(costs_of(0x30000003, 0x00000780).write, 4u);   // nothing
  EXPECT_EQ(costs_of(0x861ffe03, 0x00000000).write, 9u);   // BAR pays for a post-increment
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip::at

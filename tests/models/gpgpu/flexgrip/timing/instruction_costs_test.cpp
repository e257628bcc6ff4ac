// SPDX-License-Identifier: Apache-2.0
// Costs of encoded instructions; the figures are those of the read, execute and write tables of
// docs/flexgrip-timing.md.
#include "models/gpgpu/flexgrip/timing/instruction_costs.h"

#include <gtest/gtest.h>

#include "models/gpgpu/g80/decoder.h"

namespace gvp::gpgpu::flexgrip::timing {
namespace {

InstructionCosts costs_of(uint32_t word0, uint32_t word1 = 0, unsigned sps = 8) {
  const g80::Decoded decoded = g80::decode(g80::Words{word0, word1});
  EXPECT_TRUE(decoded.executable()) << decoded.reason;
  return instruction_costs(decoded.instruction, PipelineTiming{}, sps, false);
}

TEST(InstructionCosts, LoadsStoresAndMultiplicationsHaveCostsOfTheirOwn) {
  PipelineTiming timing;
  timing.lane_access = 7, timing.lane_byte = 3;
  timing.lane_store = 4, timing.lane_store_byte = 1;
  timing.execute_integer = 4, timing.execute_multiply = 15, timing.execute_multiply_add = 17;
  const auto costs = [&](uint32_t word0, uint32_t word1) {
    return instruction_costs(g80::decode(g80::Words{word0, word1}).instruction, timing, 8, false);
  };
  EXPECT_EQ(costs(0xd00e040d, 0x80c00780).read_lanes.active, 19u);  // GLD.U32
  EXPECT_EQ(costs(0xd00e040d, 0xa0c00780).write_lanes.active, 8u);  // GST.U32
  EXPECT_EQ(costs(0x40070805, 0x00000780).execute, 15u);            // IMUL
  EXPECT_EQ(costs(0x60070805, 0x00010780).execute, 17u);            // IMAD
  EXPECT_EQ(costs(0x20000209, 0x04004780).execute, 4u);             // IADD
}

// The RTL knows no store that unlocks, and takes its bit for one of the type.
TEST(InstructionCosts, AStoreThatUnlocksCostsAStoreOfAWordWhereTheDeviceHasIt) {
  const auto costs = [](uint32_t word1, bool device_extensions) {
    const g80::Decoded decoded = g80::decode(g80::Words{0x04000801, word1});
    return instruction_costs(decoded.instruction, PipelineTiming{}, 8, device_extensions);
  };
  const uint32_t store = costs(0xe4204780, true).write_lanes.active;
  EXPECT_EQ(costs(0xe4a04780, true).write_lanes.active, store);
  EXPECT_LT(costs(0xe4a04780, false).write_lanes.active, store);
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

// pipeline_decode.vhd: src2_data_type_i has no entry for IADDC, MAX and MIN, which makes it
// DT_NONE; read_source_ops.vhd goes from IDLE to DONE then, without a request to the registers.
TEST(InstructionCosts, MaximumMinimumAndAddWithCarryReadOneRegisterOnly) {
  EXPECT_EQ(costs_of(0x30030405, 0x8c000780).read_registers, 13u);  // IMAX R1, R2, R3
  EXPECT_EQ(costs_of(0x30030405, 0xac000780).read_registers, 13u);  // IMIN
  EXPECT_EQ(costs_of(0x30400405, 0x0400e7d0).read_registers, 17u);  // IADD.CARRY: and the flags
  EXPECT_EQ(costs_of(0x20400405, 0x0400c780).read_registers, 18u);  // IADD R1, R2, -R3
  EXPECT_EQ(costs_of(0x30000405, 0x0400c780).read_registers, 18u);  // IADD R1, -R2, R3
}

TEST(InstructionCosts, WhatTheyGatherFromConstantsTakesItsTimeAllTheSame) {
  for (const auto& [first, second] :
       {std::pair{0x34800209u, 0x8c400780u},     // IMAX R2, R1, c[1][A1]
        std::pair{0x3481020du, 0xa4400780u},     // IMIN R3, R1, c[1][A1+1]
        std::pair{0x35400a15u, 0x04400780u}}) {  // IADD.CARRY
    const InstructionCosts costs = costs_of(first, second);
    EXPECT_EQ(costs.read_memory, 20u);
    EXPECT_EQ(costs.read_lanes.active, 7u);
  }
}

// pipeline_decode.vhd: addr_imm_i is bit 52 of long instructions; read_source_ops.vhd takes the
// second source as a number then, unless it is an ISET or there is an address register.
TEST(InstructionCosts, Bit20OfTheSecondWordMakesTheSecondSourceANumber) {
  EXPECT_EQ(costs_of(0x20000405, 0x041f0780).read_registers, 13u);  // IADD R1, R2, R124
  EXPECT_EQ(costs_of(0x60030405, 0x001f0780).read_registers, 17u);  // IMAD R1, R2, R3, R124
  EXPECT_EQ(costs_of(0xb00305fd, 0x601047c8).read_registers, 13u);  // FSET |R2|, R3
  EXPECT_EQ(costs_of(0x30030405, 0x6c004780).read_registers, 18u);  // ISET R1, R2, R3
}

TEST(InstructionCosts, ThreeOperandsAreThreeReads) {
  EXPECT_EQ(costs_of(0x60070805, 0x00010780).read_registers, 23u);  // IMAD.U16 R1, R4L, R3H, R4
  EXPECT_EQ(costs_of(0xe0030405, 0x00010780).read_registers, 23u);  // FMAD R1, R2, R3, R4
  EXPECT_EQ(costs_of(0xe0030404).read_registers, 23u);              // FMAD32: the last is R1
  EXPECT_EQ(costs_of(0xe0030405, 0x00000003).read_registers, 18u);  // FMAD32I
}

// The address and predicate register controllers answer one cycle sooner than the vector
// register controller, which has a state for reading.
TEST(InstructionCosts, AddressAndConditionRegistersAreReadOneCycleSooner) {
  EXPECT_EQ(costs_of(0x0c000005, 0x40000780).read_registers, 12u);  // A2R R1, A3
  EXPECT_EQ(costs_of(0x00000005, 0x20002780).read_registers, 12u);  // C2R R1, C2
  for (const uint32_t word : {0xd4002009u, 0xd0002009u}) {          // ADA A2, A1 (A0), 0x10
    const InstructionCosts ada = costs_of(word, 0x20000780);
    EXPECT_EQ(ada.read_registers, 12u);
    EXPECT_EQ(ada.read_prologue, 2u);
    EXPECT_EQ(ada.execute, 3u);
    EXPECT_EQ(ada.write, 6u);
  }
}

// convert_data_types.vhd: pMvSizeToSMType knows 000, 001 and 010 (bits 23:21) as 2, 4 and 1 bytes;
// memory_controller.vhd takes as long for size 0 (all others) as for one byte.
TEST(InstructionCosts, HalvesFromWholeRegistersAreStoredAsWordsInSharedMemory) {
  EXPECT_EQ(costs_of(0x00004001, 0xe0204780).write_lanes.active, 7u);  // R2G.U32.U16
  EXPECT_EQ(costs_of(0x00004001, 0xe0004780).write_lanes.active, 5u);  // R2G.U16.U16
  EXPECT_EQ(costs_of(0x00008001, 0xe0604780).write_lanes.active, 4u);  // R2G.U32.U8
  EXPECT_EQ(costs_of(0x00008001, 0xe0404780).write_lanes.active, 4u);  // R2G.U16.U8
}

TEST(InstructionCosts, SharedOperandsOfEachWidth) {
  EXPECT_EQ(costs_of(0x10004405, 0x0023c780).read_memory, 16u);  // MOV.U16 R0H, s[4].U16
  const InstructionCosts add = costs_of(0x2100e804);             // IADD32 R1, s[0x10], R0
  EXPECT_EQ(add.read_memory, 18u);
  EXPECT_EQ(add.read_registers, 13u);
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

// pipeline_execute.vhd: fpu_en is set for the sub-opcodes 010, 100, 110 and 111; a negated source
// makes I2F 011 and F2I 101, which are over as soon as an integer operation.
TEST(InstructionCosts, NegatedSourcesKeepConversionsBetweenIntegerAndFloatFromTheFpu) {
  EXPECT_EQ(costs_of(0xa0000405, 0x64014780).execute, 3u);   // I2F R1, -R2
  EXPECT_EQ(costs_of(0xa0000405, 0xac064780).execute, 3u);   // F2I R1, -R2
  EXPECT_EQ(costs_of(0xa0000405, 0xe4004780).execute, 13u);  // F2F R1, -R2
  EXPECT_EQ(costs_of(0xa0000405, 0x2c014780).execute, 3u);   // I2I R1, -R2
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

// pipeline_decode.vhd: dest_data_type_i is DT_U32 for what it does not list.
TEST(InstructionCosts, SomeHalfResultsAreWrittenAsWords) {
  EXPECT_EQ(costs_of(0x20000405, 0x0000c780).write, 10u);  // IADD R0H, R1L, R1H
  EXPECT_EQ(costs_of(0x30000405, 0x0000c780).write, 8u);   // IADD R0H, -R1L, R1H
  EXPECT_EQ(costs_of(0x30030405, 0x60004780).write, 8u);   // ISET.U16
  EXPECT_EQ(costs_of(0x30030405, 0x80000780).write, 8u);   // IMAX.U16
  EXPECT_EQ(costs_of(0xd0030405, 0x00008780).write, 10u);  // LOP.XOR.U16
}

// pipeline_decode.vhd: write_pred_i is bit 38 of all long instructions but immediate ones.
TEST(InstructionCosts, Bit6OfTheSecondWordWritesFlagsWhateverTheInstruction) {
  EXPECT_EQ(costs_of(0x00000201, 0xa00007a0).write, 4u);  // R2C as cuobjdump shows it
  EXPECT_EQ(costs_of(0x00000201, 0xa00007e0).write, 7u);  // R2C with its write-enable
  EXPECT_EQ(costs_of(0x20001003, 0x00000000).write, 4u);  // CAL.NOINC
  EXPECT_EQ(costs_of(0x20001003, 0x00000040).write, 7u);  // CAL
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip::timing

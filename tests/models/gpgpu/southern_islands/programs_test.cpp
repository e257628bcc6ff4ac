// SPDX-License-Identifier: Apache-2.0
// Short programs of one wavefront: branches and masks, the operations that name registers, lanes
// and addresses by number, and faults.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "models/gpgpu/southern_islands/assembler.h"
#include "models/gpgpu/southern_islands/program.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::southern_islands {
namespace {

// Runs a text on one wavefront with 16 vector registers, v1 = the lane, and 64 KiB of memory whose
// words are their addresses.
struct Small {
  explicit Small(const std::string& text) : code(assemble(text, "small.s")) {
    for (uint32_t i = 0; i < memory.size(); ++i) memory[i] = 4 * i;
    for (unsigned lane = 0; lane < 64; ++lane) rows[1].lane[lane] = lane;
    machine.global = {reinterpret_cast<uint8_t*>(memory.data()), 0, memory.size() * 4, 0, {}};
    wave.vector = rows.data();
    wave.vector_count = 16;
    wave.share = share.data();
    wave.share_bytes = static_cast<uint32_t>(share.size());
    wave.set_pair(code::kExecLo, ~uint64_t{0});
  }
  Small& run() {
    const Program program(code.words.data(), code.words.size());
    southern_islands::run(machine, wave, program, 1000);
    return *this;
  }
  Assembly code;
  std::vector<uint32_t> memory = std::vector<uint32_t>(16384);
  std::vector<uint8_t> share = std::vector<uint8_t>(1024);
  std::vector<Lanes> rows = std::vector<Lanes>(16);
  Machine machine;
  Wavefront wave;
};

TEST(Control, BranchesLookAtSccVccAndExec) {
  Small small(
      "s_mov_b32 s0, 0\nagain: s_add_u32 s0, s0, 1\ns_cmp_lt_u32 s0, 10\ns_cbranch_scc1 again\n"
      "s_mov_b64 vcc, 0\ns_cbranch_vccnz bad\ns_cbranch_vccz good\nbad: s_mov_b32 s1, 1\n"
      "good: s_cbranch_execz bad\ns_getpc_b64 s[2:3]\ns_endpgm\n");
  small.run();
  EXPECT_EQ(small.wave.stop, Stop::kFinished);
  EXPECT_EQ(small.wave.scalar[0], 10u);
  EXPECT_EQ(small.wave.scalar[1], 0u);
  EXPECT_EQ(small.wave.scalar[2], 40u);
}

TEST(Control, SaveExecKeepsTheOldMaskAndNarrowsTheNew) {
  Small small(
      "v_cmp_lt_u32 vcc, 31, v1\ns_and_saveexec_b64 s[0:1], vcc\nv_mov_b32 v2, 7\n"
      "s_xor_b64 exec, exec, s[0:1]\nv_mov_b32 v2, 9\ns_mov_b64 exec, s[0:1]\ns_endpgm");
  small.run();
  EXPECT_EQ(small.rows[2][31], 9u);
  EXPECT_EQ(small.rows[2][32], 7u);
  EXPECT_EQ(small.wave.exec(), ~uint64_t{0});
}

TEST(Control, LanesAreReadAndWrittenByNumberWhateverExecSays) {
  Small small(
      "s_mov_b64 exec, 0x30\nv_readfirstlane_b32 s0, v1\nv_readlane_b32 s1, v1, 63\n"
      "v_writelane_b32 v2, 5, 9\ns_mov_b32 m0, 2\nv_movrels_b32 v3, v0\ns_movrels_b32 s2, "
      "s8\ns_endpgm");
  for (uint32_t& word : small.rows[2].lane) word = 77;
  small.wave.scalar[10] = 33;
  small.run();
  EXPECT_EQ(small.wave.scalar[0], 4u);
  EXPECT_EQ(small.wave.scalar[1], 63u);
  EXPECT_EQ(small.rows[2][9], 5u);
  EXPECT_EQ(small.rows[2][10], 77u);
  EXPECT_EQ(small.rows[3][4], 77u);
  EXPECT_EQ(small.rows[3][3], 0u);
  EXPECT_EQ(small.wave.scalar[2], 33u);
}

TEST(Memory, BuffersEndWhereTheirDescriptorSays) {
  Small small(
      "s_mov_b32 s4, 0x100\ns_mov_b32 s5, 0\ns_mov_b32 s6, 64\ns_mov_b32 s7, 0\n"
      "v_lshlrev_b32 v2, 2, v1\nbuffer_load_dword v3, v2, s[4:7], 0 offen\n"
      "buffer_store_dword v1, v2, s[4:7], 0 offen\ns_buffer_load_dword s8, s[4:7], 15\n"
      "s_buffer_load_dword s9, s[4:7], 16\ns_endpgm");
  small.wave.scalar[9] = 5;
  small.run();
  EXPECT_EQ(small.wave.stop, Stop::kFinished);
  EXPECT_EQ(small.rows[3][15], 0x13cu);
  EXPECT_EQ(small.rows[3][16], 0u);
  EXPECT_EQ(small.memory[0x100 / 4 + 15], 15u);
  EXPECT_EQ(small.memory[0x100 / 4 + 16], 0x140u);
  EXPECT_EQ(small.wave.scalar[8], 15u);
  EXPECT_EQ(small.wave.scalar[9], 0u);
}

TEST(Memory, TypedBuffersConvert) {
  Small small(
      "s_mov_b32 s4, 0x100\ns_mov_b32 s5, 0\ns_mov_b32 s6, -1\ns_mov_b32 s7, 0\n"
      "tbuffer_load_format_xyzw v[4:7], off, s[4:7], 0 "
      "format:[BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_UNORM]\n"
      "tbuffer_load_format_xy v[8:9], off, s[4:7], 0 "
      "format:[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_SINT] offset:4\n"
      "tbuffer_store_format_x v8, off, s[4:7], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] "
      "offset:8\n"
      "s_endpgm");
  small.memory[0x40] = 0xff800033;
  small.memory[0x41] = 0x7fff8001;
  small.run();
  float red;
  std::memcpy(&red, &small.rows[4].lane[0], 4);
  EXPECT_FLOAT_EQ(red, 0.2f);
  EXPECT_EQ(small.rows[5][0], 0u);
  EXPECT_EQ(small.rows[7][0], 0x3f800000u);
  EXPECT_EQ(small.rows[8][0], 0xffff8001u);
  EXPECT_EQ(small.rows[9][0], 0x7fffu);
  EXPECT_EQ(small.memory[0x42], 0xffff8001u);
}

TEST(Memory, AtomicsReturnWhatWasThere) {
  Small small(
      "s_mov_b32 s4, 0x100\ns_mov_b32 s5, 0\ns_mov_b32 s6, -1\ns_mov_b32 s7, 0\n"
      "v_mov_b32 v4, 1\nbuffer_atomic_add v4, off, s[4:7], 0 glc\nv_mov_b32 v2, 8\nv_mov_b32 v5, "
      "3\n"
      "ds_write_b32 v2, v5\nds_add_rtn_u32 v6, v2, v5\nds_read2_b32 v[8:9], v2 offset0:0 "
      "offset1:1\ns_endpgm");
  small.run();
  EXPECT_EQ(small.memory[0x40], 0x140u);
  EXPECT_EQ(small.rows[4][63], 0x13fu);
  EXPECT_EQ(small.rows[6][0], 3u);
  EXPECT_EQ(small.rows[6][2], 9u);
  EXPECT_EQ(small.rows[8][5], 3u + 64 * 3);
  EXPECT_EQ(small.rows[9][5], 0u);
}

FaultCause fault_of(const std::string& text) {
  Small small(text);
  small.run();
  EXPECT_EQ(small.wave.stop, Stop::kFault) << text;
  return small.wave.fault.cause;
}

TEST(Faults, NameTheirCause) {
  EXPECT_EQ(fault_of(".long 0xc8000000"), FaultCause::kIllegalInstruction);
  EXPECT_EQ(fault_of("s_nop 0"), FaultCause::kCodeOutOfRange);
  EXPECT_EQ(fault_of("v_mov_b32 v16, 0"), FaultCause::kIllegalInstruction);
  EXPECT_EQ(fault_of("v_mov_b32 v2, 2\nds_read_b32 v3, v2"), FaultCause::kMisaligned);
  EXPECT_EQ(fault_of("v_mov_b32 v2, 0x400\nds_read_b32 v3, v2"), FaultCause::kSharedOutOfRange);
  EXPECT_EQ(fault_of("ds_read_b32 v3, v1 gds"), FaultCause::kUnsupportedInstruction);
  EXPECT_EQ(fault_of("s_mov_b32 s0, 0x10000\ns_load_dword s2, s[0:1], 0"),
            FaultCause::kGlobalOutOfRange);
  EXPECT_EQ(fault_of("s_mov_b32 m0, 15\nv_movrels_b32 v2, v1"), FaultCause::kIllegalInstruction);
  EXPECT_EQ(fault_of("s_mov_b32 m0, -1\ns_movreld_b32 s2, s1"), FaultCause::kIllegalInstruction);
  EXPECT_EQ(fault_of("s_trap 1"), FaultCause::kTrap);
}

TEST(Faults, LeaveTheRegistersOfALoadAsTheyWere) {
  Small small(
      "s_mov_b32 s4, 0xff00\ns_mov_b32 s5, 0\ns_mov_b32 s6, -1\ns_mov_b32 s7, 0\n"
      "v_lshlrev_b32 v2, 3, v1\nbuffer_load_dword v3, v2, s[4:7], 0 offen\ns_endpgm");
  small.run();
  EXPECT_EQ(small.wave.fault.cause, FaultCause::kGlobalOutOfRange);
  EXPECT_EQ(small.wave.fault.lane, 32u);
  EXPECT_EQ(small.wave.fault.address, 0x10000u);
  EXPECT_EQ(small.wave.fault.pc, small.wave.pc);
  EXPECT_EQ(small.rows[3][0], 0u);
}

TEST(Faults, AnyWordsRunWithoutHarm) {
  std::mt19937 random(test::seed(18));
  for (unsigned n = 0; n < 2000; ++n) {
    Small small("s_endpgm");
    small.code.words.resize(16);
    for (uint32_t& word : small.code.words) word = static_cast<uint32_t>(random());
    for (Lanes& row : small.rows)
      for (uint32_t& word : row.lane) word = static_cast<uint32_t>(random()) >> random() % 32;
    for (uint32_t& word : small.wave.scalar)
      word = static_cast<uint32_t>(random()) >> random() % 32;
    small.run();
    ASSERT_TRUE(small.wave.stop != Stop::kNone || small.wave.pc < 64);
  }
}

}  // namespace
}  // namespace gvp::gpgpu::southern_islands

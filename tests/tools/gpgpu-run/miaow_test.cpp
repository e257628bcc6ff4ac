// SPDX-License-Identifier: Apache-2.0
// gpgpu-run --device miaow as a program: results, cycles, messages.
#include <gmock/gmock.h>

#include "tests/support/longest_line.h"
#include "tests/support/tool_test.h"

namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kRun = "gpgpu-run --device miaow ";

// out[group * 64 + item] = in[...] + 5, s2: the group; 24 instructions of an object would do the
// same.
constexpr const char* kAdd =
    "start:\n"
    "  s_load_dwordx2 s[4:5], s[0:1], 0x9\n"  // @out
    "  s_load_dwordx2 s[8:9], s[0:1], 0xb\n"  // @in
    "  s_load_dword s12, s[0:1], 0xd\n"       // what is added
    "  s_mov_b32 s6, -1\n  s_mov_b32 s7, 0xf000\n  s_mov_b32 s10, -1\n  s_mov_b32 s11, 0xf000\n"
    "  s_lshl_b32 s2, s2, 8\n"
    "  v_lshlrev_b32_e32 v1, 2, v0\n"
    "  v_add_i32_e32 v1, vcc, s2, v1\n"
    "  buffer_load_dword v2, v1, s[8:11], 0 offen\n"
    "  s_waitcnt vmcnt(0)\n"
    "  v_add_i32_e32 v2, vcc, s12, v2\n"
    "  buffer_store_dword v2, v1, s[4:7], 0 offen\n"
    "  s_endpgm\n";

class GpgpuRunMiaow : public gvp::test::ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    write("add.s", kAdd);
    std::string words;
    for (unsigned i = 0; i < 128; ++i) words += std::to_string(i) + "\n";
    write("in.hex", words);  // the digits are hexadecimal there
  }
};

constexpr const char* kAddLine =
    "--code add.s --kernel start --regs 4 --grid 2 --block 64 --param @0x2000 --param @0x1000 "
    "--param 5 "
    "--load 0x1000=in.hex ";

TEST_F(GpgpuRunMiaow, ResultsAreDumpedAndCyclesTold) {
  const auto result = run(std::string(kRun) + kAddLine + "--dump 0x2000:512=out.hex");
  EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("start: grid 2x1x1, block 64x1x1: "));
  EXPECT_THAT(result.output, HasSubstr("30 wavefront instructions, 640 lane instructions"));
  EXPECT_EQ(run("sed -n '1p;2p;100p' out.hex").output, "0x00000005\n0x00000006\n0x0000009e\n");
}

TEST_F(GpgpuRunMiaow, BothTimingsGiveTheSameResultsAndTheirOwnCycles) {
  const std::string line = std::string(kRun) + kAddLine + "-q --stats - --dump 0x2000:512=";
  const auto loose = run(line + "lt.hex");
  const auto timed = run(line + "at.hex --timing at");
  EXPECT_EQ(run("cmp lt.hex at.hex").code, 0);
  EXPECT_THAT(loose.output, HasSubstr("\"timing\": \"lt\""));
  EXPECT_THAT(timed.output, HasSubstr("\"timing\": \"at\""));
  // 15 instructions, one after the other: 7 of the launch; scalar loads of 2, 2 and 1 words (6 +
  // 3n); scalar operations and vector operations 7 each, 4 more where the next needs the result; a
  // load of 64 words 198, a store 200; s_waitcnt 3.
  constexpr unsigned kWavefront =
      7 + 12 + 12 + 9 + 5 * 7 + (7 + 4) + (7 + 4) + 198 + 3 + (7 + 4) + 200;
  EXPECT_THAT(loose.output, HasSubstr("\"cycles\": " + std::to_string(2 * kWavefront) + ","));
  EXPECT_THAT(timed.output, Not(HasSubstr("\"cycles\": " + std::to_string(2 * kWavefront) + ",")));
}

TEST_F(GpgpuRunMiaow, IllegalAccessesAreLocated) {
  const auto result =
      run(std::string(kRun) +
          "--code add.s --regs 4 --grid 2 --block 64 --param @0x2000 --param @0xffff80 "
          "--param 5 --memory 0x1000000");
  EXPECT_EQ(result.code, 125);
  EXPECT_THAT(
      result.output,
      HasSubstr("kernel add.s, work-group (0, 0, 0), wavefront 0, lane 32, pc 0x0030 "
                "(buffer_load_dword v2, v1, s[8:11], 0 offen): access outside of global memory, "
                "address 0x01000000"));
}

TEST_F(GpgpuRunMiaow, NullPointersAreFaults) {
  const auto result =
      run(std::string(kRun) +
          "--code add.s --regs 4 --grid 1 --block 64 --param @0x2000 --param @0 --param 5");
  EXPECT_EQ(result.code, 125);
  EXPECT_THAT(result.output, HasSubstr("access through a null pointer, address 0x00000000"));
}

TEST_F(GpgpuRunMiaow, WavefrontsOfAGroupMeetAtBarriers) {
  // Each work-item of 128 writes its number to the share and reads its neighbour's across
  // wavefronts.
  write("swap.s",
        "  s_load_dwordx2 s[4:5], s[0:1], 0x9\n  s_mov_b32 s6, -1\n  s_mov_b32 s7, 0xf000\n"
        "  s_mov_b32 m0, -1\n  v_lshlrev_b32 v1, 2, v0\n  ds_write_b32 v1, v0\n"
        "  s_waitcnt lgkmcnt(0)\n  s_barrier\n  v_xor_b32 v2, 0x100, v1\n  ds_read_b32 v3, v2\n"
        "  s_waitcnt lgkmcnt(0)\n  buffer_store_dword v3, v1, s[4:7], 0 offen\n  s_endpgm\n");
  for (const char* timing : {"lt", "at"}) {
    const auto result =
        run(std::string(kRun) +
            "--code swap.s --regs 4 --shared 512 --grid 1 --block 128 --param @0x1000 -q "
            "--dump 0x1000:512=- --timing " +
            timing + " | sed -n '1p;64p;65p;128p'");
    EXPECT_EQ(result.output, "0x00000040\n0x0000007f\n0x00000000\n0x0000003f\n") << timing;
  }
}

TEST_F(GpgpuRunMiaow, CheckFindsRacesAndAccessesOutsideOfBuffers) {
  EXPECT_EQ(
      run(std::string(kRun) + kAddLine + "--check --buffer in=0x1000:512 --buffer out=0x2000:512")
          .code,
      0);
  auto result =
      run(std::string(kRun) + kAddLine + "--check --buffer in=0x1000:512 --buffer out=0x2000:256");
  EXPECT_EQ(result.code, 125);
  EXPECT_THAT(
      result.output,
      HasSubstr("check: work-group (1, 0, 0), wavefront 0, pc 0x0040 (buffer_store_dword v2, v1, "
                "s[4:7], 0 offen): writes 4 bytes at 0x2100, outside of all buffers"));
  write("race.s",
        "  s_load_dwordx2 s[4:5], s[0:1], 0x9\n  s_mov_b32 s6, -1\n  s_mov_b32 s7, 0xf000\n"
        "  buffer_store_dword v0, off, s[4:7], 0\n  s_endpgm\n");
  result =
      run(std::string(kRun) + "--code race.s --regs 4 --grid 2 --block 64 --param @0x1000 --check");
  EXPECT_EQ(result.code, 125);
  EXPECT_THAT(result.output,
              HasSubstr("writes the word at 0x1000, which another wavefront has written"));
  EXPECT_EQ(
      run(std::string(kRun) + "--code race.s --regs 4 --grid 1 --block 64 --param @0x1000 --check")
          .code,
      0);
}

TEST_F(GpgpuRunMiaow, TheProfileCountsInstructions) {
  const auto result = run(std::string(kRun) + kAddLine + "-q --kernel-profile -");
  EXPECT_THAT(result.output, HasSubstr("pc,executed,lanes,instruction\n"));
  EXPECT_THAT(result.output,
              HasSubstr("0x0040,2,128,\"buffer_store_dword v2, v1, s[4:7], 0 offen\"\n"));
}

TEST_F(GpgpuRunMiaow, EndlessKernelsEnd) {
  write("loop.s", "again: s_branch again\n");
  const auto result =
      run(std::string(kRun) + "--code loop.s --regs 1 --grid 1 --block 1 --max-cycles 1000");
  EXPECT_EQ(result.code, 124);
  EXPECT_THAT(result.output, HasSubstr("stopped after 1000 cycles (--max-cycles)"));
}

TEST_F(GpgpuRunMiaow, WhatHasNoMeaningIsRefusedByName) {
  for (const char* option :
       {"cubin k.cubin", "sms 2", "sps 8", "const 0:0=1", "board scratch", "break 0",
        "dynamic-shared 4", "issue-trace x.csv", "report", "trace x.csv", "log debug"}) {
    const auto result = run(std::string(kRun) + kAddLine + "--" + option);
    EXPECT_EQ(result.code, 126) << option;
    EXPECT_THAT(result.output, HasSubstr(" has no meaning for miaow (")) << option;
  }
}

TEST_F(GpgpuRunMiaow, WrongCommandLinesSayWhatIsWrong) {
  const auto says = [&](const std::string& line, const std::string& text) {
    const auto result = run(kRun + line);
    EXPECT_EQ(result.code, 126) << line;
    EXPECT_THAT(result.output, HasSubstr(text)) << line;
  };
  says("--grid 1 --block 1", "no kernel to run");
  says("--code add.s --grid 1 --block 1", "--code needs --regs");
  says("--code add.s --regs 257 --grid 1 --block 1", "write a number from 1 to 256");
  says("--code add.s --regs 4 --block 1", "--grid is missing");
  says("--code add.s --regs 4 --grid 0 --block 1", "at least one in each dimension");
  says("--code add.s --regs 4 --grid 1 --block 64,64", "has room for 2560");
  says("--code add.s --regs 256 --grid 1 --block 512", "does not fit the register file of 1024");
  says("--code add.s --kernel nowhere --regs 4 --grid 1 --block 1", "no label nowhere");
  says("--code add.s --regs 4 --grid 1 --block 1 --param five", "cannot read this");
  says("--code add.s --regs 4 --grid 1 --block 1 --param local:65537", "1 to 65536");
  says("--code add.s --regs 4 --grid 1 --block 1 --timing rtl", "write lt or at");
  says("--code add.s --regs 4 --grid 1 --block 1 --set miaow.timing.none=1", "no such key");
  says("--code add.s --regs 4 --grid 1 --block 1 --set miaow.timing.scalar=0",
       "miaow.timing.scalar");
  says("--code add.s --regs 4 --grid 1 --block 1 --load 0x4000000=in.hex", "do not fit memory");
  says("--code add.s --regs 4 --grid 1 --block 1 --dump 0x3fffffc:8=-", "are not all in memory");
  says("--object add.s --grid 1 --block 1", "no ELF file");
}

TEST_F(GpgpuRunMiaow, KeysOfTheDeviceChangeItsCycles) {
  const auto usual = run(std::string(kRun) + kAddLine);
  const auto slow = run(std::string(kRun) + kAddLine + "--set miaow.timing.scalar=8");
  EXPECT_NE(usual.output, slow.output);
}

TEST_F(GpgpuRunMiaow, HelpFitsATerminal) {
  const std::string help = run(std::string(kRun) + "--help").output;
  EXPECT_THAT(help, HasSubstr("usage: gpgpu-run --device miaow"));
  EXPECT_LE(gvp::test::longest_line(help).size(), 80u) << gvp::test::longest_line(help);
}

}  // namespace

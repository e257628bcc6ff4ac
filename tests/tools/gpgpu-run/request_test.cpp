// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "tests/support/temporary_file.h"

namespace gvp::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Request parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "gpgpu-run");
  return parse_request(static_cast<int>(arguments.size()), arguments.data());
}

// A complete command line and these.
Request parse_with(std::vector<const char*> more) {
  std::vector<const char*> arguments = {"--code", "k.hex", "--regs",  "8",
                                        "--grid", "4",     "--block", "64"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return parse(arguments);
}

std::string complaint(const std::vector<const char*>& more) {
  try {
    parse_with(more);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "none";
}

TEST(RequestTest, MissingExtentsAreOne) {
  const Request request = parse_with({});
  EXPECT_EQ(request.grid[0], 4u);
  EXPECT_EQ(request.grid[1], 1u);
  EXPECT_EQ(request.block[0], 64u);
  EXPECT_EQ(request.block[2], 1u);
  EXPECT_EQ(request.registers, 8u);
}

TEST(RequestTest, ExtentsOfSeveralDimensions) {
  const Request request = parse({"--cubin", "k.cubin", "--grid", "3,2", "--block", "0x10,4,2"});
  EXPECT_THAT(request.grid, ElementsAre(3, 2));
  EXPECT_THAT(request.block, ElementsAre(16, 4, 2));
}

TEST(RequestTest, ParametersAreWordsOrFloats) {
  EXPECT_THAT(parse_with({"--param", "42", "--param", "0xffffffff", "-p", "-1", "--param", "1.5f",
                          "--param=-2147483648"})
                  .parameters,
              ElementsAre(42, 0xffffffff, 0xffffffff, 0x3fc00000, 0x80000000));
}

TEST(RequestTest, ConstantsNameBankOffsetAndWords) {
  const Request request = parse_with({"--const", "1:0x10=7,0x8"});
  ASSERT_EQ(request.constants.size(), 1u);
  EXPECT_EQ(request.constants[0].bank, 1u);
  EXPECT_EQ(request.constants[0].offset, 16u);
  EXPECT_THAT(request.constants[0].words, ElementsAre(7, 8));
}

TEST(RequestTest, LoadsAndDumpsNameAddressesAndFiles) {
  const Request request = parse_with({"--load", "0x1000=a.bin", "--dump", "0x2000:64=b.hex"});
  ASSERT_EQ(request.loads.size(), 1u);
  EXPECT_EQ(request.loads[0].address, 0x1000u);
  EXPECT_EQ(request.loads[0].file, "a.bin");
  ASSERT_EQ(request.dumps.size(), 1u);
  EXPECT_EQ(request.dumps[0].bytes, 64u);
}

TEST(RequestTest, OptionsAndKeysChangeTheDevice) {
  const Request request =
      parse_with({"--sms", "2", "--sps", "32", "--set", "gpgpu.stack_depth=16", "--timing", "at"});
  EXPECT_EQ(request.configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").sms, 2u);
  EXPECT_EQ(request.configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").sps, 32u);
  EXPECT_EQ(request.configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").stack_depth,
            16u);
  EXPECT_EQ(request.configuration.model("gpgpu"), "at");
}

TEST(RequestTest, AModelMayNameItsBlock) {
  EXPECT_EQ(parse_with({"--model", "at"}).configuration.model("gpgpu"), "at");
  const Request request = parse_with({"--model", "gpgpu=at", "--model", "ddr3=lt"});
  EXPECT_EQ(request.configuration.model("gpgpu"), "at");
  EXPECT_EQ(request.configuration.model("ddr3"), "lt");
}

TEST(RequestTest, UnreadableValuesNameOptionValueAndForm) {
  EXPECT_THAT(complaint({"--param", "abc"}), HasSubstr("--param abc"));
  EXPECT_THAT(complaint({"--param", "4294967296"}), HasSubstr("32-bit"));
  EXPECT_THAT(complaint({"--param", "--5"}), HasSubstr("param"));
  EXPECT_THAT(complaint({"--param", "12x"}), HasSubstr("12x"));
  EXPECT_THAT(complaint({"--const", "1=3"}), HasSubstr("BANK:OFFSET=WORD"));
  EXPECT_THAT(complaint({"--const", "16:0=3"}), HasSubstr("0 to 15"));
  EXPECT_THAT(complaint({"--const", "1:2=3"}), HasSubstr("multiples of 4"));
  EXPECT_THAT(complaint({"--load", "0x100"}), HasSubstr("ADDRESS=FILE"));
  EXPECT_THAT(complaint({"--dump", "0x100=x"}), HasSubstr("ADDRESS:BYTES"));
  EXPECT_THAT(complaint({"--set", "gpgpu.spss=8"}), HasSubstr("gpgpu.sps"));
  EXPECT_THAT(complaint({"--timing", "fast"}), HasSubstr("lt or at"));
}

TEST(RequestTest, BuffersHaveANameAndBytesThatTheMemoryHas) {
  EXPECT_THAT(complaint({"--check", "--buffer", "a=0x1000"}), HasSubstr("NAME=ADDRESS:BYTES"));
  EXPECT_THAT(complaint({"--check", "--buffer", "=0x1000:4"}), HasSubstr("NAME=ADDRESS:BYTES"));
  EXPECT_THAT(complaint({"--check", "--buffer", "a=0x1000:0"}), HasSubstr("NAME=ADDRESS:BYTES"));
  EXPECT_THAT(complaint({"--check", "--buffer", "a=0xfffffff0:17"}), HasSubstr("32 bits"));
  EXPECT_EQ(complaint({"--check", "--buffer", "a=0xfffffff0:16"}), "none");
  EXPECT_THAT(complaint({"--check", "--buffer", "a=0:4", "--buffer", "a=8:4"}),
              HasSubstr("--buffer a=8:4"));
  EXPECT_THAT(complaint({"--buffer", "a=0:4"}), HasSubstr("add --check"));
}

TEST(RequestTest, TheLogOfWarpsTakesNoModule) {
  EXPECT_THAT(parse_with({"--log", "warp"}).log, ElementsAre("warp"));
  EXPECT_THAT(complaint({"--log", "warp:gpgpu"}), HasSubstr("--log warp"));
}

TEST(RequestTest, SizesAndAddressesAreNotNegative) {
  EXPECT_THAT(complaint({"--sms", "-1"}), HasSubstr("not -1 (allowed: 1 to 64)"));
  for (const char* option : {"--blocks-per-sm", "--dynamic-shared", "--max-cycles", "--shared"})
    EXPECT_THAT(complaint({option, "-1"}), HasSubstr(std::string(option) + " -1")) << option;
  EXPECT_THAT(complaint({"--dump", "0:-1=x.bin"}), HasSubstr("ADDRESS:BYTES"));
  EXPECT_THAT(complaint({"--load", "-4=x.bin"}), HasSubstr("ADDRESS=FILE"));
  EXPECT_THROW(parse({"--cubin", "k", "--grid", "-1", "--block", "1"}), Error);
}

TEST(RequestTest, WithoutMaxCyclesEvenAnEndlessKernelEnds) {
  EXPECT_EQ(parse_with({}).max_cycles, 10000000000u);
  EXPECT_EQ(parse_with({"--max-cycles", "0"}).max_cycles, 0u);
}

// What has no effect here is a mistake on the command line; a platform file may have it.
TEST(RequestTest, KeysOfBlocksThatAreNotThereAreRefused) {
  for (const char* setting : {"host.model=at", "uartlite.line=none"})
    EXPECT_THAT(complaint({"--set", setting}), HasSubstr("neither host")) << setting;
  EXPECT_THAT(complaint({"--set", "axi.host_data.qos=1"}), HasSubstr("unknown key"));
  EXPECT_THAT(complaint({"--model", "host=at"}), HasSubstr("blocks are gpgpu, axi, ddr3"));
  EXPECT_THAT(complaint({"--board", "ml605", "--set", "host.big_endian=true"}),
              HasSubstr("leaves the host out"));
  EXPECT_THAT(complaint({"--board", "ml605", "--model", "host=at"}),
              HasSubstr("leaves the host out"));
  EXPECT_THAT(complaint({"--board", "ml605", "--set", "uart16550.line=none"}),
              HasSubstr("serial line"));
  EXPECT_EQ(complaint({"--board", "ml605", "--set", "axi.host_data.qos=1"}), "none");
}

TEST(RequestTest, APlatformFileMayDescribeAWholeBoard) {
  const gvp::test::TemporaryFile file("request.toml",
                                      "[host]\nmodel = \"at\"\n[gpgpu]\nsps = 16\n");
  const Request request = parse_with({"-c", file.path().c_str()});
  EXPECT_EQ(request.configuration.board().name, "ml605");
  EXPECT_EQ(request.configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").sps, 16u);
}

TEST(RequestTest, TheDeviceIsTheFirstThatRunsKernelsOrTheOneNamed) {
  EXPECT_EQ(parse_with({}).device, "gpgpu");
  EXPECT_EQ(parse_with({}).configuration.board().name, "gpgpu_only");
  EXPECT_EQ(parse_with({"--board", "two_gpgpus"}).device, "gpgpu");
  const Request second =
      parse_with({"--board", "two_gpgpus", "--device", "gpgpu1", "--sps", "32", "--model", "at"});
  EXPECT_EQ(second.device, "gpgpu1");
  EXPECT_EQ(second.configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu1").sps, 32u);
  EXPECT_EQ(second.configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").sps, 8u);
  EXPECT_EQ(second.configuration.model("gpgpu1"), "at");
  EXPECT_EQ(second.configuration.model("gpgpu"), "lt");
  EXPECT_THAT(complaint({"--device", "gpgpu2"}),
              HasSubstr("board gpgpu_only has no device \"gpgpu2\" (those that do: gpgpu)"));
  EXPECT_THAT(complaint({"--board", "two_gpgpus", "--device", "timer"}),
              HasSubstr("timer is a axi_timer, which runs no kernels (those that do: gpgpu, "
                        "gpgpu1)"));
  EXPECT_THAT(complaint({"--set", "gpgpu.model=none"}), HasSubstr("nothing to run a kernel"));
}

TEST(RequestTest, TheKernelIsGivenOnceAndCompletely) {
  EXPECT_THROW(parse({"--grid", "1", "--block", "1"}), Error);
  EXPECT_THROW(parse({"--code", "k.hex", "--grid", "1", "--block", "1"}), Error);
  EXPECT_THROW(parse({"--code", "k.hex", "--regs", "4", "--block", "1"}), Error);
  EXPECT_THAT(complaint({"--cubin", "k.cubin"}), HasSubstr("two kernels"));
  EXPECT_THAT(complaint({"--kernel", "k"}), HasSubstr("--cubin"));
  EXPECT_THROW(parse({"--cubin", "k.cubin", "--regs", "4", "--grid", "1", "--block", "1"}), Error);
}

TEST(RequestTest, TheIssueTraceNeedsACycleAccurateModel) {
  EXPECT_THAT(complaint({"--issue-trace", "x.csv"}), HasSubstr("--timing at"));
  EXPECT_EQ(parse_with({"--issue-trace", "x.csv", "--timing", "at"}).issue_trace, "x.csv");
}

}  // namespace
}  // namespace gvp::tools

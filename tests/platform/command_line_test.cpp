// SPDX-License-Identifier: Apache-2.0
#include "platform/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "tests/platform/console_line.h"
#include "tests/support/longest_line.h"
#include "tests/support/temporary_file.h"

namespace gvp::platform {
namespace {

using testing::HasSubstr;

CommandLine parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "gpgpu-vp");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

std::string error_of(const std::vector<const char*>& arguments) {
  try {
    parse(arguments);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "accepted";
}

TEST(CommandLine, FirmwareAloneRunsOnTheDefaults) {
  const CommandLine line = parse({"hello.elf"});
  EXPECT_EQ(line.action, Action::kRun);
  EXPECT_EQ(line.firmware, "hello.elf");
  EXPECT_EQ(line.limits.time_ps, 0u);
  EXPECT_EQ(line.configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").sps, 8u);
  EXPECT_EQ(line_of(line.configuration), "stdio");
}

TEST(CommandLine, EveryRunOptionIsTaken) {
  const CommandLine line =
      parse({"--max-time", "1.5ms", "--max-instructions=1000", "--stats", "-", "--log", "info",
             "--log", "debug:host", "--quiet", "--progress", "never", "--arguments", "32 256",
             "--gdb", "3333", "--profile", "p.folded", "a.elf"});
  EXPECT_EQ(line.limits.time_ps, 1500000000u);
  EXPECT_EQ(line.limits.instructions, 1000u);
  EXPECT_EQ(line.arguments, "32 256");
  EXPECT_EQ(line.statistics_file, "-");
  EXPECT_THAT(line.log, testing::ElementsAre("info", "debug:host"));
  EXPECT_TRUE(line.quiet);
  EXPECT_EQ(line.progress, Toggle::kNever);
  EXPECT_EQ(line.gdb_port, 3333);
  EXPECT_EQ(line.profile_file, "p.folded");
}

TEST(CommandLine, ExplicitOptionsOverrideSetWhichOverridesTheFile) {
  const gvp::test::TemporaryFile file(
      "platform.toml", "quantum_ns = 100\n[gpgpu]\nsps = 16\nsms = 2\nmodel = \"at\"\n");
  const CommandLine line =
      parse({"--quantum", "300", "-c", file.path().c_str(), "--set", "gpgpu.sps=32", "--set",
             "quantum_ns=200", "--set", "ddr3.model=rtl:x", "--timing", "lt", "--model", "axi=at",
             "--uart", "none", "a.elf"});
  EXPECT_EQ(line.configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").sms, 2u);
  EXPECT_EQ(line.configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").sps, 32u);
  EXPECT_EQ(line.configuration.quantum_ns, 300);
  EXPECT_EQ(line.configuration.model("gpgpu"), "lt");
  EXPECT_EQ(line.configuration.model("ddr3"), "lt");
  EXPECT_EQ(line.configuration.model("axi"), "at");
  EXPECT_EQ(line_of(line.configuration), "none");
}

TEST(CommandLine, InformationNeedsNoFirmware) {
  EXPECT_EQ(parse({"--help"}).action, Action::kHelp);
  EXPECT_EQ(parse({"--version"}).action, Action::kVersion);
  EXPECT_EQ(parse({"--help-config"}).action, Action::kHelpConfiguration);
  EXPECT_EQ(parse({"--dump-config", "--set", "gpgpu.sps=16"})
                .configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu")
                .sps,
            16u);
}

TEST(CommandLine, BadArgumentsAreRefusedWithARemedy) {
  EXPECT_THAT(error_of({}), HasSubstr("no firmware given"));
  EXPECT_THAT(error_of({"a.elf", "b.elf"}), HasSubstr("\"b.elf\" is a second"));
  EXPECT_THAT(error_of({"--fast", "a.elf"}), HasSubstr("--help"));
  EXPECT_THAT(error_of({"--tim", "lt", "a.elf"}), HasSubstr("--help"));
  EXPECT_THAT(error_of({"--timing", "fast", "a.elf"}), HasSubstr("--timing: unknown timing"));
  EXPECT_THAT(error_of({"--model", "gpu=lt", "a.elf"}), HasSubstr("blocks are host, gpgpu"));
  EXPECT_THAT(error_of({"--model", "gpgpu=fast", "a.elf"}),
              HasSubstr("lt, at, rtl[:NAME] or none"));
  EXPECT_THAT(error_of({"--uart", "usb", "a.elf"}), HasSubstr("tcp:PORT"));
  EXPECT_THAT(error_of({"--quantum", "0", "a.elf"}), HasSubstr("1 to 1000000000"));
  EXPECT_THAT(error_of({"--quantum", "abc", "a.elf"}), HasSubstr("--quantum: quantum_ns needs"));
  EXPECT_THAT(error_of({"--max-instructions", "-1", "a.elf"}), HasSubstr("a whole number from 1"));
  EXPECT_THAT(error_of({"--gdb", "70000", "a.elf"}), HasSubstr("is not a port"));
  EXPECT_THAT(error_of({"--progress", "yes", "a.elf"}), HasSubstr("auto, always or never"));
  EXPECT_THAT(error_of({"--progress", "a.elf"}), HasSubstr("unknown choice \"a.elf\""));
}

TEST(CommandLine, TheSeedIsANumberOf31Bits) {
  EXPECT_EQ(parse({"a.elf"}).seed, 0u);
  EXPECT_EQ(parse({"--seed", "2147483647", "a.elf"}).seed, 2147483647u);
  for (const char* wrong : {"", "-1", "x", "2147483648", "99999999999"})
    EXPECT_THAT(error_of({"--seed", wrong, "a.elf"}), HasSubstr("is not a seed")) << wrong;
}

TEST(CommandLine, WavesGoToAFile) {
  EXPECT_EQ(parse({"--wave", "w.fst", "a.elf"}).waves.file, "w.fst");
  EXPECT_THAT(error_of({"--wave", "-", "a.elf"}), HasSubstr("cannot go to standard output"));
  const WaveSettings all = parse({"--wave", "d/w.fst:timer:1us-2.5ms", "a.elf"}).waves;
  EXPECT_EQ(all.file, "d/w.fst");
  EXPECT_EQ(all.device, "timer");
  EXPECT_EQ(all.from_ps, 1'000'000u);
  EXPECT_EQ(all.to_ps, 2'500'000'000u);
  EXPECT_EQ(parse({"--wave", "w.fst:2us-3us", "a.elf"}).waves.device, "");
  for (const char* wrong :
       {"w.fst:", "w.fst:1us", "w.fst:timer:intc", "w.fst:1us-2us:timer", "w.fst:1us-2us:3us-4us"})
    EXPECT_THAT(error_of({"--wave", wrong, "a.elf"}), HasSubstr("FROM-TO")) << wrong;
  EXPECT_THAT(error_of({"--wave", "w.fst:2us-1us", "a.elf"}), HasSubstr("ends before it begins"));
  EXPECT_THAT(error_of({"--wave", "w.fst:1us-2", "a.elf"}), HasSubstr("is not a time"));
}

TEST(CommandLine, ResetLinesAreThoseOfTheBoard) {
  const CommandLine line = parse({"--reset", "system@2ms", "--reset", "system@1us", "a.elf"});
  ASSERT_EQ(line.resets.size(), 2u);
  EXPECT_EQ(line.resets[0].line, "system");
  EXPECT_EQ(line.resets[0].time_ps, 2'000'000'000u);
  EXPECT_EQ(line.resets[1].time_ps, 1'000'000u);
  EXPECT_THAT(error_of({"--reset", "sistem@1us", "a.elf"}),
              HasSubstr("board ml605 has no reset line \"sistem\" (lines: system)"));
  EXPECT_THAT(error_of({"--reset", "system", "a.elf"}), HasSubstr("LINE@TIME"));
  EXPECT_THAT(error_of({"--reset", "system@2", "a.elf"}), HasSubstr("is not a time"));
}

TEST(CommandLine, ATypeOfDeviceMayFollowItsList) {
  EXPECT_EQ(parse({"--list-devices"}).device_type, "");
  EXPECT_EQ(parse({"--list-devices", "ddr3"}).device_type, "ddr3");
  EXPECT_THAT(error_of({"--list-devices", "ddr3", "axi_intc"}), HasSubstr("one type at a time"));
}

TEST(CommandLine, TimesNeedAUnit) {
  EXPECT_EQ(parse_time("40ns", "--max-time"), 40000u);
  EXPECT_EQ(parse_time("2 s", "--max-time"), 2000000000000u);
  EXPECT_EQ(parse_time("0.5us", "--max-time"), 500000u);
  for (const char* wrong :
       {"", "5", "ms", "-1ms", "1.2.3ms", "1e3s", "0s", "9999999999s", "5 parsecs"})
    EXPECT_THROW(parse_time(wrong, "--max-time"), Error) << wrong;
}

TEST(CommandLine, ATimeThatIsTooLongIsToldTheLongest) {
  EXPECT_EQ(parse_time("1000000s", "--max-time"), 1000000000000000000u);
  EXPECT_THAT(error_of({"--max-time", "1000001s", "a.elf"}), HasSubstr("at most 1000000s"));
}

TEST(CommandLine, HelpListsEveryVisibleOption) {
  const std::string help = help_text();
  for (const char* option : {"--config",
                             "--set",
                             "--timing",
                             "--model",
                             "--quantum",
                             "--uart",
                             "--max-time",
                             "--max-instructions",
                             "--stats",
                             "--log",
                             "--quiet",
                             "--progress",
                             "--dump-config",
                             "--help-config",
                             "--version",
                             "--gdb",
                             "--profile",
                             "--help",
                             "--reset",
                             "--list-devices",
                             "--dump-registers",
                             "--trace",
                             "--trace-ring",
                             "--seed",
                             "--wave"})
    EXPECT_THAT(help, HasSubstr(option));
  EXPECT_THAT(help, HasSubstr("axi.check=true"));
  EXPECT_LE(test::longest_line(help).size(), 80u) << test::longest_line(help);
}

}  // namespace
}  // namespace gvp::platform

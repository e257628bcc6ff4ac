// SPDX-License-Identifier: Apache-2.0
// --gdb, --profile and what is said about firmware that dies.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "platform/elf/elf_file.h"
#include "tests/end_to_end/program.h"
#include "tests/support/rsp_client.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;

// Waits for the message that names the port.
RspClient connect(const Program& program) {
  const std::string before = "target remote 127.0.0.1:";
  for (int i = 0; i < 2000; ++i) {
    const std::string text = program.err_so_far();
    const size_t at = text.find(before);
    if (at != std::string::npos && text.find('\n', at) != std::string::npos)
      return RspClient::connect_tcp(
          static_cast<uint16_t>(std::stoi(text.substr(at + before.size()))));
    usleep(10000);
  }
  throw std::runtime_error("no port announced: " + program.err_so_far());
}

std::string monitor(RspClient& gdb, const std::string& command) {
  std::string answer = gdb.exchange("qRcmd," + to_hex({command.begin(), command.end()}));
  std::string text;
  for (; answer.rfind("O", 0) == 0 && answer != "OK"; answer = gdb.receive()) {
    const std::vector<uint8_t> part = from_hex(answer.substr(1));
    text.append(part.begin(), part.end());
  }
  const std::vector<uint8_t> rest = from_hex(answer == "OK" ? "" : answer);
  return text.append(rest.begin(), rest.end());
}

TEST(Debugger, HoldsTheProgramUntilItContinues) {
  Program program("gpgpu-vp", {"--gdb", "0", "--quiet", firmware("hello")});
  RspClient gdb = connect(program);
  EXPECT_EQ(gdb.exchange("?").substr(0, 1), "T");
  EXPECT_EQ(program.out_so_far(), "");
  EXPECT_THAT(monitor(gdb, "gpgpu"), HasSubstr("no kernel has been started"));
  EXPECT_THAT(monitor(gdb, "stats"), HasSubstr("\"row_hits\""));
  EXPECT_THAT(monitor(gdb, "reset-line"), HasSubstr("system       push button"));
  EXPECT_THAT(monitor(gdb, "reset-line system"), HasSubstr("system pulled"));
  gdb.send("c");
  const Result result = program.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Hello from the MicroBlaze"));
}

// r32 is the program counter; the answer is little-endian.
std::string program_counter(RspClient& gdb) {
  const std::vector<uint8_t> bytes = from_hex(gdb.exchange("p20"));
  return to_hex({bytes.rbegin(), bytes.rend()});
}

TEST(Debugger, StepsAndStopsAtBreakpointsOfTheApproximatelyTimedHost) {
  Program program("gpgpu-vp", {"--timing", "at", "--gdb", "0", "--quiet", firmware("hello")});
  RspClient gdb = connect(program);
  std::string last = program_counter(gdb);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(gdb.exchange("s").substr(0, 3), "T05");
    EXPECT_NE(program_counter(gdb), last);
    last = program_counter(gdb);
  }
  monitor(gdb, "reset");
  EXPECT_NE(program_counter(gdb), last);
  EXPECT_EQ(gdb.exchange("Z0," + last + ",4"), "OK");
  EXPECT_EQ(gdb.exchange("c").substr(0, 3), "T05");
  EXPECT_EQ(program_counter(gdb), last);
  gdb.send("c");  // away from the breakpoint
  const Result result = program.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(Debugger, BacktraceNamesTheFunctionsUnderWay) {
  Program program("gpgpu-vp", {"--gdb", "0", "--quiet", firmware("hello")});
  RspClient gdb = connect(program);
  const uint32_t main = platform::read_elf(firmware("hello")).symbols.find("main")->address;
  EXPECT_EQ(gdb.exchange(fmt::format("Z0,{:x},4", main)), "OK");
  EXPECT_EQ(gdb.exchange("c").substr(0, 3), "T05");
  EXPECT_THAT(monitor(gdb, "backtrace"),
              testing::MatchesRegex(fmt::format(
                  "#0 {:#010x} main\n#1 0x[0-9a-f]+ bsp_main\n#2 0x[0-9a-f]+ _start\n", main)));
  gdb.send("k");
  program.wait();
}

TEST(Debugger, KillEndsTheRun) {
  Program program("gpgpu-vp", {"--gdb", "0", firmware("hello")});
  RspClient gdb = connect(program);
  gdb.send("k");
  const Result result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err, HasSubstr("killed by GDB"));
}

TEST(Debugger, ProfileNamesTheFirmwaresFunctions) {
  const std::string path = temporary("profile");
  EXPECT_EQ(run("gpgpu-vp", {"--quiet", "--profile", path, firmware("bench")}).exit_code, 0);
  EXPECT_THAT(read(path), HasSubstr("main;"));
  EXPECT_THAT(read(path + ".txt"), HasSubstr("host_matrix_multiply"));
  std::remove(path.c_str());
  std::remove((path + ".txt").c_str());
}

TEST(Debugger, AnInstructionTraceIsALog) {
  const Result result = run("gpgpu-vp", {"--quiet", "--log", "trace:host", "--max-instructions",
                                         "50", firmware("hello")});
  EXPECT_THAT(result.err, HasSubstr("trace: host: "));
}

}  // namespace
}  // namespace gvp::test

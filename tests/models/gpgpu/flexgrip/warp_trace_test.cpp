// SPDX-License-Identifier: Apache-2.0
// What --log warp writes: for every instruction its place, its threads and what it wrote.
#include "models/gpgpu/flexgrip/warp_trace.h"

#include <gmock/gmock.h>

#include "tests/models/gpgpu/flexgrip/board.h"
#include "tests/support/log_capture.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

const std::string kWarp = "SM 0 block (0, 0) warp ";

// The lines of a kernel, without what all of them begin with.
std::vector<std::string> lines_of(const std::string& source, const Launch32& launch,
                                  const char* model = "lt",
                                  const Configuration& configuration = {}) {
  Board board(configuration, model);
  const test::LogCapture log;
  Log::configure("warp");
  board.control.run([&] {
    board.load(source);
    board.run(launch);
  });
  Log::configure("warning:warp");
  const std::string head = "trace: warp: ";
  std::vector<std::string> lines;
  for (const std::string& line : log.lines())
    if (line.compare(0, head.size(), head) == 0) lines.push_back(line.substr(head.size()));
  return lines;
}

Launch32 threads(uint32_t number) {
  Launch32 launch;
  launch.registers = 8;
  launch.block_x = number;
  return launch;
}

TEST(WarpTrace, TellsRegistersAddressesAndWhoExecuted) {
  EXPECT_THAT(
      lines_of(R"(
    I2I.U32.U16 R1, R0L;
    MVI R2, 0x1;
    ISET.S32.C1 o[0x7f], R1, R2, NE;
    SHL R3, R1, 0x2;
    IADD R4 (C1.NE), R3, R2;
    GST.U32 global14[R3], R2;
    R2A A2, R3, 0x0;
    RET;
  )",
               threads(3)),
      ElementsAre("SM 0: 1 blocks of 3 threads",
                  kWarp + "0: pc 0x0000 00000007: I2I.U32.U16 R1, R0L; R1 = [0x0 0x1 0x2]",
                  kWarp + "0: pc 0x0008 00000007: MVI R2, 0x1; R2 = 0x1",
                  kWarp + "0: pc 0x0010 00000007: ISET.S32.C1 o[0x7f], R1, R2, NE; "
                          "C1 = [0x2 0x1 0x2]",
                  kWarp + "0: pc 0x0018 00000007: SHL R3, R1, 0x2; R3 = [0x0 0x4 0x8]",
                  kWarp + "0: pc 0x0020 00000007: IADD R4 (C1.NE), R3, R2; R4 = [0x1 - 0x9]",
                  kWarp + "0: pc 0x0028 00000007: GST.U32 global14[R3], R2; at [0x0 0x4 0x8]",
                  kWarp + "0: pc 0x0030 00000007: R2A A2, R3, 0x0; A2 = [0x0 0x4 0x8]",
                  kWarp + "0: pc 0x0038 00000007: RET; mask 00000000"));
}

// Zero, sign, carry and overflow are bits 0 to 3.
TEST(WarpTrace, TellsTheFourFlagsOfEachThread) {
  const std::vector<std::string> lines = lines_of(R"(
    I2I.U32.U16 R1, R0L;
    SHL R1, R1, 0x1f;
    IADD.C2 R2, R1, R1;
    MVI R3, 0x80000000;
    IADD.C3 R4, R1, R3;
    MVI R5, 0xffffffff;
    IADD.C0 R6, R5, R5;
    RET;
  )",
                                                  threads(2));
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_THAT(lines[3], EndsWith("R2 = 0x0; C2 = [0x1 0xd]"));
  EXPECT_THAT(lines[5], EndsWith("R4 = [0x80000000 0x0]; C3 = [0x2 0xd]"));
  EXPECT_THAT(lines[7], EndsWith("R6 = 0xfffffffe; C0 = 0x6"));
}

TEST(WarpTrace, TellsHowThreadsPart) {
  const std::vector<std::string> lines = lines_of(R"(
    I2I.U32.U16 R1, R0L;
    MVI R2, 0x1;
    ISET.S32.C0 o[0x7f], R1, R2, NE;
    SSY join;
    BRA C0.NE, join;
    SHL R3, R1, 0x2;
  join:
    NOP.S;
    BAR.ARV.WAIT b0, 0xfff;
    RET;
  )",
                                                  threads(33));
  const auto of = [&](const std::string& what) {
    std::vector<std::string> found;
    for (const std::string& line : lines)
      if (line.find(what) != std::string::npos) found.push_back(line);
    return found;
  };
  EXPECT_THAT(of("SSY"), ElementsAre(kWarp + "0: pc 0x0018 ffffffff: SSY 0x30; stack 1 deep",
                                     kWarp + "1: pc 0x0018 00000001: SSY 0x30; stack 1 deep"));
  EXPECT_THAT(of("BRA"), ElementsAre(kWarp + "0: pc 0x0020 ffffffff: BRA C0.NE, 0x30; "
                                             "mask fffffffd; stack 2 deep",
                                     kWarp + "1: pc 0x0020 00000001: BRA C0.NE, 0x30"));
  EXPECT_THAT(of("SHL"), ElementsAre(kWarp + "0: pc 0x0028 00000002: SHL R3, R1, 0x2; R3 = 0x4"));
  const std::string nothing = ": NOP.S; nothing executed; ";
  EXPECT_THAT(of("NOP"),
              ElementsAre(kWarp + "0: pc 0x0030 fffffffd" + nothing + "mask 00000002; stack 1 deep",
                          kWarp + "0: pc 0x0030 00000002" + nothing + "mask ffffffff; stack 0 deep",
                          kWarp + "1: pc 0x0030 00000001" + nothing + "stack 0 deep"));
  EXPECT_THAT(of("barrier"), ElementsAre("SM 0 block slot 0: barrier complete"));
}

TEST(WarpTrace, TellsAFaultInPlaceOfItsEffect) {
  EXPECT_THAT(lines_of("MVI R1, 0x2;\n GLD.U32 R2, global14[R1];\n RET;\n", threads(1)),
              ElementsAre("SM 0: 1 blocks of 1 threads",
                          kWarp + "0: pc 0x0000 00000001: MVI R1, 0x2; R1 = 0x2",
                          kWarp + "0: pc 0x0008 00000001: misaligned memory access"));
}

TEST(WarpTrace, NamesTheBlockAndTheMultiprocessor) {
  Configuration configuration;
  configuration.sms = 2;
  Launch32 launch = threads(1);
  launch.grid_x = 2;
  launch.grid_y = 2;
  launch.blocks_per_core = 1;
  const std::vector<std::string> lines = lines_of("RET;\n", launch, "lt", configuration);
  for (const char* place : {"block (0, 0)", "block (1, 0)", "block (0, 1)", "block (1, 1)"})
    EXPECT_THAT(lines, Contains(HasSubstr(std::string(place) + " warp 0: pc 0x0000"))) << place;
  EXPECT_THAT(lines, Contains("SM 0: 1 blocks of 1 threads").Times(2));
  EXPECT_THAT(lines, Contains("SM 1: 1 blocks of 1 threads").Times(2));
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip

// SPDX-License-Identifier: Apache-2.0
// What the host tells whoever observes its bus accesses: the instruction they belong to.
#include <gmock/gmock.h>

#include "tests/models/host/timed_board.h"
#include "tests/support/guest/tested_engine.h"

namespace gvp::host::test {
namespace {

using testing::ElementsAre;

class ProgramCounter : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, ProgramCounter, testing::Values("lt", "at"));

// Loads and stores in the middle of straight code, behind an imm prefix and in a delay slot.
TEST_P(ProgramCounter, IsThatOfTheInstructionThatAccessesTheBus) {
  Board board("board", gvp::test::with_tested_engine({}), GetParam());
  board.load(R"(
    imm 0x8000
    addik r5, r0, 0
    addik r6, r0, 7
    lwi r4, r5, 0
    addik r6, r6, 1
    swi r6, r5, 4
    imm 0x8000
    lwi r4, r0, 4
    brid 8
    swi r6, r5, 4
    bri 0
  )",
             0);
  Symbols symbols;
  symbols.function = [](uint32_t address, std::string& name, uint32_t& start) {
    name = address < 0x14 ? "first" : "second";
    start = address < 0x14 ? 0 : 0x14;
    return address < 0x24;
  };
  board.host->set_symbols(symbols);
  EXPECT_EQ(board.host->program_counter(), 0u);
  board.run_from(0);
  EXPECT_THAT(board.access_pcs, ElementsAre(0xc, 0x14, 0x1c, 0x24));
  EXPECT_THAT(board.access_functions, ElementsAre("first", "second", "second", ""));
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.host->program_counter(), board.stop->pc);
}

}  // namespace
}  // namespace gvp::host::test

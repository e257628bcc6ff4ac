// SPDX-License-Identifier: Apache-2.0
#include "models/host/profiler.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/models/host/assembler.h"

namespace gvp::host::test {
namespace {

// main calls draw, draw calls line; line saves nothing (a leaf), the others have frames.
struct Program {
  std::map<uint32_t, uint32_t> memory;
  std::map<uint32_t, std::string> functions = {{0x100, "main"}, {0x200, "draw"}, {0x300, "line"}};

  void load(uint32_t address, std::string_view text) {
    for (const uint32_t word : assemble_program(text)) {
      memory[address] = word;
      address += 4;
    }
  }
  Program() {
    load(0x100, "addik r1, r1, -32\n swi r15, r1, 0\n brlid r15, 0xf8\n nop");
    load(0x200, "addik r1, r1, -16\n swi r15, r1, 4\n brlid r15, 0xf8\n nop\n nop");
    load(0x300, "addik r3, r3, 1\n rtsd r15, 8\n nop");
    memory[0x1000 + 4] = 0x108;  // draw's return address: main's call
    memory[0x1010] = 0;          // main's: nobody
  }
  Profiler profiler() {
    Symbols symbols;
    symbols.function = [this](uint32_t pc, std::string& name, uint32_t& start) {
      auto after = functions.upper_bound(pc);
      if (after == functions.begin()) return false;
      --after;
      name = after->second;
      start = after->first;
      return true;
    };
    return Profiler(symbols, [this](uint32_t address, uint32_t& word) {
      const auto found = memory.find(address);
      if (found == memory.end()) return false;
      word = found->second;
      return true;
    });
  }
};

std::string folded(const Profiler& profiler) {
  std::ostringstream stream;
  profiler.write_folded(stream);
  return stream.str();
}

State at(uint32_t pc, uint32_t stack_pointer, uint32_t link) {
  State state;
  state.pc = pc;
  state.r[1] = stack_pointer;
  state.r[15] = link;
  return state;
}

TEST(ProfilerTest, LeafIsFoundByItsLinkAndTheOthersByTheirFrames) {
  Program program;
  Profiler profiler = program.profiler();
  profiler.sample(at(0x300, 0x1000, 0x208), 100);
  EXPECT_EQ(folded(profiler), "main;draw;line 100\n");
}

TEST(ProfilerTest, SampleWithinThePrologueSeesNoFrameYet) {
  Program program;
  Profiler profiler = program.profiler();
  profiler.sample(at(0x200, 0x1010, 0x108), 10);  // nothing of draw's prologue has happened
  profiler.sample(at(0x204, 0x1000, 0x108), 20);  // the frame is made, the link not yet saved
  EXPECT_EQ(folded(profiler), "main;draw 30\n");
}

TEST(ProfilerTest, TableCountsEachFunctionItselfAndWithItsCallees) {
  Program program;
  Profiler profiler = program.profiler();
  profiler.sample(at(0x300, 0x1000, 0x208), 75);
  profiler.sample(at(0x204, 0x1000, 0x108), 25);
  std::ostringstream stream;
  profiler.write_table(stream);
  EXPECT_EQ(stream.str(),
            "        cycles      %   with callees      %  function\n"
            "            75  75.00             75  75.00  line\n"
            "            25  25.00            100 100.00  draw\n"
            "             0   0.00            100 100.00  main\n");
}

TEST(ProfilerTest, NonsenseInRegistersEndsTheWalk) {
  Program program;
  Profiler profiler = program.profiler();
  profiler.sample(at(0xdeadbeec, 0xfffffff0, 0xffffffff), 1);
  profiler.sample(at(0x10, 0, 3), 1);
  EXPECT_EQ(profiler.samples(), 2u);
}

}  // namespace
}  // namespace gvp::host::test

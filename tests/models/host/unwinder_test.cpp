// SPDX-License-Identifier: Apache-2.0
// Call stacks of real, optimised programs, compared with the calls and returns that were executed.
#include "models/host/unwinder.h"

#include <gtest/gtest.h>

#include <random>

#include "models/host/branch_kind.h"
#include "models/host/decoder.h"
#include "tests/models/host/assembler.h"
#include "tests/support/guest/guest_machine.h"

namespace gvp::host::test {
namespace {

const std::string kPrograms = std::string(GVP_SOURCE_DIR) + "/firmware/prebuilt/";

// Executes a program instruction by instruction and keeps the calls under way.
class Watched {
 public:
  explicit Watched(const std::string& name)
      : file_(platform::read_elf(kPrograms + name)), machine_(Configuration{}) {
    machine_.load(file_);
    machine_.engine.state().pc = file_.entry;
  }

  Engine& engine() { return machine_.engine; }
  const platform::ElfFile& file() const { return file_; }

  Symbols symbols(bool with_call_frames) const {
    Symbols symbols;
    symbols.function = [this](uint32_t address, std::string& name, uint32_t& start) {
      const platform::Symbol* symbol = file_.symbols.find_function(address);
      if (symbol == nullptr) return false;
      name = symbol->name;
      start = symbol->address;
      return true;
    };
    for (const platform::CallFrameSection& section : file_.call_frames)
      if (with_call_frames)
        symbols.call_frames.push_back({section.bytes, section.address, section.is_exception});
    return symbols;
  }
  Unwinder unwinder(bool with_call_frames) {
    return Unwinder(symbols(with_call_frames),
                    [this](uint32_t address, uint32_t& word) { return read(address, word); });
  }
  bool read(uint32_t address, uint32_t& word) {
    size_t available = 0;
    const uint8_t* const bytes = machine_.bus.bytes(address, available);
    if (bytes == nullptr || available < 4) return false;
    std::memcpy(&word, bytes, 4);
    return true;
  }

  // False: the program has ended.
  bool step() {
    State& state = machine_.engine.state();
    uint32_t pc = state.pc;
    uint32_t word = 0;
    Instruction instruction;
    do {
      if (!read(pc, word)) return false;
      instruction = decode(word);
      pc += 4;
    } while (instruction.is(Operation::kImm));
    const uint32_t at = pc - 4;
    const uint64_t exceptions = machine_.engine.exceptions_taken();
    if (machine_.engine.step().exit != Engine::Exit::kLimit) return false;
    if (machine_.engine.exceptions_taken() != exceptions) {
      calls_.push_back(at);
      return true;
    }
    if (instruction.info == nullptr) return true;
    if (is_link(instruction.operation())) calls_.push_back(at);
    if (is_return(instruction.operation())) {
      EXPECT_FALSE(calls_.empty());
      if (calls_.empty()) return false;
      calls_.pop_back();
    }
    return true;
  }
  void interrupt() {
    State& state = machine_.engine.state();
    state.msr |= msr::kIe;
    calls_.push_back(state.pc);
    machine_.engine.set_interrupt(true);
    machine_.engine.step();
    machine_.engine.set_interrupt(false);
  }

  // Names of the functions, innermost first: by what was executed, and by unwinding.
  std::vector<std::string> executed() {
    std::vector<std::string> names = {name(machine_.engine.state().pc)};
    for (size_t i = calls_.size(); i-- > 0;) names.push_back(name(calls_[i]));
    return names;
  }
  std::vector<std::string> unwound(Unwinder& unwinder) {
    std::vector<std::string> names;
    for (const Unwinder::Frame& frame : unwinder.walk(machine_.engine.state()))
      names.push_back(name(frame.start));
    return names;
  }
  size_t depth() const { return calls_.size(); }

 private:
  std::string name(uint32_t address) const {
    const platform::Symbol* symbol = file_.symbols.find_function(address);
    return symbol == nullptr ? "?" : symbol->name;
  }

  platform::ElfFile file_;
  gvp::test::GuestMachine machine_;
  std::vector<uint32_t> calls_;  // where they were made
};

struct Counts {
  unsigned points = 0;
  unsigned wrong = 0;
  size_t deepest = 0;
};

// At random points, on average every `distance` instructions.
Counts compare(const std::string& program, bool with_call_frames, unsigned steps,
               unsigned distance) {
  Watched watched(program);
  Unwinder unwinder = watched.unwinder(with_call_frames);
  std::mt19937 random(1);
  Counts counts;
  for (unsigned i = 0; i < steps && watched.step(); ++i) {
    if (random() % distance != 0) continue;
    // In an exception's vector, which is one jump and no function.
    if (watched.file().symbols.find_function(watched.engine().state().pc) == nullptr) continue;
    ++counts.points;
    counts.deepest = std::max(counts.deepest, watched.depth());
    const std::vector<std::string> unwound = watched.unwound(unwinder);
    if (unwound == watched.executed()) continue;
    ++counts.wrong;
    constexpr unsigned kMostShown = 5;
    if (counts.wrong <= kMostShown) {
      EXPECT_EQ(unwound, watched.executed())
          << program << " at " << watched.file().symbols.describe(watched.engine().state().pc);
    }
  }
  return counts;
}

class UnwinderTest : public testing::TestWithParam<bool> {};

TEST_P(UnwinderTest, StacksOfOptimisedProgramsAreTheCallsUnderWay) {
  for (const char* program : {"hello.elf", "bench.elf", "speed.elf"}) {
    EXPECT_FALSE(platform::read_elf(kPrograms + program).call_frames.empty()) << program;
    const Counts counts = compare(program, GetParam(), 400000, 13);
    EXPECT_GT(counts.points, 100u) << program;
    EXPECT_GT(counts.deepest, 4u) << program;
    EXPECT_EQ(counts.wrong, 0u) << program;
  }
}

TEST_P(UnwinderTest, StacksOfRecursiveProgramsAreTheCallsUnderWay) {
  const Counts counts = compare("speed.elf", GetParam(), 300000, 99);
  EXPECT_GT(counts.points, 1000u);
  EXPECT_EQ(counts.wrong, 0u);
}

TEST_P(UnwinderTest, InterruptsStandOnTopOfWhatTheyInterrupt) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < 20; ++round) {
    Watched watched("hello.elf");
    Unwinder unwinder = watched.unwinder(GetParam());
    const auto before = static_cast<unsigned>(500 + random() % 3000);
    for (unsigned i = 0; i < before; ++i) ASSERT_TRUE(watched.step());
    const size_t depth = watched.depth();
    watched.interrupt();
    // From the entry on: the vector itself belongs to no function.
    bool good = watched.step();
    unsigned points = 0;
    for (; good && watched.depth() > depth && points < 200; ++points, good = watched.step())
      ASSERT_EQ(watched.unwound(unwinder), watched.executed())
          << "after " << before << " instructions, at "
          << watched.file().symbols.describe(watched.engine().state().pc);
    EXPECT_GT(points, 30u);
  }
}

INSTANTIATE_TEST_SUITE_P(CallFrames, UnwinderTest, testing::Bool(),
                         [](const auto& test) { return test.param ? "With" : "Without"; });

// A program of two functions: what one instruction more or less does to a stack.
struct TwoFunctions {
  static constexpr uint32_t kMain = 0x100;
  static constexpr uint32_t kCallee = 0x200;
  std::map<uint32_t, uint32_t> memory;
  Symbols symbols;
  State state;

  explicit TwoFunctions(std::string_view callee) {
    load(kMain, "brlid r15, 0x100\n nop\n bri 0");
    load(kCallee, callee);
    symbols.function = [](uint32_t pc, std::string& name, uint32_t& start) {
      if (pc < kMain || pc >= 0x300) return false;
      name = pc < kCallee ? "main" : "callee";
      start = pc < kCallee ? kMain : kCallee;
      return true;
    };
    state.r[15] = kMain;
    state.r[1] = 0x1000;
  }
  void load(uint32_t address, std::string_view text) {
    for (const uint32_t word : assemble_program(text)) {
      memory[address] = word;
      address += 4;
    }
  }
  size_t depth_at(uint32_t pc) {
    Unwinder unwinder(symbols, [this](uint32_t address, uint32_t& word) {
      const auto found = memory.find(address);
      if (found == memory.end()) return false;
      word = found->second;
      return true;
    });
    state.pc = pc;
    return unwinder.walk(state).size();
  }
};

TEST(FrameAnalysisTest, PrologueBehindABranchIsSeenWhereItHasHappened) {
  TwoFunctions program(
      "beqi r5, 28\n addik r1, r1, -32\n swi r15, r1, 0\n addik r15, r0, 0\n"
      "lwi r15, r1, 0\n rtsd r15, 8\n addik r1, r1, 32\n rtsd r15, 8\n nop");
  EXPECT_EQ(program.depth_at(0x200), 2u);
  EXPECT_EQ(program.depth_at(0x21c), 2u) << "the way without a frame";
  program.state.r[1] -= 32;
  program.memory[0x1000 - 32] = TwoFunctions::kMain;
  EXPECT_EQ(program.depth_at(0x208), 2u);
  program.state.r[15] = 0;
  EXPECT_EQ(program.depth_at(0x210), 2u) << "the link is in the frame only";
}

TEST(FrameAnalysisTest, FramePointerStandsInForAStackPointerOfUnknownValue) {
  TwoFunctions program(
      "addik r1, r1, -16\n swi r15, r1, 0\n swi r19, r1, 4\n addk r19, r1, r0\n"
      "rsubk r1, r5, r1\n addik r15, r0, 0\n nop");
  program.state.r[1] = 0x900;
  program.state.r[19] = 0x1000 - 16;
  program.state.r[15] = 0;
  program.memory[0x1000 - 16] = TwoFunctions::kMain;
  EXPECT_EQ(program.depth_at(0x218), 2u);
}

TEST(FrameAnalysisTest, LinkThatIsNowhereEndsTheWalk) {
  TwoFunctions program("addik r15, r0, 0\n nop");
  EXPECT_EQ(program.depth_at(0x200), 2u);
  EXPECT_EQ(program.depth_at(0x204), 1u);
}

TEST(FrameAnalysisTest, SavedLinkThatIsOverwrittenIsNotBelieved) {
  TwoFunctions program(
      "addik r1, r1, -16\n swi r15, r1, 0\n addik r15, r0, 0\n sbi r5, r1, 3\n nop");
  program.state.r[1] = 0x1000 - 16;
  program.memory[0x1000 - 16] = TwoFunctions::kMain;
  EXPECT_EQ(program.depth_at(0x20c), 2u);
  EXPECT_EQ(program.depth_at(0x210), 1u);
}

TEST(FrameAnalysisTest, ReturnAddressBehindNoCallIsNotBelieved) {
  TwoFunctions program("nop");
  program.state.r[15] = TwoFunctions::kMain + 4;
  EXPECT_EQ(program.depth_at(0x200), 1u);
  program.state.r[15] = TwoFunctions::kMain;
  EXPECT_EQ(program.depth_at(0x200), 2u);
}

}  // namespace
}  // namespace gvp::host::test

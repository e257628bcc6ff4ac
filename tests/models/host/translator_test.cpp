// SPDX-License-Identifier: Apache-2.0
// Translated code against the interpreter: the same state, memory, counts and exits at every stop,
// whatever the program; and what makes translated code stale.
#include "models/host/jit/translator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "models/base/error.h"
#include "models/base/log.h"
#include "tests/models/host/machine.h"
#include "tests/support/seed.h"

namespace gvp::host::test {
namespace {

constexpr uint32_t kBytes = 16384;

Configuration with_engine(Configuration configuration, const char* engine, uint32_t threshold = 1) {
  configuration.engine = engine;
  configuration.jit_threshold = threshold;
  return configuration;
}

class TranslatorTest : public testing::Test {
 protected:
  void SetUp() override {
    Log::configure("off");
    if (!Translator::available()) GTEST_SKIP() << "this build has no translator";
  }
};

// Programs that live long: loops and calls around arithmetic and memory accesses that mostly
// succeed, with every other instruction now and then.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}
  uint32_t any() { return static_cast<uint32_t>(random_()); }
  uint32_t below(uint32_t n) { return any() % n; }

  Configuration configuration() {
    const auto flip = [&] { return below(2) == 0; };
    Configuration c;
    c.big_endian = below(4) == 0;
    c.use_barrel = below(4) != 0;
    c.use_fpu = below(3);
    c.use_mmu = below(4);
    c.fsl_links = below(3);
    c.use_stack_protection = below(4) == 0;
    c.unaligned_exceptions = flip();
    c.div_zero_exception = flip();
    c.area_optimized = flip();
    c.use_dcache = flip();
    return c;
  }

  uint32_t value() {
    static constexpr uint32_t kSpecial[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x1001};
    const uint32_t kind = below(8);
    if (kind == 0) return any();
    if (kind == 1) return kSpecial[below(6)];
    return below(kBytes) & ~3u;
  }
  uint32_t word() {
    const uint32_t kind = below(100);
    if (kind < 3) return any();
    if (kind < 10) return row(below(static_cast<uint32_t>(kOperations)));
    if (kind < 30) return memory();
    if (kind < 45) return branch();
    if (kind < 48) return row(static_cast<uint32_t>(Operation::kImm));
    for (;;) {
      const uint32_t index = below(static_cast<uint32_t>(kOperations));
      const InstructionInfo& info = kInstructionTable[index];
      const bool plain = info.format == Format::kRdRaRb || info.format == Format::kRdRaImm ||
                         info.format == Format::kRdRa || info.format == Format::kRdRaShift ||
                         info.format == Format::kRdRaField;
      if (plain && info.match >> 30 != 3) return row(index);
    }
  }

 private:
  uint32_t row(uint32_t index) {
    const InstructionInfo& info = kInstructionTable[index];
    return (any() & ~info.mask) | info.match;
  }
  // r20 and r5 are left alone more often than not, so bases stay good.
  uint32_t memory() {
    static constexpr Operation kForms[] = {Operation::kLbui, Operation::kLhui, Operation::kLwi,
                                           Operation::kSbi,  Operation::kShi,  Operation::kSwi};
    const InstructionInfo& info = kInstructionTable[static_cast<size_t>(kForms[below(6)])];
    const uint32_t rd = below(32);
    const uint32_t ra = below(3) == 0 ? 0 : below(2) == 0 ? 20 : 5;
    const uint32_t offset = below(8) == 0 ? below(4096) : below(1024) * 4 % 4096;
    return info.match | rd << 21 | ra << 16 | offset;
  }
  uint32_t branch() {
    const auto first = static_cast<uint32_t>(Operation::kBeqi);
    const InstructionInfo& info = kInstructionTable[first + below(12)];
    const auto offset = static_cast<uint32_t>((static_cast<int>(below(24)) - 12) * 4);
    return info.match | (any() & 0x001f0000) | (offset & 0xffff);
  }

  std::mt19937 random_;
};

void expect_equal(Machine& a, Machine& b) {
  const State& x = a.engine.state();
  const State& y = b.engine.state();
  for (size_t i = 0; i < 32; ++i) ASSERT_EQ(x.r[i], y.r[i]) << "r" << i;
  ASSERT_EQ(x.pc, y.pc);
  ASSERT_EQ(x.full_msr(), y.full_msr());
  ASSERT_EQ(x.ear, y.ear);
  ASSERT_EQ(x.esr, y.esr);
  ASSERT_EQ(x.fsr, y.fsr);
  ASSERT_EQ(x.btr, y.btr);
  ASSERT_EQ(x.edr, y.edr);
  ASSERT_EQ(x.slr, y.slr);
  ASSERT_EQ(x.shr, y.shr);
  ASSERT_EQ(x.reservation, y.reservation);
  ASSERT_EQ(x.imm_valid, y.imm_valid);
  ASSERT_EQ(x.in_delay_slot, y.in_delay_slot);
  ASSERT_EQ(a.engine.exceptions_taken(), b.engine.exceptions_taken());
  ASSERT_EQ(a.engine.interrupts_taken(), b.engine.interrupts_taken());
  ASSERT_EQ(a.engine.error(), b.engine.error());
  ASSERT_EQ(a.bus.ram, b.bus.ram);
}

// The same disturbance to both.
void disturb(Generator& generator, Machine& a, Machine& b) {
  const uint32_t address = generator.below(kBytes) & ~3u;
  const uint32_t kind = generator.below(40);
  const uint32_t word = generator.word();
  for (Machine* m : {&a, &b}) {
    switch (kind) {
      case 0:
        m->poke(address, word);
        break;
      case 1:
        m->engine.invalidate_direct(address, address + 99);
        break;
      case 2:
        m->engine.set_breakpoint(address);
        break;
      case 3:
        m->engine.memory().watchpoints() = {{address, address + 3, Watchpoint::Kind::kAccess}};
        m->engine.memory().forget_pages();
        break;
      case 4:
        m->engine.memory().watchpoints().clear();
        break;
      default:
        break;
    }
  }
}

void compare_engines(unsigned seed) {
  Generator generator(seed);
  const Configuration configuration = generator.configuration();
  Machine interpreted(with_engine(configuration, "interpreter"), kBytes);
  Configuration translating = with_engine(configuration, "jit", 1 + generator.below(3));
  if (generator.below(2) == 0) translating.jit_code_bytes = 64 << 10;
  Machine translated(translating, kBytes);
  for (uint32_t i = 0; i < kBytes; i += 4) interpreted.poke(i, generator.word());
  translated.bus.ram = interpreted.bus.ram;
  const uint32_t latency = generator.below(3);
  interpreted.bus.latency = translated.bus.latency = latency;
  std::array<uint32_t, 32> start{};
  for (size_t i = 1; i < 32; ++i) start[i] = generator.value();
  const uint32_t msr = generator.any() & (msr::kEe | msr::kIe | msr::kVm | msr::kUm);
  const uint32_t pc = generator.below(kBytes) & ~3u;
  for (Machine* m : {&interpreted, &translated}) {
    std::copy(start.begin(), start.end(), m->engine.state().r.begin());
    if (configuration.use_mmu >= 1) m->engine.state().msr |= msr & ~msr::kVm;
    m->engine.state().pc = pc;
    m->engine.state_changed();
  }
  for (int i = 0; i < 60; ++i) {
    const bool level = generator.below(4) == 0;
    const uint32_t limit = 1 + generator.below(3000);
    const bool step = generator.below(8) == 0;
    Engine::Run runs[2];
    size_t k = 0;
    for (Machine* m : {&interpreted, &translated}) {
      m->engine.set_interrupt(level);
      runs[k++] = step ? m->engine.step() : m->engine.run(limit);
    }
    ASSERT_EQ(runs[0].exit, runs[1].exit);
    ASSERT_EQ(runs[0].cycles, runs[1].cycles);
    ASSERT_EQ(runs[0].instructions, runs[1].instructions);
    ASSERT_NO_FATAL_FAILURE(expect_equal(interpreted, translated));
    if (runs[0].exit == Engine::Exit::kError) return;
    if (runs[0].exit == Engine::Exit::kSelfBranch || runs[0].exit == Engine::Exit::kStalled) {
      const uint32_t elsewhere = generator.below(kBytes) & ~3u;
      interpreted.engine.state().pc = translated.engine.state().pc = elsewhere;
    }
    disturb(generator, interpreted, translated);
  }
}

TEST_F(TranslatorTest, RandomProgramsGiveTheSameStateAndCountsAsTheInterpreter) {
  const uint32_t first = gvp::test::seed(1);
  const char* more = std::getenv("GVP_RANDOM_PROGRAMS");
  const unsigned programs = more != nullptr ? static_cast<unsigned>(std::atoi(more)) : 1000;
  for (uint32_t seed = first; seed != first + programs; ++seed) {
    compare_engines(seed);
    ASSERT_FALSE(HasFatalFailure()) << "with GVP_TEST_SEED=" << seed;
  }
}

constexpr std::string_view kLoop = R"(
    addik r3, r0, 0
    addik r4, r0, 1000
    addk r3, r3, r4
    addik r4, r4, -1
    bnei r4, -8
)";

TEST_F(TranslatorTest, ColdCodeIsInterpretedAndHotCodeTranslated) {
  Machine m(with_engine({}, "jit", 100));
  m.execute("addik r3, r0, 5");
  EXPECT_EQ(m.engine.translator()->translations(), 0u);
  m.execute(kLoop);
  EXPECT_EQ(m.r(3), 500500u);
  EXPECT_EQ(m.engine.translator()->translations(), 1u);  // the loop
}

TEST_F(TranslatorTest, AStoreIntoTheRunningLoopChangesItsNextRound) {
  // Round 500 overwrites "addk r3, r3, r4" with what lies in r8, a "rsubk r3, r4, r3".  The other
  // stores, beside the code, let the page be accessed directly before.
  constexpr std::string_view kProgram = R"(
    addik r3, r0, 0
    addik r4, r0, 1000
    addik r9, r0, 500
    addk r3, r3, r4
    swi r4, r0, 0x1800
    rsubk r5, r4, r9
    bnei r5, 8
    swi r8, r0, 0x100c
    addik r4, r4, -1
    bnei r4, -24
)";
  Machine interpreted(with_engine({}, "interpreter"));
  Machine translated(with_engine({}, "jit"));
  for (Machine* m : {&interpreted, &translated}) {
    m->r(8) = assemble("rsubk r3, r4, r3");
    m->execute(kProgram);
  }
  EXPECT_EQ(translated.r(3), interpreted.r(3));
  EXPECT_EQ(translated.r(3), (1000u + 500u) * 501 / 2 - 499u * 500 / 2);
}

// A block that changed is not entered by the links of those that did not.
TEST_F(TranslatorTest, LinksToChangedCodeAreCut) {
  Machine m(with_engine({}, "jit"));
  m.load("addik r3, r3, 1\nbri 0x7c");
  m.load("bri -0x80", Machine::kCode + 0x80);  // in another line
  m.run(1000);
  m.poke(Machine::kCode + 0x80, assemble("bri 0x100"));
  m.load("addik r4, r0, 7", Machine::kCode + 0x180);
  EXPECT_EQ(m.run().exit, Engine::Exit::kSelfBranch);
  EXPECT_EQ(m.r(4), 7u);
}

// With translation a branch into another page looks at the TLB as it is then.
TEST_F(TranslatorTest, BranchesBetweenPagesFollowTheTlb) {
  Machine m(with_engine({}, "jit"));
  const auto map = [&](uint32_t index, uint32_t page, uint32_t physical) {
    m.engine.write_special(spr::kTlbx, index);
    m.engine.write_special(spr::kTlbhi, page | 1u << 7 | 0x40);  // 4 KiB, valid
    m.engine.write_special(spr::kTlblo, physical | 0x300);       // executable, writable
  };
  m.load("addik r3, r3, 1\nbri 0xffc", 0x1000);
  m.load("bri -0x1000", 0x2000);
  m.load("addik r4, r0, 7", 0x3000);
  map(0, 0x1000, 0x1000);
  map(1, 0x2000, 0x2000);
  m.engine.state().msr |= msr::kVm;
  m.engine.state().pc = 0x1000;
  m.engine.state_changed();
  m.run(1000);
  EXPECT_GT(m.r(3), 10u);
  map(1, 0x2000, 0x3000);
  EXPECT_EQ(m.run().exit, Engine::Exit::kSelfBranch);
  EXPECT_EQ(m.r(4), 7u);
}

TEST_F(TranslatorTest, DivisionsWithoutAResultAreThoseOfTheInterpreter) {
  Configuration configuration;
  configuration.div_zero_exception = false;
  Machine m(with_engine(configuration, "jit"));
  m.r(5) = 0x80000000;
  m.r(6) = 0xffffffff;
  m.execute("idiv r3, r6, r5\nidiv r4, r0, r5\nidivu r7, r6, r5\nidiv r8, r6, r6");
  EXPECT_EQ(m.r(3), 0x80000000u);
  EXPECT_EQ(m.r(4), 0u);
  EXPECT_EQ(m.r(7), 0u);
  EXPECT_EQ(m.r(8), 1u);
}

TEST_F(TranslatorTest, CodeMemoryThatIsFullIsEmptied) {
  Configuration configuration = with_engine({}, "jit");
  configuration.jit_code_bytes = 64 << 10;
  Machine m(configuration);
  // 2,000 blocks of two instructions each, twice.
  std::string program = "addik r3, r0, 0\naddik r4, r0, 2\n";
  for (int i = 0; i < 2000; ++i) program += "addik r3, r3, 1\nbrid 8\nnop\n";
  program += "addik r4, r4, -1\nbneid r4, -24004\nnop\n";
  m.execute(program);
  EXPECT_EQ(m.r(3), 4000u);
  const uint64_t flushes = m.engine.translator()->flushes();
  EXPECT_GT(flushes, 0u);
  EXPECT_LT(flushes, 100u);
  m.execute(kLoop);
  EXPECT_EQ(m.r(3), 500500u);
}

TEST_F(TranslatorTest, ABreakpointInATranslatedLoopStopsIt) {
  Machine m(with_engine({}, "jit"));
  m.load(kLoop);
  EXPECT_EQ(m.run(500).exit, Engine::Exit::kLimit);
  const uint32_t place = Machine::kCode + 12;
  m.engine.set_breakpoint(place);
  EXPECT_EQ(m.run().exit, Engine::Exit::kBreakpoint);
  EXPECT_EQ(m.engine.state().pc, place);
  m.engine.clear_breakpoint(place);
  EXPECT_EQ(m.run().exit, Engine::Exit::kSelfBranch);
  EXPECT_EQ(m.r(3), 500500u);
}

TEST_F(TranslatorTest, TheLastBlocksExecutedAreThoseOfTheInterpreter) {
  Machine interpreted(with_engine({}, "interpreter"));
  Machine translated(with_engine({}, "jit", 64));
  for (Machine* m : {&interpreted, &translated}) m->execute(kLoop);
  EXPECT_EQ(translated.engine.recent_blocks(), interpreted.engine.recent_blocks());
}

// What SystemC or a device throws passes through translated code.
TEST_F(TranslatorTest, AnExceptionOfADevicePassesThrough) {
  class ThrowingBus : public FlatBus {
   public:
    using FlatBus::FlatBus;
    BusStatus read(Port port, uint32_t address, void* data, uint32_t bytes,
                   uint64_t& cycles) override {
      if (address == kDevice) throw std::runtime_error("device");
      return FlatBus::read(port, address, data, bytes, cycles);
    }
  };
  ThrowingBus bus(kBytes);
  Engine engine(with_engine({}, "jit"), bus);
  uint32_t address = 0;
  for (const uint32_t word : assemble_program("imm 0x8000\nlwi r3, r0, 0")) {
    std::memcpy(&bus.ram[address], &word, 4);
    address += 4;
  }
  for (int i = 0; i < 3; ++i) {
    engine.state().pc = 0;
    EXPECT_THROW(engine.run(100), std::runtime_error);
  }
}

TEST_F(TranslatorTest, AnUnknownEngineIsRefused) {
  FlatBus bus(kBytes);
  EXPECT_THROW(Engine(with_engine({}, "turbo"), bus), gvp::Error);
}

}  // namespace
}  // namespace gvp::host::test

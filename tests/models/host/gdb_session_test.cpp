// SPDX-License-Identifier: Apache-2.0
// GDB's remote serial protocol without sockets: packets, registers, memory, and nonsense.
#include "models/host/gdb_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "models/base/log.h"
#include "models/host/gdb_packet.h"
#include "tests/models/host/machine.h"
#include "tests/support/seed.h"

namespace gvp::host::test {
namespace {

using testing::HasSubstr;

struct Debugged : Machine {
  explicit Debugged(const Configuration& configuration = everything())
      : Machine(configuration),
        session(
            engine, false,
            [this](uint32_t address, void* data, size_t size) -> size_t {
              if (address >= bus.ram.size()) return 0;
              size = std::min(size, bus.ram.size() - address);
              std::memcpy(data, &bus.ram[address], size);
              return size;
            },
            [this](uint32_t address, const void* data, size_t size) -> size_t {
              if (address >= bus.ram.size()) return 0;
              size = std::min(size, bus.ram.size() - address);
              std::memcpy(&bus.ram[address], data, size);
              return size;
            }) {}
  std::string ask(const std::string& packet) { return session.handle(packet).text; }
  GdbSession session;
};

TEST(GdbPacketTest, FramesAndParsesEscapes) {
  EXPECT_EQ(gdb_frame("OK"), "$OK#9a");
  GdbPacketParser parser;
  const std::string bytes = "+" + gdb_frame("a#b$c}d*") + "\x03";
  const std::vector<GdbEvent> events = parser.feed(bytes.data(), bytes.size());
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, GdbEvent::Kind::kAcknowledge);
  EXPECT_EQ(events[1].data, "a#b$c}d*");
  EXPECT_EQ(events[2].kind, GdbEvent::Kind::kInterrupt);
}

TEST(GdbPacketTest, WrongChecksumAndExcessiveLengthAreRefused) {
  GdbPacketParser parser;
  EXPECT_EQ(parser.feed("$OK#9b", 6).at(0).kind, GdbEvent::Kind::kBadPacket);
  EXPECT_EQ(parser.feed("$OK#zz", 6).at(0).kind, GdbEvent::Kind::kBadPacket);
  const std::string huge = gdb_frame(std::string(100000, 'a'));
  EXPECT_EQ(parser.feed(huge.data(), huge.size()).at(0).kind, GdbEvent::Kind::kBadPacket);
  EXPECT_EQ(parser.feed("$OK#9a", 6).at(0).data, "OK") << "and the next packet is fine";
}

TEST(GdbPacketTest, NumbersHave32Bits) {
  const auto number = [](const std::string& text) -> std::optional<uint32_t> {
    size_t position = 0;
    uint32_t value = 0;
    if (!gdb_number(text, position, value)) return std::nullopt;
    return value;
  };
  EXPECT_EQ(number("0"), 0u);
  EXPECT_EQ(number("1F,4"), 0x1fu);
  EXPECT_EQ(number("ffffffff"), 0xffffffffu);
  EXPECT_EQ(number("00000000ffffffff"), 0xffffffffu);
  EXPECT_EQ(number("100000000"), std::nullopt);
  EXPECT_EQ(number(""), std::nullopt);
  EXPECT_EQ(number("g"), std::nullopt);
}

TEST(GdbSessionTest, RegistersStandInGdbsOrder) {
  Debugged d;
  for (size_t i = 1; i < 32; ++i) d.r(i) = static_cast<uint32_t>(i);
  d.engine.state().carry = 1;
  const std::string all = d.ask("g");
  ASSERT_EQ(all.size(), 59u * 8);
  EXPECT_EQ(all.substr(0, 24), "000000000100000002000000");
  EXPECT_EQ(all.substr(32 * 8, 8), "00100000") << "rpc";
  EXPECT_EQ(all.substr(33 * 8, 8), "04040080") << "rmsr: PVR, C and its copy";
  EXPECT_EQ(d.ask("p1f"), "1f000000");
  EXPECT_EQ(d.ask("P5=78563412"), "OK");
  EXPECT_EQ(d.r(5), 0x12345678u);
  EXPECT_EQ(d.ask("P20=00200000"), "OK");
  EXPECT_EQ(d.engine.state().pc, 0x2000u);
  EXPECT_EQ(d.ask("P0=01000000"), "OK");
  EXPECT_EQ(d.r(0), 0u);
  EXPECT_EQ(d.ask("p3b"), "E01");
  for (const char* wrong :
       {"P", "P5", "P5=", "P5=123", "P5=1234567", "P5=78563412ff", "P3b=00000000", "P5:00000000"})
    EXPECT_EQ(d.ask(wrong), "E01") << wrong;
  EXPECT_EQ(d.r(5), 0x12345678u);
}

// GDB's order (gdb/microblaze-tdep.c) and the numbers of mfs (UG984, "Special Purpose Registers").
TEST(GdbSessionTest, SpecialRegistersAreThoseOfTheirNumbers) {
  Configuration configuration = Machine::everything();
  configuration.use_stack_protection = true;
  configuration.pvr_user1 = 0x5a;
  configuration.pvr_user2 = 0x12345678;
  Debugged d(configuration);
  State& state = d.engine.state();
  state.ear = 0xea;
  state.esr = 5;
  state.fsr = 7;
  state.btr = 0xb4;
  state.edr = 0xed;
  state.slr = 0x100;
  state.shr = 0x200;
  d.engine.mmu().set_pid(9);
  d.engine.mmu().set_zpr(0x40000000);
  d.engine.mmu().set_tlbx(3);
  d.engine.mmu().set_tlbhi(0xc00000c0);
  d.engine.mmu().set_tlblo(0x50000300);
  constexpr uint32_t kNumbers[] = {0x0000, 0x0001, 0x0003, 0x0005, 0x0007, 0x000b, 0x2000,
                                   0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007,
                                   0x2008, 0x2009, 0x200a, 0x200b, 0x000d, 0x1000, 0x1001,
                                   0x1002, 0x1005, 0x1003, 0x1004, 0x0800, 0x0802};
  std::set<std::string> different;
  for (unsigned i = 0; i < std::size(kNumbers); ++i) {
    const uint32_t value = __builtin_bswap32(d.engine.read_special(kNumbers[i]));
    const std::string answer = d.ask(fmt::format("p{:x}", 32 + i));
    EXPECT_EQ(answer, fmt::format("{:08x}", value)) << "register " << 32 + i;
    different.insert(answer);
  }
  EXPECT_GE(different.size(), 21u) << "what is equal is told apart by nothing";
}

TEST(GdbSessionTest, AllRegistersReadBackAsWritten) {
  Debugged d;
  std::string all = d.ask("g");
  all.replace(7 * 8, 8, "efbeadde");
  EXPECT_EQ(d.ask("G" + all), "OK");
  EXPECT_EQ(d.r(7), 0xdeadbeefu);
  EXPECT_EQ(d.ask("g"), all);
}

TEST(GdbSessionTest, TargetDescriptionNamesEveryRegister) {
  Debugged d;
  std::string xml;
  for (size_t offset = 0;;) {
    const std::string part =
        d.ask("qXfer:features:read:target.xml:" + fmt::format("{:x}", offset) + ",200");
    xml += part.substr(1);
    offset += part.size() - 1;
    if (part[0] == 'l') break;
  }
  EXPECT_THAT(xml, HasSubstr("org.gnu.gdb.microblaze.core"));
  EXPECT_THAT(xml, HasSubstr("<reg name=\"rpc\" bitsize=\"32\" regnum=\"32\"/>"));
  EXPECT_THAT(xml,
              HasSubstr("<reg name=\"rshr\" bitsize=\"32\" regnum=\"58\"/></feature></target>"));
}

TEST(GdbSessionTest, MemoryReadsAndWrites) {
  Debugged d;
  EXPECT_EQ(d.ask("M2000,4:44332211"), "OK");
  EXPECT_EQ(d.peek(0x2000), 0x11223344u);
  EXPECT_EQ(d.ask("m2000,2"), "4433");
  EXPECT_EQ(d.ask(std::string("X2000,2:") + "\x01\x02"), "OK");
  EXPECT_EQ(d.ask("m2000,4"), "01022211");
  EXPECT_EQ(d.ask("m80000000,4"), "E02");
  EXPECT_EQ(d.ask("M80000000,1:00"), "E02");
}

TEST(GdbSessionTest, VirtualAddressesAreTranslated) {
  Debugged d;
  d.poke(0x2000, 0x11223344);
  d.engine.mmu().set_tlbhi(0xc00000c0);
  d.engine.mmu().set_tlblo(0x2000);
  d.engine.state().msr |= msr::kVm;
  d.engine.state_changed();
  EXPECT_EQ(d.ask("mc0000000,4"), "44332211");
  EXPECT_EQ(d.ask("md0000000,4"), "E02");
}

TEST(GdbSessionTest, BreakpointsAndWatchpointsComeAndGo) {
  Debugged d;
  for (const char* type : {"0", "1"}) {
    EXPECT_EQ(d.ask("Z" + std::string(type) + ",1004,4"), "OK");
    EXPECT_EQ(d.engine.breakpoints().count(0x1004), 1u);
    EXPECT_EQ(d.ask("z" + std::string(type) + ",1004,4"), "OK");
    EXPECT_TRUE(d.engine.breakpoints().empty());
  }
  EXPECT_EQ(d.ask("Z2,2000,4"), "OK");
  d.r(4) = 0x2000;
  d.load("swi r5, r4, 0");
  EXPECT_EQ(d.run().exit, Engine::Exit::kWatchpoint);
  EXPECT_EQ(d.session.stopped_by_watchpoint(), "T05thread:1;watch:2000;");
  EXPECT_EQ(d.ask("z2,2000,4"), "OK");
  EXPECT_TRUE(d.engine.memory().watchpoints().empty());
  EXPECT_EQ(d.ask("Z2,2000,0"), "E01");
  EXPECT_EQ(d.ask("Z9,2000,4"), "");
}

TEST(GdbSessionTest, WatchpointsOfAnyLengthWithinTheAddressSpace) {
  Debugged d;
  for (const char* range : {"2000,1", "2000,2", "0,ffffffff", "ffffffff,1", "fffffff0,10"}) {
    EXPECT_EQ(d.ask(std::string("Z2,") + range), "OK") << range;
    EXPECT_EQ(d.engine.memory().watchpoints().size(), 1u) << range;
    EXPECT_EQ(d.ask(std::string("z2,") + range), "OK") << range;
    EXPECT_TRUE(d.engine.memory().watchpoints().empty()) << range;
  }
  for (const char* range : {"2000,0", "ffffffff,2", "fffffff0,11", "1,ffffffff0"})
    EXPECT_EQ(d.ask(std::string("Z2,") + range), "E01") << range;
  EXPECT_TRUE(d.engine.memory().watchpoints().empty());
}

TEST(GdbSessionTest, AWatchpointIsRemovedByItsKindPlaceAndLength) {
  Debugged d;
  for (const char* wrong : {"z3,2000,4", "z4,2000,4", "z2,2000,2", "z2,2004,4"}) {
    EXPECT_EQ(d.ask("Z2,2000,4"), "OK");
    EXPECT_EQ(d.ask(wrong), "OK");
    ASSERT_EQ(d.engine.memory().watchpoints().size(), 1u) << wrong;
  }
  const Watchpoint& only = d.engine.memory().watchpoints().front();
  EXPECT_EQ(only.first, 0x2000u);
  EXPECT_EQ(only.last, 0x2003u);
  EXPECT_EQ(d.ask("z2,2000,4"), "OK");
  EXPECT_TRUE(d.engine.memory().watchpoints().empty());
}

TEST(GdbSessionTest, SixtyFourWatchpointsAreThere) {
  Debugged d;
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(d.ask(fmt::format("Z4,{:x},4", 0x2000 + 4 * i)), "OK");
  EXPECT_EQ(d.ask("Z4,3000,4"), "E01");
  EXPECT_EQ(d.ask("Z4,2000,4"), "OK") << "one of them again";
  EXPECT_EQ(d.engine.memory().watchpoints().size(), 64u);
  EXPECT_EQ(d.ask("z4,2004,4"), "OK");
  EXPECT_EQ(d.ask("Z4,3000,4"), "OK");
}

TEST(GdbSessionTest, AWatchpointIsHitByWhatTouchesItAndIsOfItsKind) {
  struct Case {
    const char* watched;
    const char* access;
    const char* answer;  // "" where it is not hit
  };
  for (const Case& each : {Case{"Z2,2004,4", "sbi r5, r4, 3", ""},
                           Case{"Z2,2004,4", "sbi r5, r4, 4", "T05thread:1;watch:2004;"},
                           Case{"Z2,2004,4", "sbi r5, r4, 7", "T05thread:1;watch:2007;"},
                           Case{"Z2,2004,4", "sbi r5, r4, 8", ""},
                           Case{"Z2,2006,1", "swi r5, r4, 4", "T05thread:1;watch:2004;"},
                           Case{"Z2,2004,4", "lwi r5, r4, 4", ""},
                           Case{"Z3,2004,4", "lwi r5, r4, 4", "T05thread:1;rwatch:2004;"},
                           Case{"Z3,2004,4", "swi r5, r4, 4", ""},
                           Case{"Z4,2004,4", "lhui r5, r4, 6", "T05thread:1;awatch:2006;"},
                           Case{"Z4,2004,4", "shi r5, r4, 6", "T05thread:1;awatch:2006;"}}) {
    Debugged d;
    EXPECT_EQ(d.ask(each.watched), "OK");
    d.r(4) = 0x2000;
    d.load(each.access);
    const bool hit = d.run().exit == Engine::Exit::kWatchpoint;
    EXPECT_EQ(hit ? d.session.stopped_by_watchpoint() : "", each.answer)
        << each.watched << ", " << each.access;
  }
}

TEST(GdbSessionTest, ResumptionIsAnOrder) {
  Debugged d;
  EXPECT_EQ(d.session.handle("c").action, GdbSession::Action::kContinue);
  EXPECT_EQ(d.session.handle("s").action, GdbSession::Action::kStep);
  EXPECT_EQ(d.session.handle("vCont;s:1;c").action, GdbSession::Action::kStep);
  EXPECT_EQ(d.session.handle("D").action, GdbSession::Action::kDetach);
  EXPECT_EQ(d.session.handle("k").action, GdbSession::Action::kKill);
  d.session.handle("c2000");
  EXPECT_EQ(d.engine.state().pc, 0x2000u);
}

TEST(GdbSessionTest, MonitorAnswersAndListsItsCommands) {
  Debugged d;
  d.session.add_monitor("gpu", "state of the GPGPU",
                        [](const std::string& arguments) { return "gpu " + arguments; });
  const auto monitor = [&](const std::string& text) {
    std::vector<uint8_t> bytes;
    gdb_from_hex(d.ask("qRcmd," + gdb_to_hex(text.data(), text.size())), bytes);
    return std::string(bytes.begin(), bytes.end());
  };
  EXPECT_EQ(monitor("gpu 1 2"), "gpu 1 2");
  EXPECT_THAT(monitor("help"), HasSubstr("state of the GPGPU"));
}

TEST(GdbSessionTest, UnknownPacketsGetTheEmptyAnswer) {
  Debugged d;
  for (const char* packet : {"", "vMustReplyEmpty", "!", "qNonsense", "b"})
    EXPECT_EQ(d.ask(packet), "") << packet;
}

TEST(GdbSessionTest, MalformedPacketsNeverCrash) {
  Log::configure("off");
  constexpr const char* kStarts[] = {"m",     "M",      "X",   "p",
                                     "P",     "G",      "Z0,", "z1,",
                                     "Z2",    "c",      "s",   "vCont;",
                                     "qRcmd", "qXfer:", "H",   "g",
                                     "q",     "v",      "Z3,", "qXfer:features:read:target.xml:"};
  constexpr char kLetters[] = "0123456789abcdef,:;=#$}*\x03\x00zZgG+-";
  const uint32_t seed = gvp::test::seed(42);
  std::mt19937 random(seed);
  Debugged d;
  GdbPacketParser parser;
  for (int i = 0; i < 200000; ++i) {
    std::string packet = random() % 4 == 0 ? "" : kStarts[random() % std::size(kStarts)];
    for (unsigned n = static_cast<unsigned>(random() % 24); n > 0; --n)
      packet += random() % 8 == 0 ? static_cast<char>(random())
                                  : kLetters[random() % (sizeof kLetters - 1)];
    d.session.handle(packet);
    const std::string bytes = random() % 2 == 0 ? packet : gdb_frame(packet);
    for (const GdbEvent& event : parser.feed(bytes.data(), bytes.size()))
      if (event.kind == GdbEvent::Kind::kPacket) d.session.handle(event.data);
  }
  EXPECT_EQ(d.ask("qC"), "QC1") << gvp::test::text_of_seed(seed);
}

}  // namespace
}  // namespace gvp::host::test

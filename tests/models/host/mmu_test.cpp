// SPDX-License-Identifier: Apache-2.0
// Translation, protection and the TLB's registers (UG984 "Virtual-Memory Management").
#include <gtest/gtest.h>

#include "models/base/log.h"
#include "tests/models/host/machine.h"

namespace gvp::host::test {
namespace {

constexpr uint32_t kValid = 0x40;
constexpr uint32_t kExecutable = 0x200;
constexpr uint32_t kWritable = 0x100;
uint32_t size_field(unsigned n) { return n << 7; }

struct Entry {
  uint32_t high;
  uint32_t low;
  uint32_t pid = 0;
};

void add(Mmu& mmu, unsigned index, const Entry& entry) {
  mmu.set_tlbx(index);
  mmu.set_pid(entry.pid);
  mmu.set_tlbhi(entry.high);
  mmu.set_tlblo(entry.low);
}

TEST(MmuTest, EveryPageSizeTranslates) {
  for (unsigned n = 0; n < 8; ++n) {
    const uint32_t bytes = 1024u << (2 * n);
    Mmu mmu(16);
    add(mmu, 5, {0xc0000000 | size_field(n) | kValid, 0x40000000 | kWritable});
    const Translation inside = mmu.translate(0xc0000000 + bytes - 4, Access::kRead, false);
    EXPECT_EQ(inside.result, Translation::Result::kOk);
    EXPECT_EQ(inside.physical, 0x40000000 + bytes - 4);
    EXPECT_EQ(inside.page_bytes, bytes);
    EXPECT_EQ(mmu.translate(0xc0000000 + bytes, Access::kRead, false).result,
              Translation::Result::kMiss);
  }
}

TEST(MmuTest, InvalidEntryDoesNotMatch) {
  Mmu mmu(16);
  add(mmu, 0, {0xc0000000 | size_field(1), 0});
  EXPECT_EQ(mmu.translate(0xc0000000, Access::kRead, false).result, Translation::Result::kMiss);
}

TEST(MmuTest, ProcessIdentifierMustMatchUnlessTheEntryIsGlobal) {
  Mmu mmu(16);
  add(mmu, 0, {0x1000 | size_field(1) | kValid, 0x5000, 7});
  add(mmu, 1, {0x2000 | size_field(1) | kValid, 0x6000, 0});
  mmu.set_pid(7);
  EXPECT_EQ(mmu.translate(0x1000, Access::kRead, true).result, Translation::Result::kDenied)
      << "zone 0 of ZPR = 0 denies user mode";
  mmu.set_zpr(0x40000000);
  EXPECT_EQ(mmu.translate(0x1000, Access::kRead, true).physical, 0x5000u);
  mmu.set_pid(8);
  EXPECT_EQ(mmu.translate(0x1000, Access::kRead, true).result, Translation::Result::kMiss);
  EXPECT_EQ(mmu.translate(0x2000, Access::kRead, true).physical, 0x6000u);
}

struct ZoneCase {
  uint32_t zone;
  bool user;
  bool read, write_to_read_only, execute_not_executable;
};
// UG984 table "Zone Protection Register", for a page without WR and EX.
constexpr ZoneCase kZones[] = {
    {0, true, false, false, false}, {1, true, true, false, false},  {2, true, true, false, false},
    {3, true, true, true, true},    {0, false, true, false, false}, {1, false, true, false, false},
    {2, false, true, true, true},   {3, false, true, true, true},
};

TEST(MmuTest, ZonesOverrideTheProtectionOfPages) {
  for (const ZoneCase& c : kZones) {
    Mmu mmu(16);
    constexpr uint32_t kZoneNumber = 5;
    mmu.set_zpr(c.zone << (30 - 2 * kZoneNumber));
    add(mmu, 0, {0x1000 | size_field(1) | kValid, 0x5000 | kZoneNumber << 4});
    const auto allowed = [&](Access access) {
      return mmu.translate(0x1000, access, c.user).result == Translation::Result::kOk;
    };
    EXPECT_EQ(allowed(Access::kRead), c.read) << c.zone << c.user;
    EXPECT_EQ(allowed(Access::kWrite), c.write_to_read_only) << c.zone << c.user;
    EXPECT_EQ(allowed(Access::kExecute), c.execute_not_executable) << c.zone << c.user;
  }
}

TEST(MmuTest, ZonesThatDoNotExistGiveFullAccess) {
  Mmu mmu(2);
  mmu.set_zpr(0xffffffff);
  EXPECT_EQ(mmu.zpr(), 0xf0000000u);
  mmu.set_zpr(0);
  add(mmu, 0, {0x1000 | size_field(1) | kValid, 0x5000 | 2 << 4});
  EXPECT_EQ(mmu.translate(0x1000, Access::kWrite, true).result, Translation::Result::kOk);
}

TEST(MmuTest, SearchFindsTheIndexOrSetsTheMissBit) {
  Mmu mmu(16);
  add(mmu, 42, {0xc0000000 | size_field(1) | kValid, 0});
  mmu.search(0xc0000ffc);
  EXPECT_EQ(mmu.tlbx(), 42u);
  mmu.search(0xd0000000);
  EXPECT_EQ(mmu.tlbx() >> 31, 1u);
}

TEST(MmuTest, ReadingAnEntryRestoresItsProcessIdentifier) {
  Mmu mmu(16);
  add(mmu, 3, {0xc0000000 | size_field(2) | kValid, 0x123 << 10, 9});
  mmu.set_pid(1);
  EXPECT_EQ(mmu.read_tlbhi(false), 0xc0000000u | size_field(2) | kValid);
  EXPECT_EQ(mmu.pid(), 9u);
}

// ---- through the processor

// Virtual 0xc0000000..: code of the machine (physical 0x1000), read only data at 0xc0001000
// (physical 0x2000), writable at 0xc0002000 (physical 0x3000).
struct Virtual : Machine {
  Virtual() {
    Log::configure("off");
    Mmu& mmu = engine.mmu();
    mmu.set_zpr(0x55555555);
    add(mmu, 0, {0xc0000000 | size_field(1) | kValid, 0x1000 | kExecutable});
    add(mmu, 1, {0xc0001000 | size_field(1) | kValid, 0x2000});
    add(mmu, 2, {0xc0002000 | size_field(1) | kValid, 0x3000 | kWritable});
    poke(0x20, assemble("bri 0"));
    engine.state().msr = msr::kVm | msr::kEe;
    engine.state_changed();
  }
  void execute_virtual(std::string_view text) {
    load(text);
    engine.state().pc = 0xc0000000;
    run();
  }
  bool trapped() { return engine.state().pc == 0x20; }
};

TEST(VirtualModeTest, CodeAndDataAreTranslated) {
  Virtual m;
  m.poke(0x2010, 1234);
  m.r(4) = 0xc0001000;
  m.execute_virtual("lwi r5, r4, 16\n swi r5, r4, 0x1020\n brlid r15, 8\n nop");
  EXPECT_FALSE(m.trapped());
  EXPECT_EQ(m.r(5), 1234u);
  EXPECT_EQ(m.peek(0x3020), 1234u);
  EXPECT_EQ(m.r(15), 0xc0000008u) << "links are virtual";
}

TEST(VirtualModeTest, DataMissReportsAddressAndRestartsTheInstruction) {
  for (const bool store : {false, true}) {
    Virtual m;
    m.r(4) = 0xd0000000;
    m.execute_virtual(std::string("nop\n") + (store ? "swi r5, r4, 4" : "lwi r5, r4, 4"));
    ASSERT_TRUE(m.trapped());
    EXPECT_EQ(m.engine.state().esr, store ? 0x412u : 0x12u);
    EXPECT_EQ(m.engine.state().ear, 0xd0000004u);
    EXPECT_EQ(m.r(17), 0xc0000004u);
    EXPECT_EQ(m.engine.state().msr & (msr::kVm | msr::kVms), msr::kVms);
  }
}

TEST(VirtualModeTest, MissRestartsAtTheImmPrefixAndAtTheBranch) {
  Virtual m;
  m.execute_virtual("nop\n imm 0xd000\n lwi r5, r0, 4");
  EXPECT_EQ(m.r(17), 0xc0000004u);
  Virtual slot;
  slot.r(4) = 0xd0000000;
  slot.execute_virtual("nop\n imm 0\n brlid r15, 32\n lwi r5, r4, 4");
  EXPECT_EQ(slot.r(17), 0xc0000004u);
  EXPECT_EQ(slot.engine.state().esr, 0x1012u);
  EXPECT_EQ(slot.engine.state().btr, 0xc0000028u);
}

TEST(VirtualModeTest, WriteToReadOnlyPageIsADataStorageException) {
  Virtual m;
  m.r(4) = 0xc0001000;
  m.execute_virtual("lwi r5, r4, 0\n swi r5, r4, 0");
  ASSERT_TRUE(m.trapped());
  EXPECT_EQ(m.engine.state().esr, 0x410u);
  EXPECT_EQ(m.r(17), 0xc0000004u);
}

TEST(VirtualModeTest, ZoneDenialSetsItsFlag) {
  Virtual m;
  m.engine.mmu().set_zpr(0);
  m.engine.state().msr |= msr::kUm;
  m.engine.state_changed();
  m.execute_virtual("nop");
  ASSERT_TRUE(m.trapped());
  EXPECT_EQ(m.engine.state().esr, 0x811u);
}

TEST(VirtualModeTest, FetchMissAndFetchFromDataAreTheirOwnExceptions) {
  Virtual miss;
  miss.r(4) = 0xd0000000;
  miss.execute_virtual("bra r4");
  EXPECT_EQ(miss.engine.state().esr, 0x13u);
  EXPECT_EQ(miss.r(17), 0xd0000000u);
  EXPECT_EQ(miss.engine.state().ear, 0xd0000000u);
  Virtual data;
  data.r(4) = 0xc0001000;
  data.execute_virtual("bra r4");
  EXPECT_EQ(data.engine.state().esr, 0x11u);
}

// The last word of a page is executed, the next page is not there.
void run_off_the_page(Virtual& m, const std::string& last) {
  m.load(last, 0x1ffc);
  m.engine.mmu().set_tlbx(1);
  m.engine.mmu().set_tlbhi(0);
  m.engine.state_changed();
  m.engine.state().pc = 0xc0000ffc;
  m.run();
  ASSERT_TRUE(m.trapped());
}

TEST(VirtualModeTest, AWordThatCannotBeFetchedRestartsAtItsImm) {
  Virtual m;
  run_off_the_page(m, "imm 5");
  EXPECT_EQ(m.engine.state().esr, 0x13u);
  EXPECT_EQ(m.r(17), 0xc0000ffcu);
}

// The operating system's daily work; what is on the bus is another matter.
TEST(VirtualModeTest, AMissIsNotWorthAMessage) {
  Virtual m;
  Log::configure("warning:host");
  std::vector<std::string> lines;
  Log::set_sink([&](LogLevel, const std::string& line) { lines.push_back(line); });
  m.r(4) = 0xd0000000;
  m.execute_virtual("bra r4");
  EXPECT_TRUE(m.trapped());
  EXPECT_TRUE(lines.empty()) << lines[0];
  m.engine.state().msr = msr::kEe;
  m.engine.state_changed();
  m.engine.state().pc = 0xc0000000;
  m.run();
  Log::set_sink(nullptr);
  Log::configure("off");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("instruction bus error: fetch of 0xc0000000"), std::string::npos)
      << lines[0];
}

TEST(VirtualModeTest, SlotThatCannotBeFetchedRestartsAtItsBranch) {
  Virtual m;
  run_off_the_page(m, "brid 8");
  EXPECT_EQ(m.engine.state().esr, 0x1013u);
  EXPECT_EQ(m.r(17), 0xc0000ffcu);
  EXPECT_EQ(m.engine.state().ear, 0xc0001000u);
}

TEST(VirtualModeTest, ChangedEntryTakesEffectAtOnce) {
  Virtual m;
  m.poke(0x2000, 1);
  m.poke(0x4000, 2);
  m.r(4) = 0xc0001000;
  m.r(6) = 1;
  m.r(7) = 0x4000;
  m.execute_virtual("lwi r5, r4, 0\n mts rtlbx, r6\n mts rtlblo, r7\n lwi r8, r4, 0");
  EXPECT_EQ(m.r(5), 1u);
  EXPECT_EQ(m.r(8), 2u);
}

TEST(VirtualModeTest, MissPriorityIsAboveUnaligned) {
  Virtual m;
  m.r(4) = 0xd0000001;
  m.execute_virtual("lwi r5, r4, 0");
  EXPECT_EQ(m.engine.state().esr & 31, 0x12u);
}

TEST(VirtualModeTest, OneKilobytePagesAreKeptApart) {
  Virtual m;
  add(m.engine.mmu(), 1, {0xc0001000 | size_field(0) | kValid, 0x2000});
  add(m.engine.mmu(), 3, {0xc0001400 | size_field(0) | kValid, 0x5400});
  m.engine.state_changed();
  m.poke(0x2000, 1);
  m.poke(0x5400, 2);
  m.r(4) = 0xc0001000;
  m.execute_virtual("lwi r5, r4, 0\n lwi r6, r4, 0x400\n lwi r7, r4, 0");
  EXPECT_EQ(m.r(5), 1u);
  EXPECT_EQ(m.r(6), 2u);
  EXPECT_EQ(m.r(7), 1u);
}

TEST(VirtualModeTest, SameCodeAtTwoAddressesLinksWhereItRuns) {
  Virtual m;
  add(m.engine.mmu(), 4, {0xe0000000 | size_field(1) | kValid, 0x1000 | kExecutable});
  m.engine.state_changed();
  m.load("brlid r15, 8\n nop");
  m.engine.state().pc = 0xc0000000;
  m.run();
  EXPECT_EQ(m.r(15), 0xc0000000u);
  m.engine.state().pc = 0xe0000000;
  m.run();
  EXPECT_EQ(m.r(15), 0xe0000000u);
}

TEST(VirtualModeTest, ReturnToUserModeSwitchesTranslationOn) {
  Virtual m;
  m.engine.state().msr = msr::kVms | msr::kUms | msr::kEip;
  m.engine.state_changed();
  m.poke(0x2000, 77);
  m.load("lwi r5, r4, 0", 0x1100);
  m.load("rted r6, 0\n nop");
  m.r(4) = 0xc0001000;
  m.r(6) = 0xc0000100;
  m.engine.state().pc = 0x1000;
  m.run();
  EXPECT_EQ(m.r(5), 77u);
  EXPECT_EQ(m.engine.state().pc, 0xc0000104u);
}

}  // namespace
}  // namespace gvp::host::test

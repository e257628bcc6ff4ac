// SPDX-License-Identifier: Apache-2.0
// --check, --break and --log warp as a user runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/cubin.h"
#include "tests/end_to_end/program.h"

namespace gvp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Result run_source(const std::string& body, std::vector<std::string> options) {
  const std::string file = temporary("checked.hex");
  write(file, gpgpu::g80::to_hex(gpgpu::g80::assemble(body, "test").kernels.at(0).code));
  std::vector<std::string> all = {"--code", file, "--regs",  "8",  "--shared", "1024",
                                  "--grid", "2",  "--block", "64", "--param",  "0"};
  all.insert(all.end(), options.begin(), options.end());
  return run("gpgpu-run", all);
}

// Neighbouring warps exchange words through shared memory; with or without the barrier between.
std::string exchange(const std::string& between) {
  return R"(
    I2I.U32.U16 R1, R0L;
    SHL R2, R1, 0x2;
    R2A A1, R2, 0x0;
    R2G.U32.U32 g[A1+0x10], R1;
)" + between +
         R"(
    MVI R3, 0x20;
    LOP.XOR R4, R1, R3;
    SHL R4, R4, 0x2;
    R2A A2, R4, 0x0;
    MOV R5, g [A2+0x10];
    GST.U32 global14[R2], R5;
    RET;
)";
}

TEST(CheckTest, ACorrectKernelHasNoProblem) {
  const Result result =
      run_source(exchange("BAR.ARV.WAIT b0, 0xfff;"), {"--check", "--buffer", "out=0:256"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("check found 0 problems"));
}

TEST(CheckTest, AMissingBarrierIsARace) {
  for (const char* timing : {"lt", "at"}) {
    const Result result =
        run_source(exchange(""), {"--check", "--timing", timing, "--set", "gpgpu.null_page=false"});
    EXPECT_EQ(result.exit_code, 125) << timing;
    EXPECT_THAT(result.err, AllOf(HasSubstr("race:"), HasSubstr("since the last barrier")));
  }
}

// All threads count in one word, after the first warp has done what `first` says.
Result count_in_one_word(const std::string& first, const std::string& behind) {
  return run_source(
      "MVI R1, 0x200;\n MVI R2, 0x1;\n I2I.U32.U16 R3, R0L;\n MVI R4, 0x20;\n"
      "ISET.C0 o[0x7f], R3, R4, LT;\n" +
          first + "GRED.IADD global14[R1], R2;\n GATOM.IADD R5, global14[R1], R2;\n" + behind +
          "RET;\n",
      {"--check", "--set", "gpgpu.device_extensions=true"});
}

TEST(CheckTest, AtomicOperationsAreNoRaceAmongThemselves) {
  const Result result = count_in_one_word("", "");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("check found 0 problems"));
  for (const char* access :
       {"GST.U32 global14[R1] (C0.NE), R2;\n", "GLD.U32 R6 (C0.NE), global14[R1];\n"}) {
    EXPECT_THAT(count_in_one_word(access, "").err, HasSubstr("race:")) << access;
    EXPECT_THAT(count_in_one_word("", access).err, HasSubstr("race:")) << access;
  }
}

// The same in shared memory, where an operation is a loop.
Result count_in_shared_word(const std::string& first, const std::string& behind) {
  return run_source(
      "MVI R2, 0x1;\n I2I.U32.U16 R3, R0L;\n MVI R4, 0x20;\n MVI R6, 0x200;\n"
      "ISET.C0 o[0x7f], R3, R4, LT;\n" +
          first +
          "SSY done;\n again: G2R.LOCK.C1 R1, s[0x60];\n IADD R5, R1, R2;\n"
          "R2G.UNLOCK s[0x60] (C1.NE), R5;\n BRA C1.EQ, again;\n done: NOP.S;\n" +
          behind + "RET;\n",
      {"--check", "--set", "gpgpu.device_extensions=true"});
}

TEST(CheckTest, AtomicOperationsOnSharedMemoryAreNoRaceAmongThemselves) {
  // Whether the word is free does not depend on what is in it; nobody looks at that.
  const Result result = count_in_shared_word("", "");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("check found 0 problems"));
  EXPECT_THAT(count_in_shared_word("", "GST.U32 global14[R6], R1;\n").err,
              HasSubstr("uninitialised shared memory"));
  const std::string clear = "R2G.U32.U32 s[0x60] (C0.NE), R2;\n BAR;\n";
  EXPECT_EQ(count_in_shared_word(clear, "GST.U32 global14[R6] (C0.NE), R2;\n").exit_code, 0);
  for (const char* access : {"R2G.U32.U32 s[0x60] (C0.NE), R2;\n", "MOV R7 (C0.NE), s[0x60];\n"}) {
    EXPECT_THAT(count_in_shared_word(clear + access, "").err, HasSubstr("race:")) << access;
    EXPECT_THAT(count_in_shared_word(clear, access).err, HasSubstr("race:")) << access;
  }
}

// The first thread of each warp takes the lock at R2 (R3 has its number), changes a word and gives
// the lock back; then it does what `behind` says.
Result change_under_lock(const std::string& lock, const std::string& give,
                         const std::string& behind, const char* timing) {
  return run_source(
      "MVI R1, 0x200;\n MVI R4, 0x0;\n MVI R5, 0x1;\n MVI R6, 0x1f;\n I2I.U32.U16 R3, R0L;\n" +
          lock +
          "LOP.AND.C0 R6, R3, R6;\n SSY done;\n BRA C0.NE, done;\n"
          "again: GATOM.CAS R7, global14[R2], R4, R5;\n ISET.C1 o[0x7f], R7, R4, NE;\n"
          "BRA C1.NE, again;\n GLD.U32 R3, global14[R1];\n IADD R3, R3, R5;\n"
          "GST.U32 global14[R1], R3;\n" +
          give + behind + "done: NOP.S;\n RET;\n",
      {"--check", "--timing", timing, "--set", "gpgpu.device_extensions=true"});
}

TEST(CheckTest, WhatALockProtectsIsNoRace) {
  const std::string lock = "MVI R2, 0x300;\n";
  const std::string lock_of_warp = "SHR R2, R3, 0x3;\n MVI R7, 0x300;\n IADD R2, R2, R7;\n";
  const std::string exchange = "GATOM.EXCH R7, global14[R2], R4;\n";
  const std::string subtract = "MVI R6, 0xffffffff;\n GRED.IADD global14[R2], R6;\n";
  for (const char* timing : {"lt", "at"}) {
    for (const std::string& give : {exchange, subtract}) {
      const Result fine = change_under_lock(lock, give, "", timing);
      EXPECT_EQ(fine.exit_code, 0) << timing << "\n" << give << fine.err;
      EXPECT_THAT(fine.err, HasSubstr("check found 0 problems"));
      const std::string store = "GST.U32 global14[R1], R5;\n";
      EXPECT_THAT(change_under_lock(lock, give, store, timing).err, HasSubstr("race:")) << give;
      EXPECT_THAT(change_under_lock(lock_of_warp, give, "", timing).err, HasSubstr("race:"))
          << give;
    }
  }
}

// In shared memory a load takes the word and a store gives it back; what is done between protects
// another word in shared memory.
TEST(CheckTest, WhatALockInSharedMemoryProtectsIsNoRace) {
  const auto change = [](const std::string& locked, const std::string& behind) {
    return run_source(
        "MVI R2, 0x1;\n MVI R6, 0x1f;\n I2I.U32.U16 R3, R0L;\n LOP.AND.C0 R6, R3, R6;\n"
        "R2G.U32.U32 s[0x60], R2;\n R2G.U32.U32 s[0x70], R2;\n BAR;\n"
        "SSY done;\n again: G2R.LOCK.C1 R1, s[0x60];\n" +
            locked + "R2G.UNLOCK s[0x60] (C1.NE), R5;\n BRA C1.EQ, again;\n done: NOP.S;\n" +
            behind + "RET;\n",
        {"--check", "--set", "gpgpu.device_extensions=true"});
  };
  const std::string add =
      "MOV R5 (C1.NE), s[0x70];\n IADD R5 (C1.NE), R5, R2;\n"
      "R2G.U32.U32 s[0x70] (C1.NE), R5;\n";
  const Result fine = change(add, "");
  EXPECT_EQ(fine.exit_code, 0) << fine.err;
  EXPECT_THAT(fine.err, HasSubstr("check found 0 problems"));
  EXPECT_THAT(change("IADD R5, R1, R2;\n", add).err, HasSubstr("race:"));
}

// A barrier ends what is known of the order: what is behind it is not before what others did there.
TEST(CheckTest, AnOrderFromBeforeABarrierIsNoneBehindIt) {
  const Result result = count_in_one_word(
      "", "BAR;\n MVI R6, 0x400;\n IADD R7, R3, R2;\n GST.U32 global14[R6], R7;\n");
  EXPECT_THAT(result.err, HasSubstr("race: write"));
}

// Both warps store to one word, shared or global, and load it; `value` makes what they store in R4.
Result store_in_one_word(const std::string& value, const std::string& store,
                         const std::string& load) {
  return run_source("MVI R1, 0x200;\n I2I.U32.U16 R3, R0L;\n" + value + store + load + "RET;\n",
                    {"--check"});
}

TEST(CheckTest, StoresOfOneValueAreNoRace) {
  const std::string same = "MVI R4, 0x12345;\n";
  const std::string other = "SHR R4, R3, 0x5;\n";  // the number of the warp
  const std::pair<const char*, const char*> accesses[] = {
      {"GST.U32 global14[R1], R4;\n", "GLD.U32 R5, global14[R1];\n"},
      {"GST.U8 global14[R1], R4;\n", "GLD.U8 R5, global14[R1];\n"},
      {"R2G.U32.U32 g[0x10], R4;\n", "MOV R5, g [0x10];\n"}};
  for (const auto& [store, load] : accesses) {
    const Result fine = store_in_one_word(same, store, load);
    EXPECT_EQ(fine.exit_code, 0) << store << fine.err;
    EXPECT_THAT(store_in_one_word(other, store, "").err, HasSubstr("race: write")) << store;
    // One warp alone stores, both load.
    const std::string alone = std::string(store).insert(std::string(store).find(','), " (C0.NE)");
    const std::string compare = same + "MVI R6, 0x20;\n ISET.C0 o[0x7f], R3, R6, LT;\n";
    EXPECT_THAT(store_in_one_word(compare, alone, load).err, HasSubstr("race: read")) << alone;
  }
}

// Behind a barrier both warps load the word that the first thread has stored before, if it `fills`
// it, and the first warp stores there what is in R4, or what it has loaded in R5.
Result store_back(const std::string& fill, const std::string& stored, const std::string& load) {
  return run_source(
      "I2I.U32.U16 R3, R0L;\n MVI R4, 0x12345;\n MVI R6, 0x20;\n MVI R7, 0x1;\n"
      "ISET.C0 o[0x7f], R3, R7, LT;\n" +
          fill + "BAR;\n ISET.C0 o[0x7f], R3, R6, LT;\n" + load + "R2G.U32.U32 g[0x10] (C0.NE), " +
          stored + ";\n MOV R2, g [0x10];\n RET;\n",
      {"--check"});
}

TEST(CheckTest, WhatAWarpHasLoadedFromSharedMemoryMayBeStoredBack) {
  const std::string fill = "R2G.U32.U32 g[0x10] (C0.NE), R4;\n";
  const std::string load = "MOV R5, g [0x10];\n";
  for (const std::string& before : {fill, std::string()}) {
    const Result fine = store_back(before, "R5", load);
    EXPECT_EQ(fine.exit_code, 0) << before << fine.err;
    EXPECT_THAT(store_back(before, "R7", load).err, HasSubstr("race:")) << before;
  }
  // The same value, which the warp has not seen there.
  EXPECT_THAT(store_back(fill, "R4", "").err, HasSubstr("race:"));
}

TEST(CheckTest, DevicesWithoutExtensionsSayWhatTheyLack) {
  const Result result = run_source("MVI R1, 0x200;\n GRED.IADD global14[R1], R1;\n RET;\n", {});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_THAT(result.err, AllOf(HasSubstr("illegal instruction"),
                                HasSubstr("GRED.IADD global14[R1], R1 is for devices with "
                                          "gpgpu.device_extensions")));
}

TEST(CheckTest, RegistersReadBeforeTheyAreWrittenAreFound) {
  const Result result = run_source(
      "MVI R3, 0x200;\n IADD R1, R2, R3;\n GST.U32 global14[R3], R1;\n RET;\n", {"--check"});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_THAT(result.err, AllOf(HasSubstr("uninitialised register: R2"), HasSubstr("pc 0x0008"),
                                HasSubstr("found 1 problem")));
}

TEST(CheckTest, AHalfThatIsWrittenIsNotTheOther) {
  const Result result = run_source(
      "MOV.U16 R1L, R0L;\n IADD.U16 R2L, R1L, R0H;\n IADD.U16 R3L, R1H, R0L;\n"
      "MVI R4, 0x200;\n GST.U8 global14[R4], R3;\n RET;\n",
      {"--check"});
  EXPECT_THAT(result.err, AllOf(HasSubstr("R1H is read"), Not(HasSubstr("R1L is read"))));
}

// R1 is what nothing was written to, or came of it.
TEST(CheckTest, WhatIsNotKnownIsFoundWhereItMatters) {
  const std::string sources[] = {"IADD R1, R3, R0;\n", "MOV R1, g [0x10];\n",
                                 "ISET.C1 o[0x7f], R3, R0, EQ;\n MVI R1, 0x200;\n"
                                 "MOV R1 (C1.NE), R2;\n",
                                 "R2G.U32.U32 g[0x18], R3;\n MOV R1, g [0x18];\n",
                                 "R2A A1, R3, 0x2;\n A2R R1, A1;\n"};
  const std::string uses[] = {"GST.U32 global14[R1], R2;\n",
                              "GST.U32 global14[R2], R1;\n",
                              "GLD.U32 R4, global14[R1];\n",
                              "R2A A2, R1, 0x0;\n MOV R4, g [A2+0x10];\n",
                              "ISET.C0 o[0x7f], R1, R0, EQ;\n BRA C0.NE, end;\n",
                              "ISET.C0 o[0x7f], R1, R0, EQ;\n GST.U32 global14[R2] (C0.NE), R2;\n"};
  const std::string unused[] = {"SHL R4, R1, 0x2;\n",
                                "MVI R1, 0x3;\n" + uses[1],
                                "LOP32I.AND R1, R1, 0x0;\n" + uses[1],
                                "LOP.AND R1, R124, R1;\n" + uses[1],
                                "GST.U32 global14[R2], R124;\n",
                                "MVI R4, 0xffffffff;\n LOP.OR R1, R4, R1;\n" + uses[1]};
  const auto run = [](const std::string& text) {
    return run_source("MVI R2, 0x200;\n" + text + "end: RET;\n",
                      {"--check", "--set", "gpgpu.null_page=false"});
  };
  for (const std::string& source : sources) {
    for (const std::string& use : uses)
      EXPECT_THAT(run(source + use).err, HasSubstr("check: uninitialised")) << source << use;
    for (const std::string& rest : unused)
      EXPECT_THAT(run(source + rest).err, HasSubstr("check found 0 problems")) << source << rest;
  }
}

TEST(CheckTest, SharedMemoryReadBeforeItIsWrittenIsFound) {
  const std::string store = "MVI R2, 0x200;\n GST.U32 global14[R2], R1;\n RET;\n";
  const Result result = run_source("MOV R1, g [0x10];\n" + store, {"--check"});
  EXPECT_THAT(result.err, HasSubstr("uninitialised shared memory: 0x40"));
  const Result header = run_source("MOV R1, g [0x4];\n MVI R2, 0x200;\n RET;\n", {"--check"});
  EXPECT_EQ(header.exit_code, 0) << "parameters are there from the start";
}

// A byte and three that belong to nothing: the word is read as what it is, a copy of a structure.
// Nine bits of a word in shared memory are written as a compiler writes a bit field, then `read`
// takes something of the word in R5.
Result read_bit_field(const std::string& read) {
  return run_source(
      "I2I.U32.U16 R1, R0L;\n SHL R2, R1, 0x2;\n R2A A1, R2, 0x0;\n LOP32I.AND R3, R1, 0x1ff;\n"
      "LOP32I.AND R4, g [A1+0xa], 0xfffffe00;\n LOP.OR R4, R4, R3;\n"
      "R2G.U32.U32 g[A1+0xa], R4;\n BAR;\n MOV R5, g [A1+0xa];\n" +
          read + "MVI R6, 0x200;\n IADD R2, R2, R6;\n GST.U32 global14[R2], R5;\n RET;\n",
      {"--check"});
}

TEST(CheckTest, BitFieldsInSharedMemoryMayBeWrittenOneByOne) {
  for (const char* read :
       {"LOP32I.AND R5, R5, 0x1ff;\n", "SHL R5, R5, 0x17;\n SHR R5, R5, 0x17;\n",
        "LOP32I.OR R5, R5, 0xfffffe00;\n", "MOV R5, g [A1+0x14].U16;\n LOP32I.AND R5, R5, 0x1f0;\n",
        "I2I.U32.U16 R5, R5L;\n SHL R5, R5, 0x17;\n", "I2I.U32.U8 R5, R5;\n",
        "IADD R5, R5, R1;\n LOP32I.AND R5, R5, 0x1ff;\n",
        "MVI R4, 0x1ff;\n R2G.U32.U32 g[0x18], R4;\n LOP.AND R5, g [0x18], R5;\n"}) {
    const Result fine = read_bit_field(read);
    EXPECT_EQ(fine.exit_code, 0) << read << fine.err;
  }
  for (const char* read :
       {"", "LOP32I.AND R5, R5, 0x3ff;\n", "SHR R5, R5, 0x9;\n", "SHL R5, R5, 0x16;\n",
        "LOP32I.OR R5, R5, 0xfffffc00;\n", "IADD R5, R5, R1;\n", "I2I.U32.U16 R5, R5L;\n",
        "I2I.S32.S16 R5, R5L;\n SHR R5, R5, 0x10;\n",
        "IADD R5, R5, R1;\n LOP32I.AND R5, R5, 0x3ff;\n",
        "LOP32I.AND R5, R5, 0x3ff;\n IADD R5, R5, R1;\n SHR R5, R5, 0xa;\n",
        "IADD.SAT R5, R5, R1;\n LOP32I.AND R5, R5, 0x1ff;\n",
        "MVI R4, 0x3ff;\n R2G.U32.U32 g[0x18], R4;\n LOP.AND R5, g [0x18], R5;\n"})
    EXPECT_THAT(read_bit_field(read).err, HasSubstr("uninitialised shared memory")) << read;
}

TEST(CheckTest, HolesOfStructuresInSharedMemoryMayBeRead) {
  const std::string copy =
      "MOV R1, g [0x10];\n MVI R2, 0x200;\n GST.U32 global14[R2], R1;\n RET;\n";
  const std::string byte = "MVI R3, 0x7;\n R2G.U32.U8 g[0x40], R3;\n";
  const Result result = run_source(byte + copy, {"--check"});
  EXPECT_THAT(result.err, HasSubstr("check found 0 problems"));
  const std::string unknown = "R2G.U32.U8 g[0x41], R5;\n";
  EXPECT_THAT(run_source(byte + unknown + copy, {"--check"}).err,
              HasSubstr("uninitialised register: R5"));
}

TEST(CheckTest, AccessesOutsideOfBuffersNameTheNearest) {
  const Result result =
      run_source(exchange("BAR.ARV.WAIT b0, 0xfff;"),
                 {"--check", "--buffer", "small=0:128", "--buffer", "far=0x8000:4"});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_THAT(result.err, HasSubstr("outside of buffers: 4 bytes at 0x80; nearest is small"));
}

TEST(CheckTest, TheNearestBufferOfAnAccessAcrossAnEndIsThatBuffer) {
  const Result result =
      run_source(exchange("BAR.ARV.WAIT b0, 0xfff;"),
                 {"--check", "--buffer", "far=0x8000:4", "--buffer", "small=0:126"});
  EXPECT_THAT(result.err, HasSubstr("outside of buffers: 4 bytes at 0x7c; nearest is small"));
}

// The second warp reads a word and ends, which completes a barrier of the first, behind which that
// writes the word.
TEST(CheckTest, TheEndOfAWarpMayCompleteABarrier) {
  const auto with = [](const std::string& barrier) {
    return run_source(
        "MVI R2, 0x1;\n I2I.U32.U16 R3, R0L;\n MVI R4, 0x20;\n MVI R6, 0x200;\n"
        "ISET.C0 o[0x7f], R3, R4, LT;\n R2G.U32.U32 s[0x60] (C0.NE), R2;\n BAR;\n"
        "BRA C0.NE, first;\n MOV R7, s[0x60];\n GST.U32 global14[R6], R7;\n RET;\n first: " +
            barrier + "R2G.U32.U32 s[0x60], R2;\n RET;\n",
        {"--check"});
  };
  const Result fine = with("BAR;\n");
  EXPECT_EQ(fine.exit_code, 0) << fine.err;
  EXPECT_THAT(fine.err, HasSubstr("check found 0 problems"));
  EXPECT_THAT(with("").err, HasSubstr("race:"));
}

// Some threads of each warp come to a barrier; the others, which are executed afterwards, do what
// `others` says and end.
Result leave_before_a_barrier(const std::string& others, const std::string& behind) {
  return run_source(
      "I2I.U32.U16 R1, R0L;\n MVI R3, 0x7;\n LOP.AND.C0 R2, R1, R3;\n MVI R4, 0x200;\n"
      "BRA C0.NE, main;\n GST.U32 global14[R4], R3;\n" +
          others + "RET;\n main: BAR.ARV.WAIT b0, 0xfff;\n" + behind + "RET;\n",
      {"--check"});
}

TEST(CheckTest, ThreadsThatEndAreNotMissedAtABarrier) {
  for (const char* behind : {"", "BAR.ARV.WAIT b0, 0xfff;\n"}) {
    const Result fine = leave_before_a_barrier("", behind);
    EXPECT_EQ(fine.exit_code, 0) << fine.err;
    EXPECT_THAT(fine.err, HasSubstr("check found 0 problems"));
  }
  EXPECT_THAT(leave_before_a_barrier("BAR.ARV.WAIT b0, 0xfff;\n", "").err,
              HasSubstr("divergent barrier"));
}

TEST(CheckTest, ABarrierInADivergentBranchIsFound) {
  const Result result = run_source(R"(
    I2I.U32.U16 R1, R0L;
    MVI R2, 0x10;
    ISET.S32.C0 o[0x7f], R1, R2, LT;
    SSY join;
    BRA C0.NE, join;
    BAR.ARV.WAIT b0, 0xfff;
join: NOP.S;
    RET;
)",
                                   {"--check"});
  EXPECT_THAT(result.err, HasSubstr("divergent barrier"));
}

TEST(BreakTest, ShowsTheStateOfTheFirstWarpThere) {
  const Result result = run_source(exchange(""), {"--break", "0x18"});
  EXPECT_EQ(result.exit_code, 124);
  EXPECT_THAT(result.out, AllOf(HasSubstr("break at pc 0x0018: R2G.U32.U32 g[A1+0x10], R1"),
                                HasSubstr("R1 = [0x0 0x1 0x2"), HasSubstr("active ffffffff")));
}

TEST(BreakTest, APlaceThatIsNeverReachedIsSaid) {
  const Result result = run_source("RET;\nNOP;\n", {"--break", "0x8"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("no warp has reached the breakpoint at 0x8"));
}

TEST(BreakTest, APlaceWhereNoInstructionBeginsIsRefused) {
  for (const char* place : {"0x4", "0x9", "0x100"}) {
    const Result result = run_source("RET;\n", {"--break", place});
    EXPECT_EQ(result.exit_code, 126);
    EXPECT_THAT(result.err, HasSubstr("no instruction of"));
  }
}

// R2A outside of the arm it is for: lanes that do not take the arm have no index, and use none.
TEST(CheckTest, AddressesThatAreComputedAndNotUsedAreNoProblem) {
  const std::string kernel = R"(
    I2I.U32.U16 R1, R0L;
    ISET.C0 o[0x7f], R1, c[0x1][0x0], LT;
    SHL R2 (C0.NE), R1, 0x2;
    R2A A1, R2, 0x0;
    R2G.U32.U32 g[A1+0x10] (%), R1;
    RET;
)";
  const auto with = [&](const std::string& guard) {
    std::string text = kernel;
    text.replace(text.find('%'), 1, guard);
    return run_source(text, {"--check", "--const", "1:0=20"});
  };
  const Result right = with("C0.NE");
  EXPECT_EQ(right.exit_code, 0) << right.err;
  const Result wrong = with("C0.TRUE");
  EXPECT_EQ(wrong.exit_code, 125);
  EXPECT_THAT(wrong.err, HasSubstr("A1 was computed from a register before anything was written"));
}

TEST(CheckTest, VariablesOfTheModuleAreBuffersToo) {
  const std::string source = temporary("variable.s");
  const std::string cubin = temporary("variable.cubin");
  write(source, R"(
.global counter, 4
.kernel k
.param out
    MVI R1, 0x7;
    MVC R2, c[0xe] [0x0];
    GST.U32 global14[R2], R1;
    MOV R3, g [0x4];
    GST.U32 global14[R3], R1;
    RET;
)");
  ASSERT_EQ(run("g80as", {source, "-o", cubin}).exit_code, 0);
  const Result result =
      run("gpgpu-run", {"--cubin", cubin, "--grid", "1", "--block", "1", "--param", "0x1000",
                        "--check", "--buffer", "out=0x1000:4"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::remove(source.c_str());
  std::remove(cubin.c_str());
}

TEST(WarpTraceTest, ShowsEachInstructionWithWhatItWrites) {
  const Result result =
      run_source("MVI R1, 0x5;\n ISET.C1 R2, R1, R0, EQ;\n RET;\n", {"--log", "warp"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("block (1, 0) warp 1: pc 0x0000 ffffffff: MVI R1, 0x5; R1 = 0x5"),
                    HasSubstr("C1 = ")));
}

TEST(WarpTraceTest, WatchingChangesNeitherResultsNorCycles) {
  const std::vector<std::string> dump = {"--dump", "0:256=-"};
  const Result plain = run_source(exchange("BAR.ARV.WAIT b0, 0xfff;"), dump);
  const Result watched =
      run_source(exchange("BAR.ARV.WAIT b0, 0xfff;"), {"--dump", "0:256=-", "--check"});
  EXPECT_EQ(plain.out, watched.out);
  EXPECT_THAT(watched.err, HasSubstr(plain.err.substr(plain.err.find("grid"))))
      << "the same summary line, cycles included";
}

}  // namespace
}  // namespace gvp::test

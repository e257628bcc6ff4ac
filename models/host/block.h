// SPDX-License-Identifier: Apache-2.0
// A decoded basic block: straight-line code, translated once into operations that the interpreter
// runs without looking at instruction words again.
//
// With address translation a block never crosses a 1 KiB boundary (the smallest page of the MMU),
// so that one translation serves all of it.  An imm prefix is folded into the instruction it
// extends.  A delay slot stands before its branch where their order does not matter, which is
// nearly always; otherwise prepare_branch evaluates the branch first.  Instructions without effect
// produce no operation.
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/decoder.h"

namespace gvp::host {

inline constexpr uint32_t kRegionBytes = 1024;

// clang-format off
enum class MicroOp : uint8_t {
#define GVP_MICRO_OP(name) name,  // NOLINT(readability-identifier-naming)
#include "models/host/micro_ops.def"
#undef GVP_MICRO_OP
  count  // NOLINT(readability-identifier-naming)
};
// clang-format on

// A handler of the interpreter, whose type is known there.
using Code = void (*)();

struct Op {
  Code code = nullptr;  // the handler
  uint8_t rd = 0;       // State::kSink for r0 as a destination
  uint8_t ra = 0;
  uint8_t rb = 0;
  uint8_t extra = 0;  // Operation where one handler serves several
  uint32_t imm = 0;
};
static_assert(sizeof(Op) == 16);

// Cycles from the beginning of a block to a place in it, in two ways: those of execution alone, to
// which accesses to memory add theirs while the block runs; and when the place is reached if no
// access takes any time, but each word has to be fetched.  Execution waits for both, so the later
// one counts: fetching goes on while an access is under way (Engine::reached()).
struct Elapsed {
  uint32_t executing = 0;
  uint32_t fetching = 0;
};

// Where an operation stands in the program: what an exception and the clock need.
struct Place {
  uint16_t word = 0;  // of the instruction (not of its imm), from the block's start
  uint16_t instructions_before = 0;
  Elapsed before;        // up to this instruction, which has been fetched
  Elapsed start;         // the same, but without its imm prefixes and fetches
  uint8_t prefixes = 0;  // imm instructions of this block that belong to it
  bool has_imm = false;
  bool in_slot = false;
  MicroOp op = MicroOp::dead;
};

// Counters of cycles (low half) and instructions (high half) in one word: one addition a block.
// Runs are shorter than 2^31 cycles, and an instruction takes at least one.
using Count = uint64_t;
constexpr Count make_count(uint64_t instructions, uint64_t cycles) {
  return instructions << 32 | cycles;
}
constexpr uint32_t cycles_of(Count count) { return static_cast<uint32_t>(count); }
constexpr uint32_t instructions_of(Count count) { return static_cast<uint32_t>(count >> 32); }

struct TranslatedBlock;

struct Block {
  const Op* first = nullptr;  // ops.data()
  uint32_t pc = 0;            // virtual address
  uint32_t physical = 0;
  uint32_t target = 0;   // of a direct branch
  uint32_t next_pc = 0;  // after the block, when it does not branch
  Count cost_taken = 0;  // of the whole block, executing
  Count cost_fall = 0;
  Count fetched_taken = 0;  // the same, fetching; 0 where that never takes longer
  Count fetched_fall = 0;
  Block* taken = nullptr;  // blocks at target and next_pc, once known
  Block* fall = nullptr;
  bool alive = true;
  bool kept = false;             // stays until its code changes: others may link to it
  bool taken_chainable = false;  // may be linked: the translation cannot differ
  bool fall_chainable = false;
  bool cached = false;        // decoded from the instruction cache
  bool has_accesses = false;  // operations that may take longer than their instructions' cycles
  bool prepared = false;      // the branch is evaluated before its slot
  uint8_t mode = 0;           // of address translation (MemoryPath::mode())
  uint8_t source = 0;         // of its words (DirectMemory::source)
  bool elsewhere = false;     // its words are counted each time, unlike those of most blocks

  // With the translator (jit/translator.h): executions left until this block is translated, its
  // translation if there is one, and where translated code goes to execute it.
  uint32_t heat = 0;
  TranslatedBlock* translated = nullptr;
  const void* entry = nullptr;

  // The branch that ends the block, for exceptions in its delay slot.
  Instruction branch;
  uint32_t branch_pc = 0;
  uint32_t branch_imm = 0;
  bool branch_has_imm = false;
  uint8_t branch_prefixes = 0;
  uint32_t instructions_before_branch = 0;
  Elapsed before_branch;  // up to the branch and its prefixes

  uint32_t words = 0;         // length
  uint32_t fetch_cycles = 0;  // of a word
  std::vector<Op> ops;
  std::vector<Place> places;
};

}  // namespace gvp::host

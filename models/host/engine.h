// SPDX-License-Identifier: Apache-2.0
// The processor core: executes instructions, takes exceptions and interrupts.  It knows nothing of
// SystemC; time is a number of clock cycles, the world is a Bus.
//
// What an instruction does is written here once.  The loosely timed model runs blocks up to a cycle
// limit; a debugger or a pipeline model steps one unit (an instruction with its imm prefix, or a
// branch with its delay slot) at a time; both execute the same handlers.
//
// Not modelled: hazards on MSR writes (every write takes effect at once), BTR outside exceptions.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/host/block_builder.h"
#include "models/host/block_cache.h"
#include "models/host/bus.h"
#include "models/host/configuration.h"
#include "models/host/memory_path.h"
#include "models/host/mmu.h"
#include "models/host/state.h"

namespace gvp::host {

class Translator;

class Engine {
 public:
  enum class Exit : uint8_t {
    kLimit,          // the cycle limit
    kInterruptible,  // interrupts were enabled while the input was active: sample it again
    kSelfBranch,     // a branch to itself; pc is there
    kSleep,          // after mbar 16, 8 or 24
    kBreakpoint,     // at one of breakpoints()
    kWatchpoint,     // after an access to one of memory().watchpoints()
    kStalled,        // a blocking get or put has to wait; pc is there
    kError,          // the program cannot go on: error()
    kContinue,       // internal
    kHandler,        // internal: the interpreter goes on
  };
  struct Run {
    Exit exit = Exit::kLimit;
    uint64_t cycles = 0;
    uint64_t instructions = 0;
  };
  static constexpr size_t kRecent = 64;

  // Throws Error for configuration.engine where this build has no such engine.
  Engine(const Configuration& configuration, Bus& bus);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Executes at least one block, until cycle_limit (below 2^30) is reached or something happens.
  // The last block may overshoot the limit.
  Run run(uint32_t cycle_limit);
  // From within a bus access: the run ends earlier than run() was told.
  void shorten_run(uint64_t cycles) {
    if (cycles < end_) end_ = static_cast<uint32_t>(cycles);
    if (end_ < limit_) limit_ = end_;
  }
  // Executes one unit, which may be at a breakpoint; of a branch whose delay slot has one only the
  // branch.
  Run step();
  void reset();

  State& state() { return state_; }
  const State& state() const { return state_; }
  Mmu& mmu() { return mmu_; }
  MemoryPath& memory() { return memory_; }
  const MemoryPath& memory() const { return memory_; }
  // The input as it is now; run() and step() look at it only when they start.
  void set_interrupt(bool level) { interrupt_ = level; }
  bool interrupt_enabled() const;  // by MSR
  void set_stream_links(StreamLinks* links) { links_ = links; }
  void set_unit_observer(UnitObserver* observer) { observer_ = observer; }
  const std::string& error() const { return error_; }

  // The same access as mfs and mts; for the debugger.
  uint32_t read_special(uint32_t number);
  void write_special(uint32_t number, uint32_t value);
  // After the debugger or a checkpoint changed state().
  void state_changed();

  // Memory changed behind the processor's back, or pointers to it became invalid.
  void invalidate_code(uint32_t first, uint32_t last);
  void invalidate_direct(uint32_t first, uint32_t last);

  const std::set<uint32_t>& breakpoints() const { return breakpoints_; }
  void set_breakpoint(uint32_t pc);
  void clear_breakpoint(uint32_t pc);

  // Kind and address of the access behind the last Exit::kWatchpoint.
  std::pair<Watchpoint::Kind, uint32_t> watch_hit() const { return {hit_.kind, hit_address_}; }

  // Addresses where the last blocks started, oldest first.
  std::vector<uint32_t> recent_blocks() const;
  // Turns an address into text such as "main+0x10"; for messages.
  void set_symbolizer(std::function<std::string(uint32_t)> symbolizer) {
    symbolizer_ = std::move(symbolizer);
  }
  std::string describe(uint32_t pc) const;
  // During an access to memory, of its instruction; else where execution goes on.
  uint32_t program_counter() const {
    return access_ == nullptr ? state_.pc
                              : pc_of(*access_->block, place(*access_->block, *access_->op));
  }
  // What was read and written through pointers since the last call, by DirectMemory::source.
  // Instructions are fetched word by word, as far as blocks were executed.
  struct DirectUse {
    std::vector<DirectCounts> data;
    std::vector<uint64_t> fetched;
  };
  DirectUse take_direct();
  uint64_t exceptions_taken() const { return exceptions_; }
  uint64_t interrupts_taken() const { return interrupts_; }
  const Translator* translator() const { return translator_.get(); }

 private:
  friend struct Interpreter;  // engine_execute.cpp
  friend class Translator;    // the other engine: it shares all that follows
  // What a slow handler tells the interpreter.
  enum class Next : uint8_t { kNext, kLeave };
  struct JumpEntry {
    uint32_t pc = 1;  // no pc
    Block* block = nullptr;
  };
  static constexpr size_t kJumpEntries = 4096;
  // A unit that was executed before, and the words that it was made of.
  struct KnownUnit {
    uint32_t pc = 1;  // no pc
    uint32_t count = 0;
    std::array<uint32_t, 4> words{};
    std::unique_ptr<Block> block;
  };
  static constexpr size_t kKnownUnits = 8192;

  static const Code* handlers();  // of the interpreter: pairs.h numbers them
  Exit execute(Block* block);

  Block* block_at(uint32_t pc);    // null: an exception was taken
  Block* next_block(uint32_t pc);  // for the interpreter: looks into the jump cache first
  Block* build_kept(uint32_t pc, const MemoryPath::FetchRegion& region);
  Block* build_once(const BlockRequest& request, const MemoryPath::FetchRegion& region);
  KnownUnit* known_unit(const BlockRequest& request, const MemoryPath::FetchRegion& region);
  Block* one_unit();  // the block for step() and between the parts of a unit
  bool fetch_region(uint32_t pc, MemoryPath::FetchRegion& region);
  Exit run_unit();
  bool at_slot_breakpoint() const;
  bool take_interrupt();
  void forget_jumps() { jumps_.fill(JumpEntry{}); }

  // Slow handlers (engine_slow.cpp, engine_system.cpp).
  Next perform_slow(const Block& block, const Op& op);
  // An access to memory while it is under way, for program_counter().
  struct Access {
    Access(Engine& engine, const Block& in, const Op& of) : block(&in), op(&of), engine_(engine) {
      engine_.access_ = this;
    }
    ~Access() { engine_.access_ = nullptr; }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;
    const Block* block;
    const Op* op;

   private:
    Engine& engine_;
  };
  Next load_slow(const Block& block, const Op& op, uint32_t address);
  Next store_slow(const Block& block, const Op& op, uint32_t address);
  bool stack_violation(const Op& op, uint32_t address) const;
  Next divide_exception(const Block& block, const Op& op);
  Next fpu_slow(const Block& block, const Op& op);
  Next raise_slow(const Block& block, const Op& op);
  Next system_slow(const Block& block, const Op& op);
  Next prepare_branch(const Block& block, const Op& op);
  void return_from_system(const Block& block);
  Next break_to(const Block& block, const Op& op);
  Exit barrier(const Block& block);
  void slot_across(const Block& block);

  bool privileged_violation(const Block& block, const Op& op);
  Next move_to_special(const Block& block, const Op& op, uint32_t word);
  Next set_or_clear_msr(const Block& block, const Op& op, bool set);
  Next stream_access(const Block& block, const Op& op, uint32_t word);
  Next stall(const Block& block, const Op& op);
  Next cache_operation(const Block& block, const Op& op);
  void change_msr(uint32_t value);  // without the carry

  const Place& place(const Block& block, const Op& op) const {
    return block.places[static_cast<size_t>(&op - block.first)];
  }
  uint32_t pc_of(const Block& block, const Place& where) const {
    return block.pc + where.word * 4u;
  }
  // Of the two, in the block that was entered at entered_ (Elapsed).  Signed, because fetching may
  // have begun before the run.
  static Count later(Count executed, Count fetched) {
    return static_cast<int64_t>(executed) > static_cast<int64_t>(fetched) ? executed : fetched;
  }
  // The counters at a place of the block.
  Count reached(uint32_t instructions, const Elapsed& elapsed) const {
    return later(count_ + make_count(instructions, elapsed.executing),
                 entered_ + make_count(instructions, elapsed.fetching));
  }
  uint64_t cycles_now(const Place& where) const { return cycles_of(reached(0, where.before)); }
  // An access of the instruction there has ended.
  void access_until(const Place& where, uint64_t cycles) {
    count_ += cycles - (cycles_of(count_) + where.before.executing);
  }
  // The block is left after some words, and the program goes on behind them.
  void leave_stream(const Block& block, uint32_t words) {
    fetched_ahead_ = cycles_of(count_) - (cycles_of(entered_) + words * block.fetch_cycles);
  }
  // Most code comes from one source.  What has been fetched of it is what has been executed, but
  // for the blocks from elsewhere: these alone are counted as they are entered.
  void note_source(Block& block, uint8_t source) {
    if (home_ == 0) home_ = source;
    block.source = source;
    block.elsewhere = source == 0 || source != home_;
  }
  void count_elsewhere(const Block& block, uint32_t words) {
    fetched_[block.source] += words;
    elsewhere_ += words;
  }
  // Only so many words of the block were executed.
  void fetched_until(const Block& block, uint32_t words) {
    if (!block.elsewhere) return;
    fetched_[block.source] -= block.words - words;
    elsewhere_ -= block.words - words;
  }
  // At the end of a run.  Wraps where blocks from elsewhere are under way, until their run ends.
  Run ended(Exit exit) {
    fetched_[home_] += instructions_of(count_) + faulted_ - elsewhere_;
    faulted_ = elsewhere_ = 0;
    return {exit, cycles_of(count_), instructions_of(count_)};
  }
  Next leave_after(const Block& block, const Op& op);
  Next fault(const Block& block, const Op& op, const Fault& fault, bool is_store);
  bool exceptions_on(Cause cause) const;
  Next raise(const Block& block, const Op& op, Cause cause, uint32_t esr_bits);
  void enter_exception(Cause cause, uint32_t esr_bits, bool in_slot, uint32_t target,
                       uint32_t return_address);
  void finish_branch(const Block& block);
  bool fetch_fault(const Fault& fault);
  Next die(const Block& block, const Op& op, const std::string& what);

  Configuration configuration_;
  State state_;
  Mmu mmu_;
  BlockCache blocks_;
  MemoryPath memory_;
  BlockBuilder builder_;
  std::unique_ptr<Translator> translator_;  // null: everything is interpreted
  StreamLinks* links_ = nullptr;
  UnitObserver* observer_ = nullptr;
  std::vector<KnownUnit> known_units_;  // by pc; empty until the first one
  std::array<JumpEntry, kJumpEntries> jumps_{};
  std::set<uint32_t> breakpoints_;
  std::function<std::string(uint32_t)> symbolizer_;

  Count count_ = 0;    // of this run: complete blocks, and the accesses of the one at hand
  Count entered_ = 0;  // the same when the block's first word was asked for
  // By how many cycles fetching is ahead of execution where the last run ended, if it did so in the
  // middle of straight code (debuggers, single steps).
  uint32_t fetched_ahead_ = 0;
  uint32_t end_ = 0;    // of this run, cycles
  uint32_t limit_ = 0;  // cycles; 0: leave after this block
  bool interrupt_ = false;
  bool stalled_ = false;
  bool stepping_ = false;
  bool failed_ = false;
  uint32_t resumed_at_ = 1;  // a breakpoint here was reported already
  std::string error_;
  const Access* access_ = nullptr;  // null: none is under way
  Watchpoint hit_;
  uint32_t hit_address_ = 0;
  uint64_t exceptions_ = 0;
  uint64_t interrupts_ = 0;
  std::array<uint32_t, kRecent> recent_{};
  uint32_t recent_count_ = 0;
  DirectLanes lanes_;  // of accesses through pages; those of the block at hand are in registers
  // Last, so that what translated code uses all the time stays together.
  std::array<uint64_t, 256> fetched_{};  // words, by Block::source
  uint64_t elsewhere_ = 0;               // of these in this run, those that are not home_'s
  uint64_t faulted_ = 0;                 // words of instructions that were fetched, but failed
  uint8_t home_ = 0;                     // where most code comes from; 0: not known yet
};

}  // namespace gvp::host

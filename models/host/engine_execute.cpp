// SPDX-License-Identifier: Apache-2.0
// The interpreter: the hot path of the processor model.
//
// A block (block.h) is an array of operations, each with the address of the code that executes it.
// Every handler does its work on the register array and ends with a call of the next one
// (op->code) as the last thing it does, which the compiler makes a jump: so there is no loop, no
// decoding and no bounds check, all that a handler needs stays in this computer's registers, and
// its branch predictor sees one indirect jump per handler.  Frequent operations have handlers for
// two of them (pairs.h).
//
// Instruction and cycle counters cost one addition a block.  The last operation of a block knows
// the next block (a link, set when it is first taken), and the cycle limit is checked only there.
// A load or store compares the address with a tag of the page table (page_table.h) and then
// accesses host memory (fast_path.h), and is counted in a register (direct_lanes.h).  Whatever does
// not fit goes to a slow handler, a function in engine_slow.cpp or engine_system.cpp, which answers
// whether to go on with the next operation or to leave: after an exception, a mode change, or a
// store into code.
#include <utility>

#include "models/host/engine.h"
#include "models/host/fast_path.h"
#include "models/host/jit/translator.h"
#include "models/host/pairs.h"

// Calls become jumps where the compiler optimises, unless a sanitizer adds code behind them: there
// handlers return to a loop, which calls the next one.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define GVP_HANDLERS_RETURN
#elif defined(__clang__)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define GVP_HANDLERS_RETURN
#endif
#define GVP_TAIL_CALL [[clang::musttail]] return
#else
#define GVP_TAIL_CALL return
#endif

namespace gvp::host {

// What all handlers share.  Engine& first, so that State::r is at a fixed distance from it.  The
// members of a DirectLanes one by one: so they are in registers.
#define GVP_PARAMETERS                                                                          \
  [[maybe_unused]] Engine &e, [[maybe_unused]] const Op *op, [[maybe_unused]] Block *block,     \
      [[maybe_unused]] Count count, [[maybe_unused]] const PageTable::Page *pages,              \
      [[maybe_unused]] Lanes read1, [[maybe_unused]] Lanes read2, [[maybe_unused]] Lanes read4, \
      [[maybe_unused]] Lanes write1, [[maybe_unused]] Lanes write2, [[maybe_unused]] Lanes write4
#define GVP_ARGUMENTS e, op, block, count, pages, read1, read2, read4, write1, write2, write4
// Gives the engine what handlers keep in registers: before what may look at it, and before leaving.
#define GVP_KEEP(counted)                                    \
  e.count_ = (counted);                                      \
  e.lanes_ += {read1, read2, read4, write1, write2, write4}; \
  read1 = read2 = read4 = write1 = write2 = write4 = Lanes {}
#define GVP_HANDLER static Exit

struct Interpreter {
  using Exit = Engine::Exit;
  using Next = Engine::Next;
  using Handler = Exit (*)(GVP_PARAMETERS);

#ifdef GVP_HANDLERS_RETURN
#undef GVP_TAIL_CALL
#define GVP_TAIL_CALL return
  // Where the loop goes on.
  struct Resume {
    const Op* op;
    Block* block;
    Count count;
    DirectLanes lanes;
  };
  inline static thread_local Resume resume{};
  static Exit continue_with(GVP_PARAMETERS) {
    resume = {op, block, count, {read1, read2, read4, write1, write2, write4}};
    return Exit::kHandler;
  }
  static Exit run(GVP_PARAMETERS) {
    Exit exit = begin(GVP_ARGUMENTS);
    while (exit == Exit::kHandler) {
      const Resume now = resume;
      exit = reinterpret_cast<Handler>(now.op->code)(
          e, now.op, now.block, now.count, pages, now.lanes.read1, now.lanes.read2, now.lanes.read4,
          now.lanes.write1, now.lanes.write2, now.lanes.write4);
    }
    return exit;
  }
#define GVP_CONTINUE GVP_TAIL_CALL continue_with(GVP_ARGUMENTS)
#else
  static Exit run(GVP_PARAMETERS) { return begin(GVP_ARGUMENTS); }
#define GVP_CONTINUE GVP_TAIL_CALL reinterpret_cast<Handler>(op->code)(GVP_ARGUMENTS)
#endif

  // ---- from operation to operation

  // To the beginning of the block.
  [[gnu::always_inline]] inline GVP_HANDLER enter(GVP_PARAMETERS) {
    e.entered_ = count;
    GVP_TAIL_CALL begin(GVP_ARGUMENTS);
  }

  // The same, where fetching may be ahead already.
  [[gnu::always_inline]] inline GVP_HANDLER begin(GVP_PARAMETERS) {
    e.recent_[e.recent_count_++ % Engine::kRecent] = block->pc;
    if (__builtin_expect(block->elsewhere, false)) e.count_elsewhere(*block, block->words);
    op = block->first;
    GVP_CONTINUE;
  }

  // The count at the end of the block: when it has been executed, and fetched.
  template <bool kTaken>
  [[gnu::always_inline]] inline static Count ended(const Engine& e, const Block* block,
                                                   Count count) {
    const Count executed = count + (kTaken ? block->cost_taken : block->cost_fall);
    const Count fetched = e.entered_ + (kTaken ? block->fetched_taken : block->fetched_fall);
    return Engine::later(executed, fetched);
  }

  // Leaves a block for the one behind a link.
  template <bool kTaken>
  [[gnu::always_inline]] inline GVP_HANDLER go(GVP_PARAMETERS) {
    count = ended<kTaken>(e, block, count);
    Block* const next = kTaken ? block->taken : block->fall;
    if (next == nullptr || cycles_of(count) >= e.limit_)
      GVP_TAIL_CALL go_unlinked<kTaken>(GVP_ARGUMENTS);
    block = next;
    GVP_TAIL_CALL enter(GVP_ARGUMENTS);
  }

  // The same, where there is no link yet or the limit is reached.
  template <bool kTaken>
  [[gnu::noinline]] GVP_HANDLER go_unlinked(GVP_PARAMETERS) {
    GVP_KEEP(count);
    e.state_.pc = kTaken ? block->target : block->next_pc;
    if (cycles_of(count) >= e.limit_) return Exit::kContinue;
    Block* const next = e.next_block(e.state_.pc);
    if (next == nullptr) return Exit::kContinue;
    count = e.count_;  // the next block may have had to be fetched
    if ((kTaken ? block->taken_chainable : block->fall_chainable) && block->alive && next->kept)
      (kTaken ? block->taken : block->fall) = next;
    block = next;
    GVP_TAIL_CALL enter(GVP_ARGUMENTS);
  }

  // To e.state_.pc, where a branch to a register leads.
  [[gnu::noinline]] GVP_HANDLER go_looked_up(GVP_PARAMETERS) {
    GVP_KEEP(count);
    if (cycles_of(count) >= e.limit_) return Exit::kContinue;
    block = e.next_block(e.state_.pc);
    if (block == nullptr) return Exit::kContinue;
    count = e.count_;
    GVP_TAIL_CALL enter(GVP_ARGUMENTS);
  }

  // To where a register leads, or to where the branch was found to lead before its slot.
  template <bool kPrepared>
  [[gnu::always_inline]] inline GVP_HANDLER go_indirectly(GVP_PARAMETERS) {
    const uint32_t address =
        kPrepared ? e.state_.branch_target : (e.state_.r[op->rb] + op->imm) & ~3u;
    count = ended<true>(e, block, count);
    const Engine::JumpEntry& entry = e.jumps_[address / 4 % Engine::kJumpEntries];
    if (entry.pc != address || cycles_of(count) >= e.limit_) {
      e.state_.pc = address;
      GVP_TAIL_CALL go_looked_up(GVP_ARGUMENTS);
    }
    block = entry.block;
    GVP_TAIL_CALL enter(GVP_ARGUMENTS);
  }

  // ---- fast operations, alone and in pairs

  [[gnu::noinline]] GVP_HANDLER perform_slowly(GVP_PARAMETERS) {
    GVP_KEEP(count);
    if (e.perform_slow(*block, *op) == Next::kLeave) return Exit::kContinue;
    count = e.count_;
    ++op;
    GVP_CONTINUE;
  }

#define GVP_PERFORM(operation)                                                   \
  DirectLanes lanes{read1, read2, read4, write1, write2, write4};                \
  const bool performed = perform<operation>(*op, e.state_, pages, count, lanes); \
  read1 = lanes.read1, read2 = lanes.read2, read4 = lanes.read4;                 \
  write1 = lanes.write1, write2 = lanes.write2, write4 = lanes.write4;           \
  if (!performed) GVP_TAIL_CALL perform_slowly(GVP_ARGUMENTS)

  template <MicroOp kOperation>
  [[gnu::always_inline]] inline GVP_HANDLER fast(GVP_PARAMETERS) {
    GVP_PERFORM(kOperation);
    ++op;
    GVP_CONTINUE;
  }

  template <MicroOp kFirst, MicroOp kSecond>
  GVP_HANDLER pair(GVP_PARAMETERS) {
    GVP_PERFORM(kFirst);
    ++op;
    GVP_TAIL_CALL fast<kSecond>(GVP_ARGUMENTS);
  }

  template <MicroOp kBranch>
  [[gnu::always_inline]] inline GVP_HANDLER branch_if(GVP_PARAMETERS) {
    if (is_taken<kBranch>(e.state_.r[op->ra])) GVP_TAIL_CALL go<true>(GVP_ARGUMENTS);
    GVP_TAIL_CALL go<false>(GVP_ARGUMENTS);
  }

  template <MicroOp kFirst, MicroOp kBranch>
  GVP_HANDLER pair_with_branch(GVP_PARAMETERS) {
    GVP_PERFORM(kFirst);
    ++op;
    GVP_TAIL_CALL branch_if<kBranch>(GVP_ARGUMENTS);
  }

#define GVP_MICRO_OP(name)
#define GVP_FAST_OP(name) \
  GVP_HANDLER name(GVP_PARAMETERS) { GVP_TAIL_CALL fast<MicroOp::name>(GVP_ARGUMENTS); }
#define GVP_BRANCH_OP(name) \
  GVP_HANDLER name(GVP_PARAMETERS) { GVP_TAIL_CALL branch_if<MicroOp::name>(GVP_ARGUMENTS); }
#include "models/host/micro_ops.def"
#undef GVP_MICRO_OP

  // ---- other operations

  GVP_HANDLER load_r(GVP_PARAMETERS) { GVP_TAIL_CALL perform_slowly(GVP_ARGUMENTS); }
  GVP_HANDLER load_i(GVP_PARAMETERS) { GVP_TAIL_CALL perform_slowly(GVP_ARGUMENTS); }
  GVP_HANDLER store_r(GVP_PARAMETERS) { GVP_TAIL_CALL perform_slowly(GVP_ARGUMENTS); }
  GVP_HANDLER store_i(GVP_PARAMETERS) { GVP_TAIL_CALL perform_slowly(GVP_ARGUMENTS); }

  GVP_HANDLER fpu(GVP_PARAMETERS) {
    GVP_KEEP(count);
    if (e.fpu_slow(*block, *op) == Next::kLeave) return Exit::kContinue;
    ++op;
    GVP_CONTINUE;
  }

  GVP_HANDLER system(GVP_PARAMETERS) {
    GVP_KEEP(count);
    if (e.system_slow(*block, *op) == Next::kLeave)
      return e.stalled_ ? Exit::kStalled : Exit::kContinue;
    count = e.count_;
    ++op;
    GVP_CONTINUE;
  }

  GVP_HANDLER raise(GVP_PARAMETERS) {
    GVP_KEEP(count);
    if (e.raise_slow(*block, *op) == Next::kLeave) return Exit::kContinue;
    ++op;
    GVP_CONTINUE;
  }

  GVP_HANDLER count_fetches(GVP_PARAMETERS) {
    e.memory_.caches().count_fetches(block->words);
    ++op;
    GVP_CONTINUE;
  }

  GVP_HANDLER prepare_branch(GVP_PARAMETERS) {
    GVP_KEEP(count);
    if (e.prepare_branch(*block, *op) == Next::kLeave) return Exit::kContinue;
    ++op;
    GVP_CONTINUE;
  }

  // ---- translation

  GVP_HANDLER heat(GVP_PARAMETERS) {
    if (--block->heat != 0) {
      ++op;
      GVP_CONTINUE;
    }
    e.translator_->translate(*block);
    GVP_TAIL_CALL translated(GVP_ARGUMENTS);
  }

  [[gnu::noinline]] GVP_HANDLER translated(GVP_PARAMETERS) {
    if (e.entered_ != count) {  // translated code begins to fetch with the block
      ++op;
      GVP_CONTINUE;
    }
    GVP_KEEP(count);
    --e.recent_count_;  // translated code notes its blocks itself
    e.fetched_until(*block, 0);
    const Translator::Left& left = e.translator_->run(*block);
    if (left.block == nullptr) return left.exit;
    count = e.count_;
    block = left.block;
    op = left.operation;
    if (op == nullptr) GVP_TAIL_CALL enter(GVP_ARGUMENTS);
    GVP_CONTINUE;
  }

  // ---- ends of blocks

  GVP_HANDLER fall_through(GVP_PARAMETERS) { GVP_TAIL_CALL go<false>(GVP_ARGUMENTS); }

  GVP_HANDLER branch_register(GVP_PARAMETERS) { GVP_TAIL_CALL go_indirectly<false>(GVP_ARGUMENTS); }

  GVP_HANDLER branch_prepared(GVP_PARAMETERS) { GVP_TAIL_CALL go_indirectly<true>(GVP_ARGUMENTS); }

  GVP_HANDLER branch_self(GVP_PARAMETERS) {
    GVP_KEEP(ended<true>(e, block, count));
    e.state_.pc = block->branch_pc - (block->branch_has_imm ? 4 : 0);
    return Exit::kSelfBranch;
  }

  GVP_HANDLER return_system(GVP_PARAMETERS) {
    GVP_KEEP(ended<true>(e, block, count));
    e.return_from_system(*block);
    return Exit::kContinue;
  }

  GVP_HANDLER break_to(GVP_PARAMETERS) {
    GVP_KEEP(count);
    if (e.break_to(*block, *op) == Next::kNext) e.count_ = ended<true>(e, block, e.count_);
    return Exit::kContinue;
  }

  GVP_HANDLER barrier(GVP_PARAMETERS) {
    GVP_KEEP(count);
    return e.barrier(*block);
  }

  GVP_HANDLER imm_across(GVP_PARAMETERS) {
    GVP_KEEP(ended<false>(e, block, count));
    e.state_.imm_valid = true;
    e.state_.imm = static_cast<uint16_t>(op->imm);
    e.state_.pc = block->next_pc;
    return Exit::kContinue;
  }

  GVP_HANDLER slot_across(GVP_PARAMETERS) {
    GVP_KEEP(ended<false>(e, block, count));
    e.slot_across(*block);
    e.leave_stream(*block, block->words);
    return Exit::kContinue;
  }

  GVP_HANDLER breakpoint(GVP_PARAMETERS) {
    GVP_KEEP(ended<false>(e, block, count));
    e.state_.pc = block->next_pc;
    e.leave_stream(*block, block->words);
    return Exit::kBreakpoint;
  }

  GVP_HANDLER dead(GVP_PARAMETERS) {
    GVP_KEEP(count);
    e.fetched_until(*block, 0);
    e.state_.pc = block->pc;
    return Exit::kContinue;
  }

  // ---- the table of handlers

  template <size_t kNumber>
  static constexpr Handler pair_at() {
    if constexpr (kNumber < kPairs) {
      return &pair<kPaired[kNumber / std::size(kPaired)], kPaired[kNumber % std::size(kPaired)]>;
    } else {
      constexpr size_t kPlace = kNumber - kPairs;
      return &pair_with_branch<kPaired[kPlace / std::size(kPairedBranches)],
                               kPairedBranches[kPlace % std::size(kPairedBranches)]>;
    }
  }

  template <size_t... kNumbers>
  static std::array<Code, kHandlers> table(std::index_sequence<kNumbers...>) {
    return {
#define GVP_MICRO_OP(name) reinterpret_cast<Code>(&Interpreter::name),
#include "models/host/micro_ops.def"
#undef GVP_MICRO_OP
        reinterpret_cast<Code>(pair_at<kNumbers>())...};
  }
};

const Code* Engine::handlers() {
  static const std::array<Code, kHandlers> table =
      Interpreter::table(std::make_index_sequence<kPairs + kPairsWithBranch>());
  return table.data();
}

Engine::Exit Engine::execute(Block* block) {
  entered_ = count_ - std::exchange(fetched_ahead_, 0);
  const Lanes none{};
  return Interpreter::run(*this, nullptr, block, count_, memory_.pages(), none, none, none, none,
                          none, none);
}

}  // namespace gvp::host

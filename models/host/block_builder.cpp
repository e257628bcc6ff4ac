// SPDX-License-Identifier: Apache-2.0
#include "models/host/block_builder.h"

#include <algorithm>
#include <utility>

#include "models/host/branch_kind.h"
#include "models/host/micro_op_selection.h"
#include "models/host/pairs.h"

namespace gvp::host {
namespace {

constexpr uint32_t kMaxWords = 64;  // of a block

uint8_t destination(uint8_t rd) { return rd == 0 ? uint8_t{State::kSink} : rd; }

// UG984, "Latency" of the branch instructions: taken with a delay slot 2 cycles, without 3, not
// taken 1; returns always 2.  The slot's own cycles are its own.
constexpr uint32_t kTakenWithSlot = 2;
constexpr uint32_t kTakenWithoutSlot = 3;

bool holds(int condition, uint32_t value) {
  const auto x = static_cast<int32_t>(value);
  switch (condition) {
    case 0:
      return x == 0;
    case 1:
      return x != 0;
    case 2:
      return x < 0;
    case 3:
      return x <= 0;
    case 4:
      return x > 0;
    default:
      return x >= 0;
  }
}

bool returns_to_system(Operation operation) {
  return operation >= Operation::kRtid && operation <= Operation::kRted;
}

// In its slot's block the target is not known yet; return_from_system() looks.
bool may_change_mode_after_slot(Operation operation) {
  return returns_to_system(operation) || operation == Operation::kBralid;
}

bool changes_mode(const Instruction& instruction) {
  return instruction.is(Operation::kMts) || instruction.is(Operation::kMsrset) ||
         instruction.is(Operation::kMsrclr);
}

}  // namespace

uint32_t evaluate_branch(const State& state, const Instruction& branch, uint32_t pc, uint32_t imm) {
  const Operation operation = branch.operation();
  if (is_return(operation)) return state.r[branch.ra] + imm;
  const bool by_register = is_register_branch(operation) || is_register_condition(operation);
  const uint32_t offset = by_register ? state.r[branch.rb] : imm;
  const uint32_t target = is_absolute(operation) ? offset : pc + offset;
  const int c = condition(operation);
  if (c < 0 || holds(c, state.r[branch.ra])) return target & ~3u;
  return pc + (branch.has(kDelaySlot) ? 8 : 4);
}

uint32_t BlockBuilder::latency(const Instruction& instruction) const {
  return configuration_.area_optimized ? instruction.info->latency_3 : instruction.info->latency_5;
}

// When a word may execute, if the block's first word is asked for at its beginning: words are
// fetched one after the other, each while the one before executes (UG984 "Memory Architecture",
// prefetch buffer).
uint32_t BlockBuilder::arrival(uint32_t word) const {
  return request_->fetch_cycles == 0 ? 0 : (word + 1) * request_->fetch_cycles - 1;
}

// The same for an instruction behind what was counted so far; its prefixes take a cycle each.
uint32_t BlockBuilder::fetched(const Unit& unit) const {
  uint32_t time = elapsed_.fetching;
  for (uint32_t word = unit.word + 1 - unit.words; word < unit.word; ++word)
    time = std::max(time, arrival(word)) + 1;
  return std::max(time, arrival(unit.word));
}

void BlockBuilder::count(const Unit& unit, uint32_t cycles) {
  instructions_ += unit.words;
  elapsed_ = {elapsed_.executing + (unit.words - 1) + cycles, fetched(unit) + cycles};
}

Op& BlockBuilder::emit(MicroOp op, const Unit& unit) {
  Op& result = block_->ops.emplace_back();
  result.code = handlers_[static_cast<size_t>(op)];
  result.rd = destination(unit.instruction.rd);
  result.ra = unit.instruction.ra;
  result.rb = unit.instruction.rb;
  result.extra =
      unit.instruction.info == nullptr ? 0 : static_cast<uint8_t>(unit.instruction.operation());
  result.imm = unit.imm;
  const uint32_t prefixes = unit.words - 1;
  block_->has_accesses |= op >= MicroOp::lbu_r && op <= MicroOp::system;
  block_->places.push_back({static_cast<uint16_t>(unit.word),
                            static_cast<uint16_t>(instructions_),
                            {elapsed_.executing + prefixes, fetched(unit)},
                            elapsed_,
                            static_cast<uint8_t>(prefixes),
                            unit.has_imm,
                            unit.in_slot,
                            op});
  return result;
}

BlockBuilder::Read BlockBuilder::read_unit(uint32_t offset, std::optional<uint16_t> prefix,
                                           Unit& unit) const {
  const uint32_t words_left = request_->bytes / 4;
  uint32_t word = 0;
  for (unit.words = 1;; ++offset, ++unit.words) {
    if (offset >= words_left || !(*fetch_)(offset, word))
      return unit.words > 1 ? Read::kLoneImm : Read::kNothing;
    unit.instruction = decode(word);
    if (!unit.instruction.is(Operation::kImm)) break;
    prefix = unit.instruction.imm;
  }
  unit.pc = request_->pc + offset * 4;
  unit.word = offset;
  unit.has_imm = prefix.has_value();
  unit.imm =
      prefix && unit.instruction.info != nullptr && takes_imm_prefix(unit.instruction.info->format)
          ? uint32_t{*prefix} << 16 | (word & 0xffff)
          : static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(word)));
  return Read::kUnit;
}

void BlockBuilder::start(const BlockRequest& request) {
  request_ = &request;
  instructions_ = 0;
  elapsed_ = {};
  block_->pc = request.pc;
  block_->physical = request.physical;
  block_->cached = request.cached;
  block_->fetch_cycles = request.fetch_cycles;
  block_->mode = request.mode;
  if (request.count_executions) {
    Unit unit;
    unit.pc = request.pc;
    emit(MicroOp::heat, unit);
  }
  if (!request.pending_slot) return;
  block_->branch = decode(request.branch_word);
  block_->branch_pc = request.branch_pc;
  block_->branch_has_imm = request.branch_has_imm;
  block_->prepared = true;
}

std::unique_ptr<Block> BlockBuilder::build(const BlockRequest& request, const Fetch& fetch,
                                           const IsBreakpoint& is_breakpoint) {
  auto block = std::make_unique<Block>();
  block_ = block.get();
  fetch_ = &fetch;
  is_breakpoint_ = &is_breakpoint;
  start(request);
  if (request.cached) emit(MicroOp::count_fetches, Unit{});
  for (uint32_t offset = 0;;) {
    Unit unit;
    unit.pc = request.pc + offset * 4;
    unit.word = offset;
    if (is_breakpoint(unit.pc) && !(offset == 0 && request.ignore_breakpoint)) {
      emit(MicroOp::breakpoint, unit);
      finish(nullptr, offset);
      break;
    }
    if (offset >= request.line_words) {
      emit(MicroOp::fall_through, unit);
      finish(nullptr, offset);
      break;
    }
    const Read read = read_unit(offset, request.pending_imm, unit);
    if (offset == 0 && read == Read::kNothing) return nullptr;
    if (offset == 0 && (read == Read::kLoneImm || unit.words > kMaxWords)) {
      add_lone_imm();
      break;
    }
    if (read != Read::kUnit || offset + unit.words > kMaxWords) {
      emit(MicroOp::fall_through, unit);
      finish(nullptr, offset);
      break;
    }
    unit.in_slot = request.pending_slot;
    if (!add_unit(unit)) break;
    offset = unit.word + 1;
    if (request.one_unit || request.pending_slot || request.pending_imm) {
      emit_slot_end(unit);
      finish(nullptr, offset);
      break;
    }
  }
  join_pairs();
  block->first = block->ops.data();
  return block;
}

// From the end, so that a branch is joined rather than what stands before.
void BlockBuilder::join_pairs() {
  for (size_t i = block_->ops.size() - 1; i > 0; --i) {
    const size_t handler = pair_handler(block_->places[i - 1].op, block_->places[i].op);
    if (handler == 0) continue;
    --i;
    block_->ops[i].code = handlers_[handler];
    if (i == 0) break;
  }
}

// After the one instruction of a block that is not kept.
void BlockBuilder::emit_slot_end(const Unit& unit) {
  if (!request_->pending_slot) {
    emit(MicroOp::fall_through, unit);
  } else {
    emit(may_change_mode_after_slot(block_->branch.operation()) ? MicroOp::return_system
                                                                : MicroOp::branch_prepared,
         unit);
  }
}

// An imm at the end of the region, or before unreadable memory.
void BlockBuilder::add_lone_imm() {
  Unit unit;
  uint32_t word = 0;
  (*fetch_)(0, word);
  unit.pc = request_->pc;
  unit.imm = word & 0xffff;
  emit(MicroOp::imm_across, unit);
  count(unit, 1);
  finish(nullptr, 1);
}

// Where exceptions are off the instruction does nothing, and the program goes on.
void BlockBuilder::add_illegal(const Unit& unit) {
  Op& op = emit(MicroOp::raise, unit);
  op.extra = static_cast<uint8_t>(Cause::kIllegalOpcode);
  op.imm = unit.instruction.word;
  count(unit, 1);
}

bool BlockBuilder::add_unit(const Unit& unit) {
  const bool slot_forbidden = unit.in_slot && unit.instruction.has(kBranch);
  if (slot_forbidden || !is_legal(unit.instruction, configuration_)) {
    add_illegal(unit);
    emit_slot_end(unit);
    finish(nullptr, unit.word + 1);
    return false;
  }
  if (unit.instruction.has(kBranch)) {
    add_branch(unit);
    return false;
  }
  add_simple(unit);
  return true;
}

void BlockBuilder::add_simple(const Unit& unit) {
  const Instruction& instruction = unit.instruction;
  const Operation operation = instruction.operation();
  const MicroOp op = select_micro_op(operation, configuration_);
  const bool pure = is_pure(operation);
  if (!pure || instruction.rd != 0) {
    Op& result = emit(op, unit);
    if (is_store_operation(operation)) result.rd = instruction.rd;
    if (operation == Operation::kAndni) result.imm = ~unit.imm;
    if (op == MicroOp::system) {
      result.imm = instruction.word;
      result.rd = destination(instruction.rd);
    }
    if (op == MicroOp::bsrl_i || op == MicroOp::bsra_i || op == MicroOp::bsll_i)
      result.imm = instruction.word & 31;
    if (op == MicroOp::bsefi || op == MicroOp::bsifi) result.imm = instruction.word;
  }
  count(unit, latency(instruction));
}

// rd <- address of the branch.
void BlockBuilder::emit_link(const Unit& branch) {
  if (branch.instruction.rd == 0) return;
  emit(MicroOp::set, branch).imm = branch.pc;
}

void BlockBuilder::add_branch(const Unit& branch) {
  const Instruction& instruction = branch.instruction;
  block_->branch = instruction;
  block_->branch_pc = branch.pc;
  block_->branch_imm = branch.imm;
  block_->branch_has_imm = branch.has_imm;
  block_->branch_prefixes = static_cast<uint8_t>(branch.words - 1);
  block_->instructions_before_branch = instructions_;
  block_->before_branch = elapsed_;
  if (!instruction.has(kDelaySlot)) {
    add_no_slot_branch(branch);
    return;
  }
  Unit slot;
  slot.pc = branch.pc + 4;
  slot.word = branch.word + 1;
  slot.in_slot = true;
  const uint32_t words_left = request_->bytes / 4;
  uint32_t word = 0;
  if (slot.word >= words_left || (*is_breakpoint_)(slot.pc) || !(*fetch_)(slot.word, word)) {
    emit(MicroOp::prepare_branch, branch);
    if (is_link(instruction.operation())) emit_link(branch);
    count(branch, kTakenWithSlot);
    emit(MicroOp::slot_across, branch);
    finish(nullptr, branch.word + 1);
    return;
  }
  slot.instruction = decode(word);
  slot.imm = static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(word)));
  add_slot_and_end(branch, slot);
}

void BlockBuilder::add_slot_and_end(const Unit& branch, const Unit& slot) {
  const Instruction& b = branch.instruction;
  const Operation operation = b.operation();
  const bool link = is_link(operation);
  const bool slot_legal = is_legal(slot.instruction, configuration_) &&
                          !slot.instruction.has(kBranch) && !slot.instruction.is(Operation::kImm);
  const int written = written_register(slot.instruction);
  // UG984 "br": a call of the user vector leaves user and virtual mode.
  const bool to_user_vector = operation == Operation::kBralid && configuration_.use_mmu >= 1 &&
                              branch.imm == configuration_.base_vectors + vector::kUser;
  const bool ends_in_system = returns_to_system(operation) || to_user_vector;
  const bool slot_first = slot_legal && !ends_in_system && !is_register_condition(operation) &&
                          !changes_mode(slot.instruction) &&
                          !(written > 0 && reads_register(b, written)) &&
                          !(link && b.rd != 0 &&
                            (written == b.rd || reads_register(slot.instruction, b.rd) ||
                             is_register_branch(operation)));
  block_->prepared = !slot_first;
  if (!slot_first) {
    emit(MicroOp::prepare_branch, branch);
    if (link) emit_link(branch);
  }
  count(branch, 1);
  if (!slot_legal) {
    add_illegal(slot);
  } else {
    add_simple(slot);
  }
  if (slot_first) {
    if (link) emit_link(branch);
    add_end(branch);
  } else if (ends_in_system) {
    emit(MicroOp::return_system, branch);
  } else {
    emit(MicroOp::branch_prepared, branch);
  }
  finish(&branch, slot.word + 1);
}

void BlockBuilder::add_end(const Unit& branch) {
  const Operation operation = branch.instruction.operation();
  const int c = condition(operation);
  if (c >= 0) {
    emit(static_cast<MicroOp>(static_cast<int>(MicroOp::branch_eq) + c), branch);
  } else if (is_return(operation)) {
    Op& op = emit(MicroOp::branch_register, branch);
    op.rb = branch.instruction.ra;
  } else if (is_register_branch(operation)) {
    emit(MicroOp::branch_register, branch).imm = is_absolute(operation) ? 0 : branch.pc;
  } else {
    emit(MicroOp::branch, branch);
  }
}

void BlockBuilder::add_no_slot_branch(const Unit& branch) {
  const Operation operation = branch.instruction.operation();
  const bool to_itself =
      (operation == Operation::kBri && branch.imm == 0) ||
      (operation == Operation::kBrai && branch.imm == branch.pc && !branch.has_imm);
  if (operation == Operation::kBrk || operation == Operation::kBrki) {
    emit(MicroOp::break_to, branch);
  } else if (operation == Operation::kMbar) {
    emit(MicroOp::barrier, branch);
  } else if (to_itself) {
    emit(MicroOp::branch_self, branch);
  } else if (is_register_condition(operation)) {
    emit(MicroOp::prepare_branch, branch);
    emit(MicroOp::branch_prepared, branch);
  } else {
    add_end(branch);
  }
  count(branch, latency(branch.instruction));
  finish(&branch, branch.word + 1);
}

// words: length of the block.  branch: what ends it, or null.
void BlockBuilder::finish(const Unit* branch, uint32_t words) {
  Block& block = *block_;
  block.words = words;
  block.next_pc = block.pc + words * 4;
  Elapsed taken = elapsed_;
  if (branch != nullptr && !branch->instruction.is(Operation::kMbar)) {
    const Operation operation = branch->instruction.operation();
    const bool has_slot = branch->instruction.has(kDelaySlot);
    taken.executing += (has_slot ? kTakenWithSlot : kTakenWithoutSlot) - 1;
    // UG984, "Branches": the target executes 3 cycles after the branch at the earliest.  Without a
    // slot the word behind the branch is on its way: it is awaited and thrown away.
    const Elapsed end = std::exchange(elapsed_, block.before_branch);
    const uint32_t refilled = fetched(*branch) + kTakenWithoutSlot;
    elapsed_ = end;
    taken.fetching =
        std::max({end.fetching, refilled, (words + (has_slot ? 0 : 1)) * request_->fetch_cycles});
    if (is_direct(operation))
      block.target = (is_absolute(operation) ? branch->imm : branch->pc + branch->imm) & ~3u;
  }
  const auto set_cost = [&](const Elapsed& elapsed, Count& cost, Count& fetched) {
    cost = make_count(instructions_, elapsed.executing);
    fetched = make_count(instructions_, elapsed.fetching);
    if (fetched <= cost) fetched = 0;
  };
  set_cost(taken, block.cost_taken, block.fetched_taken);
  set_cost(elapsed_, block.cost_fall, block.fetched_fall);
  const auto same_region = [&](uint32_t address) {
    return ((address ^ block.pc) & ~(kRegionBytes - 1)) == 0;
  };
  const bool may_link = !request_->one_unit && !request_->pending_imm && !request_->pending_slot;
  block.taken_chainable = may_link && (!request_->virtual_mode || same_region(block.target));
  block.fall_chainable = may_link && (!request_->virtual_mode || same_region(block.next_pc));
}

}  // namespace gvp::host

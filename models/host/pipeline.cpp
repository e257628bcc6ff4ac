// SPDX-License-Identifier: Apache-2.0
#include "models/host/pipeline.h"

#include <algorithm>

#include "models/host/micro_op_selection.h"

namespace gvp::host {
namespace {

// Results, in cycles after the end of execution (5 stages): what memory access and write back
// deliver, and what memory access delivers.
constexpr uint8_t kAfterWriteBack = 2;
constexpr uint8_t kAfterAccess = 1;

struct Category {
  Stall cause;
  uint8_t late;
};

bool is_load_or_store(const Instruction& instruction) { return instruction.word >> 30 == 3; }

Category category_of(const Instruction& instruction) {
  switch (instruction.info->unit) {
    case Unit::kBarrel:
      return {Stall::kShift, kAfterAccess};
    case Unit::kMul32:
    case Unit::kMul64:
      return {Stall::kMultiply, kAfterWriteBack};
    case Unit::kDivide:
      return {Stall::kDivide, kAfterAccess};
    case Unit::kFpuBasic:
    case Unit::kFpuExtended:
      return {Stall::kFloatingPoint, kAfterWriteBack};
    default:
      return {Stall::kSystem, 0};
  }
}

bool is_always_taken(const Instruction& instruction) {
  const Operation operation = instruction.operation();
  return operation < Operation::kBeq || operation > Operation::kBgeid;
}

}  // namespace

const char* to_key(Stall stall) {
  static constexpr std::array<const char*, kStalls> kKeys = {
      "fetch",        "data",   "branch",         "load_use", "load_store", "multiply",
      "barrel_shift", "divide", "floating_point", "system",   "exception",  "interrupt"};
  return kKeys[static_cast<size_t>(stall)];
}

InstructionTiming timing_of(const Instruction& instruction, const Configuration& configuration) {
  InstructionTiming timing;
  timing.word = instruction.word;
  timing.cause = Stall::kException;
  // An illegal opcode passes through the pipeline like any other instruction.
  if (!is_legal(instruction, configuration)) return timing;
  for (int r = 1; r < 32; ++r)
    if (reads_register(instruction, r)) timing.sources |= 1u << r;
  timing.destination = static_cast<uint8_t>(std::max(written_register(instruction), 0));
  timing.latency =
      configuration.area_optimized ? instruction.info->latency_3 : instruction.info->latency_5;
  Category category = category_of(instruction);
  if (is_load_or_store(instruction)) {
    const bool is_load = !is_store_operation(instruction.operation());
    category = {Stall::kLoadStore, is_load ? kAfterWriteBack : uint8_t{0}};
  }
  timing.cause = category.cause;
  timing.late = configuration.area_optimized ? 0 : category.late;
  timing.is_imm = instruction.is(Operation::kImm);
  timing.is_barrier = instruction.is(Operation::kMbar);
  timing.is_branch = instruction.has(kBranch) && !timing.is_barrier;
  timing.always_taken = timing.is_branch && is_always_taken(instruction);
  timing.has_slot = instruction.has(kDelaySlot);
  return timing;
}

uint64_t Pipeline::issue(const InstructionTiming& instruction, uint64_t fetched) {
  if (next_ < fetched) {
    if (next_ < refilled_) stall_until(std::min(refilled_, fetched), refill_cause_);
    stall_until(fetched, Stall::kFetch);
  }
  for (uint32_t sources = instruction.sources; sources != 0; sources &= sources - 1) {
    const auto r = static_cast<size_t>(__builtin_ctz(sources));
    stall_until(ready_[r], producer_[r]);
  }
  const uint64_t start = next_;
  next_ = start + instruction.latency;
  charge(instruction.cause, instruction.latency - 1u);
  last_destination_ = instruction.destination;
  ready_[instruction.destination] = next_ + instruction.late;
  producer_[instruction.destination] =
      instruction.cause == Stall::kLoadStore ? Stall::kLoadUse : instruction.cause;
  return start;
}

void Pipeline::wait_for_data(uint64_t cycles) {
  charge(Stall::kData, cycles);
  next_ += cycles;
  ready_[last_destination_] += cycles;
}

}  // namespace gvp::host

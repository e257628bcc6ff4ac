// SPDX-License-Identifier: Apache-2.0
// What an observer sees of the program (observer.h): unit by unit, from the instruction words and
// the registers before each.
#include <array>

#include "models/host/decoder.h"
#include "models/host/processor.h"

namespace gvp::host {
namespace {

constexpr uint32_t kWordBytes = 4;

bool is_call(Operation operation) {
  switch (operation) {
    case Operation::kBrld:
    case Operation::kBrald:
    case Operation::kBrk:
    case Operation::kBrlid:
    case Operation::kBralid:
    case Operation::kBrki:
      return true;
    default:
      return false;
  }
}

bool is_return(Operation operation) {
  return operation == Operation::kRtsd || operation == Operation::kRtid ||
         operation == Operation::kRtbd || operation == Operation::kRted;
}

// Loads and stores, UG984 chapter 5: opcodes 0x30 to 0x3e, whose low bits have size and direction.
bool is_memory(const Instruction& instruction) {
  return instruction.info != nullptr && instruction.word >> 30 == 3;
}

}  // namespace

void Processor::observe(Observer& observer) {
  observer_ = &observer;
  observed_subjects_ = observer.wants();
}

void Processor::observe_access(const UnitWord& word, const State& before, uint64_t begin,
                               uint64_t end) {
  constexpr uint32_t kSizeShift = 26, kStore = 1u << 28;
  if (in_local_memory(word.pc))
    observer_->local_access({word.pc, word.pc, kWordBytes, false, true, begin, end});
  const Instruction& instruction = word.instruction;
  if (!is_memory(instruction)) return;
  const uint32_t bytes = 1u << (instruction.word >> kSizeShift & 3);
  const uint32_t offset =
      instruction.info->format == Format::kRdRaRb ? before.r[instruction.rb] : word.immediate;
  const uint32_t address = (before.r[instruction.ra] + offset) & ~(bytes - 1);
  if (!in_local_memory(address)) return;
  observer_->local_access(
      {word.pc, address, bytes, (instruction.word & kStore) != 0, false, begin, end});
}

Engine::Run Processor::observed_step() {
  constexpr size_t kMostWords = 3;  // imm, a branch, and its delay slot
  const State before = engine_.state();
  if (!observed_before_ && (observed_subjects_ & Observer::kControl) != 0)
    observer_->control({ControlEvent::Kind::kStart, before.pc, local_time().value()});
  observed_before_ = true;

  std::array<UnitWord, kMostWords> words;
  size_t count = 0;
  uint32_t prefix = 0;
  bool after_imm = false;
  const Instruction* branch = nullptr;
  uint32_t word = 0;
  for (uint32_t pc = before.pc; count < kMostWords && read_program_word(pc, word);
       pc += kWordBytes) {
    UnitWord& unit = words[count++];
    unit.pc = pc;
    unit.instruction = decode(word);
    const auto low = static_cast<int16_t>(unit.instruction.imm);
    unit.immediate =
        after_imm ? prefix | unit.instruction.imm : static_cast<uint32_t>(int32_t{low});
    after_imm = unit.instruction.is(Operation::kImm);
    prefix = uint32_t{unit.instruction.imm} << 16;
    if (unit.instruction.has(kBranch)) branch = &unit.instruction;
    if (!after_imm && !unit.instruction.has(kDelaySlot)) break;
  }
  const uint64_t interrupts = engine_.interrupts_taken() + engine_.exceptions_taken();
  const uint64_t begin = local_time().value();
  const Engine::Run result = step_unit();
  const uint64_t end = local_time().value();
  if ((observed_subjects_ & Observer::kLocalMemory) != 0)
    for (size_t i = 0; i < count && i < result.instructions; ++i)
      observe_access(words[i], before, begin, end);

  using Kind = ControlEvent::Kind;
  const uint32_t pc = engine_.state().pc;
  Kind kind = Kind::kJump;
  if (engine_.interrupts_taken() + engine_.exceptions_taken() != interrupts)
    kind = Kind::kException;
  else if (branch == nullptr || pc == before.pc + count * kWordBytes)
    return result;
  else if (is_call(branch->operation()))
    kind = Kind::kCall;
  else if (is_return(branch->operation()))
    kind = Kind::kReturn;
  if ((observed_subjects_ & Observer::kControl) != 0) observer_->control({kind, pc, end});
  return result;
}

}  // namespace gvp::host

// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/program.h"

#include <algorithm>
#include <map>

#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/lowering.h"
#include "models/gpgpu/g80/operations.h"

namespace gvp::gpgpu::g80 {
namespace {

struct Found {
  Instruction instruction;
  FaultCause fault = FaultCause::kNone;
};

Found examine(const uint32_t* words, size_t count, uint32_t pc, const Machine& machine) {
  Found found;
  const size_t index = pc / 4;
  if (pc % 4 != 0 || index >= count) {
    found.fault = FaultCause::kCodeOutOfRange;
    return found;
  }
  const Decoded decoded = decode(words + index, count - index);
  found.instruction = decoded.instruction;
  // G80 wants long instructions on 8-byte boundaries; FlexGrip fetches word by word and runs them
  // at any word, and published programs for it rely on that.
  const bool later = info(decoded.instruction.operation).is(Trait::kLater);
  if (!decoded.executable() || (later && !machine.device_extensions))
    found.fault = FaultCause::kIllegalInstruction;
  return found;
}

// Whether no thread goes on with the instruction that follows this one in memory.
bool never_falls_through(const Instruction& instruction) {
  return info(instruction.operation).is(Trait::kLeaves) &&
         instruction.predicate == Condition::kAlways && instruction.marker == Marker::kNone;
}

// Every instruction that execution from address 0 can reach, by address.
std::map<uint32_t, Found> reachable(const uint32_t* words, size_t count, const Machine& machine) {
  std::map<uint32_t, Found> found;
  std::vector<uint32_t> open{0};
  while (!open.empty()) {
    const uint32_t pc = open.back();
    open.pop_back();
    const auto [place, is_new] = found.try_emplace(pc);
    if (!is_new) continue;
    place->second = examine(words, count, pc, machine);
    if (place->second.fault != FaultCause::kNone) continue;
    const Instruction& instruction = place->second.instruction;
    if (!never_falls_through(instruction)) open.push_back(pc + byte_length(instruction));
    if (has_target(instruction.operation)) open.push_back(instruction.target);
  }
  return found;
}

}  // namespace

Program::Program(const uint32_t* words, size_t count, unsigned registers, const Machine& machine)
    : registers_(registers), banks_(machine.banks) {
  const std::map<uint32_t, Found> found = reachable(words, count, machine);
  instructions_.reserve(found.size() + 1);  // ops point into it
  ops_.reserve(found.size() + 1);
  for (const auto& [pc, item] : found) {
    instructions_.push_back(item.instruction);
    ops_.push_back(item.fault == FaultCause::kNone
                       ? lower(instructions_.back(), pc, registers, machine)
                       : faulting_op(instructions_.back(), pc, item.fault));
  }
  instructions_.emplace_back();
  ops_.push_back(faulting_op(instructions_.back(), kNoAddress, FaultCause::kCodeOutOfRange));
  index_.resize(count, static_cast<uint32_t>(ops_.size() - 1));
  for (uint32_t number = 0; number + 1 < ops_.size(); ++number)
    if (const uint32_t pc = ops_[number].pc; pc % 4 == 0 && pc / 4 < count) index_[pc / 4] = number;
  for (Op& op : ops_) {
    op.program = this;
    op.number = static_cast<uint32_t>(&op - ops_.data());
    op.next = at(op.next_pc);
    op.target = at(op.target_pc);
  }
}

uint32_t Program::end_pc() const {
  const size_t count = ops_.size() - 1;  // without the op that is outside; at least one
  return std::max(ops_[count - 1].next_pc, ops_[count - 1].pc + 4);
}

bool Program::made_for(const Machine& machine) const {
  return std::equal(banks_.begin(), banks_.end(), machine.banks.begin(),
                    [](const Machine::Bank& a, const Machine::Bank& b) {
                      return a.base == b.base && a.bytes == b.bytes;
                    });
}

// An op that faults because there is no instruction.
const Op* Program::outside(uint32_t pc) const {
  const auto last = ops_.end() - 1;
  const auto place = std::lower_bound(
      ops_.begin(), last, pc, [](const Op& op, uint32_t address) { return op.pc < address; });
  return place != last && place->pc == pc ? &*place : &*last;
}

}  // namespace gvp::gpgpu::g80

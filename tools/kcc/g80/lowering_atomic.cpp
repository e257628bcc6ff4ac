// SPDX-License-Identifier: Apache-2.0
// Atomic operations on global memory, the locks of those on shared memory, and votes, which devices
// with extensions have.
#include "tools/kcc/g80/lowering.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;
using ptx::Opcode;

struct Atomic {
  const char* name;  // in PTX
  Operation operation;
};
constexpr Atomic kAtomics[] = {
    {"add", Operation::kAtomicAdd},         {"exch", Operation::kAtomicExchange},
    {"cas", Operation::kAtomicCompareSwap}, {"inc", Operation::kAtomicIncrement},
    {"dec", Operation::kAtomicDecrement},   {"max", Operation::kAtomicMax},
    {"min", Operation::kAtomicMin},         {"and", Operation::kAtomicAnd},
    {"or", Operation::kAtomicOr},           {"xor", Operation::kAtomicXor}};

Operation operation_of(const std::string& name) {
  for (const Atomic& atomic : kAtomics)
    if (name == atomic.name) return atomic.operation;
  return Operation::kNone;
}

// Whether the operation looks at a sign.
bool orders(Operation operation) {
  return operation == Operation::kAtomicMax || operation == Operation::kAtomicMin;
}
bool is_bits(Operation operation) {
  return operation == Operation::kAtomicAnd || operation == Operation::kAtomicOr ||
         operation == Operation::kAtomicXor || operation == Operation::kAtomicExchange ||
         operation == Operation::kAtomicCompareSwap;
}

}  // namespace

void Lowering::atomic(const ptx::Instruction& in) {
  if (!device_extensions_)
    unsupported("an atomic operation",
                "compute capability 1.1 and later have them; --device-extensions is for devices "
                "that are configured with them");
  if (in.locked) return in.opcode == Opcode::kAtom ? lock(in) : unlock(in);
  const Operation operation = operation_of(in.modifier);
  const bool word = in.type == ptx::Type::kB32 || in.type == ptx::Type::kU32 ||
                    in.type == ptx::Type::kS32 ||
                    (in.type == ptx::Type::kF32 && operation == Op::kAtomicExchange);
  if (operation == Operation::kNone || !word)
    unsupported("the atomic operation \"" + ptx::mnemonic(in) + "\"",
                "there are those of compute capability 1.1: integers of 32 bits, exch of a float");
  const bool returns = in.opcode == Opcode::kAtom;
  const size_t memory = returns ? 1 : 0;
  const bool three = operation == Op::kAtomicCompareSwap;
  const bool reduces = reduction_of(operation) != Operation::kNone;
  if (in.operands.size() != memory + (three ? 3 : 2) || (!returns && !reduces))
    unsupported("\"" + ptx::mnemonic(in) + "\" with these operands");
  const ptx::Space space = values_.space(in, in.operands[memory]);
  if (space != ptx::Space::kGlobal)
    unsupported("an atomic operation on this memory", "use global or shared memory");
  const Operand base = base_of(in.operands[memory]);
  const Operand place =
      location(space, in.type, base, static_cast<uint32_t>(in.operands[memory].value));
  const Operand data = in_register(source(in.operands[memory + 1]));
  Operand swap;
  if (three) swap = in_register(source(in.operands[memory + 2]));
  Guard guard;
  if (in.guard != ptx::kNoIndex) guard = guard_of(in.guard, in.guard_negated);
  const bool is_signed = orders(operation) && in.type == ptx::Type::kS32;
  const Type type = is_bits(operation) ? Type::kB32 : is_signed ? Type::kS32 : Type::kU32;
  const bool wanted = returns && in.operands[0].is_register();
  const uint32_t result = wanted ? general(in.operands[0].index) : temporary();
  emit(operation, type, result, {place, data, swap}).guard = guard;
}

// The halves of atomic operations on shared memory (shared_atomics.h).

void Lowering::lock(const ptx::Instruction& in) {
  const Operand place = location(ptx::Space::kShared, in.type, base_of(in.operands[1]),
                                 static_cast<uint32_t>(in.operands[1].value));
  Instruction& out = emit(Op::kLockShared, Type::kB32, general(in.operands[0].index), {place});
  keep_outcome(in.second_destination, out);
}

void Lowering::unlock(const ptx::Instruction& in) {
  const Operand place = location(ptx::Space::kShared, in.type, base_of(in.operands[0]),
                                 static_cast<uint32_t>(in.operands[0].value));
  const Operand data = in_register(source(in.operands[1]));
  const Guard guard = guard_of(in.guard, in.guard_negated);
  Instruction& out = emit(Op::kUnlockShared, Type::kB32, kNoRegister, {data});
  out.destination = place;
  out.guard = guard;
}

// The flags that an instruction writes in any case, as a predicate.
void Lowering::keep_outcome(const ptx::Operand& predicate, Instruction& of) {
  const bool in_flags_register = in_flags(predicate.index);
  of.flags =
      in_flags_register ? flags(predicate.index) : kernel_.new_register(RegisterClass::kFlags);
  if (in_flags_register) return;
  Guard holds;
  holds.condition = of.flags;
  holds.test = isa::Condition::kNotEqual;
  move(general(predicate.index), immediate(0));
  move(general(predicate.index), immediate(~0U));
  kernel_.blocks[block_].code.back().guard = holds;
}

// vote.any.pred, vote.all.pred: over the active threads of the warp.
void Lowering::vote(const ptx::Instruction& in) {
  if (!device_extensions_)
    unsupported("a vote",
                "compute capability 1.2 and later have them; --device-extensions is for devices "
                "that are configured with them");
  const bool all = in.modifier == "all";
  if ((!all && in.modifier != "any") || in.type != ptx::Type::kPredicate)
    unsupported("the vote \"" + ptx::mnemonic(in) + "\"", "there are vote.any and vote.all");
  if (in.guard != ptx::kNoIndex) unsupported("a guarded vote", "branch around it");
  const ptx::Operand& target = in.operands[0];
  const ptx::Operand& voter = in.operands[1];
  const Guard looked_at = guard_of(voter.index, voter.negated);
  Instruction& out = emit(all ? Op::kVoteAll : Op::kVoteAny, Type::kB32, kNoRegister, {});
  out.guard = looked_at;
  out.overwrites = true;  // it is no guard: the vote takes place in any case
  keep_outcome(target, out);
}

}  // namespace gvp::kcc::g80

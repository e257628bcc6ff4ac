// SPDX-License-Identifier: Apache-2.0
// In clock cycles of FlexGrip's pipeline for a warp of four rows (8 SPs), as
// docs/flexgrip-timing.md has them: a row stays in the stage that takes it longest.
#include "tools/kcc/g80/branch_costs.h"

#include <algorithm>
#include <functional>

#include "models/gpgpu/g80/operations.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

constexpr unsigned kRows = 4;
constexpr unsigned kLanes = 8;  // of a row; each that takes no part costs a cycle of memory's
constexpr unsigned kReadBase = 8;
constexpr unsigned kReadRegister = 5;
constexpr unsigned kReadDirect = 18;            // s[], c[] without an address register
constexpr unsigned kReadIndexed = 20 + kLanes;  // with one, l[], g[]
constexpr unsigned kWriteMemory = 13 + kLanes;
constexpr unsigned kFloat = 26;
constexpr unsigned kPredicate = 4 + 2 * kRows;  // reading it
// A row of a control instruction takes 6 cycles; it reads a predicate, too.
constexpr unsigned kControl = 6 * kRows + kPredicate + 2;
constexpr unsigned kJoin = 6 * kRows + 4;
// How many of four warps have no thread in an arm, where the condition depends on data.
constexpr unsigned kIdleOfFour = 1;

bool is_float(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::kFloatAdd:
    case Operation::kFloatMultiply:
    case Operation::kFloatMultiplyAdd:
      return true;
    default:
      return false;
  }
}

// Of a warp without an active thread.
unsigned idle_cost(const Instruction& instruction) {
  unsigned registers = kReadBase;
  unsigned row = is_float(instruction) ? kFloat : 0;
  for (const Operand& source : instruction.sources) {
    if (source.is_register()) registers += kReadRegister;
    if (!source.is_memory()) continue;
    const bool direct = source.reg == kNoRegister && (source.kind == Operand::Kind::kShared ||
                                                      source.kind == Operand::Kind::kConstant);
    row = std::max(row, direct ? kReadDirect : kReadIndexed);
  }
  if (instruction.destination.is_memory()) row = std::max(row, kWriteMemory);
  return kRows * std::max(row, registers);
}

// Registers that come from what is marked, and from instructions that begin such.
template <typename Begins>
std::vector<bool> registers_from(const Kernel& kernel, std::vector<bool> marked, Begins begins) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Block& block : kernel.blocks) {
      for (const Instruction& instruction : block.code) {
        bool comes = begins(instruction);
        for_each_use(instruction, [&](uint32_t v) { comes |= marked[v]; });
        if (!comes) continue;
        for_each_definition(instruction, [&](uint32_t v) {
          changed |= !marked[v];
          marked[v] = true;
        });
      }
    }
  }
  return marked;
}

}  // namespace

std::vector<bool> registers_with_data(const Kernel& kernel) {
  const std::vector<bool> none(kernel.registers.size(), false);
  std::vector<bool> data = registers_from(kernel, none, [](const Instruction& instruction) {
    return reads_variable_memory(instruction) || is_call(instruction);
  });
  std::vector<bool> threads = none;
  threads[kThreadIndex] = true;
  for (const uint32_t v : kernel.parameters) threads[v] = true;
  threads = registers_from(kernel, threads, [](const Instruction& instruction) {
    return isa::info(instruction.operation).is(isa::Trait::kSideEffect) || is_call(instruction);
  });
  std::transform(data.begin(), data.end(), threads.begin(), data.begin(), std::logical_and<>());
  return data;
}

bool predicates_pay(const std::vector<const Block*>& arms, bool condition_is_data) {
  unsigned idle = 0;  // the arm that a warp without a thread in it would skip
  unsigned predicates = 0;
  for (const Block* arm : arms) {
    unsigned sum = 0;
    for (const Instruction& instruction : arm->code) sum += idle_cost(instruction);
    idle = std::max(idle, sum);
    predicates += kPredicate * static_cast<unsigned>(arm->code.size());
  }
  if (condition_is_data) idle = idle * kIdleOfFour / 4;
  // SSY, the branch, the join; behind the first of two arms a branch over the second.
  const unsigned branches = (arms.size() == 2 ? 3 : 2) * kControl + kJoin;
  return idle + predicates <= branches;
}

bool jump_pays(const std::vector<const Instruction*>& instructions, Way way) {
  unsigned sum = 0;
  for (const Instruction* instruction : instructions) sum += idle_cost(*instruction);
  const unsigned idle = way == Way::kUsual ? kIdleOfFour : way == Way::kEven ? 2 : 3;  // of four
  return idle * sum > (4 - idle) * kControl;
}

}  // namespace gvp::kcc::g80

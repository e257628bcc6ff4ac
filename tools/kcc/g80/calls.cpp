// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/calls.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "tools/kcc/g80/definitions.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

constexpr uint32_t kOfRegion = 2;  // SSY, and the side of a branch that waits for its turn
constexpr uint32_t kOfCall = 1;

Instruction copy(uint32_t to, uint32_t from, const ptx::SourceLine& source) {
  Instruction move;
  move.operation = Operation::kMove;
  move.destination = reg(to);
  move.sources[0] = reg(from);
  move.source = source;
  return move;
}

uint32_t fixed_register(Kernel& kernel, uint32_t number) {
  const uint32_t v = kernel.new_register();
  kernel.fixed[v] = number;
  return v;
}

void bind(Kernel& kernel, Instruction call, std::vector<Instruction>& out) {
  const Callee callee = kernel.callees[call.callee];
  size_t argument = 0;
  for (const uint32_t number : callee.parameters) {
    if (number == kNoRegister) continue;
    const uint32_t v = fixed_register(kernel, number);
    out.push_back(copy(v, call.arguments[argument], call.source));
    call.arguments[argument++] = v;
  }
  std::vector<Instruction> behind;
  for (size_t i = 0; i < call.results.size(); ++i) {
    const uint32_t v = fixed_register(kernel, callee.results[i]);
    behind.push_back(copy(call.results[i], v, call.source));
    call.results[i] = v;
  }
  out.push_back(std::move(call));
  std::move(behind.begin(), behind.end(), std::back_inserter(out));
}

void renumber(Operand& operand, uint32_t first) {
  if (operand.reg != kNoRegister) operand.reg += first;
}

void renumber(Instruction& instruction, uint32_t first_register, uint32_t first_block) {
  for (Operand& source : instruction.sources) renumber(source, first_register);
  renumber(instruction.destination, first_register);
  if (instruction.flags != kNoRegister) instruction.flags += first_register;
  if (instruction.guard.exists()) instruction.guard.condition += first_register;
  if (instruction.target != kNoRegister) instruction.target += first_block;
}

void renumber(Block& block, uint32_t first_register, uint32_t first_block) {
  for (Instruction& instruction : block.code) renumber(instruction, first_register, first_block);
  if (block.guard.exists()) block.guard.condition += first_register;
  if (block.target != kNoRegister) block.target += first_block;
  if (block.next != kNoRegister) block.next += first_block;
}

}  // namespace

void bind_calls(Kernel& kernel) {
  for (Block& block : kernel.blocks) {
    if (std::none_of(block.code.begin(), block.code.end(), is_call)) continue;
    std::vector<Instruction> code;
    for (Instruction& instruction : block.code) {
      if (is_call(instruction)) {
        bind(kernel, std::move(instruction), code);
      } else {
        code.push_back(std::move(instruction));
      }
    }
    block.code = std::move(code);
  }
}

Callee describe_called(const Kernel& function, const std::vector<uint32_t>& numbers) {
  Callee callee;
  callee.name = function.name;
  callee.barriers = function.barriers;
  callee.stack_entries = stack_entries(function);
  const compiler::Liveness live = live_registers(function, graph_of(function));
  std::set<uint32_t> general;
  std::set<uint32_t> flags;
  for (const uint32_t v : function.parameters) {
    const bool read = live.in[0].contains(v);
    callee.parameters.push_back(read ? numbers[v] : kNoRegister);
    if (read) general.insert(numbers[v]);  // callers write it
  }
  for (const Block& block : function.blocks) {
    for (const Instruction& instruction : block.code) {
      for_each_use(instruction,
                   [&](uint32_t v) { callee.reads_thread_index |= v == kThreadIndex; });
      for_each_definition(instruction, [&](uint32_t v) {
        (function.is_general(v) ? general : flags).insert(numbers[v]);
      });
      if (is_call(instruction)) {
        const Callee& inner = function.callees[instruction.callee];
        general.insert(inner.general.begin(), inner.general.end());
        flags.insert(inner.flags.begin(), inner.flags.end());
      }
      if (instruction.operation != Operation::kReturn) continue;
      for (const uint32_t v : instruction.arguments) callee.results.push_back(numbers[v]);
    }
  }
  callee.general.assign(general.begin(), general.end());
  callee.flags.assign(flags.begin(), flags.end());
  return callee;
}

uint32_t entries_of_call(const Kernel& kernel, const Instruction& call) {
  return kOfCall + kernel.callees[call.callee].stack_entries;
}

// Pushes and joins pair on every way, so that any way to a block tells how many are open.
uint32_t stack_entries(const Kernel& kernel) {
  uint32_t most = 0;
  std::vector<uint32_t> open(kernel.blocks.size(), kNoRegister);
  std::vector<uint32_t> work{0};
  open[0] = 0;
  while (!work.empty()) {
    const Block& block = kernel.blocks[work.back()];
    uint32_t here = open[work.back()];
    work.pop_back();
    if (block.join && here >= kOfRegion) here -= kOfRegion;
    for (const Instruction& instruction : block.code) {
      if (instruction.operation == Operation::kSetSync) here += kOfRegion;
      most =
          std::max(most, here + (is_call(instruction) ? entries_of_call(kernel, instruction) : 0));
    }
    for (const uint32_t next : {block.next, block.branches ? block.target : kNoRegister}) {
      if (next == kNoRegister || open[next] != kNoRegister) continue;
      open[next] = here;
      work.push_back(next);
    }
  }
  return most;
}

void append_functions(Placed& kernel, std::vector<Placed> functions) {
  std::vector<uint32_t> entries;
  for (Placed& function : functions) {
    const auto first_register = static_cast<uint32_t>(kernel.numbers.size());
    const auto first_block = static_cast<uint32_t>(kernel.code.blocks.size());
    entries.push_back(first_block);
    kernel.numbers.insert(kernel.numbers.end(), function.numbers.begin(), function.numbers.end());
    for (Block& block : function.code.blocks) {
      renumber(block, first_register, first_block);
      kernel.code.blocks.push_back(std::move(block));
    }
  }
  for (Block& block : kernel.code.blocks)
    for (Instruction& instruction : block.code)
      if (is_call(instruction)) instruction.target = entries[instruction.callee];
}

}  // namespace gvp::kcc::g80

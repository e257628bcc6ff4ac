// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/allocate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "models/base/error.h"
#include "tools/compiler/register_allocation.h"
#include "tools/kcc/g80/definitions.h"
#include "tools/kcc/g80/flags_pressure.h"
#include "tools/kcc/g80/layout.h"
#include "tools/kcc/g80/sm_limits.h"
#include "tools/ptx/shown_names.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

constexpr uint32_t kMostVirtual = 300000;  // of which clang makes none, but a mistake of ours might
constexpr unsigned kMostRounds = 12;
// Beyond it takes too long to try several numbers of registers.
constexpr size_t kMostForTrials = 3000;
constexpr double kCheapness = 0.01;
constexpr double kPriceOfRegisters = 1.002;
constexpr double kAnyPrice = std::numeric_limits<double>::infinity();
// With which all warps fit an SM.
constexpr uint32_t kOfAllWarps = kSmRegisters / kSmThreads;

// How often a block runs, guessed from the loops around it.
double block_weight(uint32_t depth) { return std::pow(10.0, std::min(depth, 6U)); }

// What may be done with values that find no register.
enum class Saving : uint8_t {
  kFetch,    // literals and parameters are fetched again where they are used
  kCompute,  // so is what one instruction makes of them
  kStore     // all others go to local memory
};

class Allocator {
 public:
  Allocator(Kernel& kernel, uint32_t limit, Saving saving)
      : kernel_(kernel), limit_(limit), saving_(saving) {}

  // Nothing: it would take local memory.
  std::optional<Registers> run() {
    for (unsigned round = 0; round < kMostRounds; ++round) {
      if (kernel_.registers.size() > kMostVirtual) fail("is too large");
      const compiler::Allocation general = colour(RegisterClass::kGeneral, limit_);
      if (!general.spilled.empty()) {
        if (!spill(general.spilled)) return std::nullopt;
        continue;
      }
      const compiler::Allocation flags = colour(RegisterClass::kFlags, kFlagsRegisters);
      result_.number.assign(kernel_.registers.size(), 0);
      for (uint32_t v = 0; v < kernel_.registers.size(); ++v) {
        const uint32_t local = index_of(v);
        result_.number[v] = kernel_.is_general(v) ? general.colour[local] : flags.colour[local];
      }
      result_.count = 1;
      for (const uint32_t v : members_general_)
        result_.count = std::max(result_.count, result_.number[v] + 1);
      for (const uint32_t local : flags.spilled) {
        const uint32_t predicate = kernel_.predicate_of[members_flags_[local]];
        if (predicate != kNoRegister) result_.predicates.insert(predicate);
      }
      if (!flags.spilled.empty() && result_.predicates.empty()) fail("needs too many flags");
      return std::move(result_);
    }
    if (saving_ != Saving::kStore) return std::nullopt;
    fail("does not fit the registers");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw bad_input("kernel \"" + ptx::readable_name(kernel_.name) + "\" " + what, {}, "split it");
  }

  uint32_t index_of(uint32_t v) const { return index_[v]; }

  // The two classes are coloured one by one, each with numbers of its own.
  void enumerate() {
    index_.assign(kernel_.registers.size(), 0);
    members_general_.clear();
    members_flags_.clear();
    for (uint32_t v = 0; v < kernel_.registers.size(); ++v) {
      auto& members = kernel_.is_general(v) ? members_general_ : members_flags_;
      index_[v] = static_cast<uint32_t>(members.size());
      members.push_back(v);
    }
  }

  compiler::Allocation colour(RegisterClass kind, uint32_t colours) {
    enumerate();
    const bool general = kind == RegisterClass::kGeneral;
    const auto& members = general ? members_general_ : members_flags_;
    // Behind the variables, one for each register of the machine, where calls write these.
    first_machine_ = static_cast<uint32_t>(members.size());
    const uint32_t machine = kernel_.callees.empty() ? 0 : colours;
    compiler::AllocationProblem problem(first_machine_ + machine);
    problem.colours = colours;
    for (uint32_t c = 0; c < machine; ++c) problem.fixed[first_machine_ + c] = c;
    if (general) problem.fixed[index_of(kThreadIndex)] = 0;
    for (const auto& [v, number] : kernel_.fixed)
      if (kernel_.registers[v] == kind) problem.fixed[index_of(v)] = number;
    for (uint32_t v = 1; kernel_.function && general && v < kernel_.registers.size(); ++v)
      if (kernel_.is_general(v)) problem.graph.add(index_of(kThreadIndex), index_of(v));
    const compiler::Graph graph = graph_of(kernel_);
    const compiler::Liveness live = live_registers(kernel_, graph);
    const std::vector<uint32_t> depths = compiler::loop_depths(graph);
    for (uint32_t b = 0; b < kernel_.blocks.size(); ++b) {
      const Block& block = kernel_.blocks[b];
      const double weight = block_weight(depths[b]);
      compiler::BitSet now = live.out[b];
      if (block.guard.exists()) now.insert(block.guard.condition);
      for (size_t i = block.code.size(); i-- > 0;) {
        interfere(block.code[i], kind, now, problem);
        count_costs(block.code[i], kind, weight, problem);
        step_back(block.code[i], now);
      }
      if (b == 0 && general) interfere_with(kThreadIndex, now, problem);
      for (const uint32_t v : kernel_.parameters) {
        if (b == 0 && general && now.contains(v)) interfere_with(v, now, problem);
      }
    }
    for (const uint32_t v : kernel_.parameters)
      if (general) problem.spill_cost[index_of(v)] = -1;
    // Flags that are set just before they are tested have no predicate to move elsewhere.
    for (uint32_t v = 0; !general && v < kernel_.registers.size(); ++v) {
      if (!kernel_.is_general(v) && kernel_.predicate_of[v] == kNoRegister) {
        problem.spill_cost[index_of(v)] = -1;
      }
    }
    if (general) favour_cheap(problem);
    for (const uint32_t v : unspillable_) {
      if (kernel_.registers[v] == kind) problem.spill_cost[index_of(v)] = -1;
    }
    return compiler::allocate(problem);
  }

  void interfere_with(uint32_t v, const compiler::BitSet& live,
                      compiler::AllocationProblem& problem) {
    live.for_each([&](uint32_t other) {
      if (kernel_.registers[other] == kernel_.registers[v]) {
        problem.graph.add(index_of(v), index_of(other));
      }
    });
  }

  // What is live behind a call is not in a register that is written meanwhile.
  void interfere_with_call(const Instruction& call, RegisterClass kind,
                           const compiler::BitSet& live, compiler::AllocationProblem& problem) {
    const Callee& callee = kernel_.callees[call.callee];
    const auto& written = kind == RegisterClass::kGeneral ? callee.general : callee.flags;
    live.for_each([&](uint32_t v) {
      if (kernel_.registers[v] != kind) return;
      if (std::find(call.results.begin(), call.results.end(), v) != call.results.end()) return;
      for (const uint32_t number : written)
        if (number < problem.colours) problem.graph.add(index_of(v), first_machine_ + number);
    });
  }

  void interfere(const Instruction& instruction, RegisterClass kind, const compiler::BitSet& live,
                 compiler::AllocationProblem& problem) {
    if (is_call(instruction)) interfere_with_call(instruction, kind, live, problem);
    for_each_definition(instruction, [&](uint32_t v) {
      if (kernel_.registers[v] != kind) return;
      const bool copy = instruction.operation == Operation::kMove &&
                        instruction.sources[0].is_register() && instruction.sources[0].plain();
      live.for_each([&](uint32_t other) {
        if (kernel_.registers[other] != kind) return;
        if (copy && other == instruction.sources[0].reg) return;
        problem.graph.add(index_of(v), index_of(other));
      });
    });
  }

  void count_costs(const Instruction& instruction, RegisterClass kind, double weight,
                   compiler::AllocationProblem& problem) {
    const auto count = [&](uint32_t v) {
      if (kernel_.registers[v] == kind) problem.spill_cost[index_of(v)] += weight;
    };
    for_each_use(instruction, count);
    for_each_definition(instruction, count);
    if (kind != RegisterClass::kGeneral || !instruction.defines()) return;
    const Operand* preferred = nullptr;
    double value = weight;
    if (instruction.operation == Operation::kMove) preferred = &instruction.sources[0];
    if (instruction.operation == Operation::kMultiplyAdd ||
        instruction.operation == Operation::kFloatMultiplyAdd) {
      preferred = &instruction.sources[2];  // short forms add to their destination
      value = weight / 4;
    }
    if (preferred == nullptr || !preferred->is_register() || !preferred->plain()) return;
    problem.moves.push_back(
        {index_of(instruction.destination.reg), index_of(preferred->reg), value});
  }

  bool spill(const std::vector<uint32_t>& spilled) {
    const Definitions definitions(kernel_);
    std::map<uint32_t, Instruction> again;
    std::map<uint32_t, int32_t> slots;
    for (const uint32_t local : spilled) {
      const uint32_t v = members_general_[local];
      const auto place = definitions.only(v);
      if (place && definitions.is_static_single(v)) {
        const Instruction& definition = kernel_.blocks[place->block].code[place->index];
        if (is_cheap(definition)) {
          again.emplace(v, definition);
          continue;
        }
      }
      if (saving_ != Saving::kStore) return false;
      ++result_.spilled;
      if (kernel_.local_bytes + 4 > kLocalLimit) fail("needs more than 64 KiB of local memory");
      slots[v] = static_cast<int32_t>(kernel_.local_bytes);
      kernel_.local_bytes += 4;
    }
    for (Block& block : kernel_.blocks) rewrite(block, again, slots);
    store_parameters(slots);
    return true;
  }

  // What can be computed again without registers is the first to go.
  void favour_cheap(compiler::AllocationProblem& problem) const {
    const Definitions definitions(kernel_);
    for (const uint32_t v : members_general_) {
      const auto place = definitions.only(v);
      if (!place || !definitions.is_static_single(v)) continue;
      if (is_cheap(kernel_.blocks[place->block].code[place->index])) {
        problem.spill_cost[index_of(v)] *= kCheapness;
      }
    }
  }

  // One instruction without register operands, which gives the same wherever it stands.
  bool is_cheap(const Instruction& instruction) const {
    if (saving_ == Saving::kFetch && !is_fetch(instruction)) return false;
    if (!is_pure(instruction) || instruction.flags != kNoRegister) return false;
    bool same = true;
    for_each_source(instruction, [&](const Operand& source) {
      const bool memory = source.address_register == 0 && source.reg == kNoRegister &&
                          (source.invariant || source.kind == Operand::Kind::kConstant);
      same &= source.is_immediate() || memory;
    });
    return same;
  }

  static bool is_fetch(const Instruction& instruction) {
    return instruction.operation == Operation::kMove ||
           instruction.operation == Operation::kLoadConstant;
  }

  void rewrite(Block& block, const std::map<uint32_t, Instruction>& again,
               const std::map<uint32_t, int32_t>& slots) {
    std::vector<Instruction> out;
    for (Instruction instruction : block.code) {
      std::map<uint32_t, uint32_t> replaced;
      const auto bring = [&](uint32_t v) {
        if (replaced.count(v) != 0 || (again.count(v) == 0 && slots.count(v) == 0)) return;
        const uint32_t fresh = kernel_.new_register();
        unspillable_.push_back(fresh);
        replaced[v] = fresh;
        Instruction load;
        if (again.count(v) != 0) {
          load = again.at(v);
        } else {
          load.operation = Operation::kLoadLocal;
          load.sources[0] = slot(slots.at(v));
        }
        load.source = instruction.source;
        load.destination = reg(fresh);
        out.push_back(load);
      };
      if (instruction.defines() && again.count(instruction.destination.reg) != 0) continue;
      for (const auto& [v, definition] : again) {
        if (!is_fetch(definition) || !definition.sources[0].is_memory()) continue;
        const auto taken = with_memory_operand(kernel_, instruction, v, definition.sources[0]);
        if (taken) instruction = *taken;
      }
      for_each_use(instruction, bring);
      for_each_source(instruction, [&](Operand& operand) {
        const auto found = replaced.find(operand.reg);
        if (found != replaced.end()) operand.reg = found->second;
      });
      const uint32_t defined = instruction.defines() ? instruction.destination.reg : kNoRegister;
      const auto target = slots.find(defined);
      if (target == slots.end()) {
        out.push_back(instruction);
        continue;
      }
      if (replaced.count(defined) == 0) {
        replaced[defined] = kernel_.new_register();
        unspillable_.push_back(replaced[defined]);
      }
      instruction.destination.reg = replaced[defined];
      out.push_back(instruction);
      Instruction store;
      store.operation = Operation::kStoreLocal;
      store.source = instruction.source;
      store.destination = slot(target->second);
      store.sources[0] = reg(replaced[defined]);
      // Where the definition does not happen, the slot must keep what it has.
      if (instruction.guard.exists() && instruction.overwrites) store.guard = instruction.guard;
      out.push_back(store);
    }
    block.code = std::move(out);
  }

  // A function's come in registers, whatever is to keep them from there.
  void store_parameters(const std::map<uint32_t, int32_t>& slots) {
    std::vector<Instruction>& entry = kernel_.blocks[0].code;
    for (const uint32_t v : kernel_.parameters) {
      const auto found = slots.find(v);
      if (found == slots.end()) continue;
      Instruction store;
      store.operation = Operation::kStoreLocal;
      store.destination = slot(found->second);
      store.sources[0] = reg(v);
      if (!entry.empty()) store.source = entry.front().source;
      entry.insert(entry.begin(), std::move(store));
    }
  }

  static Operand slot(int32_t offset) {
    Operand operand;
    operand.kind = Operand::Kind::kLocal;
    operand.value = offset;
    return operand;
  }

  Kernel& kernel_;
  uint32_t limit_;
  Saving saving_;
  std::vector<uint32_t> index_;
  uint32_t first_machine_ = 0;
  std::vector<uint32_t> members_general_;
  std::vector<uint32_t> members_flags_;
  std::vector<uint32_t> unspillable_;
  Registers result_;
};

}  // namespace

namespace {

// How often instructions run, as far as loops tell.
double executions(const Kernel& kernel) {
  const std::vector<uint32_t> depths = compiler::loop_depths(graph_of(kernel));
  double sum = 0;
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b)
    sum += block_weight(depths[b]) * static_cast<double>(kernel.blocks[b].code.size());
  return sum;
}

// With at most `colours` registers and `most` executions, if that can be.  What calls take cannot
// be saved.
std::optional<Registers> within(Kernel& kernel, const Kernel& before, uint32_t colours,
                                double most) {
  for (const Saving saving : {Saving::kFetch, Saving::kCompute}) {
    Kernel trial = before;
    auto registers = Allocator(trial, colours, saving).run();
    if (!registers || !registers->predicates.empty() || registers->count > colours) continue;
    if (executions(trial) > most) continue;
    kernel = std::move(trial);
    return registers;
  }
  return std::nullopt;
}

// With fewer registers as long as no more instructions run: fewer colours do, or constants and
// parameters become operands of what uses them.  While registers keep warps from an SM, a few
// instructions outside of loops may be the price.
Registers with_fewer(Kernel& kernel, const Kernel& before, Registers registers) {
  if (before.registers.size() > kMostForTrials) return registers;
  const double most = executions(kernel) * kPriceOfRegisters;
  while (registers.count > 1) {
    const double allowed = registers.count > kOfAllWarps ? most : executions(kernel);
    const auto fewer = within(kernel, before, registers.count - 1, allowed);
    if (!fewer) break;
    registers = *fewer;
  }
  return registers;
}

}  // namespace

Registers allocate_registers(Kernel& kernel, uint32_t limit, uint32_t comfortable) {
  // With few registers more warps fit an SM: worth fetching parameters where they are used.
  if (comfortable < limit) {
    for (const Saving saving : {Saving::kFetch, Saving::kCompute}) {
      Kernel trial = kernel;
      auto registers = Allocator(trial, comfortable, saving).run();
      if (!registers) continue;
      // Fetches are worth it in loops, too.
      const double price = saving == Saving::kFetch ? kAnyPrice : kPriceOfRegisters;
      if (executions(trial) > executions(kernel) * price) continue;
      const Kernel before = std::exchange(kernel, std::move(trial));
      return registers->predicates.empty() ? with_fewer(kernel, before, *registers) : *registers;
    }
  }
  return *Allocator(kernel, limit, Saving::kStore).run();
}

}  // namespace gvp::kcc::g80

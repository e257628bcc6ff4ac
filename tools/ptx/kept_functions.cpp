// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/kept_functions.h"

#include <algorithm>
#include <map>
#include <vector>

namespace gvp::ptx {
namespace {

constexpr unsigned kSeveral = 2;  // places from which on a function of its own saves code
constexpr uint64_t kMostCounted = uint64_t{1} << 40;

class CallGraph {
 public:
  CallGraph(const Module& module, const Function& kernel) : module_(module), kernel_(kernel) {
    reach(kernel);
    for (const Function* function : reached_) find_misaligned(*function);
  }

  std::set<std::string> kept(const KeptFunctions& which) {
    std::set<std::string> result;
    for (const Function* function : reached_) {
      if (function == &kernel_) continue;
      if ((which.marked && function->separate) || is_worth_it(*function, which.least))
        result.insert(function->name);
    }
    // What is inlined into a function counts as its own.
    for (bool changed = true; changed;) {
      changed = false;
      for (const Function* function : reached_) {
        if (result.count(function->name) == 0) continue;
        std::set<const Function*> seen;
        if (!has_barred(*function, result, seen)) continue;
        result.erase(function->name);
        changed = true;
      }
    }
    return result;
  }

  uint64_t size(const std::set<std::string>& kept) {
    std::map<const Function*, uint64_t> sizes;
    uint64_t sum = size_of(kernel_, kept, sizes);
    for (const Function* function : reached_)
      if (kept.count(function->name) != 0) sum += size_of(*function, kept, sizes);
    return std::min(sum, kMostCounted);
  }

 private:
  void reach(const Function& function) {
    reached_.push_back(&function);
    for (const Instruction& instruction : function.body) {
      if (instruction.opcode != Opcode::kCall) continue;
      const Function* callee = module_.find_function(instruction.callee);
      if (callee == nullptr || !callee->defined) continue;
      ++places_[callee];
      if (std::find(reached_.begin(), reached_.end(), callee) == reached_.end()) reach(*callee);
    }
  }

  // Words of a structure that is passed are not aligned as memory wants it, which is where it goes
  // if its pieces do not fit registers.
  void find_misaligned(const Function& function) {
    std::set<uint32_t> parameters;
    for (const Instruction& access : function.body) {
      const bool store = access.opcode == Opcode::kSt;
      if (access.space != Space::kParameter || (!store && access.opcode != Opcode::kLd)) continue;
      const Operand& memory = access.operands[store ? 0 : 1];
      if (memory.symbol != kNoIndex && bytes(access.type) != 0 &&
          memory.value % bytes(access.type) != 0)
        parameters.insert(memory.symbol);
    }
    if (parameters.empty()) return;
    const auto among = [&](const Operand& operand) {
      return operand.is_symbol() && parameters.count(operand.index) != 0;
    };
    const auto any = [&](const std::vector<Operand>& operands) {
      return std::any_of(operands.begin(), operands.end(), among);
    };
    if (any(function.parameters) || any(function.results)) misaligned_.insert(function.name);
    for (const Instruction& call : function.body)
      if (any(call.call_arguments) || any(call.call_results)) misaligned_.insert(call.callee);
  }

  bool is_worth_it(const Function& function, uint64_t least) {
    if (least == 0 || places_[&function] < kSeveral) return false;
    std::map<const Function*, uint64_t> sizes;
    return size_of(function, {}, sizes) >= least;
  }

  template <typename Visit>
  void for_each_inlined(const Function& function, const std::set<std::string>& kept,
                        Visit visit) const {
    for (const Instruction& instruction : function.body) {
      if (instruction.opcode != Opcode::kCall || kept.count(instruction.callee) != 0) continue;
      const Function* callee = module_.find_function(instruction.callee);
      if (callee != nullptr && callee->defined) visit(*callee);
    }
  }

  // A function that calls itself is refused later; here it counts once.
  uint64_t size_of(const Function& function, const std::set<std::string>& kept,
                   std::map<const Function*, uint64_t>& sizes) const {
    const auto known = sizes.find(&function);
    if (known != sizes.end()) return known->second;
    sizes[&function] = 0;
    uint64_t sum = function.body.size();
    for_each_inlined(function, kept, [&](const Function& callee) {
      sum = std::min(sum + size_of(callee, kept, sizes), kMostCounted);
    });
    return sizes[&function] = sum;
  }

  bool is_barred(const Function& function) const {
    if (&function == &kernel_ || misaligned_.count(function.name) != 0) return true;
    const auto barred_formal = [&](const Operand& formal) {
      if (formal.is_register()) return function.registers[formal.index].type == Type::kPredicate;
      const Symbol& symbol = module_.symbols[formal.index];
      return module_.wide_addresses && symbol.size > bytes(symbol.type);
    };
    return std::any_of(function.parameters.begin(), function.parameters.end(), barred_formal) ||
           std::any_of(function.results.begin(), function.results.end(), barred_formal);
  }

  static bool is_barred(const Instruction& instruction) {
    return instruction.opcode == Opcode::kExit || instruction.opcode == Opcode::kTrap ||
           instruction.type == Type::kF64 || instruction.source_type == Type::kF64;
  }

  bool has_barred(const Function& function, const std::set<std::string>& kept,
                  std::set<const Function*>& seen) const {
    if (seen.empty() && is_barred(function)) return true;
    if (!seen.insert(&function).second) return false;
    for (const Instruction& instruction : function.body)
      if (is_barred(instruction)) return true;
    bool found = false;
    for_each_inlined(function, kept,
                     [&](const Function& callee) { found |= has_barred(callee, kept, seen); });
    return found;
  }

  const Module& module_;
  const Function& kernel_;
  std::vector<const Function*> reached_;
  std::map<const Function*, unsigned> places_;  // of calls
  std::set<std::string> misaligned_;            // functions
};

}  // namespace

std::set<std::string> kept_functions(const Module& module, const Function& kernel,
                                     const KeptFunctions& which) {
  return CallGraph(module, kernel).kept(which);
}

uint64_t inlined_size(const Module& module, const Function& kernel,
                      const std::set<std::string>& kept) {
  return CallGraph(module, kernel).size(kept);
}

}  // namespace gvp::ptx

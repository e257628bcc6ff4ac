// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/inline.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

namespace gvp::ptx {
namespace {

// "operator new(unsigned int)" for "_Znwj": as the source has it.
std::string readable(const std::string& name) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (status != 0 || demangled == nullptr) return name;
  std::string result = demangled;
  std::free(demangled);
  return result;
}

constexpr size_t kMostInstructions = 200000;  // calls of calls grow exponentially

class Inliner {
 public:
  explicit Inliner(const Module& module) : module_(module) {}

  Function run(const Function& function) {
    result_.name = function.name;
    result_.entry = function.entry;
    result_.defined = true;
    result_.parameters = function.parameters;
    result_.position = function.position;
    Frame frame;
    frame.function = &function;
    // The kernel's own parameters stay in memory.
    for (const Operand& parameter : function.parameters) {
      if (parameter.is_symbol()) frame.kept.push_back(parameter.index);
    }
    expand(frame);
    return std::move(result_);
  }

 private:
  struct Place {  // a parameter variable of one activation
    uint32_t instance;
    uint32_t symbol;
    bool operator<(const Place& other) const {
      return std::tie(instance, symbol) < std::tie(other.instance, other.symbol);
    }
  };
  struct Slot {
    uint32_t reg;
    unsigned bytes;
  };
  struct Frame {
    const Function* function = nullptr;
    const Frame* caller = nullptr;
    const Instruction* call = nullptr;
    SourceLine call_source;  // of the call, or of the one around it
    uint32_t instance = 0;
    uint32_t first_register = 0;
    uint32_t first_label = 0;
    uint32_t end_label = kNoIndex;
    std::vector<uint32_t> kept;
    std::map<uint32_t, Place> actual;  // by formal parameter
  };

  void expand(Frame& frame) {
    const Function& function = *frame.function;
    frame.first_register = static_cast<uint32_t>(result_.registers.size());
    frame.first_label = static_cast<uint32_t>(result_.labels.size());
    result_.registers.insert(result_.registers.end(), function.registers.begin(),
                             function.registers.end());
    result_.labels.insert(result_.labels.end(), function.labels.begin(), function.labels.end());
    if (frame.caller != nullptr) bind(frame);
    for (const Instruction& instruction : function.body) {
      if (result_.body.size() > kMostInstructions) {
        fail(module_, instruction, "too much code after inlining");
      }
      copy(frame, instruction);
    }
    if (frame.caller != nullptr) {
      Instruction place;
      Operand label;
      label.kind = Operand::Kind::kLabel;
      label.index = frame.end_label;
      place.operands.push_back(label);
      result_.body.push_back(place);
      for (size_t i = 0; i < function.results.size(); ++i) {
        if (!function.results[i].is_register()) continue;
        Operand value = function.results[i];
        value.index += frame.first_register;
        move(renamed(*frame.caller, frame.call->call_results[i]), value, value.index, *frame.call);
      }
    }
  }

  // Actual parameters for formal ones.
  void bind(Frame& frame) {
    const Function& callee = *frame.function;
    const Instruction& call = *frame.call;
    if (callee.parameters.size() != call.call_arguments.size() ||
        callee.results.size() != call.call_results.size()) {
      fail(module_, call,
           "call of \"" + readable(callee.name) + "\" with another number of parameters");
    }
    frame.end_label = static_cast<uint32_t>(result_.labels.size());
    result_.labels.push_back({"end of " + callee.name, true, call.position});
    for (size_t i = 0; i < callee.parameters.size(); ++i) {
      bind_one(frame, callee.parameters[i], call.call_arguments[i], true);
    }
    for (size_t i = 0; i < callee.results.size(); ++i) {
      bind_one(frame, callee.results[i], call.call_results[i], false);
    }
  }

  void bind_one(Frame& frame, const Operand& formal, const Operand& actual, bool is_argument) {
    if (formal.is_register()) {
      if (!is_argument) return;  // moved at the end
      Operand target = formal;
      target.index += frame.first_register;
      move(target, renamed(*frame.caller, actual), target.index, *frame.call);
      return;
    }
    if (actual.is_symbol()) {
      frame.actual[formal.index] = place_of(*frame.caller, actual.index);
      return;
    }
    // A register or constant passed for a .param: through a slot of its own.
    const Place own{frame.instance, formal.index};
    frame.actual[formal.index] = own;
    const Type type = module_.symbols[formal.index].type;
    if (!is_argument) module_.source.fail(actual.position, "expected a .param variable");
    Operand target;
    target.kind = Operand::Kind::kRegister;
    target.index = slot(own, 0, type, frame.call->position);
    move(target, renamed(*frame.caller, actual), target.index, *frame.call);
  }

  Place place_of(const Frame& frame, uint32_t symbol) const {
    const auto found = frame.actual.find(symbol);
    return found != frame.actual.end() ? found->second : Place{frame.instance, symbol};
  }

  uint32_t slot(const Place& place, uint64_t offset, Type type, Position position) {
    auto& slots = slots_[place];
    const auto found = slots.find(offset);
    if (found != slots.end()) {
      if (found->second.bytes != bytes(type)) {
        module_.source.fail(position, "a parameter is read in other pieces than it was written");
      }
      return found->second.reg;
    }
    const auto index = static_cast<uint32_t>(result_.registers.size());
    result_.registers.push_back({"parameter", type});
    slots[offset] = {index, bytes(type)};
    return index;
  }

  // Types of registers may differ in sign or kind; a move of bits fits all.
  void move(Operand target, Operand value, uint32_t type_of, const Instruction& place) {
    Instruction instruction;
    instruction.opcode = Opcode::kMov;
    instruction.type = result_.registers[type_of].type;
    const auto is_predicate = [&](const Operand& operand) {
      return operand.is_register() && result_.registers[operand.index].type == Type::kPredicate;
    };
    if (is_predicate(target) != is_predicate(value)) {
      fail(module_, place, "a predicate is passed for a number, or a number for a predicate");
    }
    instruction.guard = kNoIndex;
    instruction.position = place.position;
    instruction.source = place.source;
    instruction.operands = {std::move(target), std::move(value)};
    result_.body.push_back(std::move(instruction));
  }

  // What is left of parameters of functions after ld.param and st.param would be their addresses.
  void refuse_addresses(const Frame& frame, const Instruction& instruction) const {
    for (const Operand& operand : instruction.operands) {
      const uint32_t symbol = operand.is_symbol()   ? operand.index
                              : operand.is_memory() ? operand.symbol
                                                    : kNoIndex;
      if (symbol == kNoIndex || module_.symbols[symbol].space != Space::kParameter) continue;
      if (frame.caller == nullptr && is_kept(frame, symbol)) continue;
      fail(module_, instruction, "parameters of functions have no address here");
    }
  }

  static bool is_kept(const Frame& frame, uint32_t symbol) {
    return std::count(frame.kept.begin(), frame.kept.end(), symbol) != 0;
  }

  Operand renamed(const Frame& frame, Operand operand) const {
    if (operand.index != kNoIndex) {
      if (operand.is_register() || operand.is_memory()) operand.index += frame.first_register;
      if (operand.kind == Operand::Kind::kLabel) operand.index += frame.first_label;
    }
    for (Operand& element : operand.elements) element = renamed(frame, element);
    return operand;
  }

  void copy(Frame& frame, const Instruction& original) {
    if (original.opcode == Opcode::kCall) return call(frame, original);
    Instruction instruction = original;
    if (instruction.guard != kNoIndex) instruction.guard += frame.first_register;
    for (Operand& operand : instruction.operands) operand = renamed(frame, operand);
    instruction.second_destination = renamed(frame, instruction.second_destination);
    // Code of a library has no lines of its own: the call's are more useful.
    const bool has_line = instruction.source.line != 0 && !frame.function->library;
    if (frame.caller != nullptr && !has_line) instruction.source = frame.call_source;
    if (frame.function->library) instruction.position = frame.call->position;
    if (instruction.opcode == Opcode::kRet && frame.end_label != kNoIndex) {
      instruction.opcode = Opcode::kBra;
      Operand label;
      label.kind = Operand::Kind::kLabel;
      label.index = frame.end_label;
      instruction.operands = {label};
      if (&original == &frame.function->body.back() && instruction.guard == kNoIndex) return;
    }
    if (instruction.space == Space::kParameter && is_access(instruction)) {
      if (parameter_access(frame, instruction)) return;
    }
    refuse_addresses(frame, instruction);
    result_.body.push_back(std::move(instruction));
  }

  static bool is_access(const Instruction& instruction) {
    return instruction.opcode == Opcode::kLd || instruction.opcode == Opcode::kSt;
  }

  // ld.param and st.param of everything but the kernel's own parameters.
  bool parameter_access(const Frame& frame, const Instruction& access) {
    const bool load = access.opcode == Opcode::kLd;
    const Operand& memory = access.operands[load ? 1 : 0];
    if (memory.symbol == kNoIndex) {
      if (frame.caller == nullptr && load) return false;
      fail(module_, access, "parameters of functions have no address here");
    }
    if (is_kept(frame, memory.symbol)) return false;
    const Place place = place_of(frame, memory.symbol);
    const Operand& data = access.operands[load ? 0 : 1];
    const std::vector<Operand> single{data};
    const auto& values = data.kind == Operand::Kind::kVector ? data.elements : single;
    for (size_t i = 0; i < values.size(); ++i) {
      Operand parameter;
      parameter.kind = Operand::Kind::kRegister;
      parameter.index =
          slot(place, memory.value + i * bytes(access.type), access.type, access.position);
      Instruction move = access;
      move.opcode = Opcode::kMov;
      move.space = Space::kGeneric;
      move.vector = 1;
      move.operands = load ? std::vector<Operand>{values[i], parameter}
                           : std::vector<Operand>{parameter, values[i]};
      result_.body.push_back(std::move(move));
    }
    return true;
  }

  void call(const Frame& frame, const Instruction& instruction) {
    const Function* callee = module_.find_function(instruction.callee);
    if (callee == nullptr || !callee->defined) {
      fail(module_, instruction,
           "function \"" + readable(instruction.callee) + "\" has no body in this file");
    }
    for (const Frame* outer = &frame; outer != nullptr; outer = outer->caller) {
      if (outer->function == callee) {
        fail(module_, instruction, "recursion is not supported",
             "\"" + readable(callee->name) + "\" calls itself");
      }
    }
    if (instruction.guard != kNoIndex) {
      fail(module_, instruction, "a call cannot be guarded", "branch around it");
    }
    Frame inner;
    inner.function = callee;
    inner.caller = &frame;
    inner.call = &instruction;
    inner.call_source = instruction.source.line != 0 ? instruction.source : frame.call_source;
    inner.instance = ++instances_;
    expand(inner);
  }

  const Module& module_;
  Function result_;
  uint32_t instances_ = 0;
  std::map<Place, std::map<uint64_t, Slot>> slots_;
};

}  // namespace

Function inline_calls(const Module& module, const Function& function) {
  return Inliner(module).run(function);
}

}  // namespace gvp::ptx

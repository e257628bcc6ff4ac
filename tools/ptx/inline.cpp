// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/inline.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include "tools/ptx/shown_names.h"

namespace gvp::ptx {
namespace {

constexpr size_t kMostInstructions = 200000;  // calls of calls grow exponentially

class Inliner {
 public:
  Inliner(Module& module, const ExplainMissing& explain) : module_(module), explain_(explain) {}

  // Once more whenever parameters turn out to need memory.
  Function run(const Function& function) {
    for (;;) {
      const size_t known = in_memory_.size();
      once(function);
      if (in_memory_.size() == known) return std::move(result_);
    }
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

  void once(const Function& function) {
    result_ = Function();
    slots_.clear();
    instances_ = 0;
    result_.name = function.name;
    result_.entry = function.entry;
    result_.defined = true;
    result_.parameters = function.parameters;
    result_.most_threads = function.most_threads;
    result_.least_blocks = function.least_blocks;
    result_.position = function.position;
    Frame frame;
    frame.function = &function;
    // The kernel's own parameters stay in memory.
    for (const Operand& parameter : function.parameters) {
      if (parameter.is_symbol()) frame.kept.push_back(parameter.index);
    }
    expand(frame);
  }

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
           "call of \"" + readable_name(callee.name) + "\" with another number of parameters");
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
    target.index = slot(own, 0, type);
    if (const auto variable = variable_of(own)) {
      store(*variable, type, renamed(*frame.caller, actual), *frame.call);
      return;
    }
    move(target, renamed(*frame.caller, actual), target.index, *frame.call);
  }

  Place place_of(const Frame& frame, uint32_t symbol) const {
    const auto found = frame.actual.find(symbol);
    return found != frame.actual.end() ? found->second : Place{frame.instance, symbol};
  }

  uint32_t slot(const Place& place, uint64_t offset, Type type) {
    auto& slots = slots_[place];
    const auto found = slots.find(offset);
    if (found != slots.end()) {
      if (found->second.bytes != bytes(type)) need_memory(place);
      return found->second.reg;
    }
    // Another piece may reach into this one.
    const auto next = slots.lower_bound(offset);
    if (next != slots.end() && next->first < offset + bytes(type)) need_memory(place);
    if (next != slots.begin() && std::prev(next)->first + std::prev(next)->second.bytes > offset)
      need_memory(place);
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

  void need_memory(const Place& place) {
    if (in_memory_.count(place) != 0) return;
    const Symbol& parameter = module_.symbols[place.symbol];
    Symbol variable;
    variable.name = parameter.name;
    variable.space = Space::kLocal;
    variable.type = Type::kB8;
    variable.alignment = std::max(parameter.alignment, 8U);
    variable.size = std::max<uint64_t>(parameter.size, 8);
    variable.position = parameter.position;
    in_memory_[place] = static_cast<uint32_t>(module_.symbols.size());
    module_.symbols.push_back(std::move(variable));
  }
  std::optional<uint32_t> variable_of(const Place& place) const {
    const auto found = in_memory_.find(place);
    return found == in_memory_.end() ? std::nullopt : std::optional(found->second);
  }
  void store(uint32_t variable, Type type, Operand value, const Instruction& place) {
    Instruction instruction;
    instruction.opcode = Opcode::kSt;
    instruction.space = Space::kLocal;
    instruction.type = type;
    instruction.position = place.position;
    instruction.source = place.source;
    Operand memory;
    memory.kind = Operand::Kind::kMemory;
    memory.symbol = variable;
    memory.position = place.position;
    instruction.operands = {memory, std::move(value)};
    result_.body.push_back(std::move(instruction));
  }

  // What is left of parameters of functions after ld.param and st.param are their addresses.
  void take_addresses(const Frame& frame, Instruction& instruction) {
    for (Operand& operand : instruction.operands) {
      uint32_t* symbol = operand.is_symbol()   ? &operand.index
                         : operand.is_memory() ? &operand.symbol
                                               : nullptr;
      if (symbol == nullptr || *symbol == kNoIndex) continue;
      if (module_.symbols[*symbol].space != Space::kParameter) continue;
      if (frame.caller == nullptr && is_kept(frame, *symbol)) continue;
      const Place place = place_of(frame, *symbol);
      need_memory(place);
      *symbol = *variable_of(place);
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
    refuse_indirect(original);
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
    take_addresses(frame, instruction);
    result_.body.push_back(std::move(instruction));
  }

  // Not before: another kernel of the module may be without.
  void refuse_indirect(const Instruction& instruction) const {
    const bool indirect = instruction.opcode == Opcode::kCall && instruction.callee.empty();
    const bool address = std::any_of(
        instruction.operands.begin(), instruction.operands.end(),
        [](const Operand& operand) { return operand.kind == Operand::Kind::kFunction; });
    if (!indirect && !address) return;
    fail(module_, instruction,
         indirect ? "indirect calls are not supported"
                  : "the address of a function: indirect calls are not supported",
         "call functions by their names, and those that are virtual on objects");
  }

  static bool is_access(const Instruction& instruction) {
    return instruction.opcode == Opcode::kLd || instruction.opcode == Opcode::kSt;
  }

  // ld.param and st.param of everything but the kernel's own parameters.  Whether there is nothing
  // more to do.
  bool parameter_access(const Frame& frame, Instruction& access) {
    const bool load = access.opcode == Opcode::kLd;
    Operand& memory = access.operands[load ? 1 : 0];
    if (memory.symbol == kNoIndex) {
      if (frame.caller == nullptr && load) return false;
      access.space = Space::kLocal;  // by an address that was taken
      return false;
    }
    if (is_kept(frame, memory.symbol)) return false;
    const Place place = place_of(frame, memory.symbol);
    if (const auto variable = variable_of(place)) {
      access.space = Space::kLocal;
      memory.symbol = *variable;
      return false;
    }
    const Operand& data = access.operands[load ? 0 : 1];
    const std::vector<Operand> single{data};
    const auto& values = data.kind == Operand::Kind::kVector ? data.elements : single;
    for (size_t i = 0; i < values.size(); ++i)
      piece(access, place, memory.value + i * bytes(access.type), values[i]);
    return true;
  }

  // Eight bytes are two words, because the other side may pass or take them so.
  void piece(const Instruction& access, const Place& place, uint64_t offset, const Operand& value) {
    Operand parameter;
    Type type = access.type;
    if (bytes(type) == 8 && is_integer(type) && !module_.wide_addresses) {
      parameter.kind = Operand::Kind::kVector;
      parameter.elements.resize(2);
      for (size_t half = 0; half < 2; ++half) {
        parameter.elements[half].kind = Operand::Kind::kRegister;
        parameter.elements[half].index = slot(place, offset + 4 * half, Type::kB32);
      }
      type = Type::kB64;
    } else {
      parameter.kind = Operand::Kind::kRegister;
      parameter.index = slot(place, offset, type);
    }
    Instruction move = access;
    move.opcode = Opcode::kMov;
    move.space = Space::kGeneric;
    move.type = type;
    move.vector = 1;
    if (access.opcode == Opcode::kLd) {
      move.operands = {value, parameter};
    } else {
      move.operands = {parameter, value};
    }
    result_.body.push_back(std::move(move));
  }

  void call(const Frame& frame, const Instruction& instruction) {
    const Function* callee = module_.find_function(instruction.callee);
    if (callee == nullptr || !callee->defined) {
      Instruction place = instruction;  // where the user called what led here
      if (place.source.line == 0) place.source = frame.call_source;
      const MissingBody missing = explain_ ? explain_(instruction.callee) : MissingBody{};
      if (!missing.what.empty()) fail(module_, place, missing.what, missing.remedy);
      fail(module_, instruction,
           "function \"" + readable_name(instruction.callee) + "\" has no body in this file");
    }
    for (const Frame* outer = &frame; outer != nullptr; outer = outer->caller) {
      if (outer->function == callee) {
        fail(module_, instruction, "recursion is not supported",
             "\"" + readable_name(callee->name) + "\" calls itself");
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

  Module& module_;
  const ExplainMissing& explain_;
  std::map<Place, uint32_t> in_memory_;  // the local variable
  Function result_;
  uint32_t instances_ = 0;
  std::map<Place, std::map<uint64_t, Slot>> slots_;
};

}  // namespace

Function inline_calls(Module& module, const Function& function, const ExplainMissing& explain) {
  return Inliner(module, explain).run(function);
}

}  // namespace gvp::ptx

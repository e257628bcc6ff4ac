// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/inline.h"

#include <algorithm>
#include <utility>

#include "tools/ptx/inliner.h"
#include "tools/ptx/shown_names.h"

namespace gvp::ptx {
namespace {

constexpr size_t kMostInstructions = 200000;  // calls of calls grow exponentially

bool is_access(const Instruction& instruction) {
  return instruction.opcode == Opcode::kLd || instruction.opcode == Opcode::kSt;
}

// A kernel with the functions that stay functions, each behind those that it calls.
class Program {
 public:
  Program(Module& module, const CallOptions& options)
      : module_(module), options_(options), signatures_(module, options) {}

  std::vector<Function> run(const Function& kernel) {
    add(kernel);
    return std::move(functions_);
  }

 private:
  enum class State : uint8_t { kNew, kUnderWay, kDone };

  void add(const Function& function) {
    state_[function.name] = State::kUnderWay;
    Function inlined = Inliner(module_, signatures_, options_.explain).run(function);
    for (const Instruction& instruction : inlined.body) {
      if (instruction.opcode != Opcode::kCall || options_.kept.count(instruction.callee) == 0)
        continue;
      State& state = state_[instruction.callee];
      if (state == State::kUnderWay) refuse_recursion(module_, instruction);
      if (state == State::kNew) add(*module_.find_function(instruction.callee));
    }
    state_[function.name] = State::kDone;
    functions_.push_back(std::move(inlined));
  }

  Module& module_;
  const CallOptions& options_;
  Signatures signatures_;
  std::map<std::string, State> state_;
  std::vector<Function> functions_;
};

}  // namespace

void refuse_recursion(const Module& module, const Instruction& call) {
  fail(module, call, "recursion is not supported",
       "\"" + readable_name(call.callee) + "\" calls itself");
}

// Once more whenever parameters turn out to need memory.
Function Inliner::run(const Function& function) {
  std::vector<uint32_t> variables;
  if (!function.entry) {
    const Signature& own = signatures_.of(function);
    const auto put = [&](const std::vector<Operand>& formals, const std::vector<Passing>& all) {
      for (size_t i = 0; i < formals.size(); ++i) {
        if (all[i].variable == kNoIndex) continue;
        in_memory_[{0, formals[i].index}] = all[i].variable;
        variables.push_back(all[i].variable);
      }
    };
    put(function.parameters, own.parameters);
    put(function.results, own.results);
  }
  for (;;) {
    const size_t known = in_memory_.size();
    once(function);
    if (in_memory_.size() != known) continue;
    result_.parameter_variables = std::move(variables);
    return std::move(result_);
  }
}

void Inliner::once(const Function& function) {
  result_ = Function();
  slots_.clear();
  in_words_.clear();
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
    if (function.entry && parameter.is_symbol()) frame.kept.push_back(parameter.index);
  }
  expand(frame);
}

void Inliner::expand(Frame& frame) {
  const Function& function = *frame.function;
  frame.first_register = static_cast<uint32_t>(result_.registers.size());
  frame.first_label = static_cast<uint32_t>(result_.labels.size());
  result_.registers.insert(result_.registers.end(), function.registers.begin(),
                           function.registers.end());
  result_.labels.insert(result_.labels.end(), function.labels.begin(), function.labels.end());
  if (frame.caller != nullptr) {
    bind(frame);
  } else if (!function.entry) {
    frame.end_label = static_cast<uint32_t>(result_.labels.size());
    result_.labels.push_back({"end of " + function.name, true, function.position});
    take_parameters(frame);
  }
  for (const Instruction& instruction : function.body) {
    if (result_.body.size() > kMostInstructions) {
      fail(module_, instruction, "too much code after inlining");
    }
    copy(frame, instruction);
  }
  if (frame.end_label == kNoIndex) return;
  place_end(frame);
  if (frame.caller == nullptr) return give_results(frame);
  for (size_t i = 0; i < function.results.size(); ++i) {
    if (!function.results[i].is_register()) continue;
    Operand value = function.results[i];
    value.index += frame.first_register;
    move(renamed(*frame.caller, frame.call->call_results[i]), value, value.index, *frame.call);
  }
}

void Inliner::place_end(const Frame& frame) {
  Instruction place;
  Operand label;
  label.kind = Operand::Kind::kLabel;
  label.index = frame.end_label;
  place.operands.push_back(label);
  result_.body.push_back(place);
}

Operand Inliner::renamed(const Frame& frame, Operand operand) const {
  if (operand.index != kNoIndex) {
    if (operand.is_register() || operand.is_memory()) operand.index += frame.first_register;
    if (operand.kind == Operand::Kind::kLabel) operand.index += frame.first_label;
  }
  for (Operand& element : operand.elements) element = renamed(frame, element);
  return operand;
}

void Inliner::copy(Frame& frame, const Instruction& original) {
  refuse_indirect(original);
  if (original.opcode == Opcode::kCall && !original.direct) return call(frame, original);
  Instruction instruction = original;
  if (instruction.guard != kNoIndex) instruction.guard += frame.first_register;
  for (Operand& operand : instruction.operands) operand = renamed(frame, operand);
  instruction.second_destination = renamed(frame, instruction.second_destination);
  for (Operand& operand : instruction.call_arguments) operand = renamed(frame, operand);
  for (Operand& operand : instruction.call_results) operand = renamed(frame, operand);
  // Code of a library has no lines of its own: the call's are more useful.
  const bool has_line = instruction.source.line != 0 && !frame.function->library;
  if (frame.caller != nullptr && !has_line) instruction.source = frame.call_source;
  if (frame.function->library)
    instruction.position = frame.call != nullptr ? frame.call->position : Position{};
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
void Inliner::refuse_indirect(const Instruction& instruction) const {
  const bool indirect = instruction.opcode == Opcode::kCall && instruction.callee.empty();
  const bool address =
      std::any_of(instruction.operands.begin(), instruction.operands.end(),
                  [](const Operand& operand) { return operand.kind == Operand::Kind::kFunction; });
  if (!indirect && !address) return;
  fail(module_, instruction,
       indirect ? "indirect calls are not supported"
                : "the address of a function: indirect calls are not supported",
       "call functions by their names, and those that are virtual on objects");
}

void Inliner::call(const Frame& frame, const Instruction& instruction) {
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
    if (outer->function == callee) refuse_recursion(module_, instruction);
  }
  if (instruction.guard != kNoIndex) {
    fail(module_, instruction, "a call cannot be guarded", "branch around it");
  }
  if (signatures_.keeps(*callee)) return call_kept(frame, instruction, *callee);
  Frame inner;
  inner.function = callee;
  inner.caller = &frame;
  inner.call = &instruction;
  inner.call_source = instruction.source.line != 0 ? instruction.source : frame.call_source;
  inner.instance = ++instances_;
  expand(inner);
}

std::vector<Function> inline_calls(Module& module, const Function& kernel,
                                   const CallOptions& options) {
  return Program(module, options).run(kernel);
}

}  // namespace gvp::ptx

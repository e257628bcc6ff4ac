// SPDX-License-Identifier: Apache-2.0
// Parameters in .param space become registers, or local variables.
#include <algorithm>
#include <iterator>
#include <utility>

#include "tools/ptx/inliner.h"
#include "tools/ptx/shown_names.h"

namespace gvp::ptx {
namespace {

constexpr unsigned kWord = 4;

}  // namespace

void Inliner::check_count(const Function& callee, const Instruction& call) const {
  if (callee.parameters.size() != call.call_arguments.size() ||
      callee.results.size() != call.call_results.size()) {
    fail(module_, call,
         "call of \"" + readable_name(callee.name) + "\" with another number of parameters");
  }
}

// Actual parameters for formal ones.
void Inliner::bind(Frame& frame) {
  const Function& callee = *frame.function;
  const Instruction& call = *frame.call;
  check_count(callee, call);
  frame.end_label = static_cast<uint32_t>(result_.labels.size());
  result_.labels.push_back({"end of " + callee.name, true, call.position});
  for (size_t i = 0; i < callee.parameters.size(); ++i) {
    bind_one(frame, callee.parameters[i], call.call_arguments[i], true);
  }
  for (size_t i = 0; i < callee.results.size(); ++i) {
    bind_one(frame, callee.results[i], call.call_results[i], false);
  }
}

void Inliner::bind_one(Frame& frame, const Operand& formal, const Operand& actual,
                       bool is_argument) {
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
    access(Opcode::kSt, *variable, 0, type, renamed(*frame.caller, actual), *frame.call);
    return;
  }
  move(target, renamed(*frame.caller, actual), target.index, *frame.call);
}

Inliner::Place Inliner::place_of(const Frame& frame, uint32_t symbol) const {
  const auto found = frame.actual.find(symbol);
  return found != frame.actual.end() ? found->second : Place{frame.instance, symbol};
}

uint32_t Inliner::slot(const Place& place, uint64_t offset, Type type) {
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
void Inliner::move(Operand target, Operand value, uint32_t type_of, const Instruction& place) {
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

void Inliner::need_memory(const Place& place) {
  if (in_memory_.count(place) != 0) return;
  const Symbol& parameter = module_.symbols[place.symbol];
  Symbol variable;
  variable.name = parameter.name;
  variable.space = Space::kLocal;
  variable.type = Type::kB8;
  variable.alignment = std::max(parameter.alignment, 8U);
  variable.size = std::max<uint64_t>(parameter.size, 8);
  if (in_words_.count(place) != 0) variable.size = (variable.size + 3) / 4 * 4;
  variable.position = parameter.position;
  in_memory_[place] = static_cast<uint32_t>(module_.symbols.size());
  module_.symbols.push_back(std::move(variable));
}

std::optional<uint32_t> Inliner::variable_of(const Place& place) const {
  const auto found = in_memory_.find(place);
  return found == in_memory_.end() ? std::nullopt : std::optional(found->second);
}

void Inliner::access(Opcode opcode, uint32_t variable, uint64_t offset, Type type, Operand value,
                     const Instruction& place) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.space = Space::kLocal;
  instruction.type = type;
  instruction.position = place.position;
  instruction.source = place.source;
  Operand memory;
  memory.kind = Operand::Kind::kMemory;
  memory.symbol = variable;
  memory.value = offset;
  memory.position = place.position;
  if (opcode == Opcode::kSt) {
    instruction.operands = {memory, std::move(value)};
  } else {
    instruction.operands = {std::move(value), memory};
  }
  result_.body.push_back(std::move(instruction));
}

// What is left of parameters of functions after ld.param and st.param are their addresses.
void Inliner::take_addresses(const Frame& frame, Instruction& instruction) {
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

bool Inliner::is_kept(const Frame& frame, uint32_t symbol) {
  return std::count(frame.kept.begin(), frame.kept.end(), symbol) != 0;
}

// ld.param and st.param of everything but the kernel's own parameters.  Whether there is nothing
// more to do.
bool Inliner::parameter_access(const Frame& frame, Instruction& access) {
  const bool load = access.opcode == Opcode::kLd;
  Operand& memory = access.operands[load ? 1 : 0];
  if (memory.symbol == kNoIndex) {
    if (frame.caller == nullptr && frame.function->entry && load) return false;
    access.space = Space::kLocal;  // by an address that was taken
    return false;
  }
  if (is_kept(frame, memory.symbol)) return false;
  const Place place = place_of(frame, memory.symbol);
  if (const auto variable = variable_of(place)) {
    access.space = Space::kLocal;
    memory.symbol = *variable;
    return byte_by_byte(access);
  }
  const Operand& data = access.operands[load ? 0 : 1];
  const std::vector<Operand> single{data};
  const auto& values = data.kind == Operand::Kind::kVector ? data.elements : single;
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t offset = memory.value + i * bytes(access.type);
    if (!part_of_word(access, place, offset, values[i])) piece(access, place, offset, values[i]);
  }
  return true;
}

// A load of less than the register has, from one whose other bits say nothing.
void Inliner::extend(const Instruction& access, const Operand& value, const Operand& from) {
  Instruction convert = access;
  convert.opcode = Opcode::kCvt;
  convert.space = Space::kGeneric;
  convert.vector = 1;
  convert.ordered = false;
  convert.source_type = access.type;
  convert.type = is_signed(access.type) ? Type::kS32 : Type::kU32;
  if (access.type == Type::kB8) convert.source_type = Type::kU8;
  if (access.type == Type::kB16) convert.source_type = Type::kU16;
  convert.operands = {value, from};
  result_.body.push_back(std::move(convert));
}

// Eight bytes are two words, because the other side may pass or take them so.
void Inliner::piece(const Instruction& access, const Place& place, uint64_t offset,
                    const Operand& value) {
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
  const bool is_narrow = is_integer(type) && bytes(type) < kWord && value.is_register() &&
                         bytes(type) < bytes(result_.registers[value.index].type);
  if (access.opcode == Opcode::kLd && is_narrow) return extend(access, value, parameter);
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

}  // namespace gvp::ptx

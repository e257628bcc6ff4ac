// SPDX-License-Identifier: Apache-2.0
// Functions that stay functions: their parameters and results are registers, or local variables of
// the called function (call_signature.h).
#include <iterator>
#include <utility>

#include "tools/ptx/inliner.h"

namespace gvp::ptx {
namespace {

Operand pair_of(const Operand& low, const Operand& high) {
  Operand pair;
  pair.kind = Operand::Kind::kVector;
  pair.elements = {low, high};
  return pair;
}

Instruction plain(Opcode opcode, Type type, const Instruction& at) {
  Instruction out;
  out.opcode = opcode;
  out.type = type;
  out.position = at.position;
  out.source = at.source;
  return out;
}

}  // namespace

Operand Inliner::new_register(Type type) {
  Operand operand;
  operand.kind = Operand::Kind::kRegister;
  operand.index = static_cast<uint32_t>(result_.registers.size());
  result_.registers.push_back({"word", type});
  return operand;
}

// The register of a parameter's word.  What was stored there alone, and is shorter, stands for it.
Operand Inliner::word(const Place& place, uint32_t index, const Passing& passing,
                      const Instruction& at, bool read) {
  const uint64_t offset = uint64_t{4} * index;
  if (const auto variable = variable_of(place)) {
    Operand value = new_register(passing.type);
    if (read) access(Opcode::kLd, *variable, offset, passing.type, value, at);
    return value;
  }
  Operand value;
  value.kind = Operand::Kind::kRegister;
  const auto& slots = slots_[place];
  const auto found = slots.find(offset);
  if (found != slots.end() && found->second.bytes < bytes(passing.type)) {
    const auto next = std::next(found);
    if (next == slots.end() || next->first >= offset + bytes(passing.type)) {
      value.index = found->second.reg;
      return value;
    }
  }
  value.index = slot(place, offset, passing.type);
  return value;
}

// A load of less than the word that was passed.
bool Inliner::part_of_word(const Instruction& access, const Place& place, uint64_t offset,
                           const Operand& value) {
  if (access.opcode != Opcode::kLd || in_words_.count(place) == 0 || bytes(access.type) >= 4)
    return false;
  const auto& slots = slots_[place];
  const auto found = slots.find(offset);
  if (found == slots.end() || found->second.bytes != 4) return false;
  Operand from;
  from.kind = Operand::Kind::kRegister;
  from.index = found->second.reg;
  extend(access, value, from);
  return true;
}

// From a parameter of this function to the variable of a called one, or back.
void Inliner::copy_memory(const Place& from, uint32_t to, const Passing& passing, bool back,
                          const Instruction& at) {
  need_memory(from);
  const uint32_t own = *variable_of(from);
  for (uint64_t offset = 0; offset < passing.bytes; offset += 4) {
    const Operand value = new_register(Type::kB32);
    access(Opcode::kLd, back ? to : own, offset, Type::kB32, value, at);
    access(Opcode::kSt, back ? own : to, offset, Type::kB32, value, at);
  }
}

// At the begin of a function that stays one.
void Inliner::take_parameters(const Frame& frame) {
  const Function& function = *frame.function;
  const Signature& own = signatures_.of(function);
  result_.parameters.clear();
  Instruction at;
  at.position = function.position;
  if (!function.body.empty()) at.source = function.body.front().source;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const Operand& formal = function.parameters[i];
    const Passing& passing = own.parameters[i];
    if (formal.is_register()) {
      Operand value = formal;
      value.index += frame.first_register;
      if (passing.words == 1) {
        result_.parameters.push_back(value);
        continue;
      }
      const Operand low = new_register(Type::kB32);
      const Operand high = new_register(Type::kB32);
      result_.parameters.insert(result_.parameters.end(), {low, high});
      Instruction pack = plain(Opcode::kMov, Type::kB64, at);
      pack.operands = {value, pair_of(low, high)};
      result_.body.push_back(std::move(pack));
      continue;
    }
    const Place place{0, formal.index};
    in_words_[place] = true;
    if (passing.variable != kNoIndex) continue;
    for (uint32_t w = 0; w < passing.words; ++w) {
      const Operand value = word(place, w, passing, at, false);
      result_.parameters.push_back(value);
      if (const auto variable = variable_of(place))
        access(Opcode::kSt, *variable, uint64_t{4} * w, passing.type, value, at);
    }
  }
  for (const Operand& formal : function.results) {
    if (formal.is_symbol()) in_words_[{0, formal.index}] = true;
  }
}

// The one return, behind the end.
void Inliner::give_results(const Frame& frame) {
  const Function& function = *frame.function;
  const Signature& own = signatures_.of(function);
  Instruction at;
  at.position = function.position;
  if (!function.body.empty()) at.source = function.body.back().source;
  Instruction leave = plain(Opcode::kRet, Type::kNone, at);
  for (size_t i = 0; i < function.results.size(); ++i) {
    const Operand& formal = function.results[i];
    const Passing& passing = own.results[i];
    if (formal.is_register()) {
      Operand value = formal;
      value.index += frame.first_register;
      if (passing.words == 1) {
        leave.call_arguments.push_back(value);
        continue;
      }
      const Operand low = new_register(Type::kB32);
      const Operand high = new_register(Type::kB32);
      Instruction unpack = plain(Opcode::kMov, Type::kB64, at);
      unpack.operands = {pair_of(low, high), value};
      result_.body.push_back(std::move(unpack));
      leave.call_arguments.insert(leave.call_arguments.end(), {low, high});
      continue;
    }
    if (passing.variable != kNoIndex) continue;
    for (uint32_t w = 0; w < passing.words; ++w)
      leave.call_arguments.push_back(word({0, formal.index}, w, passing, at, true));
  }
  result_.body.push_back(std::move(leave));
}

void Inliner::call_kept(const Frame& frame, const Instruction& call, const Function& callee) {
  check_count(callee, call);
  const Signature& signature = signatures_.of(callee);
  Instruction out = plain(Opcode::kCall, Type::kNone, call);
  if (frame.caller != nullptr && (out.source.line == 0 || frame.function->library))
    out.source = frame.call_source;
  out.callee = callee.name;
  out.direct = true;
  // What is done with the results comes behind the call.
  std::vector<Instruction> body;
  body.swap(result_.body);
  for (size_t i = 0; i < callee.results.size(); ++i)
    receive(frame, out, callee.results[i], call.call_results[i], signature.results[i], out);
  body.swap(result_.body);
  for (size_t i = 0; i < callee.parameters.size(); ++i)
    pass(frame, out, callee.parameters[i], call.call_arguments[i], signature.parameters[i], out);
  result_.body.push_back(std::move(out));
  result_.body.insert(result_.body.end(), std::make_move_iterator(body.begin()),
                      std::make_move_iterator(body.end()));
}

void Inliner::pass(const Frame& frame, const Instruction& call, const Operand& formal,
                   const Operand& actual, const Passing& passing, Instruction& out) {
  if (formal.is_register()) {
    const Operand value = new_register(passing.words == 2 ? Type::kB64 : passing.type);
    move(value, renamed(frame, actual), value.index, call);
    if (passing.words == 1) {
      out.call_arguments.push_back(value);
      return;
    }
    const Operand low = new_register(Type::kB32);
    const Operand high = new_register(Type::kB32);
    Instruction unpack = plain(Opcode::kMov, Type::kB64, call);
    unpack.operands = {pair_of(low, high), value};
    result_.body.push_back(std::move(unpack));
    out.call_arguments.insert(out.call_arguments.end(), {low, high});
    return;
  }
  Place place;
  if (actual.is_symbol()) {
    if (is_kept(frame, actual.index)) {
      module_.source.fail(actual.position, "a parameter of the kernel is passed as it stands",
                          "load it, and store it to a .param variable of the call");
    }
    place = place_of(frame, actual.index);
    in_words_[place] = true;
  } else {
    // A register or constant passed for a .param: through a slot of its own.
    place = {++instances_, formal.index};
    in_words_[place] = true;
    Instruction store = plain(Opcode::kSt, module_.symbols[formal.index].type, call);
    if (const auto variable = variable_of(place)) {
      access(Opcode::kSt, *variable, 0, store.type, renamed(frame, actual), call);
    } else {
      piece(store, place, 0, renamed(frame, actual));
    }
  }
  if (passing.variable != kNoIndex)
    return copy_memory(place, passing.variable, passing, false, call);
  for (uint32_t w = 0; w < passing.words; ++w)
    out.call_arguments.push_back(word(place, w, passing, call, true));
}

void Inliner::receive(const Frame& frame, const Instruction& call, const Operand& formal,
                      const Operand& actual, const Passing& passing, Instruction& out) {
  if (formal.is_register()) {
    Operand value = new_register(passing.type);
    out.call_results.push_back(value);
    if (passing.words == 2) {
      const Operand high = new_register(passing.type);
      out.call_results.push_back(high);
      Instruction pack = plain(Opcode::kMov, Type::kB64, call);
      pack.operands = {new_register(Type::kB64), pair_of(value, high)};
      value = pack.operands[0];
      result_.body.push_back(std::move(pack));
    }
    if (actual.is_register()) move(renamed(frame, actual), value, value.index, call);
    return;
  }
  if (!actual.is_symbol()) module_.source.fail(actual.position, "expected a .param variable");
  const Place place = place_of(frame, actual.index);
  in_words_[place] = true;
  if (passing.variable != kNoIndex)
    return copy_memory(place, passing.variable, passing, true, call);
  for (uint32_t w = 0; w < passing.words; ++w) {
    const Operand value = word(place, w, passing, call, false);
    out.call_results.push_back(value);
    if (const auto variable = variable_of(place))
      access(Opcode::kSt, *variable, uint64_t{4} * w, passing.type, value, call);
  }
}

}  // namespace gvp::ptx

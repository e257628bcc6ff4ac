// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/lowering.h"

#include "models/base/error.h"

namespace gvp::kcc::g80 {

using ptx::Opcode;

namespace {

// PTX that names no other source is one itself.
ptx::SourceLine source_of(const ptx::Instruction& in) {
  if (in.source.line != 0) return in.source;
  return {0, in.position.line, in.position.column};
}

}  // namespace

Lowering::Lowering(const ptx::Module& module, const ptx::Function& function, const Layout& layout,
                   const std::set<uint32_t>& in_general, bool many_registers,
                   bool device_extensions)
    : module_(module),
      function_(function),
      layout_(layout),
      values_(module, function, layout.address_of),
      flow_(ptx::flow_graph(function)),
      device_extensions_(device_extensions),
      computed_(in_general),
      register_of_(function.registers.size(), kNoRegister) {
  kernel_.many_registers = many_registers;
  for (const ptx::Instruction& in : function.body)
    kernel_.ordered_loads |= in.opcode == Opcode::kMembar || in.ordered;
}

Kernel Lowering::run(const std::vector<Callee>& callees, const std::vector<uint32_t>& literals) {
  kernel_.name = function_.name;
  kernel_.callees = callees;
  kernel_.literals = literals;
  kernel_.parameter_bytes = layout_.parameter_bytes;
  kernel_.shared_bytes = layout_.shared_bytes;
  kernel_.local_bytes = layout_.local_bytes;
  kernel_.blocks.resize(flow_.blocks.size());
  find_computed_predicates();
  if (!function_.entry) take_parameters();
  for (block_ = 0; block_ < flow_.blocks.size(); ++block_) block(block_);
  return std::move(kernel_);
}

// Predicates that logic operations read or write.
void Lowering::find_computed_predicates() {
  const auto note = [&](const ptx::Operand& operand) {
    if (operand.is_register() && function_.registers[operand.index].type == ptx::Type::kPredicate) {
      computed_.insert(operand.index);
    }
  };
  for (const auto& instruction : function_.body) {
    const bool compares = instruction.opcode == Opcode::kSetp;
    if (compares && instruction.combine == ptx::Combine::kNone) continue;
    if (instruction.opcode == Opcode::kVote || instruction.locked) continue;
    if (instruction.opcode == Opcode::kSelp && instruction.type != ptx::Type::kPredicate) continue;
    for (const auto& operand : instruction.operands) note(operand);
    note(instruction.second_destination);
  }
}

void Lowering::block(uint32_t index) {
  const ptx::Block& range = flow_.blocks[index];
  for (uint32_t i = range.begin; i < range.end; ++i) {
    const ptx::Instruction& in = function_.body[i];
    current_ = &in;
    if (in.opcode == Opcode::kLabel || ptx::ends_block(in)) continue;
    instruction(in);
  }
  terminator(index);
}

void Lowering::terminator(uint32_t index) {
  Block& out = kernel_.blocks[index];
  const ptx::Block& range = flow_.blocks[index];
  const ptx::Instruction* last = range.end > range.begin ? &function_.body[range.end - 1] : nullptr;
  if (index + 1 < flow_.blocks.size()) out.next = index + 1;
  if (last == nullptr || !ptx::ends_block(*last)) return;
  current_ = last;
  if (last->opcode == Opcode::kTrap) unsupported("trap", "return, or store an error code");
  const uint32_t target =
      last->opcode == Opcode::kBra ? flow_.block_of_label[last->operands[0].index] : kNoRegister;
  out.source = source_of(*last);
  if (last->opcode == Opcode::kRet && !function_.entry) give_results(*last);
  if (last->guard == ptx::kNoIndex) {
    out.next = target;
    return;
  }
  // May emit code, so the block is looked up again.
  const Guard guard = guard_of(last->guard, last->guard_negated);
  kernel_.blocks[index].guard = guard;
  kernel_.blocks[index].target = target;
  kernel_.blocks[index].branches = true;
}

void Lowering::unsupported(const std::string& what, const std::string& remedy) const {
  ptx::fail(module_, *current_, what + " is not supported on sm_10", remedy);
}

void Lowering::instruction(const ptx::Instruction& in) {
  switch (in.opcode) {
    case Opcode::kLd:
    case Opcode::kLdu:
      check_modifiers(in);
      return load(in);
    case Opcode::kSt:
      check_modifiers(in);
      return store(in);
    case Opcode::kBar:
      return barrier(in);
    case Opcode::kMembar:
    case Opcode::kPrefetch:
      return;
    case Opcode::kAtom:
    case Opcode::kRed:
      return atomic(in);
    case Opcode::kVote:
      return vote(in);
    case Opcode::kCall:
      return call(in);
    default:
      break;
  }
  check_modifiers(in);
  if (comparison(in)) return;
  if (in.operands.empty() || !in.operands[0].is_register()) {
    if (!in.operands.empty() && in.operands[0].kind == ptx::Operand::Kind::kSink) return;
    unsupported("\"" + ptx::mnemonic(in) + "\" with these operands");
  }
  const uint32_t result = general(in.operands[0].index);
  const bool guarded = in.guard != ptx::kNoIndex;
  const uint32_t d = guarded ? temporary() : result;
  if (!integer(in, d) && !floating_point(in, d)) {
    unsupported("the instruction \"" + ptx::mnemonic(in) + "\"");
  }
  if (guarded) finish_guarded(kernel_.blocks[block_].code.size(), result, d);
}

// Modifiers that the code for the instruction would not heed.
void Lowering::check_modifiers(const ptx::Instruction& in) const {
  if (ptx::info(in.opcode).shape == "*") return;  // refused as a whole
  const auto refuse = [&](const std::string& modifier, const char* remedy = "") {
    unsupported("the modifier ." + modifier + " of \"" + ptx::mnemonic(in) + "\"", remedy);
  };
  if (!in.modifier.empty()) refuse(in.modifier);
  if (!in.saturate || in.opcode == Opcode::kCvt) return;
  const bool sum = in.opcode == Opcode::kAdd || in.opcode == Opcode::kSub;
  const bool product = in.opcode == Opcode::kMul || in.opcode == Opcode::kMad ||
                       in.opcode == Opcode::kMad24 || in.opcode == Opcode::kFma;
  const bool heeded = in.type == ptx::Type::kF32 ? sum || product
                      : in.type == ptx::Type::kS32
                          ? sum || (in.opcode == Opcode::kMad24 && in.half == ptx::Half::kHigh)
                          : false;
  if (!heeded) refuse("sat", "use min and max");
}

// The whole computation runs unguarded into a temporary; only the last step is guarded.
void Lowering::finish_guarded(size_t end, uint32_t result, uint32_t temporary) {
  const Guard guard = guard_of(current_->guard, current_->guard_negated);
  auto& code = kernel_.blocks[block_].code;
  if (code.size() == end && !code.empty() && code.back().defines() &&
      code.back().destination.reg == temporary && !code.back().guard.exists()) {
    code.back().destination.reg = result;
    code.back().guard = guard;
    if (encodable(kernel_, code.back()) || code.back().sources[1].is_immediate()) return;
    code.back().destination.reg = temporary;
    code.back().guard = {};
  }
  move(result, reg(temporary));
  kernel_.blocks[block_].code.back().guard = guard;
}

uint32_t Lowering::general(uint32_t ptx_register) {
  uint32_t& v = register_of_[ptx_register];
  if (v == kNoRegister) v = kernel_.new_register();
  return v;
}

uint32_t Lowering::flags(uint32_t ptx_register) {
  uint32_t& v = register_of_[ptx_register];
  if (v == kNoRegister) v = kernel_.new_register(RegisterClass::kFlags, ptx_register);
  return v;
}

Guard Lowering::guard_of(uint32_t ptx_register, bool negated) {
  Guard guard;
  guard.test = negated ? isa::Condition::kEqual : isa::Condition::kNotEqual;
  if (in_flags(ptx_register)) {
    guard.condition = flags(ptx_register);
    return guard;
  }
  guard.condition = kernel_.new_register(RegisterClass::kFlags);
  const Operand boolean = reg(general(ptx_register));
  emit(Op::kAnd, Type::kB32, kNoRegister, {boolean, boolean}).flags = guard.condition;
  return guard;
}

Instruction& Lowering::emit(Op operation, Type type, uint32_t destination,
                            std::initializer_list<Operand> sources) {
  Instruction out;
  out.operation = operation;
  out.type = type;
  out.source = source_of(*current_);
  if (destination != kNoRegister) out.destination = reg(destination);
  unsigned i = 0;
  for (const Operand& operand : sources) out.sources[i++] = operand;
  auto& code = kernel_.blocks[block_].code;
  code.push_back(out);
  return code.back();
}

uint32_t Lowering::value(Op operation, Type type, std::initializer_list<Operand> sources) {
  const uint32_t result = temporary();
  emit(operation, type, result, sources);
  return result;
}

void Lowering::move(uint32_t destination, const Operand& from) {
  emit(Op::kMove, Type::kB32, destination, {from});
}

void Lowering::add(uint32_t destination, const Operand& a, const Operand& b) {
  if (a.is_immediate() && b.is_immediate()) {
    move(destination, immediate(static_cast<uint32_t>(a.value) + static_cast<uint32_t>(b.value)));
  } else if (b.is_immediate() && b.value == 0) {
    move(destination, a);
  } else if (a.is_immediate() && a.value == 0) {
    move(destination, b);
  } else if (a.is_immediate()) {
    emit(Op::kAdd, Type::kB32, destination, {b, a});
  } else {
    emit(Op::kAdd, Type::kB32, destination, {a, b});
  }
}

void Lowering::subtract(uint32_t destination, const Operand& a, const Operand& b) {
  if (b.is_immediate()) {
    add(destination, a, immediate(0U - static_cast<uint32_t>(b.value)));
  } else if (a.is_immediate()) {
    emit(Op::kAdd, Type::kB32, destination, {b, a}).combine = isa::Combine::kReverseSubtract;
  } else {
    emit(Op::kAdd, Type::kB32, destination, {a, b}).combine = isa::Combine::kSubtract;
  }
}

uint32_t Lowering::shifted(Op operation, Type type, const Operand& a, uint32_t count) {
  return value(operation, type, {a, immediate(count)});
}

void Lowering::convert(uint32_t destination, Type to, Operand from, Type from_type,
                       isa::Rounding rounding) {
  from = in_register(from);
  from.type = from_type;
  emit(Op::kConvert, to, destination, {from}).rounding = rounding;
}

}  // namespace gvp::kcc::g80

// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/ptx/interpreter.h"

#include <cstring>
#include <stdexcept>

namespace gvp::ptx {
namespace {

// A variable at address 0 would hide mistakes.
constexpr uint32_t kFirstShared = 64;

uint64_t truncate(uint64_t value, Type type) {
  const unsigned width = bits(type);
  if (width == 0 || width >= 64) return value;
  return value & ((uint64_t{1} << width) - 1);
}

}  // namespace

Interpreter::Interpreter(const Module& module, std::vector<uint8_t>& global)
    : module_(module),
      global_(global),
      given_bytes_(global.size()),
      address_of_(module.symbols.size(), 0) {
  static_shared_ = kFirstShared;
  auto global_end = static_cast<uint32_t>(global.size());
  const auto place = [](uint32_t& end, const Symbol& symbol) {
    end = (end + symbol.alignment - 1) / symbol.alignment * symbol.alignment;
    const uint32_t address = end;
    end += static_cast<uint32_t>(symbol.size);
    return address;
  };
  uint32_t constants = 0;
  for (size_t i = 0; i < module.symbols.size(); ++i) {
    const Symbol& symbol = module.symbols[i];
    if (symbol.space == Space::kConstant) {
      address_of_[i] = place(constants, symbol);
      constants_.resize(constants);
      std::copy(symbol.initial.begin(), symbol.initial.end(),
                constants_.begin() + static_cast<long>(address_of_[i]));
    }
    if (symbol.space == Space::kShared && symbol.size != 0) {
      address_of_[i] = place(static_shared_, symbol);
    }
    if (symbol.space == Space::kGlobal) {
      address_of_[i] = place(global_end, symbol);
      global_.resize(global_end);
      std::copy(symbol.initial.begin(), symbol.initial.end(),
                global_.begin() + static_cast<long>(address_of_[i]));
    }
    if (symbol.space == Space::kLocal) address_of_[i] = place(local_bytes_, symbol);
  }
  static_shared_ = (static_shared_ + 15) / 16 * 16;
  for (size_t i = 0; i < module.symbols.size(); ++i) {
    const Symbol& symbol = module.symbols[i];
    if (symbol.space == Space::kShared && symbol.size == 0) address_of_[i] = static_shared_;
  }
  for (const Function& function : module.functions) {
    auto& labels = labels_[&function];
    labels.resize(function.labels.size());
    for (uint32_t i = 0; i < function.body.size(); ++i) {
      if (function.body[i].opcode == Opcode::kLabel) labels[function.body[i].operands[0].index] = i;
    }
  }
}

Interpreter::~Interpreter() { global_.resize(given_bytes_); }

void Interpreter::fail(const Instruction& in, const std::string& what) const {
  throw std::runtime_error("interpreter, line " + std::to_string(in.position.line) + ", " +
                           mnemonic(in) + ": " + what);
}

void Interpreter::run(const std::string& name, const Grid& grid,
                      const std::vector<uint32_t>& parameters) {
  const Function* kernel = module_.find_function(name);
  if (kernel == nullptr || !kernel->entry) throw std::runtime_error("no kernel " + name);
  grid_ = grid;
  kernel_parameters_.clear();
  kernel_parameter_offset_.clear();
  size_t next = 0;
  for (const Operand& parameter : kernel->parameters) {
    const uint64_t size = module_.symbols[parameter.index].size;
    kernel_parameter_offset_[parameter.index] = static_cast<uint32_t>(kernel_parameters_.size());
    const size_t begin = kernel_parameters_.size();
    address_of_[parameter.index] = begin;
    kernel_parameters_.resize(begin + (size + 7) / 8 * 8);
    // A 64-bit pointer is one word too: its upper half is zero.
    const size_t words = size == 8 ? 1 : (size + 3) / 4;
    for (size_t i = 0; i < words; ++i) {
      const uint32_t word = parameters.at(next++);
      std::memcpy(&kernel_parameters_[begin + 4 * i], &word, sizeof word);
    }
  }
  for (uint32_t y = 0; y < grid.grid_y; ++y) {
    for (uint32_t x = 0; x < grid.grid_x; ++x) run_block(*kernel, x, y);
  }
}

void Interpreter::run_block(const Function& kernel, uint32_t block_x, uint32_t block_y) {
  block_x_ = block_x;
  block_y_ = block_y;
  shared_.assign(static_shared_ + grid_.dynamic_shared_bytes, 0);
  std::vector<Thread> threads;
  for (uint32_t z = 0; z < grid_.block_z; ++z) {
    for (uint32_t y = 0; y < grid_.block_y; ++y) {
      for (uint32_t x = 0; x < grid_.block_x; ++x) {
        Thread thread;
        thread.frames.push_back({&kernel, std::vector<uint64_t>(kernel.registers.size()), {}, 0});
        thread.local.resize(local_bytes_);
        thread.x = x;
        thread.y = y;
        thread.z = z;
        threads.push_back(std::move(thread));
      }
    }
  }
  for (bool waiting = true; waiting;) {
    waiting = false;
    for (Thread& thread : threads) {
      if (!thread.finished) waiting |= run_thread(thread);
    }
  }
}

bool Interpreter::run_thread(Thread& thread) {
  while (!thread.frames.empty()) {
    Frame& frame = thread.frames.back();
    if (frame.pc >= frame.function->body.size()) {
      leave(thread);
      continue;
    }
    const Instruction& in = frame.function->body[frame.pc++];
    if (++thread.executed > max_instructions) fail(in, "endless loop?");
    if (in.opcode == Opcode::kLabel) continue;
    if (in.guard != kNoIndex && (frame.registers[in.guard] != 0) == in.guard_negated) continue;
    if (in.opcode == Opcode::kBar) return true;
    execute(thread, in);
  }
  thread.finished = true;
  return false;
}

void Interpreter::leave(Thread& thread) {
  const Frame done = std::move(thread.frames.back());
  thread.frames.pop_back();
  if (thread.frames.empty()) return;
  Frame& caller = thread.frames.back();
  const Instruction& call = caller.function->body[caller.pc - 1];
  for (size_t i = 0; i < call.call_results.size(); ++i) {
    const Operand& formal = done.function->results[i];
    const Operand& actual = call.call_results[i];
    if (formal.is_symbol()) {
      const auto found = done.parameters.find(formal.index);
      if (found != done.parameters.end()) caller.parameters[actual.index] = found->second;
    } else {
      caller.registers[actual.index] = done.registers[formal.index];
    }
  }
}

void Interpreter::call(Thread& thread, const Instruction& in) {
  const Function* callee = module_.find_function(in.callee);
  if (callee == nullptr || !callee->defined) fail(in, "no such function");
  if (thread.frames.size() > 64) fail(in, "calls are nested too deeply");
  Frame inner{callee, std::vector<uint64_t>(callee->registers.size()), {}, 0};
  for (size_t i = 0; i < in.call_arguments.size(); ++i) {
    const Operand& formal = callee->parameters[i];
    const Operand& actual = in.call_arguments[i];
    if (formal.is_symbol()) {
      inner.parameters[formal.index] = thread.frames.back().parameters[actual.index];
    } else {
      inner.registers[formal.index] = value(thread, actual, callee->registers[formal.index].type);
    }
  }
  thread.frames.push_back(std::move(inner));
}

void Interpreter::execute(Thread& thread, const Instruction& in) {
  Frame& frame = thread.frames.back();
  switch (in.opcode) {
    case Opcode::kBra:
      frame.pc = labels_[frame.function][in.operands[0].index];
      return;
    case Opcode::kRet:
      leave(thread);
      return;
    case Opcode::kExit:
      thread.frames.clear();
      return;
    case Opcode::kCall:
      call(thread, in);
      return;
    case Opcode::kLd:
    case Opcode::kSt:
      load_store(thread, in);
      return;
    case Opcode::kMembar:
      return;
    default:
      arithmetic(thread, in);
      return;
  }
}

bool Interpreter::predicate(const Frame& frame, const Operand& operand) const {
  const bool set =
      operand.is_immediate() ? operand.value != 0 : frame.registers[operand.index] != 0;
  return set != operand.negated;
}

uint64_t Interpreter::special(const Thread& thread, const Operand& operand) const {
  const uint32_t linear = thread.x + grid_.block_x * (thread.y + grid_.block_y * thread.z);
  const auto pick = [&](uint32_t x, uint32_t y, uint32_t z) {
    return operand.dimension == 0 ? x : operand.dimension == 1 ? y : z;
  };
  switch (operand.special) {
    case Special::kTid:
      return pick(thread.x, thread.y, thread.z);
    case Special::kNtid:
      return pick(grid_.block_x, grid_.block_y, grid_.block_z);
    case Special::kCtaid:
      return pick(block_x_, block_y_, 0);
    case Special::kNctaid:
      return pick(grid_.grid_x, grid_.grid_y, 1);
    case Special::kLaneId:
      return linear % 32;
    case Special::kWarpId:
      return linear / 32;
    case Special::kWarpSize:
      return 32;
    default:
      return 0;
  }
}

uint64_t Interpreter::value(const Thread& thread, const Operand& operand, Type type) const {
  switch (operand.kind) {
    case Operand::Kind::kRegister:
      return truncate(thread.frames.back().registers[operand.index], type);
    case Operand::Kind::kImmediate:
      return truncate(operand.value, type);
    case Operand::Kind::kSpecial:
      return special(thread, operand);
    case Operand::Kind::kSymbol:
      return address_of_[operand.index] + operand.value;
    default:
      return 0;
  }
}

void Interpreter::set(Thread& thread, const Operand& operand, Type type, uint64_t result) {
  if (!operand.is_register()) return;
  Frame& frame = thread.frames.back();
  // Registers wider than the type are extended by its sign.
  const Type to = frame.function->registers[operand.index].type;
  uint64_t extended = truncate(result, type);
  if (is_signed(type) && bits(type) < 64 && (extended >> (bits(type) - 1) & 1) != 0) {
    extended |= ~uint64_t{0} << bits(type);
  }
  frame.registers[operand.index] = to == Type::kPredicate ? result : truncate(extended, to);
}

void Interpreter::arithmetic(Thread& thread, const Instruction& in) {
  const auto& operands = in.operands;
  const Frame& frame = thread.frames.back();
  if (in.opcode == Opcode::kSetp) {
    bool result = compare(in, in.type, value(thread, operands[1], in.type),
                          value(thread, operands[2], in.type));
    bool opposite = !result;
    if (operands.size() > 3) {
      const bool other = predicate(frame, operands[3]);
      const auto combine = [&](bool a) {
        if (in.combine == Combine::kAnd) return a && other;
        return in.combine == Combine::kOr ? a || other : a != other;
      };
      result = combine(result);
      opposite = combine(opposite);
    }
    set(thread, operands[0], Type::kNone, result ? 1 : 0);
    set(thread, in.second_destination, Type::kNone, opposite ? 1 : 0);
    return;
  }
  if (in.type == Type::kPredicate) {
    const bool a = predicate(frame, operands[1]);
    const bool b = operands.size() > 2 && predicate(frame, operands[2]);
    bool result = a;
    if (in.opcode == Opcode::kNot) result = !a;
    if (in.opcode == Opcode::kAnd) result = a && b;
    if (in.opcode == Opcode::kOr) result = a || b;
    if (in.opcode == Opcode::kXor) result = a != b;
    set(thread, operands[0], Type::kNone, result ? 1 : 0);
    return;
  }
  const Type source = in.opcode == Opcode::kCvt ? in.source_type : in.type;
  const auto operand = [&](size_t i, Type type) {
    return operands.size() > i && operands[i].kind != Operand::Kind::kVector
               ? value(thread, operands[i], type)
               : 0;
  };
  uint64_t result = 0;
  Type type = in.type;
  switch (in.opcode) {
    case Opcode::kMov:
      result = operand(1, in.type);
      break;
    case Opcode::kCvta: {
      const uint64_t base = in.space == Space::kShared  ? kSharedWindow
                            : in.space == Space::kLocal ? kLocalWindow
                                                        : 0;
      result = in.to_space ? operand(1, in.type) - base : operand(1, in.type) + base;
      break;
    }
    case Opcode::kCvt:
      result = convert(in, operand(1, source));
      break;
    case Opcode::kSelp:
      result = predicate(frame, operands[3]) ? operand(1, in.type) : operand(2, in.type);
      break;
    case Opcode::kSlct: {
      const uint64_t c = operand(3, in.source_type);
      const bool first = is_float(in.source_type) ? compare(in, in.source_type, c, 0)
                                                  : static_cast<int32_t>(c) >= 0;
      result = first ? operand(1, in.type) : operand(2, in.type);
      break;
    }
    case Opcode::kSet: {
      const bool set_it =
          compare(in, in.source_type, operand(1, in.source_type), operand(2, in.source_type));
      result = !set_it ? 0 : in.type == Type::kF32 ? 0x3f800000 : ~uint64_t{0};
      break;
    }
    case Opcode::kBfi:
      result = insert_field(operand(1, in.type), operand(2, in.type), operand(3, Type::kU32),
                            operand(4, Type::kU32), bits(in.type));
      break;
    case Opcode::kShl:
    case Opcode::kShr:
      result = integer(in, operand(1, in.type), operand(2, Type::kU32), 0);
      break;
    default:
      if (in.type == Type::kF32) {
        result = real(in, static_cast<uint32_t>(operand(1, in.type)),
                      static_cast<uint32_t>(operand(2, in.type)),
                      static_cast<uint32_t>(operand(3, in.type)));
      } else {
        if (in.half == Half::kWide) type = bits(in.type) == 16 ? Type::kU32 : Type::kU64;
        const Type third = in.half == Half::kWide ? type : in.type;
        const bool field = in.opcode == Opcode::kBfe;
        result = integer(in, operand(1, in.type), operand(2, field ? Type::kU32 : in.type),
                         operand(3, field ? Type::kU32 : third));
      }
  }
  set(thread, operands[0], type, result);
}

}  // namespace gvp::ptx

// SPDX-License-Identifier: Apache-2.0
// The code generator's form of a kernel: G80 operations (models/gpgpu/g80/instruction.h) on an
// unlimited number of virtual registers, in basic blocks.  Memory operands keep the virtual
// register that their address is computed from until addresses.h assigns $a registers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/gpgpu/g80/instruction.h"
#include "tools/compiler/graph.h"
#include "tools/ptx/instruction.h"

namespace gvp::kcc::g80 {

namespace isa = gvp::gpgpu::g80;

inline constexpr uint32_t kNoRegister = ~uint32_t{0};
// Virtual register 0 is the thread index that the hardware puts into $r0.
inline constexpr uint32_t kThreadIndex = 0;
// Reads zero and takes no register: beyond every allocation (g80.md, "zero register").
inline constexpr uint32_t kZeroRegister = 124;

struct Operand {
  enum class Kind : uint8_t {
    kNone,
    kRegister,   // reg
    kImmediate,  // value
    kShared,     // s[(reg << shift) + value]
    kConstant,   // c[bank][(reg << shift) + value]
    kLocal,      // l[reg + value]
    kGlobal,     // g14[reg]
    kSpecial,    // value: isa::SpecialRegister
    kZero,       // a register that reads zero
  };
  Kind kind = Kind::kNone;
  uint32_t reg = kNoRegister;
  int32_t value = 0;
  isa::Type type = isa::Type::kNone;   // multiplications and conversions: how it is taken
  isa::Type access = isa::Type::kB32;  // memory
  bool half = false;                   // 16 bits of a register
  bool high = false;                   // ... the upper ones
  bool negate = false;
  bool absolute = false;
  bool invert = false;
  uint8_t bank = 0;
  uint8_t shift = 0;
  bool invariant = false;        // s[]: a parameter or launch value, which never changes
  uint8_t address_register = 0;  // assigned by addresses.h; reg is kNoRegister then

  bool is_register() const { return kind == Kind::kRegister; }
  bool is_immediate() const { return kind == Kind::kImmediate; }
  bool is_memory() const { return kind >= Kind::kShared && kind <= Kind::kGlobal; }
  bool plain() const { return !half && !negate && !absolute && !invert; }
  bool operator==(const Operand& other) const;
};

Operand reg(uint32_t number);
Operand immediate(uint32_t value);
Operand low_half(Operand operand);
Operand high_half(Operand operand);

// A register as it is, not negated, nor a part of it.
inline bool is_plain_register(const Operand& operand) {
  return operand.is_register() && operand.plain();
}

// A predicate: flags register and the condition under which the instruction takes effect.
struct Guard {
  uint32_t condition = kNoRegister;  // virtual flags register
  isa::Condition test = isa::Condition::kAlways;

  bool exists() const { return condition != kNoRegister; }
  Guard negated() const;
  bool operator==(const Guard& other) const {
    return condition == other.condition && test == other.test;
  }
};

struct Instruction {
  isa::Operation operation = isa::Operation::kNop;
  isa::Type type = isa::Type::kB32;
  isa::Combine combine = isa::Combine::kAdd;
  isa::Condition compare = isa::Condition::kNever;
  isa::Rounding rounding = isa::Rounding::kNearest;
  bool saturate = false;
  bool high = false;
  bool round_to_integer = false;
  // The destination need not be kept where the guard fails: nobody looks at it then.
  bool overwrites = false;
  uint8_t barrier = 0;
  uint16_t barrier_threads = 0xfff;
  uint8_t address_destination = 0;  // kShiftToAddress, kAddAddress
  uint8_t address_source = 0;       // kAddAddress

  Operand destination;
  Operand sources[3];
  uint32_t flags = kNoRegister;  // virtual flags register that is written
  Guard guard;
  uint32_t target = kNoRegister;  // kSetSync: the block to join in; kCall: that of the function
  // kCall: what the function reads and gives, in the order of its parameters and results; kReturn:
  // what it gives.
  uint32_t callee = kNoRegister;  // of Kernel::callees
  std::vector<uint32_t> arguments;
  std::vector<uint32_t> results;
  ptx::SourceLine source;

  bool defines() const { return destination.is_register(); }
  // Reads the old value of its destination.
  bool keeps_destination() const { return guard.exists() && !overwrites; }
};

struct Block {
  std::vector<Instruction> code;
  // How it ends: under `guard` to `target` (kNoRegister: the thread ends), else on to `next`
  // (kNoRegister: the thread ends).  Without a guard and a target only `next` counts.
  Guard guard;
  bool branches = false;
  uint32_t target = kNoRegister;
  uint32_t next = kNoRegister;
  bool join = false;          // the threads of a region meet here
  bool target_first = false;  // threads that go to `target` do so before others go on
  ptx::SourceLine source;     // of the branch
};

enum class RegisterClass : uint8_t { kGeneral, kFlags };

// A function that is called, as far as its callers have to know it.  Registers are the machine's.
struct Callee {
  std::string name;
  std::vector<uint32_t> parameters;  // kNoRegister: nobody reads it
  std::vector<uint32_t> results;
  bool reads_thread_index = false;
  std::vector<uint32_t> general;  // registers that it writes, or what it calls does
  std::vector<uint32_t> flags;
  unsigned barriers = 0;
  uint32_t stack_entries = 0;  // of the warp's stack
};

struct Kernel {
  std::string name;
  // Code that is called: $r0 has the thread's index at its begin and stays as it is.
  bool function = false;
  std::vector<uint32_t> parameters;    // of a function: virtual registers
  std::vector<Callee> callees;         // of the program, those that come before
  std::map<uint32_t, uint32_t> fixed;  // hardware registers that virtual ones must have
  std::vector<Block> blocks;           // 0 is the entry; nothing branches to it
  std::vector<RegisterClass> registers{RegisterClass::kGeneral};
  // By virtual flags register: the PTX predicate it came from, or kNoRegister.
  std::vector<uint32_t> predicate_of{kNoRegister};
  std::vector<uint32_t> literals;  // constant bank 1
  uint32_t parameter_bytes = 0;
  uint32_t shared_bytes = 0;  // static, with what lies below s[0x10] and the parameters
  uint32_t local_bytes = 0;
  unsigned barriers = 0;  // the highest one used, plus one
  // Registers beyond R31 are needed, whose halves short and immediate forms cannot name.
  bool many_registers = false;
  // Loads may not pass each other: there is a fence, or memory that changes by itself (volatile).
  bool ordered_loads = false;

  uint32_t new_register(RegisterClass kind = RegisterClass::kGeneral,
                        uint32_t predicate = kNoRegister) {
    registers.push_back(kind);
    predicate_of.push_back(predicate);
    return static_cast<uint32_t>(registers.size() - 1);
  }
  bool is_general(uint32_t v) const { return registers[v] == RegisterClass::kGeneral; }
};

compiler::Graph graph_of(const Kernel& kernel);

// Calls visit(Operand&) for each source and for a destination in memory: what is read.
template <typename AnyInstruction, typename Visit>
void for_each_source(AnyInstruction& instruction, Visit visit) {
  for (auto& source : instruction.sources) {
    if (source.kind != Operand::Kind::kNone) visit(source);
  }
  if (instruction.destination.is_memory()) visit(instruction.destination);
}

// Calls use(v) / define(v) for every virtual register, of both classes.
template <typename Use>
void for_each_use(const Instruction& instruction, Use use) {
  for_each_source(instruction, [&](const Operand& operand) {
    if (operand.reg != kNoRegister) use(operand.reg);
  });
  for (const uint32_t argument : instruction.arguments) use(argument);
  if (instruction.guard.exists()) {
    use(instruction.guard.condition);
    if (instruction.keeps_destination() && instruction.defines()) use(instruction.destination.reg);
    if (instruction.keeps_destination() && instruction.flags != kNoRegister) use(instruction.flags);
  }
}
template <typename Define>
void for_each_definition(const Instruction& instruction, Define define) {
  if (instruction.defines()) define(instruction.destination.reg);
  if (instruction.flags != kNoRegister) define(instruction.flags);
  for (const uint32_t result : instruction.results) define(result);
}

inline bool writes(const Instruction& instruction, uint32_t v) {
  bool found = false;
  for_each_definition(instruction, [&](uint32_t each) { found |= each == v; });
  return found;
}
inline bool reads(const Instruction& instruction, uint32_t v) {
  bool found = false;
  for_each_use(instruction, [&](uint32_t each) { found |= each == v; });
  return found;
}

// The comparison with its operands exchanged: a < b is b > a.
isa::Condition swapped(isa::Condition condition);
// Exchanges the first two sources where that gives the same result.
bool exchange_sources(Instruction& instruction);
// Others may write memory, $a and flags registers meanwhile.
inline bool is_call(const Instruction& instruction) {
  return instruction.operation == isa::Operation::kCall;
}
// Does nothing but compute its destination and flags.
bool is_pure(const Instruction& instruction);
// A read of memory that others may write.
bool reads_variable_memory(const Instruction& instruction);
bool is_store(const Instruction& instruction);
// The atomic operation that leaves out the result, or kNone.
isa::Operation reduction_of(isa::Operation operation);

// The instruction as the encoder takes it, in long form or, with an immediate, in immediate form.
// numbers: the hardware register of each virtual one.
isa::Instruction to_g80(const Instruction& instruction, const std::vector<uint32_t>& numbers);
// Whether the instruction has an encoding, whatever registers of the kernel it gets.
bool encodable(const Kernel& kernel, const Instruction& instruction);
// Why it has none.
std::string encoding_problem(const Kernel& kernel, const Instruction& instruction);
// Whether all instructions have one with these registers.
bool all_encodable(const Kernel& kernel, const std::vector<uint32_t>& numbers);

// The instruction with `memory` in the place of its only use of register v, if it can be encoded.
std::optional<Instruction> with_memory_operand(const Kernel& kernel, Instruction user, uint32_t v,
                                               const Operand& memory);

}  // namespace gvp::kcc::g80

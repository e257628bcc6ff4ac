// SPDX-License-Identifier: Apache-2.0
// From one PTX function without calls and 64-bit values to G80 operations on virtual registers.
// Each PTX instruction is translated by itself, with what values.h knows about its operands;
// cleaning up is left to optimise.h.  How types are held: 8- and 16-bit values live in 32-bit
// registers whose upper bits are arbitrary and are extended where they matter; predicates live in
// flags registers (true: "not equal to zero") or, when they are computed with or when there are
// too many, as 0 / ~0 in general registers.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/kcc/g80/layout.h"
#include "tools/kcc/g80/machine_code.h"
#include "tools/ptx/flow.h"
#include "tools/ptx/module.h"
#include "tools/ptx/values.h"

namespace gvp::kcc::g80 {

class Lowering {
 public:
  // in_general: predicate registers that must not take a flags register.  many_registers: see
  // Kernel.
  // device_extensions: Options
  Lowering(const ptx::Module& module, const ptx::Function& function, const Layout& layout,
           const std::set<uint32_t>& in_general, bool many_registers, bool device_extensions);

  // callees: the functions that come before in the program; literals: what it has of them.
  Kernel run(const std::vector<Callee>& callees, const std::vector<uint32_t>& literals);

 private:
  using Op = isa::Operation;
  using Type = isa::Type;

  // Structure (lowering.cpp)
  void find_computed_predicates();
  void block(uint32_t index);
  void terminator(uint32_t index);
  void take_parameters();
  void call(const ptx::Instruction& in);
  void give_results(const ptx::Instruction& ret);
  void instruction(const ptx::Instruction& in);
  void check_modifiers(const ptx::Instruction& in) const;
  void finish_guarded(size_t first, uint32_t result, uint32_t temporary);
  [[noreturn]] void unsupported(const std::string& what, const std::string& remedy = "") const;

  // Registers and operands
  uint32_t general(uint32_t ptx_register);
  uint32_t temporary() { return kernel_.new_register(); }
  bool in_flags(uint32_t ptx_register) const { return computed_.count(ptx_register) == 0; }
  uint32_t flags(uint32_t ptx_register);
  Guard guard_of(uint32_t ptx_register, bool negated);
  Operand source(const ptx::Operand& operand);
  Operand predicate_value(const ptx::Operand& operand);
  Operand in_register(const Operand& operand);
  Operand special(const ptx::Operand& operand);
  Operand extended(const ptx::Operand& operand, ptx::Type type);
  Operand extend(const Operand& operand, ptx::Range range, ptx::Type type);

  // Emitting
  Instruction& emit(Op operation, Type type, uint32_t destination,
                    std::initializer_list<Operand> sources);
  uint32_t value(Op operation, Type type, std::initializer_list<Operand> sources);
  void move(uint32_t destination, const Operand& from);
  void add(uint32_t destination, const Operand& a, const Operand& b);
  void subtract(uint32_t destination, const Operand& a, const Operand& b);
  uint32_t shifted(Op operation, Type type, const Operand& a, uint32_t count);
  void convert(uint32_t destination, Type to, Operand from, Type from_type,
               isa::Rounding rounding = isa::Rounding::kNearest);

  // Integers (lowering_integer.cpp)
  bool integer(const ptx::Instruction& in, uint32_t d);
  void minimum_maximum(const ptx::Instruction& in, uint32_t d);
  void shift(const ptx::Instruction& in, uint32_t d);
  void bit_field(const ptx::Instruction& in, uint32_t d);
  void absolute_difference(const ptx::Instruction& in, uint32_t d);

  // Products (lowering_multiply.cpp)
  struct Factor {
    Operand operand;
    ptx::Range range;
  };
  void product(const ptx::Instruction& in, uint32_t d);
  void product_16(const ptx::Instruction& in, uint32_t d, const std::optional<Operand>& addend);
  void product_24(const ptx::Instruction& in, uint32_t d, const std::optional<Operand>& addend);
  void product_low(uint32_t d, Factor a, Factor b, const std::optional<Operand>& addend);
  bool product_single(uint32_t d, const Factor& a, const Factor& b,
                      const std::optional<Operand>& addend);
  bool product_constant(uint32_t d, const Factor& a, uint32_t factor,
                        const std::optional<Operand>& addend);
  void product_high(uint32_t d, const Factor& a, const Factor& b, bool is_signed);
  void multiply(uint32_t d, Operand a, Type type_a, Operand b, Type type_b,
                const std::optional<Operand>& addend);

  // Comparisons and predicates (lowering_compare.cpp)
  bool comparison(const ptx::Instruction& in);
  void set_predicate(const ptx::Instruction& in);
  void compare_into(const ptx::Instruction& in, const ptx::Operand& target, bool inverted);
  Instruction& compare(const ptx::Instruction& in);
  void predicate_logic(const ptx::Instruction& in);
  void set_register(const ptx::Instruction& in, uint32_t d);
  void select(const ptx::Instruction& in, uint32_t d);
  void select_by_sign(const ptx::Instruction& in, uint32_t d);

  // Floating point (lowering_float.cpp)
  bool floating_point(const ptx::Instruction& in, uint32_t d);
  void special_function(const ptx::Instruction& in, uint32_t d);
  void conversion(const ptx::Instruction& in, uint32_t d);
  void integer_conversion(const ptx::Instruction& in, uint32_t d);
  void saturating_conversion(const ptx::Instruction& in, uint32_t d);
  void float_to_integer(const ptx::Instruction& in, uint32_t d);
  isa::Rounding rounding_of(const ptx::Instruction& in, bool all) const;

  // Memory (lowering_memory.cpp)
  void load(const ptx::Instruction& in);
  void store(const ptx::Instruction& in);
  void load_element(const ptx::Instruction& in, ptx::Space space, const ptx::Operand& to,
                    const Operand& address, uint32_t offset);
  void store_element(const ptx::Instruction& in, ptx::Space space, const ptx::Operand& from,
                     const Operand& address, uint32_t offset);
  Operand location(ptx::Space space, ptx::Type type, const Operand& address, uint32_t offset);
  Operand base_of(const ptx::Operand& memory);
  Operand global_address(uint32_t symbol, uint32_t addend);
  void barrier(const ptx::Instruction& in);

  // Device extensions (lowering_atomic.cpp)
  void atomic(const ptx::Instruction& in);
  void lock(const ptx::Instruction& in);
  void unlock(const ptx::Instruction& in);
  void keep_outcome(const ptx::Operand& predicate, Instruction& of);
  void vote(const ptx::Instruction& in);

  const ptx::Module& module_;
  const ptx::Function& function_;
  const Layout& layout_;
  ptx::Values values_;
  ptx::FlowGraph flow_;
  bool device_extensions_;
  std::set<uint32_t> computed_;  // predicates in general registers
  std::vector<uint32_t> register_of_;
  Kernel kernel_;
  const ptx::Instruction* current_ = nullptr;
  uint32_t block_ = 0;
};

}  // namespace gvp::kcc::g80

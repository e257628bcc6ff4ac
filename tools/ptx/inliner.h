// SPDX-License-Identifier: Apache-2.0
// The work of inline.h: one function with the bodies of those that it calls in the place of the
// calls.  inline.cpp copies bodies, inline_parameters.cpp makes registers of parameters,
// inline_misaligned.cpp takes apart pieces of them that are not aligned, inline_kept.cpp passes
// them to functions that stay functions.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "tools/ptx/call_signature.h"
#include "tools/ptx/inline.h"

namespace gvp::ptx {

class Inliner {
 public:
  Inliner(Module& module, Signatures& signatures, const ExplainMissing& explain)
      : module_(module), signatures_(signatures), explain_(explain) {}

  // A kernel, or a function that stays one.
  Function run(const Function& function);

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

  // inline.cpp
  void once(const Function& function);
  void expand(Frame& frame);
  void place_end(const Frame& frame);
  void copy(Frame& frame, const Instruction& original);
  void refuse_indirect(const Instruction& instruction) const;
  void call(const Frame& frame, const Instruction& instruction);
  Operand renamed(const Frame& frame, Operand operand) const;

  // inline_parameters.cpp
  void bind(Frame& frame);
  void check_count(const Function& callee, const Instruction& call) const;
  void bind_one(Frame& frame, const Operand& formal, const Operand& actual, bool is_argument);
  Place place_of(const Frame& frame, uint32_t symbol) const;
  uint32_t slot(const Place& place, uint64_t offset, Type type);
  void move(Operand target, Operand value, uint32_t type_of, const Instruction& place);
  void need_memory(const Place& place);
  std::optional<uint32_t> variable_of(const Place& place) const;
  void access(Opcode opcode, uint32_t variable, uint64_t offset, Type type, Operand value,
              const Instruction& place);
  void take_addresses(const Frame& frame, Instruction& instruction);
  bool parameter_access(const Frame& frame, Instruction& access);
  void piece(const Instruction& access, const Place& place, uint64_t offset, const Operand& value);
  void extend(const Instruction& access, const Operand& value, const Operand& from);
  static bool is_kept(const Frame& frame, uint32_t symbol);

  // inline_misaligned.cpp
  bool byte_by_byte(const Instruction& access);
  void one_by_one(const Instruction& access);
  bool word_by_word(const Instruction& access);

  // inline_kept.cpp
  void take_parameters(const Frame& frame);
  void give_results(const Frame& frame);
  void call_kept(const Frame& frame, const Instruction& call, const Function& callee);
  void pass(const Frame& frame, const Instruction& call, const Operand& formal,
            const Operand& actual, const Passing& passing, Instruction& out);
  void receive(const Frame& frame, const Instruction& call, const Operand& formal,
               const Operand& actual, const Passing& passing, Instruction& out);
  Operand word(const Place& place, uint32_t index, const Passing& passing, const Instruction& at,
               bool read);
  void copy_memory(const Place& from, uint32_t to, const Passing& passing, bool back,
                   const Instruction& at);
  bool part_of_word(const Instruction& access, const Place& place, uint64_t offset,
                    const Operand& value);
  Operand new_register(Type type);

  Module& module_;
  Signatures& signatures_;
  const ExplainMissing& explain_;
  std::map<Place, uint32_t> in_memory_;  // the local variable
  Function result_;
  uint32_t instances_ = 0;
  std::map<Place, std::map<uint64_t, Slot>> slots_;
  std::map<Place, bool> in_words_;  // of functions that stay functions
};

}  // namespace gvp::ptx

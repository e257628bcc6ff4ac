// SPDX-License-Identifier: Apache-2.0
// The generator behind random_program.h: its state, and what all its parts need.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/tools/kcc/programs/random_program.h"

namespace gvp::kcc {

class ProgramGenerator {
 public:
  explicit ProgramGenerator(uint32_t seed) : random_(seed), seed_(seed) {}

  RandomProgram run();

 private:
  // A member of the structure, or a variable of the kernel.
  struct Variable {
    std::string type;
    std::string name;
    uint32_t bits = 0;      // of a bit field
    uint32_t elements = 0;  // of an array
    bool is_float() const { return type == "float" || type == "double"; }
    bool is_unsigned() const { return type.compare(0, 8, "unsigned") == 0; }
    bool is_wide() const { return type.find("long long") != std::string::npos; }
  };
  // A shared array and what may be done with it until the next barrier: each thread reads and
  // writes a place of its own, or all read any place.
  struct SharedArray {
    std::string type;
    std::string name;
    bool own = false;
    std::string place;  // if own
    bool is_float() const { return type == "float" || type == "double"; }
  };
  // A word that threads write the same value to, or that all read.
  struct Flag {
    std::string name;
    bool raised = false;
    uint32_t value = 0;
  };
  enum class Phase : uint8_t { kNoShared, kShared };

  uint32_t pick(uint32_t below) { return static_cast<uint32_t>(random_() % below); }
  bool chance(uint32_t of) { return pick(of) == 0; }
  template <typename T>
  const T& any(const std::vector<T>& list) {
    return list[pick(static_cast<uint32_t>(list.size()))];
  }
  std::string choose(std::initializer_list<const char*> list) {
    return *(list.begin() + pick(static_cast<uint32_t>(list.size())));
  }
  uint32_t interesting();
  // Of a function: clang may inline it, or it is called.
  std::string separate() { return chance(3) ? "__noinline__ " : ""; }
  std::string fresh(const char* name) { return fmt::format("{}{}", name, count_++); }

  // Types, variables, functions (program_generator.cpp)
  void declare_types();
  void declare_functions();
  void declare_variables();
  // others: results have what other threads left in shared memory before the last barrier.
  void finish(bool others);
  void declare_textures();
  void lay_out_memory();
  // Structures that are passed by value (program_structures.cpp)
  void declare_passed();
  std::string passed(unsigned depth);  // an unsigned number that comes of them
  static std::string word_of(const Variable& variable, const std::string& place);

  // Expressions of a type; none has a side effect (program_expressions.cpp)
  std::string unsigned_number(unsigned depth);
  std::string unsigned_leaf();
  std::string integer(unsigned depth);
  std::string integer_leaf();
  std::string wide_number(unsigned depth);  // of 64 bits without a sign
  std::string wide_leaf();
  std::string real(unsigned depth);
  std::string real_leaf();
  std::string condition(unsigned depth);
  std::string uniform();
  std::string of_others();
  // Behind the first barrier also what is read from shared memory.
  std::string uniform_in_block();
  std::string member(const Variable& member);
  std::string value_for(const Variable& variable, unsigned depth);
  const Variable* member_of_kind(bool is_float);

  // Statements (program_statements.cpp)
  using Statements = std::vector<Statement>;
  void statements(Statements& to, unsigned depth, unsigned count);
  void statement(Statements& to, unsigned depth);
  void leave(Statements& to);
  void assign(Statements& to);
  void update(Statements& to);
  void structure(Statements& to);
  void pair(Statements& to);
  void memory(Statements& to);
  void shared(Statements& to);
  void pointer(Statements& to);
  void atomic(Statements& to);
  void own_atomic(Statements& to);
  void vote(Statements& to);
  void conditional(Statements& to, unsigned depth);
  void loop(Statements& to, unsigned depth);
  void switched(Statements& to, unsigned depth);
  // What all threads do together
  void top(Statements& to, unsigned count, bool nested);
  void barrier(Statements& to);
  Statement left_behind_a_barrier(const std::string& counter);
  void together(Statements& to);
  void last_rounds(Statements& to);
  void last_choice(Statements& to);

  std::mt19937 random_;
  uint32_t seed_;
  unsigned count_ = 0;
  unsigned loops_ = 0;  // around what is generated
  bool in_function_ = false;
  bool textures_ = false;
  RandomProgram program_;
  std::vector<Variable> members_;
  std::vector<Variable> variables_;
  std::vector<Variable> arrays_;
  std::vector<SharedArray> shared_;
  SharedArray pairs_;  // of structures
  std::vector<Flag> flags_;
  uint32_t out_words_ = 0;
};

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
// A reference interpreter for PTX (PTX ISA), for tests: one thread after the other, each up to
// the next barrier, instruction by instruction as the manual describes them.  It shares the
// parser with the compiler and nothing else: calls, 64-bit values, generic addresses and state
// spaces are interpreted as they stand.
//
// Single precision as the machines under test do it, and unlike the PTX manual: denormal operands
// and results are zero, fma rounds the product before it adds.  Division, square root and the
// approximate functions are computed in double precision and rounded: exact to the last bit, so
// tests of code that uses them need a tolerance.
//
// Not modelled: warps (no lockstep between barriers), atomics, textures, double precision.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/ptx/module.h"

namespace gvp::ptx {

struct Grid {
  uint32_t grid_x = 1, grid_y = 1;
  uint32_t block_x = 1, block_y = 1, block_z = 1;
  uint32_t dynamic_shared_bytes = 0;
};

class Interpreter {
 public:
  // global: the memory that addresses refer to, from address 0; the module's variables lie behind
  // it for as long as the interpreter exists.  Throws std::runtime_error for
  // whatever goes wrong while a kernel runs.
  Interpreter(const Module& module, std::vector<uint8_t>& global);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // parameters: one 32-bit word each, in order.
  void run(const std::string& kernel, const Grid& grid, const std::vector<uint32_t>& parameters);

  // Of a thread; more is taken for an endless loop.
  uint64_t max_instructions = 10'000'000;

 private:
  // Where generic addresses see shared and local memory.
  static constexpr uint64_t kSharedWindow = 0xa0000000;
  static constexpr uint64_t kLocalWindow = 0xb0000000;
  static constexpr uint64_t kWindow = 0x01000000;

  struct Frame {
    const Function* function;
    std::vector<uint64_t> registers;
    std::map<uint32_t, std::vector<uint8_t>> parameters;  // by symbol
    uint32_t pc = 0;
  };
  struct Thread {
    std::vector<Frame> frames;
    std::vector<uint8_t> local;
    uint32_t x, y, z;
    uint64_t executed = 0;
    bool finished = false;
  };

  void run_block(const Function& kernel, uint32_t block_x, uint32_t block_y);
  // Until the thread reaches a barrier (true) or its end (false).
  bool run_thread(Thread& thread);
  void execute(Thread& thread, const Instruction& in);
  void arithmetic(Thread& thread, const Instruction& in);
  void load_store(Thread& thread, const Instruction& in);
  void call(Thread& thread, const Instruction& in);
  void leave(Thread& thread);
  bool predicate(const Frame& frame, const Operand& operand) const;
  uint64_t value(const Thread& thread, const Operand& operand, Type type) const;
  uint64_t special(const Thread& thread, const Operand& operand) const;
  void set(Thread& thread, const Operand& operand, Type type, uint64_t value);
  uint8_t* locate(Thread& thread, const Instruction& in, const Operand& memory, uint64_t extra,
                  unsigned size);
  uint64_t convert(const Instruction& in, uint64_t value) const;
  uint64_t integer(const Instruction& in, uint64_t a, uint64_t b, uint64_t c) const;
  static uint64_t insert_field(uint64_t field, uint64_t into, uint64_t begin, uint64_t length,
                               unsigned width);
  uint32_t real(const Instruction& in, uint32_t a, uint32_t b, uint32_t c) const;
  bool compare(const Instruction& in, Type type, uint64_t a, uint64_t b) const;
  [[noreturn]] void fail(const Instruction& in, const std::string& what) const;

  const Module& module_;
  std::vector<uint8_t>& global_;
  size_t given_bytes_;
  Grid grid_;
  uint32_t block_x_ = 0, block_y_ = 0;
  std::vector<uint64_t> address_of_;
  std::vector<uint8_t> constants_;
  std::vector<uint8_t> shared_;
  std::vector<uint8_t> kernel_parameters_;
  std::map<uint32_t, uint32_t> kernel_parameter_offset_;
  uint32_t static_shared_ = 0;
  uint32_t local_bytes_ = 0;
  std::map<const Function*, std::vector<uint32_t>> labels_;
};

}  // namespace gvp::ptx

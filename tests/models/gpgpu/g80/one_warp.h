// SPDX-License-Identifier: Apache-2.0
// One warp with small memories, to execute single instructions or little programs given as
// assembler text.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/encoder.h"
#include "models/gpgpu/g80/semantics.h"

namespace gvp::gpgpu::g80 {

class OneWarp {
 public:
  static constexpr uint32_t kGlobalBytes = 4096;
  static constexpr uint32_t kSharedBytes = 1024;
  static constexpr uint32_t kConstantBytes = 1024;
  static constexpr uint32_t kLocalBytes = 64;
  static constexpr unsigned kDepth = 32;

  explicit OneWarp(unsigned registers = 32)
      : registers_(registers),
        global(kGlobalBytes),
        shared(kSharedBytes),
        locks(kSharedBytes / 4),
        constants(kConstantBytes),
        local_(kLocalBytes * simt::kWarpSize),
        rows_(row_count(registers)) {
    machine.global.data = global.data();
    machine.global.bytes = global.size();
    machine.constants = constants.data();
    machine.constant_bytes = kConstantBytes;
    for (auto& bank : machine.banks) bank = {0, kConstantBytes};
    warp.rows = rows_.data();
    warp.shared = shared.data();
    warp.shared_bytes = kSharedBytes;
    warp.locks = locks.data();
    warp.local = local_.data();
    warp.local_bytes = kLocalBytes;
    warp.flow.configure(kDepth);
    start();
  }

  unsigned registers() const { return registers_; }  // of a thread
  void start(simt::Mask threads = simt::kAllLanes) { warp.start(threads, registers_); }

  simt::Lanes& r(unsigned number) { return warp.register_row(number); }
  void fill(unsigned number, uint32_t value) {
    for (unsigned lane = 0; lane < simt::kWarpSize; ++lane) r(number)[lane] = value;
  }
  // The flags of a lane as the hardware numbers them: Z 1, S 2, C 4, O 8.
  unsigned flags(unsigned condition, unsigned lane = 0) const {
    const ConditionRegister& c = warp.condition[condition];
    return (c.zero >> lane & 1u) | (c.sign >> lane & 1u) << 1 | (c.carry >> lane & 1u) << 2 |
           (c.overflow >> lane & 1u) << 3;
  }
  void set_flags(unsigned condition, unsigned lane, unsigned value) {
    ConditionRegister& c = warp.condition[condition];
    const auto put = [lane](simt::Mask& plane, unsigned bit) {
      plane = (plane & ~(1u << lane)) | bit << lane;
    };
    put(c.zero, value & 1u);
    put(c.sign, value >> 1 & 1u);
    put(c.carry, value >> 2 & 1u);
    put(c.overflow, value >> 3 & 1u);
  }

  // Sees each single instruction before execute() does: for who has other implementations of them.
  static inline std::function<void(OneWarp&, const std::vector<uint32_t>& code)> before_instruction;

  // Executes one instruction at address 0 with the warp's state as it is.
  Step execute(const std::string& text) {
    const Words words = encode(assemble_instruction(text));
    code_.assign(words.begin(), words.end());
    return execute_code();
  }
  Step execute(const Instruction& instruction) {
    const Words words = encode(instruction);
    code_.assign(words.begin(), words.end());
    return execute_code();
  }

  // Assembles a program and runs it from address 0 until it stops.
  Stop run(const std::string& source, uint64_t max_instructions = 100000) {
    load(source);
    return go_on(max_instructions);
  }
  void load(const std::string& source) {
    code_ = assemble(source, "test").kernels.at(0).code;
    program_ = std::make_unique<Program>(code_.data(), code_.size(), registers_, machine);
  }
  Stop go_on(uint64_t max_instructions = 100000) {
    by_op.resize(program_->ops().size());
    return g80::run(machine, *program_, warp, max_instructions, counters, by_op.data());
  }
  const Program& program() const { return *program_; }

  uint32_t global_word(uint32_t address) const {
    uint32_t word;
    std::memcpy(&word, &global[address], sizeof word);
    return word;
  }

 private:
  Step execute_code() {
    if (before_instruction) before_instruction(*this, code_);
    warp.flow.pc = 0;
    program_ = std::make_unique<Program>(code_.data(), code_.size(), registers_, machine);
    return step(machine, *program_, warp);
  }

  unsigned registers_;

 public:
  Machine machine;
  Warp warp;
  RunCounters counters;
  std::vector<OpCounts> by_op;
  std::vector<uint8_t> global;
  std::vector<uint8_t> shared;
  std::vector<uint8_t> locks;
  std::vector<uint8_t> constants;

 private:
  std::vector<uint8_t> local_;
  std::vector<simt::Lanes> rows_;
  std::vector<uint32_t> code_;
  std::unique_ptr<Program> program_;
};

}  // namespace gvp::gpgpu::g80

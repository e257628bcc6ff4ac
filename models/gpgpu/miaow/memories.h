// SPDX-License-Identifier: Apache-2.0
// The memories that all compute units of a device share: instructions, decoded once, and prefetch
// memory.  Not modelled: that units hold each other up at prefetch memory.  No SystemC.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpgpu/miaow/configuration.h"
#include "models/gpgpu/miaow/instruction_list.h"
#include "models/gpgpu/miaow/operation_cost.h"
#include "models/gpgpu/southern_islands/program.h"

namespace gvp::gpgpu::miaow {

class Memories {
 public:
  explicit Memories(const Configuration& configuration);

  // Numbers and addresses wrap.
  uint32_t instruction(uint32_t index) const { return code_[index % kInstructionWords]; }
  void set_instruction(uint32_t index, uint32_t word);
  uint32_t prefetch(uint32_t address) const;  // 0 where there is none
  void set_prefetch(uint32_t address, uint32_t word);
  std::vector<uint8_t>& prefetch_bytes() { return prefetch_; }

  // Before a wavefront starts and no other executes: code may have changed.
  void prepare();
  const southern_islands::Program& program() const { return program_; }
  const OperationCost& cost(uint32_t pc) const;
  const std::vector<uint32_t>& code() const { return code_; }

 private:
  const Timing timing_;
  const southern_islands::Deviation deviation_;
  const InstructionList instructions_;
  std::vector<uint32_t> code_;
  std::vector<uint8_t> prefetch_;
  bool code_changed_ = true;
  southern_islands::Program program_;
  std::vector<OperationCost> costs_;  // by word of code_, and of what is outside
};

}  // namespace gvp::gpgpu::miaow

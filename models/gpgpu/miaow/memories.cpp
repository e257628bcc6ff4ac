// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/memories.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/gpgpu/miaow/rtl_quirks.h"

namespace gvp::gpgpu::miaow {

Memories::Memories(const Configuration& configuration)
    : timing_(configuration.timing),
      deviation_(configuration.rtl_quirks         ? rtl_function
                 : configuration.rtl_instructions ? unsupported_function
                                                  : nullptr),
      instructions_(InstructionList::of_file(configuration.instructions)),
      code_(kInstructionWords),
      prefetch_(configuration.prefetch ? kPrefetchBytes : 0) {}

void Memories::set_instruction(uint32_t index, uint32_t word) {
  uint32_t& place = code_[index % kInstructionWords];
  code_changed_ = code_changed_ || place != word;
  place = word;
}

uint32_t Memories::prefetch(uint32_t address) const {
  if (prefetch_.empty()) return 0;
  uint32_t word = 0;
  std::memcpy(&word, &prefetch_[address % kPrefetchBytes & ~3u], 4);
  return word;
}

void Memories::set_prefetch(uint32_t address, uint32_t word) {
  if (!prefetch_.empty()) std::memcpy(&prefetch_[address % kPrefetchBytes & ~3u], &word, 4);
}

// The same code is mostly launched many times.
void Memories::prepare() {
  if (!std::exchange(code_changed_, false)) return;
  program_ = southern_islands::Program(code_.data(), code_.size(), deviation_);
  if (!instructions_.has_all())
    program_.keep_only(
        [this](const southern_islands::Instruction& each) { return instructions_.has(each); });
  costs_.clear();
  for (uint32_t i = 0; i < kInstructionWords; ++i)
    costs_.push_back(cost_of(program_.at(4 * i), timing_));
  costs_.emplace_back();
}

const OperationCost& Memories::cost(uint32_t pc) const {
  return costs_[std::min<std::size_t>(pc / 4, kInstructionWords)];
}

}  // namespace gvp::gpgpu::miaow

// SPDX-License-Identifier: Apache-2.0
// Random instructions that programs may contain, of any operation and form.
#pragma once

#include <initializer_list>
#include <optional>
#include <random>

#include "models/gpgpu/southern_islands/names.h"
#include "models/gpgpu/southern_islands/operations.h"
#include "models/gpgpu/southern_islands/slots.h"

namespace gvp::gpgpu::southern_islands {

class RandomInstructions {
 public:
  explicit RandomInstructions(uint32_t seed) : random_(seed) {}

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool chance(unsigned in) { return below(in) == 0; }
  uint32_t word() { return static_cast<uint32_t>(random_()); }

  // Nothing where the operation has no such form.
  std::optional<Instruction> of(Operation operation, bool vop3) {
    const OperationInfo& row = info(operation);
    if (vop3 && !row.has_long_form()) return std::nullopt;
    for (;;) {
      const Instruction instruction = attempt(row, vop3);
      if (problem_with(instruction).empty()) return instruction;
    }
  }

 private:
  Code code_for(const Instruction& instruction, const Slot& slot) {
    for (;;) {
      const auto number = static_cast<Code>(below(chance(3) ? 512 : chance(2) ? 256 : 128));
      const auto vector = static_cast<Code>(code::kVector0 + below(256));
      const bool try_vector = slot.kind == Kind::kVector || slot.kind == Kind::kAddress ||
                              (slot.kind == Kind::kAnySource && chance(2));
      if (slot.kind == Kind::kAddress && slot.words == 0) return 0;
      // LLVM takes no constant here, the hardware does.
      const bool llvm_refuses = instruction.operation == Operation::kVCvtF32F16 &&
                                instruction.vop3 && is_constant(number);
      if (llvm_refuses && !try_vector) continue;
      if (fits(instruction, slot, try_vector ? vector : number))
        return try_vector ? vector : number;
    }
  }

  // A literal that no constant stands for: text with it assembles to it again.
  uint32_t literal() {
    for (;;) {
      const uint32_t value = chance(4) ? below(1000) : word();
      if (constant_for(value) == code::kLiteral &&
          constant_for_double_word(value) == code::kLiteral)
        return value;
    }
  }

  void set_flags(const OperationInfo& row, Instruction& instruction) {
    if (row.is_buffer()) {
      instruction.immediate = static_cast<uint16_t>(chance(3) ? 0 : below(0x1000));
      instruction.address64 = chance(3);
      instruction.offset_enable = !instruction.address64 && chance(2);
      instruction.index_enable = !instruction.address64 && chance(2);
      instruction.globally_coherent = chance(4);
      instruction.system_coherent = chance(4);
      if (row.format != Format::kMtbuf) return;
      instruction.texture_fail = chance(4);
      instruction.data_format = static_cast<uint8_t>(below(kDataFormats));
      instruction.number_format = static_cast<uint8_t>(below(kNumberFormats));
    } else if (row.format == Format::kDs) {
      instruction.immediate = static_cast<uint16_t>(chance(3) ? 0 : below(0x10000));
      instruction.global_share = chance(4);
    } else if (row.format == Format::kSmrd && row.source[0] != Type::kNone) {
      instruction.immediate_offset = chance(2);
      if (instruction.immediate_offset) instruction.immediate = static_cast<uint16_t>(below(256));
    }
  }

  Instruction attempt(const OperationInfo& row, bool vop3) {
    Instruction instruction;
    instruction.operation = row.operation;
    instruction.vop3 = vop3;
    set_flags(row, instruction);
    if (row.is(Trait::kConstantSecond | Trait::kConstantThird)) instruction.literal = literal();
    if (takes_output_modifiers(instruction)) {
      instruction.clamp = chance(3);
      instruction.output =
          chance(2) ? OutputModifier::kNone : static_cast<OutputModifier>(below(4));
    }
    if (row.is(Trait::kWaitCounts)) {
      for (const WaitCounter& counter : kWaitCounters)
        instruction.immediate = static_cast<uint16_t>(
            instruction.immediate | (chance(2) ? counter.most : below(counter.most + 1u))
                                        << counter.low);
    } else if (row.is(Trait::kTarget | Trait::kImmediate) || row.format == Format::kSopk) {
      instruction.immediate = static_cast<uint16_t>(chance(2) ? below(100) : word());
    }
    for (const Slot& slot : slots_of(instruction)) {
      if (slot.kind == Kind::kNumber) continue;
      if (slot.place == Place::kVcc) {
        if (row.format == Format::kVopc) instruction.destination = code::kVccLo;
        if (row.is(Trait::kCarryOut)) instruction.scalar_destination = code::kVccLo;
        continue;
      }
      const Code number = code_for(instruction, slot);
      code_of(instruction, slot.place) = number;
      if (number == code::kLiteral && !row.is(Trait::kConstantSecond | Trait::kConstantThird))
        instruction.literal = literal();
      if (slot.place < Place::kSource0 || slot.place > Place::kSource2) continue;
      const unsigned i = static_cast<unsigned>(slot.place) - static_cast<unsigned>(Place::kSource0);
      if (takes_negation(instruction, slot) && chance(3))
        instruction.negate = static_cast<uint8_t>(instruction.negate | 1u << i);
      if (takes_absolute(instruction, slot) && chance(3))
        instruction.absolute = static_cast<uint8_t>(instruction.absolute | 1u << i);
    }
    return instruction;
  }

  std::mt19937 random_;
};

}  // namespace gvp::gpgpu::southern_islands

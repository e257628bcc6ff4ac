// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/disassembler.h"

#include <fmt/format.h>

#include "models/gpgpu/southern_islands/names.h"
#include "models/gpgpu/southern_islands/operations.h"
#include "models/gpgpu/southern_islands/slots.h"

namespace gvp::gpgpu::southern_islands {
namespace {

std::string mnemonic_of(const Instruction& instruction, const OperationInfo& row) {
  std::string text(row.mnemonic);
  if (instruction.vop3) return text + "_e64";
  return row.has_long_form() ? text + "_e32" : text;
}

// simm16 of s_waitcnt; a value that its counters do not make up is written as a number.
std::string wait_counts(uint16_t value) {
  uint16_t known = 0;
  std::string text;
  for (const WaitCounter& counter : kWaitCounters) {
    const unsigned count = value >> counter.low & counter.most;
    known = static_cast<uint16_t>(known | count << counter.low);
    if (count != counter.most || value == kWaitForNothing)
      text += fmt::format("{}{}({})", text.empty() ? "" : " ", counter.name, count);
  }
  return known == value ? text : fmt::format("{:#x}", value);
}

std::string number(uint16_t value) {
  return value <= 64 ? fmt::format("{}", value) : fmt::format("{:#x}", value);
}

// Around a source: -x, |x|; neg(1) where -1 would be another constant.
std::string with_modifiers(const Instruction& instruction, const Slot& slot, std::string text) {
  const unsigned i = static_cast<unsigned>(slot.place) - static_cast<unsigned>(Place::kSource0);
  const bool absolute = (instruction.absolute >> i & 1u) != 0;
  if (absolute) text = "|" + text + "|";
  if ((instruction.negate >> i & 1u) == 0) return text;
  return is_constant(instruction.source[i]) && !absolute ? "neg(" + text + ")" : "-" + text;
}

std::string text_of_slot(const Instruction& instruction, const Slot& slot,
                         const std::string& target) {
  switch (slot.place) {
    case Place::kVcc:
      return "vcc";
    case Place::kConstant:
      return fmt::format("{:#x}", instruction.literal);
    case Place::kImmediate:
      return info(instruction.operation).format == Format::kSopk
                 ? fmt::format("{:#x}", instruction.immediate)
                 : number(instruction.immediate);
    case Place::kTarget:
      return target.empty() ? fmt::format("{}", static_cast<int16_t>(instruction.immediate))
                            : target;
    case Place::kWaitCounts:
      return wait_counts(instruction.immediate);
    case Place::kWordOffset:
      if (instruction.immediate_offset) return fmt::format("{:#x}", instruction.immediate);
      break;
    case Place::kSource0:
      if (slot.kind == Kind::kAddress && slot.words == 0) return "off";
      break;
    default:
      break;
  }
  std::string text =
      text_of_operand(code_of(instruction, slot.place), slot.words, instruction.literal);
  return slot.place >= Place::kSource0 && slot.place <= Place::kSource2
             ? with_modifiers(instruction, slot, std::move(text))
             : text;
}

std::string output_modifiers(const Instruction& instruction) {
  constexpr const char* kTexts[] = {"", " mul:2", " mul:4", " div:2"};
  return std::string(instruction.clamp ? " clamp" : "") +
         kTexts[static_cast<unsigned>(instruction.output)];
}

// What differs from BUF_DATA_FORMAT_8 and BUF_NUM_FORMAT_UNORM, which LLVM takes without.
std::string format_modifier(const Instruction& instruction) {
  const bool data = instruction.data_format != 1;
  const bool number = instruction.number_format != 0;
  if (!data && !number) return "";
  return fmt::format(" format:[{}{}{}]", data ? data_format_name(instruction.data_format) : "",
                     data && number ? "," : "",
                     number ? number_format_name(instruction.number_format) : "");
}

std::string buffer_modifiers(const Instruction& instruction, const OperationInfo& row) {
  std::string text;
  if (row.format == Format::kMtbuf) text += format_modifier(instruction);
  if (instruction.index_enable) text += " idxen";
  if (instruction.offset_enable) text += " offen";
  if (instruction.address64) text += " addr64";
  if (instruction.immediate != 0) text += fmt::format(" offset:{}", instruction.immediate);
  if (instruction.globally_coherent) text += " glc";
  if (instruction.system_coherent) text += " slc";
  if (instruction.texture_fail) text += " tfe";
  return text;
}

std::string share_modifiers(const Instruction& instruction, const OperationInfo& row) {
  std::string text;
  if (row.is(Trait::kTwoOffsets)) {
    if ((instruction.immediate & 0xff) != 0)
      text += fmt::format(" offset0:{}", instruction.immediate & 0xff);
    if (instruction.immediate >> 8 != 0)
      text += fmt::format(" offset1:{}", instruction.immediate >> 8);
  } else if (instruction.immediate != 0) {
    text += fmt::format(" offset:{}", instruction.immediate);
  }
  return text + (instruction.global_share ? " gds" : "");
}

}  // namespace

std::string to_text(const Instruction& instruction, const std::string& target) {
  const OperationInfo& row = info(instruction.operation);
  std::string text = mnemonic_of(instruction, row);
  const char* separator = " ";
  for (const Slot& slot : slots_of(instruction)) {
    text += separator + text_of_slot(instruction, slot, target);
    separator = ", ";
  }
  if (row.is_vector()) return text + output_modifiers(instruction);
  if (row.is_buffer()) return text + buffer_modifiers(instruction, row);
  return row.format == Format::kDs ? text + share_modifiers(instruction, row) : text;
}

}  // namespace gvp::gpgpu::southern_islands

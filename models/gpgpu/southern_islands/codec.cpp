// SPDX-License-Identifier: Apache-2.0
// The fields of each format: "Southern Islands Series Instruction Set Architecture", chapter on
// microcode formats.
#include "models/gpgpu/southern_islands/codec.h"

#include <fmt/format.h>

#include "models/gpgpu/southern_islands/operations.h"
#include "models/gpgpu/southern_islands/slots.h"

namespace gvp::gpgpu::southern_islands {
namespace {

// One pass over an instruction's fields, writing words or reading them.
class Fields {
 public:
  explicit Fields(Words& words, bool reading) : words_(words), reading_(reading) {}

  template <typename Value>
  void number(unsigned word, unsigned low, unsigned width, Value& value) {
    if (reading_)
      value = static_cast<Value>(words_[word] >> low & mask(width));
    else
      words_[word] |= (static_cast<uint32_t>(value) & mask(width)) << low;
  }
  // A vector register, in eight bits.
  void vector(unsigned word, unsigned low, Code& code) {
    number(word, low, 8, code);
    if (reading_) code = static_cast<Code>(code | code::kVector0);
  }
  // The first of a range of scalar registers, in units of so many.
  void aligned(unsigned word, unsigned low, unsigned width, unsigned unit, Code& code) {
    auto quotient = static_cast<Code>(code / unit);
    number(word, low, width, quotient);
    if (reading_) code = static_cast<Code>(quotient * unit);
  }

 private:
  static uint32_t mask(unsigned width) { return (uint32_t{1} << width) - 1; }

  Words& words_;
  bool reading_;
};

void buffer_fields(Fields& fields, const OperationInfo& info, Instruction& instruction) {
  if (info.destination == Type::kNone) return;
  fields.number(0, 0, 12, instruction.immediate);
  fields.number(0, 12, 1, instruction.offset_enable);
  fields.number(0, 13, 1, instruction.index_enable);
  fields.number(0, 14, 1, instruction.globally_coherent);
  fields.number(0, 15, 1, instruction.address64);
  const bool address =
      instruction.offset_enable || instruction.index_enable || instruction.address64;
  if (address) fields.vector(1, 0, instruction.source[0]);
  fields.vector(1, 8, instruction.destination);
  fields.aligned(1, 16, 5, 4, instruction.source[1]);
  fields.number(1, 22, 1, instruction.system_coherent);
  fields.number(1, 23, 1, instruction.texture_fail);
  fields.number(1, 24, 8, instruction.source[2]);
}

void ds_fields(Fields& fields, const OperationInfo& info, Instruction& instruction) {
  fields.number(0, 0, 16, instruction.immediate);
  fields.number(0, 17, 1, instruction.global_share);
  fields.vector(1, 0, instruction.source[0]);
  if (info.source[1] != Type::kNone) fields.vector(1, 8, instruction.source[1]);
  if (info.source[2] != Type::kNone) fields.vector(1, 16, instruction.source[2]);
  if (info.destination != Type::kNone) fields.vector(1, 24, instruction.destination);
}

void vop3_fields(Fields& fields, const OperationInfo& info, Instruction& instruction) {
  if (info.format == Format::kVopc || info.is(Trait::kScalarDestination)) {
    fields.number(0, 0, 8, instruction.destination);
  } else if (info.destination != Type::kNone) {
    fields.vector(0, 0, instruction.destination);
  }
  if (info.is(Trait::kCarryOut)) {
    fields.number(0, 8, 7, instruction.scalar_destination);
  } else {
    fields.number(0, 8, 3, instruction.absolute);
    fields.number(0, 11, 1, instruction.clamp);
  }
  for (unsigned i = 0; i < 3; ++i)
    if (info.source[i] != Type::kNone || (i == 2 && info.is(Trait::kReadsMask)))
      fields.number(1, 9 * i, 9, instruction.source[i]);
  fields.number(1, 27, 2, instruction.output);
  fields.number(1, 29, 3, instruction.negate);
}

// All but the bits that select operation and form.
void all_fields(Fields& fields, const OperationInfo& info, Instruction& instruction) {
  if (info.is_vector() && (instruction.vop3 || info.format == Format::kVop3))
    return vop3_fields(fields, info, instruction);
  const bool destination = info.destination != Type::kNone;
  const auto has = [&](unsigned i) { return info.source[i] != Type::kNone; };
  switch (info.format) {
    case Format::kSop2:
    case Format::kSop1:
    case Format::kSopc:
      if (destination) fields.number(0, 16, 7, instruction.destination);
      if (has(0)) fields.number(0, 0, 8, instruction.source[0]);
      if (has(1)) fields.number(0, 8, 8, instruction.source[1]);
      break;
    case Format::kSopk:
      fields.number(0, 16, 7, instruction.destination);
      fields.number(0, 0, 16, instruction.immediate);
      break;
    case Format::kSopp:
      if (info.is(Trait::kTarget | Trait::kWaitCounts | Trait::kImmediate))
        fields.number(0, 0, 16, instruction.immediate);
      break;
    case Format::kSmrd:
      if (destination) fields.number(0, 15, 7, instruction.destination);
      if (!has(0)) break;
      fields.aligned(0, 9, 6, 2, instruction.source[0]);
      fields.number(0, 8, 1, instruction.immediate_offset);
      if (instruction.immediate_offset)
        fields.number(0, 0, 8, instruction.immediate);
      else
        fields.number(0, 0, 8, instruction.source[1]);
      break;
    case Format::kVop2:
    case Format::kVop1:
    case Format::kVopc:
      if (has(0)) fields.number(0, 0, 9, instruction.source[0]);
      if (has(1) && info.is(Trait::kScalarSecond))
        fields.number(0, 9, 8, instruction.source[1]);
      else if (has(1))
        fields.vector(0, 9, instruction.source[1]);
      if (info.is(Trait::kScalarDestination))
        fields.number(0, 17, 8, instruction.destination);
      else if (destination)
        fields.vector(0, 17, instruction.destination);
      if (info.format == Format::kVopc) instruction.destination = code::kVccLo;
      if (info.is(Trait::kCarryOut)) instruction.scalar_destination = code::kVccLo;
      break;
    case Format::kVop3:
      break;
    case Format::kDs:
      ds_fields(fields, info, instruction);
      break;
    case Format::kMubuf:
      buffer_fields(fields, info, instruction);
      if (destination) fields.number(0, 16, 1, instruction.lds);
      break;
    case Format::kMtbuf:
      buffer_fields(fields, info, instruction);
      fields.number(0, 19, 4, instruction.data_format);
      fields.number(0, 23, 3, instruction.number_format);
      break;
  }
}

// Where a form is recognised by, and where its opcode is.
struct Form {
  uint32_t mask;
  uint32_t bits;
  uint8_t opcode_low;
  uint8_t opcode_width;
  Format format;
};
// Longer prefixes first: SOPK, SOP1, SOPC and SOPP lie within what SOP2 leaves free, VOP1 and VOPC
// within VOP2.
constexpr Form kForms[] = {
    {0xff800000, 0xbf800000, 16, 7, Format::kSopp}, {0xff800000, 0xbf000000, 16, 7, Format::kSopc},
    {0xff800000, 0xbe800000, 8, 8, Format::kSop1},  {0xf0000000, 0xb0000000, 23, 5, Format::kSopk},
    {0xc0000000, 0x80000000, 23, 7, Format::kSop2}, {0xf8000000, 0xc0000000, 22, 5, Format::kSmrd},
    {0xfe000000, 0x7e000000, 9, 8, Format::kVop1},  {0xfe000000, 0x7c000000, 17, 8, Format::kVopc},
    {0x80000000, 0x00000000, 25, 6, Format::kVop2}, {0xfc000000, 0xd0000000, 17, 9, Format::kVop3},
    {0xfc000000, 0xd8000000, 18, 8, Format::kDs},   {0xfc000000, 0xe0000000, 18, 7, Format::kMubuf},
    {0xfc000000, 0xe8000000, 16, 3, Format::kMtbuf}};

const Form& form_of(Format format) {
  for (const Form& form : kForms)
    if (form.format == format) return form;
  return kForms[0];
}

// Opcodes of VOP3 continue those of VOPC, VOP2 and VOP1.
constexpr unsigned kVop2InVop3 = 0x100;
constexpr unsigned kVop1InVop3 = 0x180;

unsigned opcode_in_vop3(const OperationInfo& info) {
  return info.opcode + (info.format == Format::kVop2   ? kVop2InVop3
                        : info.format == Format::kVop1 ? kVop1InVop3
                                                       : 0);
}

Operation operation_in_vop3(unsigned opcode) {
  const Operation own = find_operation(Format::kVop3, opcode);
  if (own != Operation::kNone) return own;
  const Operation shorter =
      opcode >= kVop1InVop3   ? find_operation(Format::kVop1, opcode - kVop1InVop3)
      : opcode >= kVop2InVop3 ? find_operation(Format::kVop2, opcode - kVop2InVop3)
                              : find_operation(Format::kVopc, opcode);
  return info(shorter).has_long_form() ? shorter : Operation::kNone;
}

const Form* form_of_word(uint32_t word) {
  for (const Form& form : kForms)
    if ((word & form.mask) == form.bits) return &form;
  return nullptr;
}

bool has_second_word(Format format) { return format >= Format::kVop3; }

// Modifiers that an operation or operand does not have: the hardware looks at these bits for floats
// only.
void drop_modifiers_without_effect(Instruction& instruction) {
  if (!takes_output_modifiers(instruction)) {
    instruction.clamp = false;
    instruction.output = OutputModifier::kNone;
  }
  unsigned negated = 0;
  unsigned absolute = 0;
  for (const Slot& slot : slots_of(instruction)) {
    if (slot.place < Place::kSource0 || slot.place > Place::kSource2) continue;
    const unsigned bit =
        1u << (static_cast<unsigned>(slot.place) - static_cast<unsigned>(Place::kSource0));
    if (takes_negation(instruction, slot)) negated |= bit;
    if (takes_absolute(instruction, slot)) absolute |= bit;
  }
  instruction.negate = static_cast<uint8_t>(instruction.negate & negated);
  instruction.absolute = static_cast<uint8_t>(instruction.absolute & absolute);
}

Decoded refused(Decoded decoded, DecodeStatus status, std::string reason) {
  decoded.status = status;
  decoded.reason = std::move(reason);
  return decoded;
}

}  // namespace

unsigned word_count(const Instruction& instruction) {
  const OperationInfo& row = info(instruction.operation);
  return has_second_word(row.format) || instruction.vop3 || instruction.has_literal() ||
                 row.is(Trait::kConstantSecond | Trait::kConstantThird)
             ? 2
             : 1;
}

Encoded encode(const Instruction& instruction) {
  const OperationInfo& row = info(instruction.operation);
  const bool vop3 = instruction.vop3 || row.format == Format::kVop3;
  const Form& form = form_of(vop3 ? Format::kVop3 : row.format);
  Encoded encoded;
  encoded.count = word_count(instruction);
  encoded.words[0] = form.bits | (vop3 ? opcode_in_vop3(row) : row.opcode) << form.opcode_low;
  Instruction copy = instruction;  // the fields are not changed when they are written
  Fields fields(encoded.words, false);
  all_fields(fields, row, copy);
  const bool literal = !vop3 && instruction.has_literal() && !has_second_word(row.format);
  if (literal || row.is(Trait::kConstantSecond | Trait::kConstantThird))
    encoded.words[1] = instruction.literal;
  return encoded;
}

Decoded decode(const uint32_t* words, std::size_t count) {
  Decoded decoded;
  if (count == 0) return refused(decoded, DecodeStatus::kTruncated, "there is no word");
  decoded.words[0] = words[0];
  const Form* form = form_of_word(words[0]);
  if (form == nullptr) return refused(decoded, DecodeStatus::kUnknownOperation, "unknown encoding");
  const unsigned opcode = words[0] >> form->opcode_low & ((1u << form->opcode_width) - 1);
  const bool vop3 = form->format == Format::kVop3;
  Instruction& instruction = decoded.instruction;
  instruction.operation = vop3 ? operation_in_vop3(opcode) : find_operation(form->format, opcode);
  if (has_second_word(form->format)) {
    decoded.count = 2;
    if (count < 2) return refused(decoded, DecodeStatus::kTruncated, "the second word is missing");
    decoded.words[1] = words[1];
  }
  if (instruction.operation == Operation::kNone)
    return refused(decoded, DecodeStatus::kUnknownOperation,
                   fmt::format("no operation {:#x} in {}", opcode, name_of(form->format)));
  const OperationInfo& row = info(instruction.operation);
  instruction.vop3 = vop3 && row.format != Format::kVop3;
  Fields fields(decoded.words, true);
  all_fields(fields, row, instruction);
  decoded.count = word_count(instruction);
  if (decoded.count == 2 && !has_second_word(form->format)) {
    if (count < 2)
      return refused(decoded, DecodeStatus::kTruncated, "the literal behind it is missing");
    decoded.words[1] = instruction.literal = words[1];
  }
  drop_modifiers_without_effect(instruction);
  if (std::string problem = problem_with(instruction); !problem.empty())
    return refused(decoded, DecodeStatus::kNotAllowed, std::move(problem));
  const Words again = encode(instruction).words;
  decoded.ignored = {decoded.words[0] ^ again[0], decoded.words[1] ^ again[1]};
  if (decoded.ignored == Words{}) {
    decoded.status = DecodeStatus::kOk;
    return decoded;
  }
  return refused(
      decoded, DecodeStatus::kIgnoredBits,
      fmt::format("ignored bits {:#010x} {:#010x}", decoded.ignored[0], decoded.ignored[1]));
}

}  // namespace gvp::gpgpu::southern_islands

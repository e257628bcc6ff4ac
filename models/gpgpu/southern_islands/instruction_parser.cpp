// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/instruction_parser.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "models/base/nearest.h"
#include "models/gpgpu/southern_islands/names.h"
#include "models/gpgpu/southern_islands/operand_parser.h"
#include "models/gpgpu/southern_islands/operations.h"
#include "models/gpgpu/southern_islands/slots.h"

namespace gvp::gpgpu::southern_islands {
namespace {

using What = ParsedOperand::What;

template <typename To, typename From>
To bits(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// Why an operand does not fit a form: where, what.
struct Mismatch {
  std::size_t position = 0;
  std::string what;  // "": it does
  explicit operator bool() const { return !what.empty(); }
};

// Fills one form of an operation from what was written.
class Filler {
 public:
  Filler(ParsedInstruction& parsed, const ParsedOperands& written)
      : parsed_(parsed), instruction_(parsed.instruction), written_(written) {}

  Mismatch fill(std::size_t end) {
    const Slots slots = slots_of(instruction_);
    const OperationInfo& row = info(instruction_.operation);
    if (slots.size() != written_.operands.size())
      return {end, fmt::format("{} takes {} operands, not {}", row.mnemonic, slots.size(),
                               written_.operands.size())};
    for (std::size_t i = 0; i < slots.size(); ++i)
      if (Mismatch mismatch = fill(slots[i], written_.operands[i])) return mismatch;
    return {end, problem_with(instruction_)};
  }

 private:
  Mismatch fill(const Slot& slot, const ParsedOperand& operand) {
    const auto refuse = [&](std::string what) {
      return Mismatch{operand.position, std::move(what)};
    };
    if ((operand.negate && !takes_negation(instruction_, slot)) ||
        (operand.absolute && !takes_absolute(instruction_, slot)))
      return refuse("this operand has no sign or absolute value");
    switch (slot.place) {
      case Place::kVcc:
        if (operand.what == What::kRegister && operand.number == code::kVccLo && operand.words == 2)
          return {};
        return refuse("only vcc can stand here");
      case Place::kTarget:
        if (operand.what == What::kSymbol) {
          parsed_.target = operand.symbol;
          parsed_.target_position = operand.position;
          return {};
        }
        [[fallthrough]];
      case Place::kImmediate:
        return fill_number(operand, -0x8000, 0xffff);
      case Place::kConstant:
        return fill_constant(operand);
      case Place::kWordOffset:
        if (operand.what != What::kInteger) break;
        instruction_.immediate_offset = true;
        return fill_number(operand, 0, 0xff);
      default:
        break;
    }
    return fill_code(slot, operand);
  }

  Mismatch fill_number(const ParsedOperand& operand, int64_t least, int64_t most) {
    if (operand.what != What::kInteger || operand.literal)
      return {operand.position, "an integer must stand here"};
    if (operand.integer < least || operand.integer > most)
      return {operand.position, fmt::format("{} is not in {} to {}", operand.integer, least, most)};
    instruction_.immediate = static_cast<uint16_t>(operand.integer);
    return {};
  }

  Mismatch set_literal(const ParsedOperand& operand, uint32_t word) {
    if (literal_set_ && instruction_.literal != word)
      return {operand.position, "a second literal, and an instruction has one"};
    literal_set_ = true;
    instruction_.literal = word;
    return {};
  }

  // A number as a word; false: it has more bits.
  static bool word_of(const ParsedOperand& operand, uint32_t& word) {
    if (operand.what == What::kFloat) {
      if (std::abs(operand.real) > static_cast<double>(std::numeric_limits<float>::max()))
        return false;
      word = bits<uint32_t>(static_cast<float>(operand.real));
      return true;
    }
    word = static_cast<uint32_t>(operand.integer);
    return operand.integer >= std::numeric_limits<int32_t>::min() &&
           operand.integer <= std::numeric_limits<uint32_t>::max();
  }

  Mismatch fill_constant(const ParsedOperand& operand) {
    uint32_t word = 0;
    if ((operand.what != What::kInteger && operand.what != What::kFloat) || !word_of(operand, word))
      return {operand.position, "a number of 32 bits must stand here"};
    return set_literal(operand, word);
  }

  Mismatch fill_code(const Slot& slot, const ParsedOperand& operand) {
    Code number = 0;
    if (operand.what == What::kSymbol)
      return {operand.position, fmt::format("unknown register \"{}\"", operand.symbol)};
    if (operand.what == What::kOff) {
      if (slot.kind != Kind::kAddress || slot.words != 0)
        return {operand.position,
                "\"off\" stands only for the address of a buffer without offen, "
                "idxen and addr64"};
    } else if (slot.kind == Kind::kAddress && slot.words == 0) {
      return {operand.position, "without offen, idxen and addr64 \"off\" stands here"};
    } else if (operand.what == What::kRegister) {
      if (operand.words != slot.words)
        return {operand.position, fmt::format("{} register{} here, not {}", slot.words,
                                              slot.words == 1 ? "" : "s", operand.words)};
      number = operand.number;
    } else if (Mismatch mismatch = number_code(slot, operand, number)) {
      return mismatch;
    }
    if (!fits(instruction_, slot, number)) return {operand.position, what_fits(slot)};
    code_of(instruction_, slot.place) = number;
    if (slot.place >= Place::kSource0 && slot.place <= Place::kSource2) {
      const unsigned i = static_cast<unsigned>(slot.place) - static_cast<unsigned>(Place::kSource0);
      instruction_.negate = static_cast<uint8_t>(instruction_.negate | operand.negate << i);
      instruction_.absolute = static_cast<uint8_t>(instruction_.absolute | operand.absolute << i);
    }
    return {};
  }

  // The constant for a number, or the literal.
  Mismatch number_code(const Slot& slot, const ParsedOperand& operand, Code& number) {
    const bool real = operand.what == What::kFloat;
    uint32_t word = 0;
    const bool fits_word = word_of(operand, word);
    number = code::kLiteral;
    if (!operand.literal) {
      if (slot.words == 2)
        number = constant_for_double_word(real ? bits<uint64_t>(operand.real)
                                               : static_cast<uint64_t>(operand.integer));
      else if (fits_word)
        number = constant_for(word);
    }
    if (number != code::kLiteral) return {};
    if (real && slot.type == Type::kF64) return double_literal(slot, operand);
    if (!fits_word || (real && slot.words == 2))
      return {operand.position, "no constant or literal of 32 bits stands for this number"};
    if (!fits(instruction_, slot, code::kLiteral)) return {operand.position, what_fits(slot)};
    return set_literal(operand, word);
  }

  // A literal is the high half of a double.
  Mismatch double_literal(const Slot& slot, const ParsedOperand& operand) {
    const auto value = bits<uint64_t>(operand.real);
    if (static_cast<uint32_t>(value) != 0)
      return {operand.position, "no literal stands for this double, whose low 32 bits are not 0"};
    if (!fits(instruction_, slot, code::kLiteral)) return {operand.position, what_fits(slot)};
    return set_literal(operand, static_cast<uint32_t>(value >> 32));
  }

  std::string what_fits(const Slot& slot) const {
    switch (slot.kind) {
      case Kind::kVector:
      case Kind::kAddress:
        return fmt::format("{} vector register{} must stand here", slot.words,
                           slot.words == 1 ? "" : "s");
      case Kind::kScalar:
      case Kind::kLoaded:
        return fmt::format("{} must stand here", scalars(slot.words));
      case Kind::kAnySource:
        return fmt::format("a vector register, {} or {} must stand here", scalars(slot.words),
                           constants(slot));
      default:
        return fmt::format("{} or {} must stand here", scalars(slot.words), constants(slot));
    }
  }
  static std::string scalars(unsigned words) {
    if (words == 1) return "a scalar register";
    return fmt::format("{} scalar registers from a multiple of {}", words, words == 2 ? 2 : 4);
  }
  std::string constants(const Slot& slot) const {
    return fits(instruction_, slot, code::kLiteral)
               ? "a number"
               : "a constant (-16 to 64, 0.5, 1.0, 2.0, 4.0 and their negatives)";
  }

  ParsedInstruction& parsed_;
  Instruction& instruction_;
  const ParsedOperands& written_;
  bool literal_set_ = false;
};

void take_output_modifiers(Scanner& scanner, ParsedOperands& written, Instruction& instruction) {
  instruction.clamp = written.flag("clamp");
  if (const ParsedModifier* modifier = written.take("mul")) {
    if (modifier->value != 2 && modifier->value != 4)
      scanner.fail_at(modifier->position, "the product is mul:2 or mul:4");
    instruction.output = modifier->value == 2 ? OutputModifier::kTimes2 : OutputModifier::kTimes4;
  }
  if (const ParsedModifier* modifier = written.take("div")) {
    if (modifier->value != 2 || instruction.output != OutputModifier::kNone)
      scanner.fail_at(modifier->position, "the quotient is div:2, and not with mul:");
    instruction.output = OutputModifier::kHalf;
  }
}

uint16_t take_number(Scanner& scanner, ParsedOperands& written, const char* name, int64_t most) {
  const ParsedModifier* modifier = written.take(name);
  if (modifier == nullptr) return 0;
  if (!modifier->has_value || modifier->value > most)
    scanner.fail_at(modifier->position, fmt::format("{}: takes 0 to {}", name, most));
  return static_cast<uint16_t>(modifier->value);
}

void take_buffer_modifiers(Scanner& scanner, ParsedOperands& written, Instruction& instruction,
                           Format format) {
  instruction.immediate = take_number(scanner, written, "offset", 0xfff);
  instruction.offset_enable = written.flag("offen");
  instruction.index_enable = written.flag("idxen");
  instruction.address64 = written.flag("addr64");
  instruction.globally_coherent = written.flag("glc");
  instruction.system_coherent = written.flag("slc");
  instruction.texture_fail = written.flag("tfe");
  if (format != Format::kMtbuf) return;
  instruction.data_format = 1;  // LLVM's default
  if (written.take("dfmt") != nullptr)
    instruction.data_format =
        static_cast<uint8_t>(take_number(scanner, written, "dfmt", kDataFormats - 1));
  instruction.number_format =
      static_cast<uint8_t>(take_number(scanner, written, "nfmt", kNumberFormats - 1));
}

// Everything that is no operand, into the instruction.
void take_modifiers(Scanner& scanner, ParsedOperands& written, Instruction& instruction) {
  const OperationInfo& row = info(instruction.operation);
  if (takes_output_modifiers(instruction)) take_output_modifiers(scanner, written, instruction);
  if (row.is_buffer()) take_buffer_modifiers(scanner, written, instruction, row.format);
  if (row.format != Format::kDs) return;
  instruction.global_share = written.flag("gds");
  if (row.is(Trait::kTwoOffsets)) {
    const uint16_t first = take_number(scanner, written, "offset0", 0xff);
    const uint16_t second = take_number(scanner, written, "offset1", 0xff);
    instruction.immediate = static_cast<uint16_t>(first | second << 8);
  } else {
    instruction.immediate = take_number(scanner, written, "offset", 0xffff);
  }
}

[[noreturn]] void fail_unknown(const Scanner& scanner, std::string_view mnemonic,
                               std::size_t position) {
  constexpr std::size_t kLongestName = 40;  // of what could be meant as one of ours
  std::vector<std::string> names;
  for (const OperationInfo& row : kOperations)
    if (row.operation != Operation::kNone) names.emplace_back(row.mnemonic);
  const std::string guess = mnemonic.size() > kLongestName ? "" : nearest(mnemonic, names);
  scanner.fail_at(
      position, fmt::format("unknown instruction {}", mnemonic),
      guess.empty() ? "sidis --encodings lists all" : fmt::format("did you mean {}?", guess));
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

ParsedInstruction parse_instruction(Scanner& scanner, std::string_view mnemonic,
                                    std::size_t position) {
  std::string_view name = mnemonic;
  const bool short_form = ends_with(name, "_e32");
  const bool long_form = ends_with(name, "_e64");
  if (short_form || long_form) name.remove_suffix(4);
  const Operation operation = find_operation(name);
  const OperationInfo& row = info(operation);
  if (operation == Operation::kNone || ((short_form || long_form) && !row.is_vector()))
    fail_unknown(scanner, mnemonic, position);
  if (long_form && !row.has_long_form() && row.format != Format::kVop3)
    scanner.fail_at(position, fmt::format("{} has no long form", name));
  if (short_form && row.format == Format::kVop3)
    scanner.fail_at(position, fmt::format("{} has no short form", name));

  if (row.is(Trait::kWaitCounts)) {
    ParsedInstruction parsed;
    parsed.instruction.operation = operation;
    parsed.instruction.immediate = parse_wait_counts(scanner);
    if (!scanner.at_end()) scanner.fail("expected the end of the line");
    return parsed;
  }
  ParsedOperands written = parse_operands(scanner);
  const std::size_t end = scanner.position();
  Mismatch mismatch;
  for (const bool vop3 : {false, true}) {
    if (vop3 && (short_form || !row.has_long_form())) break;
    if (!vop3 && long_form && row.format != Format::kVop3) continue;
    ParsedInstruction parsed;
    parsed.instruction.operation = operation;
    parsed.instruction.vop3 = vop3;
    for (ParsedModifier& modifier : written.modifiers) modifier.used = false;
    take_modifiers(scanner, written, parsed.instruction);
    mismatch = Filler(parsed, written).fill(end);
    for (const ParsedModifier& modifier : written.modifiers)
      if (!modifier.used && !mismatch)
        mismatch = {modifier.position,
                    fmt::format("{} has no modifier {}", mnemonic, modifier.name)};
    if (!mismatch) return parsed;
  }
  scanner.fail_at(mismatch.position, mismatch.what);
}

}  // namespace gvp::gpgpu::southern_islands

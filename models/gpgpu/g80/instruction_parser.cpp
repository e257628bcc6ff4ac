// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/instruction_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "models/gpgpu/g80/instruction_reader.h"
#include "models/gpgpu/g80/names.h"
#include "models/gpgpu/g80/table.h"

namespace gvp::gpgpu::g80 {
namespace {

using O = Operation;

std::vector<std::string> known_names() {
  std::vector<std::string> names = {"EXIT", "LOP", "LOP32I", "G2R", "GATOM", "GRED", "VOTE"};
  for (const Row& row : rows()) names.emplace_back(row.name);
  return names;
}

bool is_row(std::string_view name) {
  const RowRange all = rows();
  return std::any_of(all.begin(), all.end(), [name](const Row& row) { return row.name == name; });
}

// The operations whose name begins so and goes on with a dot: "LOP.AND, LOP.OR or LOP.XOR".
std::string members_of(const std::string& stem) {
  std::vector<std::string_view> names;
  for (const Row& row : rows()) {
    const bool is_member =
        row.name.size() > stem.size() && row.name[stem.size()] == '.' && row.name.find(stem) == 0;
    if (is_member && std::find(names.begin(), names.end(), row.name) == names.end())
      names.push_back(row.name);
  }
  if (names.empty()) return "";
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

bool is_family(const std::string& stem) { return !members_of(stem).empty(); }

}  // namespace

ParsedInstruction InstructionReader::run() {
  parse_prefix_guard();
  parse_name();
  parse_operands();
  assign_operands();
  assign_types();
  combine_signs();
  choose_form();
  choose_unit();
  check();
  return parsed_;
}

void InstructionReader::set_guard(const Guard& guard, std::size_t column) {
  if (guarded_) scanner_.fail_at(column, "the instruction has a condition already");
  guarded_ = true;
  i_.predicate = guard.condition;
  i_.condition_register = guard.condition_register;
}

void InstructionReader::parse_prefix_guard() {
  if (!scanner_.accept('@')) return;
  const std::size_t column = scanner_.position();
  set_guard(OperandParser(scanner_, symbols_).parse_guard(), column);
}

void InstructionReader::parse_name() {
  scanner_.skip_space();
  parsed_.column = scanner_.position();
  const std::string text = upper(scanner_.name("."));
  if (text.empty())
    scanner_.fail(fmt::format("an instruction is expected, not \"{}\"", scanner_.rest()));
  name_ = text;
  std::vector<std::pair<std::string, std::size_t>> parts;  // with columns
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t dot = std::min(text.find('.', start), text.size());
    parts.emplace_back(text.substr(start, dot - start), parsed_.column + start);
    start = dot + 1;
  }
  std::string stem = parts[0].first;
  if (is_family(stem)) {  // LOP.AND, GATOM.IADD...
    const auto part = std::find_if(parts.begin() + 1, parts.end(),
                                   [&](const auto& p) { return is_row(stem + "." + p.first); });
    if (part != parts.end()) {
      stem += "." + part->first;
      parts.erase(part);
    } else if (!is_row(stem)) {  // as R2G is, beside R2G.UNLOCK
      scanner_.fail_at(parsed_.column, stem + " needs an operation", members_of(stem));
    }
  }
  find_operation(stem);
  for (std::size_t n = 1; n < parts.size(); ++n) parse_modifier(parts[n].first, parts[n].second);
}

void InstructionReader::find_operation(const std::string& stem) {
  if (stem == "EXIT") {  // what ptxas writes to end a kernel
    i_.operation = O::kNop;
    i_.marker = Marker::kExit;
    return;
  }
  for (const Row& row : rows()) {
    if (row.name != stem) continue;
    i_.operation = row.operation;
    i_.form = row.form;
    return;
  }
  const std::string hint = nearest(stem, known_names());
  scanner_.fail_at(parsed_.column, fmt::format("unknown instruction {}", stem),
                   hint.empty() ? "" : fmt::format("did you mean {}?", hint));
}

bool InstructionReader::parse_numbered_modifier(const std::string& m) {
  const auto digit = [&](std::size_t at, char highest) {
    return m.size() == at + 1 && m[at] >= '0' && m[at] <= highest;
  };
  const auto value = [&] { return static_cast<uint8_t>(m.back() - '0'); };
  if (m[0] == 'C' && digit(1, '3')) {
    i_.writes_condition = true;
    i_.condition_destination = value();
  } else if (m.compare(0, 2, "NC") == 0 && digit(2, '3')) {
    i_.condition_destination = value();
  } else if (m.compare(0, 5, "CARRY") == 0 && (m.size() == 5 || digit(5, '3'))) {
    carry_ = true;
    if (m.size() == 6) carry_register_ = value();
  } else if (m[0] == 'L' && m.size() == 2 && i_.operation == O::kMove &&
             std::string_view("0123456789ABCDEF").find(m[1]) != std::string_view::npos) {
    i_.lane_mask = static_cast<uint8_t>(std::string_view("0123456789ABCDEF").find(m[1]));
  } else {
    return false;
  }
  return true;
}

void InstructionReader::parse_modifier(const std::string& m, std::size_t column) {
  if (m.empty()) scanner_.fail_at(column, "a modifier is missing after '.'");
  if (m == "S") {
    i_.marker = Marker::kJoin;
  } else if (m == "END" || m == "EXIT") {
    i_.marker = Marker::kExit;
  } else if (m == "SAT") {
    i_.saturate = true;
  } else if (m == "SFU" && i_.operation == O::kMove) {
    special_unit_ = true;
  } else if (m == "HI") {
    i_.high = true;
  } else if (m == "TRUNC") {
    i_.rounding = Rounding::kZero;
  } else if (m == "FLOOR") {
    i_.rounding = Rounding::kMinusInfinity;
  } else if (m == "CEIL") {
    i_.rounding = Rounding::kPlusInfinity;
  } else if (m == "IR") {
    i_.round_to_integer = true;
  } else if (m == "BEXT") {
    byte_extract_ = true;
  } else if (m == "NOINC" && i_.operation == O::kCall) {
    noinc_ = true;
  } else if (m == "ARV" && i_.operation == O::kBarrier) {
    i_.barrier_arrive = true;
  } else if (m == "WAIT" && i_.operation == O::kBarrier) {
    i_.barrier_wait = true;
  } else if (m == "ALL" && i_.operation == O::kBarrier) {
    i_.barrier_all = true;
  } else if (const auto type = type_from_name(m)) {
    types_.push_back(*type);
  } else if (!parse_numbered_modifier(m)) {
    static const std::vector<std::string> kKnown = {
        "S",   "END", "SAT", "HI",   "TRUNC", "FLOOR", "CEIL",   "IR",    "BEXT", "NOINC",
        "U8",  "S8",  "U16", "S16",  "U24",   "S24",   "U32",    "S32",   "S64",  "S128",
        "F16", "F32", "ARV", "WAIT", "ALL",   "C0",    "CARRY0", "PASS_B"};
    const std::string hint = nearest(m, kKnown);
    scanner_.fail_at(column, fmt::format("unknown modifier .{}", m),
                     hint.empty() ? "" : fmt::format("did you mean .{}?", hint));
  }
}

void InstructionReader::parse_operands() {
  OperandParser parser(scanner_, symbols_);
  while (!scanner_.at_end() && scanner_.peek() != '{') {
    if (scanner_.accept('(')) {  // a condition without operands: "NOP (C0.NE)"
      const std::size_t column = scanner_.position();
      set_guard(parser.parse_guard(), column);
      scanner_.expect(')', "the condition");
      continue;
    }
    ParsedOperand operand = parser.parse();
    // "BRA C0.NE, 0x40": a condition in the place of the first operand.
    if (operand.guard && operands_.empty()) {
      set_guard(*operand.guard, operand.column);
    } else {
      operands_.push_back(operand);
    }
    if (scanner_.accept('(')) {
      const std::size_t column = scanner_.position();
      set_guard(parser.parse_guard(), column);
      scanner_.expect(')', "the condition");
    }
    if (scanner_.at_end() || scanner_.peek() == '{') break;
    scanner_.expect(',', "the operand");
    if (scanner_.at_end()) scanner_.fail("an operand is missing after ','");
  }
  if (scanner_.accept('{')) parse_raw();
  if (!scanner_.at_end()) scanner_.fail(fmt::format("unexpected \"{}\"", scanner_.rest()));
}

void InstructionReader::parse_raw() {
  const std::size_t column = scanner_.position();
  if (upper(scanner_.name()) != "RAW")
    scanner_.fail_at(column, "only {raw=...} may stand in braces");
  scanner_.expect('=', "raw");
  i_.extra[0] = scanner_.required_number("raw bits of the first word");
  if (scanner_.accept(',')) i_.extra[1] = scanner_.required_number("raw bits of the second word");
  scanner_.expect('}', "the raw bits");
}

ParsedInstruction parse_instruction(Scanner& scanner, const Symbols& symbols) {
  return InstructionReader(scanner, symbols).run();
}

}  // namespace gvp::gpgpu::g80

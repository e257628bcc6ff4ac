// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/operand_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpgpu/southern_islands/names.h"

namespace gvp::gpgpu::southern_islands {
namespace {

using What = ParsedOperand::What;

struct RegisterFile {
  std::string_view letter;
  Code first;
  unsigned count;
};
constexpr RegisterFile kFiles[] = {{"s", 0, code::kScalarRegisters},
                                   {"v", code::kVector0, 256},
                                   {"ttmp", code::kTtmp0, code::kTtmpCount}};

bool all_digits(std::string_view text) {
  return !text.empty() && text.size() <= 4 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// s[2:3], s[2] or s2, whose letter has been read; false: it is none of these.
bool parse_numbered(Scanner& scanner, std::string_view name, ParsedOperand& operand) {
  for (const RegisterFile& file : kFiles) {
    if (name.substr(0, file.letter.size()) != file.letter) continue;
    const std::string_view digits = name.substr(file.letter.size());
    int64_t first = 0;
    int64_t last = 0;
    if (all_digits(digits)) {
      first = last = std::stol(std::string(digits));
    } else if (digits.empty() && scanner.accept('[')) {
      first = last = scanner.integer(0, file.count - 1, "the number of a register");
      if (scanner.accept(':')) last = scanner.integer(first, file.count - 1, "the last register");
      scanner.expect(']', "the numbers of registers");
    } else {
      continue;
    }
    if (last >= file.count)
      scanner.fail_at(operand.position, fmt::format("there is no register {}", name),
                      fmt::format("{0}0 to {0}{1}", file.letter, file.count - 1));
    operand.what = What::kRegister;
    operand.number = static_cast<Code>(file.first + first);
    operand.words = static_cast<unsigned>(last - first + 1);
    return true;
  }
  return false;
}

bool parse_special(std::string_view name, ParsedOperand& operand) {
  for (const RegisterName& special : special_registers()) {
    if (special.name != name) continue;
    operand.what = What::kRegister;
    operand.number = special.number;
    operand.words = special.words;
    return true;
  }
  return false;
}

void parse_number(Scanner& scanner, ParsedOperand& operand) {
  const Scanner::Number value = scanner.number();
  operand.what = value.is_float ? What::kFloat : What::kInteger;
  operand.integer = value.integer;
  operand.real = value.real;
}

// A register, number, "off" or symbol, within signs and bars.
void parse_operand(Scanner& scanner, ParsedOperand& operand, unsigned depth) {
  if (depth > 4) scanner.fail("too many signs and brackets");
  if (scanner.starts_number()) return parse_number(scanner, operand);
  if (scanner.accept('-')) {
    if (operand.negate) scanner.fail("two signs");
    operand.negate = true;
    return parse_operand(scanner, operand, depth + 1);
  }
  if (scanner.accept('|')) {
    if (operand.absolute) scanner.fail("two absolute values");
    operand.absolute = true;
    const bool negate = operand.negate;
    parse_operand(scanner, operand, depth + 1);
    if (operand.negate != negate) scanner.fail("a sign within an absolute value has no effect");
    return scanner.expect('|', "the absolute value");
  }
  const std::string_view name = scanner.name();
  if (name.empty()) scanner.fail("expected an operand");
  if ((name == "neg" || name == "abs") && scanner.accept('(')) {
    bool& modifier = name == "neg" ? operand.negate : operand.absolute;
    if (modifier) scanner.fail(fmt::format("{} twice", name));
    modifier = true;
    parse_operand(scanner, operand, depth + 1);
    return scanner.expect(')', "the operand");
  }
  if (name == "lit" && scanner.accept('(')) {
    operand.literal = true;
    parse_number(scanner, operand);
    return scanner.expect(')', "the literal");
  }
  if (name == "off") {
    operand.what = What::kOff;
    return;
  }
  if (parse_numbered(scanner, name, operand) || parse_special(name, operand)) return;
  operand.what = What::kSymbol;
  operand.symbol = name;
}

// format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] as dfmt and nfmt.
void parse_format(Scanner& scanner, ParsedOperands& result, std::size_t position) {
  scanner.expect('[', "format:");
  int64_t data = 1;  // LLVM's default
  int64_t number = 0;
  do {
    const std::size_t start = scanner.position();
    const std::string_view name = scanner.name();
    bool known = false;
    for (unsigned i = 0; i < kDataFormats; ++i)
      if (data_format_name(i) == name) known = true, data = i;
    for (unsigned i = 0; i < kNumberFormats; ++i)
      if (number_format_name(i) == name) known = true, number = i;
    if (!known)
      scanner.fail_at(start, fmt::format("unknown format \"{}\"", name),
                      "as in format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]");
  } while (scanner.accept(','));
  scanner.expect(']', "the format");
  result.modifiers.push_back({"dfmt", data, true, position, false});
  result.modifiers.push_back({"nfmt", number, true, position, false});
}

// name:value; the name has been read.
void parse_value(Scanner& scanner, ParsedOperands& result, std::string_view name,
                 std::size_t position) {
  if (name == "format") return parse_format(scanner, result, position);
  result.modifiers.push_back(
      {std::string(name), scanner.integer(0, 0xffff, "the value"), true, position, false});
}

// Whether a modifier comes: a name and a colon behind it.
bool starts_value(Scanner& scanner) {
  const std::size_t start = scanner.position();
  const bool found = !scanner.name().empty() && scanner.accept(':');
  scanner.seek(start);
  return found;
}

}  // namespace

ParsedModifier* ParsedOperands::take(std::string_view name) {
  for (ParsedModifier& modifier : modifiers) {
    if (modifier.name != name) continue;
    modifier.used = true;
    return &modifier;
  }
  return nullptr;
}

ParsedOperands parse_operands(Scanner& scanner) {
  ParsedOperands result;
  if (scanner.at_end()) return result;
  do {
    const std::size_t position = scanner.position();
    if (starts_value(scanner)) {
      const std::string_view name = scanner.name();
      scanner.accept(':');
      parse_value(scanner, result, name, position);
      continue;
    }
    if (result.operands.size() > 8) scanner.fail("too many operands");
    ParsedOperand operand;
    operand.position = position;
    parse_operand(scanner, operand, 0);
    result.operands.push_back(std::move(operand));
  } while (scanner.accept(','));
  while (!scanner.at_end()) {
    const std::size_t position = scanner.position();
    const std::string_view name = scanner.name();
    if (name.empty()) scanner.fail(fmt::format("what is \"{}\"?", scanner.rest()));
    for (const ParsedModifier& modifier : result.modifiers)
      if (modifier.name == name) scanner.fail_at(position, fmt::format("{} twice", name));
    if (scanner.accept(':'))
      parse_value(scanner, result, name, position);
    else
      result.modifiers.push_back({std::string(name), 0, false, position, false});
    if (result.modifiers.size() > 16) scanner.fail("too many modifiers");
  }
  return result;
}

uint16_t parse_wait_counts(Scanner& scanner) {
  if (scanner.starts_number())
    return static_cast<uint16_t>(scanner.integer(0, 0xffff, "what to wait for"));
  uint16_t value = kWaitForNothing;
  do {
    const std::size_t position = scanner.position();
    const std::string_view name = scanner.name();
    const auto* const counter =
        std::find_if(kWaitCounters.begin(), kWaitCounters.end(),
                     [&](const WaitCounter& candidate) { return candidate.name == name; });
    if (counter == kWaitCounters.end())
      scanner.fail_at(position, fmt::format("\"{}\" is nothing to wait for", name),
                      "vmcnt(N), expcnt(N) or lgkmcnt(N)");
    scanner.expect('(', "the counter");
    const int64_t count = scanner.integer(0, counter->most, "the count");
    scanner.expect(')', "the count");
    value =
        static_cast<uint16_t>((value & ~(counter->most << counter->low)) | count << counter->low);
    if (!scanner.accept('&')) scanner.accept(',');
  } while (!scanner.at_end());
  return value;
}

}  // namespace gvp::gpgpu::southern_islands

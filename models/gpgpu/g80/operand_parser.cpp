// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/operand_parser.h"

#include <fmt/format.h>

#include <vector>

#include "models/gpgpu/g80/names.h"

namespace gvp::gpgpu::g80 {
namespace {

using Kind = Operand::Kind;

// The number after `prefix` if the rest of the (upper case) name is nothing but digits.
std::optional<unsigned> numbered(const std::string& name, const std::string& prefix) {
  if (name.size() <= prefix.size() || name.size() > prefix.size() + 3 ||
      name.compare(0, prefix.size(), prefix) != 0)
    return std::nullopt;
  unsigned value = 0;
  for (std::size_t n = prefix.size(); n < name.size(); ++n) {
    if (name[n] < '0' || name[n] > '9') return std::nullopt;
    value = value * 10 + static_cast<unsigned>(name[n] - '0');
  }
  return value;
}

}  // namespace

ParsedOperand OperandParser::parse() {
  ParsedOperand parsed;
  scanner_.skip_space();
  parsed.column = scanner_.position();
  if (scanner_.accept('-')) {
    if (scanner_.accept('(')) {  // a negated immediate, as opposed to a negative one
      parse_atom(parsed);
      scanner_.expect(')', "the negated immediate");
      parsed.operand.negate = true;
      return parsed;
    }
    parse_atom(parsed);
    if (parsed.operand.kind == Kind::kImmediate) {
      const uint32_t bits = static_cast<uint32_t>(parsed.operand.value);
      parsed.operand.value = static_cast<int32_t>(parsed.is_float ? bits ^ 0x80000000u : 0u - bits);
    } else {
      parsed.operand.negate = true;
    }
  } else if (scanner_.accept('~')) {
    parse_atom(parsed);
    parsed.operand.invert = true;
  } else {
    parse_atom(parsed);
  }
  return parsed;
}

void OperandParser::parse_atom(ParsedOperand& parsed) {
  if (scanner_.accept('|')) {
    const std::size_t start = scanner_.position();
    const std::string space = upper(scanner_.name());
    if (space == "G" && scanner_.accept('|')) {  // |g| [0x4]
      parsed.operand.absolute = true;
      parse_named(parsed, space);
      return;
    }
    scanner_.seek(start);
    parse_atom(parsed);
    scanner_.expect('|', "the operand");
    parsed.operand.absolute = true;
    return;
  }
  const bool negative = scanner_.accept('-');  // within -( )
  if (const auto number = scanner_.number()) {
    parsed.operand.kind = Kind::kImmediate;
    parsed.is_float = number->is_float;
    const uint32_t bits = number->value;
    parsed.operand.value = static_cast<int32_t>(!negative          ? bits
                                                : number->is_float ? bits ^ 0x80000000u
                                                                   : 0u - bits);
    return;
  }
  if (negative) scanner_.fail("a number is expected after '-'");
  const std::size_t start = scanner_.position();
  const std::string name = scanner_.name("%.");
  if (name.empty()) {
    if (scanner_.at_end()) scanner_.fail("an operand is missing");
    scanner_.fail(fmt::format("not an operand: \"{}\"", scanner_.rest()));
  }
  // Memory and guards continue after a dot; names of labels may contain dots.
  const std::size_t dot = name.find('.');
  const std::string head = upper(name.substr(0, dot));
  const bool is_condition = dot != std::string::npos && numbered(head, "C").has_value();
  if (is_condition) {
    parsed.operand.kind = Kind::kCondition;
    parsed.guard = finish_guard(upper(name), start);
    parsed.operand.index = parsed.guard->condition_register;
    return;
  }
  parse_named(parsed, name);
}

void OperandParser::parse_named(ParsedOperand& parsed, const std::string& name) {
  const std::string wanted = upper(name);
  if (scanner_.peek() == '[' && parse_memory(parsed, wanted)) return;
  if (parse_register(parsed, wanted)) return;
  if (wanted.compare(0, 3, "SR_") == 0) {
    const auto number = special_register_from_name(wanted);
    if (!number) {
      scanner_.fail_at(parsed.column, fmt::format("unknown special register {}", name),
                       "there are SR_PHYSID, SR_CLOCK, SR_PM0 to SR_PM3, and SR_0 to SR_15");
    }
    parsed.operand.kind = Kind::kSpecial;
    parsed.operand.index = static_cast<uint8_t>(*number);
    return;
  }
  parsed.word = name;
  // The address of a parameter, a shared variable or a constant, unless it is a label.
  const auto symbol = symbols_.find(name);
  if (symbol == symbols_.end()) return;
  parsed.operand.kind = Kind::kImmediate;
  uint32_t value = symbol->second;
  if (scanner_.accept('+')) value += scanner_.required_number("offset");
  parsed.operand.value = static_cast<int32_t>(value);
}

bool OperandParser::parse_register(ParsedOperand& parsed, const std::string& name) {
  Operand& o = parsed.operand;
  const char last = name.back();
  const bool half = name[0] == 'R' && (last == 'L' || last == 'H');
  const std::string plain = half ? name.substr(0, name.size() - 1) : name;
  const auto limit = [&](unsigned number, unsigned highest, const char* what) {
    if (number > highest)
      scanner_.fail_at(parsed.column, fmt::format("no register {}", name),
                       fmt::format("{} to {}", what, highest));
    o.index = static_cast<uint8_t>(number);
  };
  if (const auto number = numbered(plain, "R")) {
    o.kind = half ? Kind::kHalfRegister : Kind::kRegister;
    o.high = half && last == 'H';
    limit(*number, half ? 63 : 127, half ? "halves are R0L, R0H" : "registers are R0");
    return true;
  }
  if (const auto number = numbered(name, "A")) {
    o.kind = Kind::kAddress;
    limit(*number, 7, "address registers are A0");
    return true;
  }
  if (const auto number = numbered(name, "C")) {
    o.kind = Kind::kCondition;
    limit(*number, 3, "condition registers are C0");
    return true;
  }
  return false;
}

bool OperandParser::parse_memory(ParsedOperand& parsed, const std::string& name) {
  Operand& o = parsed.operand;
  const auto open = [&] { scanner_.expect('[', "the memory space"); };
  const auto close = [&] { scanner_.expect(']', "the address"); };
  o.access = Type::kB32;
  const auto space = [&](const char* what) {
    auto number = numbered(name, what);
    if (number && *number > 15)
      scanner_.fail_at(parsed.column, fmt::format("no memory space {}", name), "0 to 15");
    return number;
  };
  if (name == "O") {
    o.kind = Kind::kOutput;
    open();
    const uint32_t number = scanner_.required_number("number of an output");
    if (number > 127) scanner_.fail_at(parsed.column, "outputs are o[0x0] to o[0x7f]");
    o.index = static_cast<uint8_t>(number);
    o.access = Type::kNone;
    close();
    return true;
  }
  const auto global = space("GLOBAL") ? space("GLOBAL") : space("G");
  if (global) {
    o.kind = Kind::kGlobal;
    o.index = static_cast<uint8_t>(*global);
    open();
    ParsedOperand address;
    const std::size_t column = scanner_.position();
    const std::string text = scanner_.name();
    if (text.empty() || !parse_register(address, upper(text)) ||
        address.operand.kind != Kind::kRegister)
      scanner_.fail_at(column, "the address in global memory is a register",
                       "add offsets with IADD32I first: global14[R2]");
    o.value = address.operand.index;
    close();
    return true;
  }
  if (name == "G" || name == "S") {
    o.kind = Kind::kShared;
    parsed.offset_in_bytes = name == "S";
  } else if (name == "LOCAL" || name == "L") {
    o.kind = Kind::kLocal;
    parsed.offset_in_bytes = true;
  } else if (name == "C") {
    o.kind = Kind::kConstant;
    open();
    const uint32_t bank = scanner_.required_number("constant bank");
    if (bank > 15) scanner_.fail_at(parsed.column, "constant banks are 0 to 15");
    o.index = static_cast<uint8_t>(bank);
    close();
  } else if (const auto bank = space("C")) {
    o.kind = Kind::kConstant;
    o.index = static_cast<uint8_t>(*bank);
    parsed.offset_in_bytes = true;
  } else {
    const std::string hint =
        nearest(name, std::vector<std::string>{"G", "S", "C", "LOCAL", "GLOBAL14", "O"});
    scanner_.fail_at(parsed.column, fmt::format("unknown memory space \"{}\"", name),
                     hint.empty() ? "g[], s[], c[][], local[], global14[] and o[]"
                                  : fmt::format("did you mean {}[]?", hint));
  }
  open();
  parse_address(parsed);
  close();
  parse_access(parsed);
  return true;
}

// 0x10, A1, A1+0x10, A1+++0x4, A1++-0x4, and names: tile, tile+0x10, A1+tile+0x10
void OperandParser::parse_address(ParsedOperand& parsed) {
  const std::size_t start = scanner_.position();
  bool negative = false;
  bool more = true;
  if (parse_address_register(parsed, negative, more) && !more) return;
  if (!negative && parse_symbol(parsed) && !scanner_.accept('+')) return;
  const uint32_t offset = scanner_.required_number("offset");
  if (offset > 0xffffff && offset < 0xffff0000u)
    scanner_.fail_at(start, "the offset does not fit in any address");
  const int32_t value = static_cast<int32_t>(offset);
  parsed.operand.value += negative ? -value : value;
}

// The register with its signs; `more` if an offset follows.
bool OperandParser::parse_address_register(ParsedOperand& parsed, bool& negative, bool& more) {
  const std::size_t start = scanner_.position();
  const auto number = numbered(upper(scanner_.name()), "A");
  if (!number || *number > 7) {
    scanner_.seek(start);
    return false;
  }
  parsed.operand.indexed = true;
  parsed.address_register = static_cast<uint8_t>(*number);
  if (scanner_.accept('-')) {
    negative = true;
  } else if (!scanner_.accept('+')) {
    more = false;
  } else if (scanner_.accept_no_space('+')) {
    parsed.post_increment = true;
    negative = scanner_.accept('-');
    if (!negative) scanner_.accept('+');
  }
  return true;
}

bool OperandParser::parse_symbol(ParsedOperand& parsed) {
  if (scanner_.peek() == '-' || (scanner_.peek() >= '0' && scanner_.peek() <= '9')) return false;
  const std::size_t start = scanner_.position();
  const std::string text = scanner_.name("%");
  if (text.empty()) return false;
  const auto symbol = symbols_.find(text);
  if (symbol == symbols_.end()) {
    std::vector<std::string> known;
    for (const auto& entry : symbols_) known.push_back(entry.first);
    const std::string hint = nearest(text, known);
    scanner_.fail_at(start, fmt::format("unknown name \"{}\" in an address", text),
                     hint.empty() ? "names come from .param, .shared, .const and .global"
                                  : fmt::format("did you mean {}?", hint));
  }
  parsed.operand.value = static_cast<int32_t>(symbol->second);
  parsed.offset_in_bytes = true;
  return true;
}

void OperandParser::parse_access(ParsedOperand& parsed) {
  if (!scanner_.accept_no_space('.')) return;
  const std::size_t start = scanner_.position();
  const auto type = type_from_name(upper(scanner_.name()));
  const bool known = type && (*type == Type::kU8 || *type == Type::kU16 || *type == Type::kS16 ||
                              *type == Type::kU32 || *type == Type::kB32);
  if (!known) scanner_.fail_at(start, "unknown size of access", ".U8, .U16, .S16 or .U32");
  parsed.operand.access = *type == Type::kU32 ? Type::kB32 : *type;
  parsed.access_given = true;
}

Guard OperandParser::parse_guard() {
  scanner_.skip_space();
  const std::size_t start = scanner_.position();
  return finish_guard(upper(scanner_.name(".")), start);
}

Guard OperandParser::finish_guard(const std::string& name, std::size_t start) {
  const std::size_t dot = name.find('.');
  const auto number = numbered(name.substr(0, dot), "C");
  if (!number || *number > 3 || dot == std::string::npos)
    scanner_.fail_at(start, "a condition is expected here", "such as C0.NE");
  const std::string code = name.substr(dot + 1);
  const auto condition = condition_from_name(code);
  if (!condition) {
    std::vector<std::string> known;
    for (unsigned n = 0; n < 32; ++n) known.push_back(condition_name(static_cast<Condition>(n)));
    const std::string hint = nearest(code, known);
    scanner_.fail_at(start + dot + 1, fmt::format("unknown condition \"{}\"", code),
                     hint.empty() ? "LT, EQ, LE, GT, NE, GE, LTU ... GEU, CARRY, SIGN..."
                                  : fmt::format("did you mean {}?", hint));
  }
  return Guard{*condition, static_cast<uint8_t>(*number)};
}

}  // namespace gvp::gpgpu::g80

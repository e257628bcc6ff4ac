// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "tools/ptx/parser_state.h"

namespace gvp::ptx {
namespace {

constexpr std::array<std::pair<std::string_view, Special>, 9> kSpecials{{
    {"%tid", Special::kTid},
    {"%ntid", Special::kNtid},
    {"%ctaid", Special::kCtaid},
    {"%nctaid", Special::kNctaid},
    {"%laneid", Special::kLaneId},
    {"%warpid", Special::kWarpId},
    {"%nwarpid", Special::kNwarpId},
    {"WARP_SZ", Special::kWarpSize},
    {"%clock", Special::kClock},
}};

// Special registers of PTX that this machine lacks, or that no program of it reads.
constexpr std::string_view kOtherSpecials[] = {
    "%clock64",     "%smid",        "%nsmid",       "%gridid",      "%lanemask_eq",
    "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%pm0",
    "%pm1",         "%pm2",         "%pm3"};

}  // namespace

void Parser::operands(Instruction& result, const OpcodeInfo& opcode) {
  bool optional = false;
  bool first = true;
  for (const char shape : opcode.shape) {
    if (shape == '?') {
      optional = true;
      continue;
    }
    if (optional && peek().is(';')) return;
    if (!first) expect(',');
    first = false;
    Operand parsed;
    if (shape == 'l') {
      parsed.position = peek().position;
      parsed.kind = Operand::Kind::kLabel;
      parsed.index = label_index(expect_identifier("a label"), parsed.position);
    } else {
      parsed = operand();
      adapt_literal(result, parsed);
    }
    check_operand(result, shape, parsed);
    result.operands.push_back(std::move(parsed));
    if (result.operands.size() == 1 && result.opcode == Opcode::kSetp && accept('|')) {
      result.second_destination = operand();
      check_operand(result, 'd', result.second_destination);
    }
  }
}

void Parser::check_operand(const Instruction& instruction, char shape,
                           const Operand& operand) const {
  using Kind = Operand::Kind;
  const auto fail_here = [&](const std::string& what, const std::string& remedy = "") {
    module_.source.fail(operand.position, what, remedy);
  };
  const auto check_register = [&](const Operand& one, bool predicate) {
    if (one.kind == Kind::kSink) return;
    const bool is = function_->registers[one.index].type == Type::kPredicate;
    if (is != predicate) {
      module_.source.fail(one.position, predicate ? "expected a predicate register"
                                                  : "a predicate register cannot be used here");
    }
  };
  const bool predicate = instruction.type == Type::kPredicate || shape == 's' ||
                         (shape == 'd' && instruction.opcode == Opcode::kSetp);
  if (operand.negated && shape != 's') fail_here("'!' goes with predicates of a comparison only");
  switch (shape) {
    case 'l':
      if (operand.kind != Kind::kLabel) fail_here("expected a label");
      return;
    case 'm':
      if (!operand.is_memory()) fail_here("expected a memory operand", "write [address]");
      return;
    case 'd':
    case 'v':
      if (operand.kind == Kind::kVector && shape == 'v') break;
      if (operand.kind != Kind::kRegister && operand.kind != Kind::kSink) {
        fail_here("expected a register");
      }
      return check_register(operand, predicate);
    default:
      break;
  }
  if (operand.is_memory() || operand.kind == Kind::kLabel || operand.kind == Kind::kNone) {
    fail_here("expected a register or a constant");
  }
  if (operand.kind == Kind::kVector) {
    if (shape != 'v' && shape != 'w') fail_here("a vector cannot be used here");
    for (const Operand& element : operand.elements)
      check_operand(instruction, shape == 'v' ? 'd' : 'a', element);
    return;
  }
  if (operand.kind == Kind::kSink) fail_here("'_' has no value");
  if (operand.is_register()) return check_register(operand, predicate);
  if (shape == 's') fail_here("expected a predicate register");
}

Operand Parser::operand() {
  const Token& token = peek();
  Operand result;
  result.position = token.position;
  if (accept('!')) {
    result = named_operand();
    result.negated = true;
  } else if (accept('[')) {
    result = memory_operand();
  } else if (accept('{')) {
    result = vector_operand();
  } else if (accept('-')) {
    result = number(true);
  } else if (token.kind == Token::Kind::kIdentifier) {
    result = named_operand();
  } else {
    result = number(false);
  }
  result.position = token.position;
  return result;
}

Operand Parser::number(bool negative) {
  const Token& token = take();
  Operand result;
  result.kind = Operand::Kind::kImmediate;
  result.position = token.position;
  result.value = token.value;
  switch (token.kind) {
    case Token::Kind::kInteger:
      if (negative) result.value = ~result.value + 1;
      return result;
    case Token::Kind::kFloat32:
      result.type = Type::kF32;
      if (negative) result.value ^= uint64_t{1} << 31;
      return result;
    case Token::Kind::kFloat64:
      result.type = Type::kF64;
      if (negative) result.value ^= uint64_t{1} << 63;
      return result;
    default:
      fail(token, "expected an operand, found \"" + std::string(token.text) + "\"");
  }
}

// [base], [base+offset], [base-offset], [address]; the '[' is taken.
Operand Parser::memory_operand() {
  Operand result;
  if (peek().kind == Token::Kind::kIdentifier) {
    const Operand base = named_operand();
    if (base.is_register()) {
      result.index = base.index;
    } else if (base.is_symbol()) {
      result.symbol = base.index;
      result.value = base.value;
    } else {
      module_.source.fail(base.position, "an address begins with a register or a variable");
    }
    if (accept('+')) {
      result.value += number(accept('-')).value;
    } else if (accept('-')) {
      result.value += number(true).value;
    }
  } else {
    result.value = number(accept('-')).value;
  }
  result.kind = Operand::Kind::kMemory;
  expect(']');
  return result;
}

Operand Parser::vector_operand() {
  Operand result;
  do {
    if (peek().is('{') || peek().is('[')) fail(peek(), "expected a register");
    result.elements.push_back(operand());
    if (result.elements.size() > 4) fail(peek(), "a vector has at most four elements");
  } while (accept(','));
  expect('}');
  result.kind = Operand::Kind::kVector;
  return result;
}

Operand Parser::named_operand() {
  const Token& token = peek();
  Operand result;
  result.position = token.position;
  const std::string_view name = expect_identifier("a register or a variable");
  if (name == "_") {
    result.kind = Operand::Kind::kSink;
    return result;
  }
  if (special_register(name, result)) return result;
  result.index = find_register(name);
  if (result.index != kNoIndex) {
    result.kind = Operand::Kind::kRegister;
    if (peek().kind == Token::Kind::kDotted) fail(peek(), "vector registers are not supported");
    return result;
  }
  result.kind = Operand::Kind::kSymbol;
  result.index = find_symbol(name);
  if (result.index == kNoIndex) {
    if (module_.find_function(std::string(name)) != nullptr) {
      result.kind = Operand::Kind::kFunction;
      return result;
    }
    const bool special = std::find(std::begin(kOtherSpecials), std::end(kOtherSpecials), name) !=
                         std::end(kOtherSpecials);
    if (special)
      fail(token, "the special register \"" + std::string(name) + "\" is not supported",
           "there are %tid, %ntid, %ctaid, %nctaid, %laneid, %warpid, %nwarpid and %clock");
    fail(token, "\"" + std::string(name) + "\" is declared nowhere",
         name.front() == '%' ? "registers need a .reg" : "");
  }
  // Inside of [ ] the offset belongs to the memory operand; the sum is the same.
  if (accept('+')) result.value = number(accept('-')).value;
  return result;
}

bool Parser::special_register(std::string_view name, Operand& result) {
  for (const auto& [special_name, special] : kSpecials) {
    if (special_name != name) continue;
    result.kind = Operand::Kind::kSpecial;
    result.special = special;
    if (special > Special::kNctaid) return true;
    const Token& dimension = take();
    if (dimension.kind != Token::Kind::kDotted || dimension.text.size() != 1 ||
        dimension.text < "x" || dimension.text > "z") {
      fail(dimension, std::string(name) + " has the parts .x, .y and .z");
    }
    result.dimension = static_cast<uint8_t>(dimension.text.front() - 'x');
    return true;
  }
  return false;
}

// Registers that PTX 1.x declares outside of functions come into being in each kernel that uses
// them; functions would have to share theirs with the kernels that call them.
uint32_t Parser::own_register(size_t scope, std::string_view name, Type type) {
  if (scope == 0 && !function_->entry) {
    fail(tokens_[at_ - 1], "a function uses a register that is declared outside of functions",
         "declare it in the function");
  }
  const uint32_t index = new_register(std::string(name), type);
  scopes_[scope == 0 ? 1 : scope].registers.emplace(std::string(name), index);
  return index;
}

uint32_t Parser::find_register(std::string_view name) {
  if (function_ == nullptr) return kNoIndex;
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  const std::string_view prefix = name.substr(0, digits);
  const std::string_view suffix = name.substr(digits);
  const bool member = !suffix.empty() && suffix.size() <= 7 && (suffix == "0" || suffix[0] != '0');
  for (size_t i = scopes_.size(); i-- > 0;) {
    Scope& scope = scopes_[i];
    const auto found = scope.registers.find(name);
    if (found != scope.registers.end()) return found->second;
    if (!member) continue;
    const auto family = scope.families.find(prefix);
    if (family == scope.families.end()) continue;
    if (std::stoull(std::string(suffix)) >= family->second.count) continue;
    return own_register(i, name, family->second.type);
  }
  const auto found = module_registers_.find(name);
  return found == module_registers_.end() ? kNoIndex : own_register(0, name, found->second);
}

uint32_t Parser::find_symbol(std::string_view name) const {
  for (size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].symbols.find(name);
    if (found != scopes_[i].symbols.end()) return found->second;
  }
  return kNoIndex;
}

// Literals are kept in the width they are used in, so that nobody has to ask again.
void Parser::adapt_literal(const Instruction& instruction, Operand& operand) const {
  if (!operand.is_immediate()) return;
  if (operand.type == Type::kF64 && instruction.type != Type::kF64) {
    operand.value = float_bits(operand.value);
    operand.type = Type::kF32;
  }
}

}  // namespace gvp::ptx

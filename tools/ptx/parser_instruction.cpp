// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "tools/ptx/parser_state.h"

namespace gvp::ptx {
namespace {

constexpr std::array<std::pair<std::string_view, Rounding>, 8> kRoundings{{
    {"rn", Rounding::kNearest},
    {"rz", Rounding::kZero},
    {"rm", Rounding::kDown},
    {"rp", Rounding::kUp},
    {"rni", Rounding::kNearest},
    {"rzi", Rounding::kZero},
    {"rmi", Rounding::kDown},
    {"rpi", Rounding::kUp},
}};

}  // namespace

void Parser::statement() {
  const Token& token = peek();
  if (accept(';')) return;
  if (token.kind == Token::Kind::kDotted) {
    if (token.text == "loc") return location();
    if (token.text == "pragma") {
      if (peek(1).text == "noinline") function_->separate = true;
      return skip_statement();
    }
    while (is_linkage(peek())) take();
    const auto space = space_from_name(peek().text);
    if (!space) fail(peek(), "unknown directive \"." + std::string(peek().text) + "\"");
    take();
    return variable(*space, false);
  }
  if (token.kind == Token::Kind::kIdentifier && peek(1).is(':')) {
    take();
    take();
    if (peek().is_dotted("callprototype")) return skip_statement();
    return label(token.text);
  }
  instruction();
}

// .loc FILE LINE COLUMN [, function_name LABEL, inlined_at FILE LINE COLUMN]
void Parser::location() {
  take();
  const auto file = static_cast<uint32_t>(expect_integer("a file number"));
  const auto line = static_cast<uint32_t>(expect_integer("a line number"));
  const auto column = static_cast<uint32_t>(expect_integer("a column number"));
  if (line != 0) source_line_ = {file, line, column};
  while (accept(',')) {
    expect_identifier("an attribute of .loc");
    while (peek().kind == Token::Kind::kInteger ||
           (peek().kind == Token::Kind::kIdentifier && peek(1).is(','))) {
      take();
    }
    if (accept('+')) expect_integer("an offset");
  }
}

uint32_t Parser::label_index(std::string_view name, Position position) {
  const auto found = labels_.find(name);
  if (found != labels_.end()) return found->second;
  const auto index = static_cast<uint32_t>(function_->labels.size());
  labels_.emplace(std::string(name), index);
  function_->labels.push_back({std::string(name), false, position});
  return index;
}

void Parser::label(std::string_view name) {
  const Position position = tokens_[at_ - 2].position;
  Instruction place;
  place.position = position;
  place.source = source_line_;
  Operand operand;
  operand.kind = Operand::Kind::kLabel;
  operand.index = label_index(name, position);
  Label& entry = function_->labels[operand.index];
  if (entry.defined) module_.source.fail(position, "label \"" + entry.name + "\" twice");
  entry.defined = true;
  entry.position = position;
  place.operands.push_back(operand);
  function_->body.push_back(std::move(place));
}

void Parser::instruction() {
  Instruction result;
  result.source = source_line_;
  if (accept('@')) {
    result.guard_negated = accept('!');
    const Token& where = peek();
    result.guard = find_register(expect_identifier("a predicate register"));
    if (result.guard == kNoIndex || function_->registers[result.guard].type != Type::kPredicate) {
      fail(where, "a guard is a register of type .pred");
    }
  }
  const Token& name = peek();
  result.position = name.position;
  const std::string_view root = expect_identifier("an instruction");
  const OpcodeInfo* opcode = opcode_from_name(root);
  if (opcode == nullptr && root == "barrier") opcode = &info(Opcode::kBar);
  if (opcode == nullptr && root == "fence") opcode = &info(Opcode::kMembar);
  if (opcode == nullptr) fail(name, "unknown instruction \"" + std::string(root) + "\"");
  result.opcode = opcode->opcode;
  modifiers(result);
  default_types(result, name);
  if (result.opcode == Opcode::kCall) {
    call(result);
  } else if (opcode->shape == "*") {
    skip_operands();
  } else {
    operands(result, *opcode);
  }
  if (!peek().is(';')) fail(peek(), "expected ';' after the operands");
  take();
  function_->body.push_back(std::move(result));
}

void Parser::modifiers(Instruction& result) {
  while (peek().kind == Token::Kind::kDotted) {
    const Token& token = take();
    if (const auto type = type_from_name(token.text)) {
      type_modifier(result, token, *type);
    } else if (!modifier(result, token)) {
      if (result.modifier.empty()) result.modifier = std::string(token.text);
    }
  }
  if (accept(':')) fail(peek(), "unexpected ':'");
}

void Parser::type_modifier(Instruction& result, const Token& token, Type type) {
  if (result.type == Type::kNone) {
    result.type = type;
  } else if (result.source_type == Type::kNone) {
    result.source_type = type;
  } else {
    fail(token, "more types than an instruction can have");
  }
}

bool Parser::modifier(Instruction& result, const Token& token) {
  const std::string_view text = token.text;
  if (const auto space = space_from_name(text)) {
    result.to_space = result.to_space || result.modifier == "to";
    if (result.modifier == "to") result.modifier.clear();
    result.space = *space;
    return true;
  }
  for (const auto& [rounding_name, rounding] : kRoundings) {
    if (rounding_name != text) continue;
    result.rounding = rounding;
    result.to_integer = text.size() == 3;
    return true;
  }
  const bool compares = result.opcode == Opcode::kSetp || result.opcode == Opcode::kSet;
  if (compares) {
    if (const auto compare = compare_from_name(text)) return result.compare = *compare, true;
    if (text == "and") return result.combine = Combine::kAnd, true;
    if (text == "or") return result.combine = Combine::kOr, true;
    if (text == "xor") return result.combine = Combine::kXor, true;
  }
  if (text == "lo") return result.half = Half::kLow, true;
  if (text == "hi") return result.half = Half::kHigh, true;
  if (text == "wide") return result.half = Half::kWide, true;
  if (text == "sat") return result.saturate = true;
  if (text == "approx") return result.approximate = true;
  if (text == "full") return result.full = true;
  if (text == "uni") return result.uniform = true;
  if (text == "cc") return result.carry = true;
  if (text == "v2") return result.vector = 2, true;
  if (text == "v4") return result.vector = 4, true;
  if (text == "volatile" || text == "relaxed" || text == "acquire") return result.ordered = true;
  // Hints and orders that make no difference on an in-order machine without caches; denormals
  // (ftz) are each machine's own business.
  for (const std::string_view ignored :
       {"ftz", "weak", "cta", "gpu", "sys", "nc",      "ca",      "cg", "cs", "cv",
        "lu",  "wb",   "wt",  "L1",  "L2",  "release", "aligned", "gl", "sc", "acq_rel"}) {
    if (text == ignored) return true;
  }
  const std::string_view cache = text.substr(0, 4);
  return cache == "L1::" || cache == "L2::";
}

// lo to hs say that numbers are unsigned (here also of types that are not), equ to nan what holds
// where one is none.
void Parser::check_operator(const Instruction& comparison, const Token& where) const {
  const Compare compare = comparison.compare;
  const Type type = comparison.opcode == Opcode::kSet ? comparison.source_type : comparison.type;
  if (type == Type::kNone) return;  // which is what will be said
  const bool real = is_float(type);
  const char* const remedy = "use eq, ne, lt, le, gt or ge";
  if (!real && compare >= Compare::kEqu) fail(where, "this operator compares floats", remedy);
  if (real && compare >= Compare::kLo && compare <= Compare::kHs)
    fail(where, "this operator compares unsigned numbers", remedy);
}

void Parser::default_types(Instruction& result, const Token& where) {
  switch (result.opcode) {
    case Opcode::kBar:
    case Opcode::kBra:
    case Opcode::kBrx:
    case Opcode::kCall:
    case Opcode::kExit:
    case Opcode::kMembar:
    case Opcode::kRet:
    case Opcode::kTrap:
    case Opcode::kPrefetch:
    case Opcode::kVote:
    case Opcode::kIsspacep:
      return;
    case Opcode::kCvt:
      if (result.source_type == Type::kNone) fail(where, "cvt needs two types");
      return;
    case Opcode::kSetp:
    case Opcode::kSet:
      if (result.compare == Compare::kNone) fail(where, "this comparison names no operator");
      if (result.opcode == Opcode::kSet && result.source_type == Type::kNone) {
        fail(where, "set needs two types", "for example .u32.s32");
      }
      if (result.type == Type::kPredicate) {
        fail(where, "predicates cannot be compared", "use xor.pred");
      }
      check_operator(result, where);
      break;
    case Opcode::kSlct:
      if (result.source_type == Type::kNone) {
        fail(where, "slct needs two types", "for example .u32.s32");
      }
      break;
    default:
      break;
  }
  if (result.type == Type::kNone) {
    fail(where, std::string(info(result.opcode).name) + " needs a type", "for example .u32");
  }
}

void Parser::skip_operands() {
  const Token& where = peek();
  while (!peek().is(';')) {
    if (peek().kind == Token::Kind::kEnd) fail(where, "instruction without end", "add ;");
    take();
  }
}

std::vector<Operand> Parser::argument_list() {
  std::vector<Operand> list;
  expect('(');
  if (accept(')')) return list;
  do {
    list.push_back(operand());
  } while (accept(','));
  expect(')');
  return list;
}

// call (results), name, (arguments); results and arguments may be missing.
void Parser::call(Instruction& result) {
  if (peek().is('(')) {
    result.call_results = argument_list();
    expect(',');
  }
  result.callee = std::string(expect_identifier("the name of a function"));
  if (find_register(result.callee) != kNoIndex) result.callee.clear();
  if (!accept(',')) return;
  result.call_arguments = argument_list();
  if (accept(',')) {  // a prototype
    result.callee.clear();
    expect_identifier("a prototype");
  }
}

}  // namespace gvp::ptx

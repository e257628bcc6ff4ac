// SPDX-License-Identifier: Apache-2.0
// Declarations of variables, with their initial values, and of registers.
#include "tools/ptx/parser_state.h"

namespace gvp::ptx {
namespace {

constexpr uint64_t kLargestVariable = uint64_t{1} << 31;   // half of what 32 bits address
constexpr uint64_t kMostInitialBytes = uint64_t{1} << 24;  // of a module: they all go to the file
constexpr uint64_t kMostRegisters = 1U << 20;

}  // namespace

// .align 4 .b8 name[64]: what follows the space in variables and parameters.
Symbol Parser::declarator(Space space, bool external) {
  Symbol symbol;
  symbol.space = space;
  symbol.external = external;
  while (peek().kind == Token::Kind::kDotted) {
    const Token& token = take();
    if (token.text == "align") {
      const Token& where = peek();
      const uint64_t alignment = expect_integer("an alignment");
      if (alignment == 0 || alignment > 4096 || (alignment & (alignment - 1)) != 0) {
        fail(where, "an alignment is a power of two up to 4096");
      }
      symbol.alignment = static_cast<uint32_t>(alignment);
    } else if (const auto type = type_from_name(token.text)) {
      symbol.type = *type;
    } else if (token.text == "texref" || token.text == "surfref" || token.text == "samplerref") {
      fail(token, "textures are not supported", "use global memory");
    } else if (token.text != "ptr" && !space_from_name(token.text) && token.text != "v2" &&
               token.text != "v4") {
      fail(token, "\"." + std::string(token.text) + "\" means nothing in a declaration");
    } else if (token.text == "v2" || token.text == "v4") {
      fail(token, "variables of vector type are not supported", "declare an array");
    }
  }
  if (bytes(symbol.type) == 0) fail(peek(), "this declaration names no type");
  symbol.position = peek().position;
  symbol.name = std::string(expect_identifier("the name of a variable"));
  symbol.alignment = std::max(symbol.alignment, bytes(symbol.type));
  bool unsized = false;
  const uint64_t elements = array_bounds(bytes(symbol.type), &unsized);
  symbol.size = unsized ? 0 : elements * bytes(symbol.type);
  return symbol;
}

uint64_t Parser::array_bounds(unsigned element_bytes, bool* unsized) {
  uint64_t elements = 1;
  while (accept('[')) {
    if (accept(']')) {
      *unsized = true;
      continue;
    }
    const Token& where = peek();
    const uint64_t bound = expect_integer("the number of elements");
    if (bound > kLargestVariable || elements * bound > kLargestVariable / element_bytes) {
      fail(where, "this variable does not fit the address space");
    }
    elements *= bound;
    expect(']');
  }
  return elements;
}

void Parser::variable(Space space, bool external) {
  if (space == Space::kRegister) return registers();
  do {
    Symbol symbol = declarator(space, external);
    if (accept('=')) {
      if (space != Space::kGlobal && space != Space::kConstant) {
        fail(peek(), "only .global and .const variables have initial values");
      }
      uint64_t offset = 0;
      initializer(symbol, offset);
      if (symbol.size == 0) symbol.size = offset;
      initial_bytes_ += symbol.size;
      if (initial_bytes_ > kMostInitialBytes) {
        module_.source.fail(symbol.position, "more than 16 MiB of variables with initial values",
                            "let the kernel or the host write the values");
      }
      symbol.initial.resize(symbol.size);
    }
    add_symbol(std::move(symbol));
  } while (accept(','));
  expect(';');
}

void Parser::initializer(Symbol& symbol, uint64_t& offset) {
  if (!accept('{')) return initial_value(symbol, offset);
  if (accept('}')) return;
  do {
    if (peek().is('{')) fail(peek(), "nested initial values are not supported", "write one list");
    initial_value(symbol, offset);
  } while (accept(','));
  expect('}');
}

void Parser::initial_value(Symbol& symbol, uint64_t& offset) {
  const Token& where = peek();
  const unsigned size = bytes(symbol.type);
  if (symbol.size != 0 && offset + size > symbol.size) fail(where, "too many initial values");
  if (symbol.initial.size() < offset + size) symbol.initial.resize(offset + size);
  uint64_t value = 0;
  if (where.kind == Token::Kind::kIdentifier) {
    const bool generic = where.text == "generic" && peek(1).is('(');
    if (generic) at_ += 2;
    const std::string_view name = expect_identifier("a variable");
    const uint32_t target = find_symbol(name);  // none: a function's
    if (target == kNoIndex && module_.find_function(std::string(name)) == nullptr)
      fail(where, "no such variable");
    if (generic) expect(')');
    const uint64_t addend = accept('+') ? expect_integer("an offset") : 0;
    symbol.addresses.push_back({offset, target, addend});
  } else {
    const bool negative = accept('-');
    const Operand literal = number(negative);
    value = literal.value;
  }
  for (unsigned i = 0; i < size; ++i) {
    symbol.initial[offset + i] = static_cast<uint8_t>(value >> (8 * i));
  }
  offset += size;
}

uint32_t Parser::add_symbol(Symbol symbol) {
  auto& symbols = scopes_.back().symbols;
  const auto found = symbols.find(symbol.name);
  if (found != symbols.end()) {
    Symbol& old = module_.symbols[found->second];
    if (old.external == symbol.external) {
      module_.source.fail(symbol.position, "\"" + symbol.name + "\" is declared twice");
    }
    if (old.external) old = std::move(symbol);
    return found->second;
  }
  const auto index = static_cast<uint32_t>(module_.symbols.size());
  symbols.emplace(symbol.name, index);
  module_.symbols.push_back(std::move(symbol));
  return index;
}

void Parser::registers() {
  const Token& where = peek();
  Type type = Type::kNone;
  while (peek().kind == Token::Kind::kDotted) {
    const Token& token = take();
    const auto found = type_from_name(token.text);
    if (!found) fail(token, "\"." + std::string(token.text) + "\" is no register type");
    type = *found;
  }
  if (type == Type::kNone) fail(where, "expected a register type");
  do {
    const Token& token = peek();
    const std::string name(expect_identifier("the name of a register"));
    if (accept('<')) {
      const uint64_t count = expect_integer("the number of registers");
      if (count > kMostRegisters) fail(token, "more than 2^20 registers");
      expect('>');
      scopes_.back().families[name] = {count, type};
    } else if (function_ == nullptr) {
      module_registers_[name] = type;
    } else {
      scopes_.back().registers[name] = new_register(name, type);
    }
  } while (accept(','));
  expect(';');
}

}  // namespace gvp::ptx

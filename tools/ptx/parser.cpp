// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/parser.h"

#include <algorithm>

#include "tools/ptx/demote.h"
#include "tools/ptx/parser_state.h"

namespace gvp::ptx {
namespace {

constexpr size_t kDeepestNesting = 64;

// What .address_size says, or registers that accesses take their addresses from.
bool has_wide_addresses(const Module& module) {
  if (module.address_bits == 64) return true;
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.body) {
      for (const Operand& operand : instruction.operands) {
        if (operand.is_memory() && operand.index != kNoIndex &&
            bytes(function.registers[operand.index].type) == 8)
          return true;
      }
    }
  }
  return false;
}

}  // namespace

Module parse(std::string file_name, std::string text) {
  return parse(Source(std::move(file_name), std::move(text)));
}

Module parse(Source source) {
  Module module(std::move(source));
  Parser(module).run();
  if (maps_doubles(module)) demote_doubles(module);
  module.wide_addresses = has_wide_addresses(module);
  return module;
}

const Token& Parser::peek(size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

const Token& Parser::take() {
  const Token& token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Parser::accept(char punctuation) {
  if (!peek().is(punctuation)) return false;
  take();
  return true;
}

bool Parser::accept_dotted(std::string_view name) {
  if (!peek().is_dotted(name)) return false;
  take();
  return true;
}

void Parser::expect(char punctuation) {
  if (!accept(punctuation)) {
    fail(peek(),
         std::string("expected '") + punctuation + "', found \"" + std::string(peek().text) + "\"");
  }
}

std::string_view Parser::expect_identifier(const char* what) {
  if (peek().kind != Token::Kind::kIdentifier) fail(peek(), std::string("expected ") + what);
  return take().text;
}

uint64_t Parser::expect_integer(const char* what) {
  if (peek().kind != Token::Kind::kInteger) fail(peek(), std::string("expected ") + what);
  return take().value;
}

void Parser::fail(const Token& token, const std::string& what, const std::string& remedy) const {
  module_.source.fail(token.position, what, remedy);
}

void Parser::run() {
  scopes_.emplace_back();
  find_files();
  while (peek().kind != Token::Kind::kEnd) module_directive();
  // A compiler makes none of a source that has none.
  if (module_.functions.empty() && !module_.source.generated()) {
    fail(peek(), "there is no function in this file", "is it PTX?");
  }
}

// Clang names the source files at the end; errors before it need them.
void Parser::find_files() {
  for (size_t i = 0; i + 2 < tokens_.size(); ++i) {
    if (tokens_[i].is_dotted("file") && tokens_[i + 1].kind == Token::Kind::kInteger &&
        tokens_[i + 2].kind == Token::Kind::kString) {
      module_.files[static_cast<uint32_t>(tokens_[i + 1].value)] = std::string(tokens_[i + 2].text);
    }
  }
}

void Parser::module_directive() {
  const Token& token = peek();
  if (accept(';')) return;
  if (token.is_dotted("version") || token.is_dotted("target") || token.is_dotted("address_size")) {
    return version_and_target();
  }
  if (token.is_dotted("file")) return file_directive();
  if (token.is_dotted("section")) return section();
  if (token.is_dotted("loc")) return location();
  if (token.is_dotted("tex")) fail(token, "textures are not supported", "use global memory");
  if (token.is_dotted("pragma") || token.is_dotted("alias")) return skip_statement();
  bool external = false;
  while (is_linkage(peek())) external |= take().text == "extern";
  if (accept_dotted("entry")) return function(true, external);
  if (accept_dotted("func")) return function(false, external);
  if (peek().kind == Token::Kind::kDotted) {
    if (const auto space = space_from_name(peek().text)) {
      take();
      return variable(*space, external);
    }
  }
  fail(peek(), "\"" + std::string(peek().text) + "\" cannot begin a PTX statement here");
}

bool Parser::is_linkage(const Token& token) const {
  return token.is_dotted("visible") || token.is_dotted("extern") || token.is_dotted("weak") ||
         token.is_dotted("common");
}

void Parser::version_and_target() {
  const std::string_view directive = take().text;
  if (directive == "address_size") {
    const Token& where = peek();
    module_.address_bits = static_cast<unsigned>(expect_integer("32 or 64"));
    if (module_.address_bits != 32 && module_.address_bits != 64) fail(where, "expected 32 or 64");
    return;
  }
  std::string& text = directive == "version" ? module_.version : module_.target;
  text = std::string(take().text);
  while (accept(',')) text += "," + std::string(take().text);  // .target sm_20, debug
}

void Parser::file_directive() {
  take();
  const auto number = static_cast<uint32_t>(expect_integer("a file number"));
  if (peek().kind != Token::Kind::kString) fail(peek(), "expected a file name in quotes");
  module_.files[number] = std::string(take().text);
  while (accept(',')) take();  // time stamp and size
}

// Debugging information in DWARF sections: not used.
void Parser::section() {
  take();
  const Token& where = peek();
  while (!peek().is('{')) {
    if (peek().kind == Token::Kind::kEnd) fail(where, "section without contents");
    take();
  }
  while (!accept('}')) {
    if (peek().kind == Token::Kind::kEnd) fail(where, "section without end", "add }");
    take();
  }
}

void Parser::skip_statement() {
  const Token& where = peek();
  while (!accept(';')) {
    if (peek().kind == Token::Kind::kEnd) fail(where, "statement without end", "add ;");
    take();
  }
}

uint32_t Parser::new_register(std::string name, Type type) {
  function_->registers.push_back({std::move(name), type});
  return static_cast<uint32_t>(function_->registers.size() - 1);
}

void Parser::parameters(std::vector<Operand>& list) {
  if (!accept('(') || accept(')')) return;
  do {
    Operand parameter;
    parameter.position = peek().position;
    if (accept_dotted("reg")) {
      Type type = Type::kNone;
      while (peek().kind == Token::Kind::kDotted) {
        const Token& token = take();
        type = type_from_name(token.text).value_or(Type::kNone);
        if (type == Type::kNone) fail(token, "this is no register type");
      }
      const std::string name(expect_identifier("the name of a register"));
      parameter.kind = Operand::Kind::kRegister;
      parameter.index = new_register(name, type);
      scopes_.back().registers[name] = parameter.index;
    } else {
      if (!accept_dotted("param")) fail(peek(), "expected .param or .reg");
      parameter.kind = Operand::Kind::kSymbol;
      parameter.index = add_symbol(declarator(Space::kParameter, false));
    }
    list.push_back(parameter);
  } while (accept(','));
  expect(')');
}

void Parser::function(bool entry, bool external) {
  Function result;
  result.entry = entry;
  function_ = &result;
  scopes_.emplace_back();
  labels_.clear();
  source_line_ = {};
  if (!entry) parameters(result.results);
  const Token& where = peek();
  result.position = where.position;
  result.name = std::string(expect_identifier("the name of a function"));
  parameters(result.parameters);
  function_attributes(result);
  if (accept(';')) {
    external = true;
  } else {
    body();
    result.defined = true;
  }
  scopes_.pop_back();
  function_ = nullptr;
  for (Function& other : module_.functions) {
    if (other.name != result.name) continue;
    if (other.defined && result.defined) fail(where, "function \"" + result.name + "\" twice");
    if (result.defined) other = std::move(result);
    return;
  }
  if (external && entry) fail(where, "a kernel needs a body");
  module_.functions.push_back(std::move(result));
}

// .maxntid 256, 1, 1 and .minnctapersm 2 and .noinline; others say nothing that matters here.
void Parser::function_attributes(Function& function) {
  while (peek().kind == Token::Kind::kDotted) {
    const std::string_view name = take().text;
    uint64_t product = 1;
    while (peek().kind == Token::Kind::kInteger) {
      product *= std::min<uint64_t>(take().value, UINT16_MAX);
      product = std::min<uint64_t>(product, UINT16_MAX);
      accept(',');
    }
    if (name == "maxntid" || name == "reqntid")
      function.most_threads = static_cast<uint32_t>(product);
    if (name == "noinline") function.separate = true;
    if (name == "minnctapersm") function.least_blocks = static_cast<uint32_t>(product);
  }
}

void Parser::body() {
  block();
  check_labels();
}

void Parser::block() {
  const Token& where = peek();
  expect('{');
  if (scopes_.size() > kDeepestNesting) fail(where, "blocks are nested too deeply");
  scopes_.emplace_back();
  while (!accept('}')) {
    if (peek().kind == Token::Kind::kEnd) fail(where, "block without end", "add }");
    if (peek().is('{')) {
      block();
    } else {
      statement();
    }
  }
  scopes_.pop_back();
}

void Parser::check_labels() {
  for (const Label& label : function_->labels) {
    if (!label.defined) {
      module_.source.fail(label.position, "label \"" + label.name + "\" is not in this function");
    }
  }
}

}  // namespace gvp::ptx

// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/lexer.h"

#include <cstdlib>
#include <cstring>
#include <string>

namespace gvp::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool is_name(char c) { return is_name_start(c) || is_digit(c); }
int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

constexpr std::string_view kDebugLine = "@@DWARF";

class Lexer {
 public:
  explicit Lexer(const Source& source) : source_(source), text_(source.text()) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    for (;;) {
      skip_blank();
      Token token = next();
      tokens.push_back(token);
      if (token.kind == Token::Kind::kEnd) return tokens;
    }
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  Position position() const { return {line_, static_cast<uint32_t>(at_ - line_start_ + 1)}; }
  void advance() {
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
    ++at_;
  }

  void skip_blank() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') {
        advance();
      } else if ((c == '/' && peek(1) == '/') || starts_debug_line()) {
        while (at_ < text_.size() && peek() != '\n') advance();
      } else if (c == '/' && peek(1) == '*') {
        skip_block_comment();
      } else {
        return;
      }
    }
  }

  // PTX 1.x: debugging information in lines of its own.
  bool starts_debug_line() const {
    return peek() == '@' && text_.compare(at_, kDebugLine.size(), kDebugLine) == 0;
  }

  void skip_block_comment() {
    const Position start = position();
    advance();
    advance();
    while (peek() != '*' || peek(1) != '/') {
      if (at_ >= text_.size()) source_.fail(start, "comment without end", "add */");
      advance();
    }
    advance();
    advance();
  }

  Token finish(Token::Kind kind, Position start, size_t begin) const {
    return {kind, text_.substr(begin, at_ - begin), 0, start};
  }

  Token next() {
    const Position start = position();
    const size_t begin = at_;
    if (at_ >= text_.size()) return {Token::Kind::kEnd, "end of file", 0, start};
    const char c = peek();
    if (is_digit(c)) return number(start);
    if (c == '"') return string(start);
    if (is_name_start(c)) {
      while (is_name(peek())) advance();
      return finish(Token::Kind::kIdentifier, start, begin);
    }
    if (c == '.' && is_name(peek(1))) {
      advance();
      // Names of levels have two parts: ".L2::128B".
      while (is_name(peek()) || (peek() == ':' && peek(1) == ':' && is_name(peek(2)))) {
        at_ += peek() == ':' ? 2 : 1;
      }
      return finish(Token::Kind::kDotted, start, begin + 1);
    }
    if (std::strchr(",;:{}[]()<>@!+-|=*/~&^?", c) == nullptr || c == '\0') {
      source_.fail(start, "this character means nothing here");
    }
    advance();
    return finish(Token::Kind::kPunctuation, start, begin);
  }

  Token string(Position start) {
    advance();
    const size_t begin = at_;
    while (peek() != '"') {
      if (at_ >= text_.size() || peek() == '\n') source_.fail(start, "string without end");
      advance();
    }
    Token token = finish(Token::Kind::kString, start, begin);
    advance();
    return token;
  }

  Token number(Position start) {
    const size_t begin = at_;
    const char marker = peek() == '0' ? peek(1) : '\0';
    if (marker == 'f' || marker == 'F') return hexadecimal(start, Token::Kind::kFloat32, 8);
    if (marker == 'd' || marker == 'D') return hexadecimal(start, Token::Kind::kFloat64, 16);
    if (marker == 'x' || marker == 'X') return hexadecimal(start, Token::Kind::kInteger, 0);
    if (is_decimal_fraction()) return decimal_fraction(start);
    const bool binary = marker == 'b' || marker == 'B';
    if (binary) at_ += 2;
    const int base = binary ? 2 : (is_digit(marker) ? 8 : 10);
    Token token{Token::Kind::kInteger, {}, 0, start};
    for (; is_digit(peek()); advance()) {
      const auto digit = static_cast<uint64_t>(digit_value(peek()));
      if (digit >= static_cast<uint64_t>(base)) source_.fail(position(), "no digit of this base");
      if (token.value > (~uint64_t{0} - digit) / static_cast<uint64_t>(base)) {
        source_.fail(start, "number does not fit 64 bits");
      }
      token.value = token.value * static_cast<uint64_t>(base) + digit;
    }
    end_number(start, begin, token);
    return token;
  }

  Token hexadecimal(Position start, Token::Kind kind, unsigned digits) {
    const size_t begin = at_;
    at_ += 2;
    Token token{kind, {}, 0, start};
    unsigned count = 0;
    for (; digit_value(peek()) < 16; advance()) {
      token.value = token.value << 4 | static_cast<uint64_t>(digit_value(peek()));
      if (++count > 16) source_.fail(start, "number does not fit 64 bits");
    }
    if (count == 0 || (digits != 0 && count != digits)) {
      source_.fail(start, "a number of this kind has " +
                              (digits == 0 ? std::string("at least one")
                                           : "exactly " + std::to_string(digits)) +
                              " hexadecimal digits");
    }
    end_number(start, begin, token);
    return token;
  }

  // 1.5 and 1e3 are double precision literals; "1.x" of a vector or "1 .loc" is not.
  bool is_decimal_fraction() const {
    size_t i = 0;
    while (is_digit(peek(i))) ++i;
    if (peek(i) == '.') return is_digit(peek(i + 1));
    if (peek(i) != 'e' && peek(i) != 'E') return false;
    ++i;
    if (peek(i) == '+' || peek(i) == '-') ++i;
    return is_digit(peek(i));
  }

  Token decimal_fraction(Position start) {
    const size_t begin = at_;
    const std::string copy(text_.substr(at_, 64));
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    at_ += static_cast<size_t>(end - copy.c_str());
    Token token{Token::Kind::kFloat64, {}, 0, start};
    std::memcpy(&token.value, &value, sizeof value);
    end_number(start, begin, token);
    return token;
  }

  void end_number(Position start, size_t begin, Token& token) {
    if (token.kind == Token::Kind::kInteger && peek() == 'U') advance();
    if (is_name(peek())) source_.fail(start, "malformed number");
    token.text = text_.substr(begin, at_ - begin);
  }

  const Source& source_;
  std::string_view text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  uint32_t line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(const Source& source) { return Lexer(source).run(); }

}  // namespace gvp::ptx

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/source_tokens.h"

#include <algorithm>
#include <cctype>

namespace gvp::kcc {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) step();
    return std::move(tokens_);
  }

 private:
  bool starts_with(std::string_view text) const { return source_.substr(at_, text.size()) == text; }
  static bool of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }

  void step() {
    const char c = source_[at_];
    if (c == '\n') first_of_line_ = true;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) return skip(at_ + 1);
    if (starts_with("//")) return skip(std::min(source_.find('\n', at_), source_.size()));
    if (starts_with("/*")) {
      const size_t end = source_.find("*/", at_ + 2);
      return skip(end == std::string_view::npos ? source_.size() : end + 2);
    }
    if (c == '#' && first_of_line_) return add(Token::Kind::kDirective, end_of_directive());
    first_of_line_ = false;
    if (c == '"' || c == '\'') return add(Token::Kind::kText, end_of_text(c));
    if (of_word(c)) {
      size_t end = at_;
      const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
      while (end < source_.size() && (of_word(source_[end]) || (number && source_[end] == '.')))
        ++end;
      return add(number ? Token::Kind::kNumber : Token::Kind::kWord, end);
    }
    add(Token::Kind::kSign, at_ + (starts_with("<<<") || starts_with(">>>") ? 3 : 1));
  }

  size_t end_of_directive() const {
    size_t end = at_;
    while (end < source_.size() && source_[end] != '\n') {
      if (source_[end] == '\\' && end + 1 < source_.size()) ++end;
      ++end;
    }
    return end;
  }

  size_t end_of_text(char quote) const {
    size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n') {
      if (source_[end] == '\\') ++end;
      ++end;
    }
    return std::min(end + 1, source_.size());
  }

  void skip(size_t end) {
    line_ +=
        static_cast<uint32_t>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  void add(Token::Kind kind, size_t end) {
    tokens_.push_back({kind, source_.substr(at_, end - at_), line_, at_, end});
    skip(end);
  }

  std::string_view source_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  bool first_of_line_ = true;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Scanner(source).run(); }

size_t closing(const std::vector<Token>& tokens, size_t open) {
  std::string expected;  // the innermost bracket's is the last
  for (size_t i = open; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::kSign) continue;
    const char sign = token.text.front();
    if (sign == '(') expected += ')';
    if (sign == '[') expected += ']';
    if (sign == '{') expected += '}';
    if (sign != ')' && sign != ']' && sign != '}') continue;
    if (expected.empty() || sign != expected.back()) break;
    expected.pop_back();
    if (expected.empty()) return i;
  }
  return tokens.size();
}

}  // namespace gvp::kcc

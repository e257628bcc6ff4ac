// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/source_tokens.h"

#include <algorithm>
#include <string>

namespace gvp::kcc {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Tokenizer {
 public:
  Tokenizer(std::string_view text, size_t begin, size_t end)
      : text_(text.substr(0, end)), at_(begin) {}

  std::vector<SourceToken> run() {
    bool line_begins = at_ == 0 || text_[at_ - 1] == '\n';
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_space(c)) {
        line_begins |= c == '\n';
        ++at_;
      } else if (c == '#' && line_begins) {
        skip_line();
      } else if (starts("//")) {
        skip_line();
      } else if (starts("/*")) {
        at_ = std::min(text_.find("*/", at_), text_.size() - 2) + 2;
      } else {
        line_begins = false;
        token();
      }
    }
    return std::move(tokens_);
  }

 private:
  using Kind = SourceToken::Kind;

  bool starts(std::string_view with) const { return text_.substr(at_, with.size()) == with; }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  void token() {
    const size_t begin = at_;
    const char c = text_[at_];
    Kind kind = Kind::kPunctuation;
    if (begins_name(c)) {
      kind = Kind::kName;
      while (at_ < text_.size() && (begins_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
      const std::string_view name = text_.substr(begin, at_ - begin);
      if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'') && is_prefix(name)) {
        kind = Kind::kLiteral;
        literal(name.back() == 'R');
      }
    } else if (is_digit(c)) {
      kind = Kind::kNumber;
      number();
    } else if (c == '"' || c == '\'') {
      kind = Kind::kLiteral;
      literal(false);
    } else {
      ++at_;
    }
    tokens_.push_back({kind, begin, text_.substr(begin, at_ - begin)});
  }

  static bool is_prefix(std::string_view name) {
    for (const std::string_view prefix : {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"})
      if (name == prefix) return true;
    return false;
  }

  void number() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool sign = (c == '+' || c == '-') &&
                        std::string_view("eEpP").find(text_[at_ - 1]) != std::string_view::npos;
      const bool separator =
          c == '\'' && at_ + 1 < text_.size() && (is_digit(text_[at_ + 1]) || begins_name(c));
      if (!is_digit(c) && !begins_name(c) && c != '.' && !sign && !separator) return;
      ++at_;
    }
  }

  void literal(bool raw) {
    if (raw) {
      const size_t bracket = std::min(text_.find('(', at_), text_.size());
      const std::string mark = ")" + std::string(text_.substr(at_ + 1, bracket - at_ - 1)) + "\"";
      const size_t end = text_.find(mark, bracket);
      at_ = end == std::string_view::npos ? text_.size() : end + mark.size();
      return;
    }
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n')
      at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  size_t at_;
  std::vector<SourceToken> tokens_;
};

}  // namespace

std::vector<SourceToken> source_tokens(std::string_view text, size_t begin, size_t end) {
  return Tokenizer(text, begin, end).run();
}

size_t behind_bracket(const std::vector<SourceToken>& tokens, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    const SourceToken& token = tokens[i];
    if (token.is('(') || token.is('[') || token.is('{')) ++depth;
    if (token.is(')') || token.is(']') || token.is('}')) {
      if (--depth == 0) return i + 1;
    }
  }
  return tokens.size();
}

}  // namespace gvp::kcc

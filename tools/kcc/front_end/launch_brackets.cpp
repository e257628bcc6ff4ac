// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/launch_brackets.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/kcc/front_end/source_tokens.h"

namespace gvp::kcc {
namespace {

// Whether two signs and a third behind blanks are somewhere in a text; most texts have none.
bool has_split_brackets(std::string_view text) {
  for (const std::string_view pair : {"<<", ">>"}) {
    for (size_t at = text.find(pair); at != std::string_view::npos; at = text.find(pair, at + 1)) {
      const size_t next = text.find_first_not_of(" \t", at + 2);
      if (next != at + 2 && next != std::string_view::npos && text[next] == pair[0]) return true;
    }
  }
  return false;
}

class LaunchBrackets {
 public:
  explicit LaunchBrackets(std::string text)
      : text_(std::move(text)), tokens_(source_tokens(text_, 0, text_.size())) {}

  std::string join() {
    std::vector<size_t> split;
    for (size_t i = 1; i < tokens_.size(); ++i) {
      if (!opens(i)) continue;
      const size_t closing = closing_of(i);
      if (closing == tokens_.size()) continue;
      split.push_back(i);
      split.push_back(closing);
    }
    for (const size_t i : split) {
      const char sign = tokens_[i].text[0];
      text_[tokens_[i + 2].begin] = ' ';
      text_[tokens_[i].begin + 2] = sign;
    }
    return std::move(text_);
  }

 private:
  // "<<<" or "<< <"
  bool triple(size_t i, char sign) const {
    if (i + 2 >= tokens_.size()) return false;
    for (size_t n = 0; n < 3; ++n)
      if (!tokens_[i + n].is(sign)) return false;
    if (tokens_[i + 1].begin != tokens_[i].end()) return false;
    const size_t gap = tokens_[i + 1].end();
    return std::min(text_.find_first_not_of(" \t", gap), text_.size()) == tokens_[i + 2].begin;
  }

  // "operator<< <T>" is a function.
  bool opens(size_t i) const {
    return triple(i, '<') && !tokens_[i - 1].is("operator") && !tokens_[i - 1].is('<');
  }

  // The last ">> >" in front of a bracket before the launch's statement or another launch ends:
  // those before it are of types, "f<A<B<C>> >(x)".
  size_t closing_of(size_t open) const {
    size_t found = tokens_.size();
    for (size_t i = open + 3; i < tokens_.size();) {
      const SourceToken& token = tokens_[i];
      if (token.is(';') || token.is(')') || token.is(']') || token.is('}') || opens(i)) break;
      if (triple(i, '>') && i + 3 < tokens_.size() && tokens_[i + 3].is('(')) found = i;
      const bool bracket = token.is('(') || token.is('[') || token.is('{');
      i = bracket ? behind_bracket(tokens_, i) : i + 1;
    }
    return found;
  }

  std::string text_;
  std::vector<SourceToken> tokens_;
};

}  // namespace

std::string with_whole_launch_brackets(std::string text) {
  if (!has_split_brackets(text)) return text;
  return LaunchBrackets(std::move(text)).join();
}

}  // namespace gvp::kcc

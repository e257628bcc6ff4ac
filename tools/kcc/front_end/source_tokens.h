// SPDX-License-Identifier: Apache-2.0
// The tokens of preprocessed C++: names, numbers, literals, and single characters of punctuation.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gvp::kcc {

struct SourceToken {
  enum class Kind : unsigned char { kName, kNumber, kLiteral, kPunctuation };
  Kind kind = Kind::kPunctuation;
  size_t begin = 0;
  std::string_view text;

  bool is(char c) const { return kind == Kind::kPunctuation && text[0] == c; }
  bool is(std::string_view name) const { return kind == Kind::kName && text == name; }
  size_t end() const { return begin + text.size(); }
};

// Of text[begin, end).  Comments, linemarkers and pragmas are left out.
std::vector<SourceToken> source_tokens(std::string_view text, size_t begin, size_t end);

// The index behind the bracket that closes the one at `open`: ( ) [ ] { }; the number of tokens if
// none does.
size_t behind_bracket(const std::vector<SourceToken>& tokens, size_t open);

}  // namespace gvp::kcc

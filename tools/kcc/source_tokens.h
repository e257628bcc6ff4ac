// SPDX-License-Identifier: Apache-2.0
// The words of a source in C or C++, without comments, as far as one must know them to find
// declarations and calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gvp::kcc {

struct Token {
  enum class Kind : uint8_t { kWord, kNumber, kText, kSign, kDirective };  // kText: in quotes
  Kind kind;
  std::string_view text;  // of the source
  uint32_t line;          // from 1
  size_t begin;           // in the source
  size_t end;

  bool is(std::string_view other) const { return text == other; }
};

// A directive of the preprocessor is one token, with the lines that continue it.  "<<<" and ">>>"
// are signs of their own, all others have one character.  The tokens refer to `source`.
std::vector<Token> tokens_of(std::string_view source);

// The token that closes the bracket at `open` ("(", "[", "{"); the number of tokens if none does.
size_t closing(const std::vector<Token>& tokens, size_t open);

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
// Splits PTX text into tokens (PTX ISA, "Syntax").  A dot starts a token of its own, so
// "ld.param.u32" is the identifier "ld" followed by the dotted names "param" and "u32".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tools/ptx/source.h"

namespace gvp::ptx {

struct Token {
  enum class Kind : uint8_t {
    kIdentifier,   // also %r1, $L__BB0_2
    kDotted,       // text without the dot
    kInteger,      // value
    kFloat32,      // 0f3F800000; value = the bits
    kFloat64,      // 0d..., 1.5; value = the bits
    kString,       // text without the quotes
    kPunctuation,  // one character
    kEnd,
  };
  Kind kind = Kind::kEnd;
  std::string_view text;
  uint64_t value = 0;
  Position position;

  bool is(char punctuation) const {
    return kind == Kind::kPunctuation && text.front() == punctuation;
  }
  bool is_dotted(std::string_view name) const { return kind == Kind::kDotted && text == name; }
};

// Throws gvp::Error for text that is no token.  The tokens refer to source's text.
std::vector<Token> tokenize(const Source& source);

}  // namespace gvp::ptx

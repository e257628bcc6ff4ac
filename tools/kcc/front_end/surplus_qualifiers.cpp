// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/surplus_qualifiers.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/kcc/front_end/source_tokens.h"

namespace gvp::kcc {
namespace {

using Part = std::pair<size_t, size_t>;  // of the text

// __attribute__ ( ( NAME ) )
constexpr size_t kTokens = 6;

// The name of the attribute that begins there, nothing if none without parameters does.
std::string_view attribute_at(const std::vector<SourceToken>& tokens, size_t at) {
  if (at + kTokens > tokens.size() || !tokens[at].is("__attribute__")) return {};
  const bool simple = tokens[at + 1].is('(') && tokens[at + 2].is('(') && tokens[at + 4].is(')') &&
                      tokens[at + 5].is(')');
  return simple ? tokens[at + 3].text : std::string_view();
}

// What may stand between them.
bool is_other_specifier(const SourceToken& token) {
  for (const char* word : {"static", "extern", "volatile", "const", "inline"})
    if (token.is(word)) return true;
  return false;
}

class Surplus {
 public:
  explicit Surplus(const std::string& text) : tokens_(source_tokens(text, 0, text.size())) {}

  std::vector<Part> find() {
    for (size_t at = 0; at < tokens_.size();) {
      find_linkage(at);
      at = std::max(find_device(at), at + 1);
    }
    return std::move(parts_);
  }

 private:
  // __device__ among the specifiers that begin there.  The place behind them.
  size_t find_device(size_t at) {
    std::vector<size_t> device;
    bool said = false;
    while (at < tokens_.size()) {
      const std::string_view name = attribute_at(tokens_, at);
      if (name.empty() && !is_other_specifier(tokens_[at])) break;
      if (name == "device") device.push_back(at);
      said |= name == "shared" || name == "constant" || name == "global";
      at += name.empty() ? 1 : kTokens;
    }
    for (const size_t each : device)
      if (said) parts_.emplace_back(tokens_[each].begin, tokens_[each + kTokens - 1].end());
    return at;
  }

  // extern "C" before a variable of the device.
  void find_linkage(size_t at) {
    if (at + 2 >= tokens_.size() || !tokens_[at].is("extern") ||
        tokens_[at + 1].kind != SourceToken::Kind::kLiteral)
      return;
    if (is_variable_of_device(at + 2))
      parts_.emplace_back(tokens_[at].begin, tokens_[at + 1].end());
  }
  bool is_variable_of_device(size_t at) const {
    bool device = false;
    while (at < tokens_.size()) {
      const SourceToken& token = tokens_[at];
      if (token.is(';') || token.is('=') || token.is('[')) return device;
      if (token.is('(') || token.is('{')) return false;
      const std::string_view name = attribute_at(tokens_, at);
      device |= name == "device" || name == "constant" || token.is("texture");
      at = token.is("__attribute__") ? behind_bracket(tokens_, at + 1) : at + 1;
    }
    return false;
  }

  std::vector<SourceToken> tokens_;
  std::vector<Part> parts_;
};

}  // namespace

std::string without_surplus_qualifiers(std::string preprocessed) {
  for (const auto& [begin, end] : Surplus(preprocessed).find())
    for (size_t at = begin; at < end; ++at)
      if (preprocessed[at] != '\n') preprocessed[at] = ' ';
  return preprocessed;
}

}  // namespace gvp::kcc

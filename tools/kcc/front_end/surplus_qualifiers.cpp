// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/surplus_qualifiers.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/kcc/front_end/source_tokens.h"

namespace gvp::kcc {
namespace {

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

}  // namespace

std::string without_surplus_qualifiers(std::string preprocessed) {
  std::vector<std::pair<size_t, size_t>> surplus;
  {
    const auto tokens = source_tokens(preprocessed, 0, preprocessed.size());
    for (size_t at = 0; at < tokens.size();) {
      std::vector<size_t> device;
      bool said = false;
      size_t next = at;
      while (next < tokens.size()) {
        const std::string_view name = attribute_at(tokens, next);
        if (name.empty() && !is_other_specifier(tokens[next])) break;
        if (name == "device") device.push_back(next);
        said |= name == "shared" || name == "constant" || name == "global";
        next += name.empty() ? 1 : kTokens;
      }
      for (const size_t each : device)
        if (said) surplus.emplace_back(tokens[each].begin, tokens[each + kTokens - 1].end());
      at = std::max(next, at + 1);
    }
  }
  for (const auto& [begin, end] : surplus)
    for (size_t at = begin; at < end; ++at)
      if (preprocessed[at] != '\n') preprocessed[at] = ' ';
  return preprocessed;
}

}  // namespace gvp::kcc

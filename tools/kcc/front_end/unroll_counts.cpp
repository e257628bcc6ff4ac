// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/unroll_counts.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace gvp::kcc {
namespace {

constexpr unsigned kMostExpansions = 1000;  // of one count; a macro may name itself

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// What stands behind a directive, or nothing: "N 4" of "#define N 4".
std::string_view behind(std::string_view line, std::string_view directive) {
  return line.substr(0, directive.size()) == directive ? line.substr(directive.size())
                                                       : std::string_view();
}

class Macros {
 public:
  // text: "N 4"
  void define(std::string_view text) {
    const size_t end = end_of_word(text, 0);
    const std::string name(text.substr(0, end));
    if (end < text.size() && text[end] == '(') {
      values_.erase(name);
      return;
    }
    values_[name] = text.substr(std::min(end + 1, text.size()));
  }
  void forget(std::string_view name) { values_.erase(std::string(name)); }

  std::string expanded(std::string_view text) const {
    unsigned left = kMostExpansions;
    return expanded(text, left);
  }

 private:
  std::string expanded(std::string_view text, unsigned& left) const {
    std::string result;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::max(end_of_word(text, at), at + 1);
      const std::string word(text.substr(at, end - at));
      const auto found = values_.find(word);
      if (found != values_.end() && left != 0) {
        --left;
        result += '(' + expanded(found->second, left) + ')';
      } else {
        result += word;
      }
      at = end;
    }
    return result;
  }

  static size_t end_of_word(std::string_view text, size_t at) {
    while (at < text.size() && is_word_character(text[at])) ++at;
    return at;
  }

  std::map<std::string, std::string> values_;
};

}  // namespace

std::string with_unroll_counts(const std::string& preprocessed) {
  constexpr std::string_view kUnroll = "#pragma unroll";
  Macros macros;
  std::string result;
  result.reserve(preprocessed.size());
  for (size_t at = 0; at < preprocessed.size();) {
    const size_t end = std::min(preprocessed.find('\n', at), preprocessed.size());
    const std::string_view line = std::string_view(preprocessed).substr(at, end - at);
    const std::string_view defined = behind(line, "#define ");
    const std::string_view undefined = behind(line, "#undef ");
    const std::string_view count = behind(line, kUnroll);
    if (!defined.empty()) {
      macros.define(defined);
    } else if (!undefined.empty()) {
      macros.forget(undefined);
    } else if (!count.empty()) {
      result.append(kUnroll).append(macros.expanded(count));
    } else {
      result.append(line);
    }
    if (end < preprocessed.size()) result += '\n';
    at = end + 1;
  }
  return result;
}

}  // namespace gvp::kcc

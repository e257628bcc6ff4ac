// SPDX-License-Identifier: Apache-2.0
// LLVM's intermediate code as text: lines and words.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace gvp::kcc {

// Calls visit(line) for each line of the text, its end included.
template <typename Visit>
void for_each_line(std::string_view text, Visit visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    visit(text.substr(at, end - at));
    at = end;
  }
}

inline bool begins_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

// Whether a line of a function calls another.
inline bool is_call(std::string_view line) {
  return begins_with(line, "  ") && line.find("call ") != std::string_view::npos;
}

// The word from a place on: "!42" of "!42, line: 3".
inline std::string_view word_at(std::string_view text, size_t at) {
  return text.substr(at, text.find_first_of(" ,)}\n", at) - at);
}

// Of the line of a function's definition,
//   define dso_local noundef i32 @_Z3addii(i32 noundef %0, i32 noundef %1) #0 !dbg !6 {
// its name.
std::string_view name_in(std::string_view definition);

// Without what ties a line to the source: ", !dbg !12" of an instruction, " !dbg !9" of a function.
std::string without_debug(std::string_view line);

}  // namespace gvp::kcc

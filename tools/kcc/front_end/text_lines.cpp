// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {

std::string_view name_in(std::string_view definition) {
  const size_t at = definition.find('@');
  if (at == std::string_view::npos) return "";
  return definition.substr(at + 1, definition.find('(', at) - at - 1);
}

std::string without_debug(std::string_view line) {
  constexpr std::string_view kMark = " !dbg ";
  const size_t mark = line.find(kMark);
  if (mark == std::string_view::npos) return std::string(line);
  const size_t begin = mark != 0 && line[mark - 1] == ',' ? mark - 1 : mark;
  const size_t end = mark + kMark.size() + word_at(line, mark + kMark.size()).size();
  return std::string(line.substr(0, begin)).append(line.substr(end));
}

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/source.h"

#include "models/base/error.h"

namespace gvp::ptx {
namespace {

constexpr size_t kLongestLineShown = 200;

}  // namespace

std::string_view Source::line(uint32_t number) const {
  size_t begin = 0;
  for (uint32_t i = 1; i < number; ++i) {
    begin = text_.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  const size_t end = text_.find('\n', begin);
  return std::string_view(text_).substr(begin, end == std::string::npos ? end : end - begin);
}

void Source::fail(Position where, const std::string& what, const std::string& remedy) const {
  std::string message = what;
  if (!remedy.empty()) message += " (" + remedy + ")";
  message += caret_below(line(where.line), where.column);
  throw bad_input(message, {name_, where.line, where.column});
}

std::string caret_below(std::string_view line, uint32_t column) {
  if (line.empty() || line.size() > kLongestLineShown || column == 0) return "";
  std::string text = "\n    ";
  std::string caret = "\n    ";
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool printable = c >= ' ' && c <= '~';
    text += printable ? c : ' ';  // also tabs: the caret must stay below its column
    if (i + 1 < column) caret += ' ';
  }
  return text + caret + "^";
}

}  // namespace gvp::ptx

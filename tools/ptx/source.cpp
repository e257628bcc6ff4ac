// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/source.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "models/base/error.h"
#include "tools/ptx/shown_names.h"

namespace gvp::ptx {
namespace {

constexpr size_t kLongestLineShown = 200;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The name in the source that a name of the PTX was made from: "any" of _ZZ1kE3any, "k" of the
// parameter k_param_0 or _Z1kPi_param_0, and of _ZN1n1kILi2EEEvP1S.
std::string original_name(std::string_view name) {
  const size_t parameter = name.rfind("_param_");
  if (parameter != std::string_view::npos) name = name.substr(0, parameter);
  if (name.substr(0, 2) != "_Z") return std::string(name);
  const bool local = name.substr(2, 1) == "Z";
  const bool nested = name.substr(2, 1) == "N";
  std::string last;
  for (size_t at = 2; at < name.size();) {
    size_t length = 0;
    size_t digits = at;
    while (digits < name.size() && is_digit(name[digits]) && length < name.size())
      length = 10 * length + static_cast<size_t>(name[digits++] - '0');
    if (digits == at || digits + length > name.size()) {
      ++at;
      continue;
    }
    last = name.substr(digits, length);
    at = digits + length;
    // Behind it are types; the name of what is a function's own stands behind the function's.
    if (!local && !(nested && at < name.size() && is_digit(name[at]))) break;
  }
  return last;
}

// The first place in a file where a name stands by itself, comments left out; or the last one up to
// a line.
Position find_name(const std::string& path, const std::string& name, uint32_t until = 0) {
  std::ifstream file(path);
  std::string line;
  bool comment = false;
  Position found;
  for (uint32_t number = 1; !name.empty() && std::getline(file, line); ++number) {
    if (until != 0 && number > until) break;
    for (size_t at = 0; at < line.size(); ++at) {
      if (comment) {
        comment = line.compare(at, 2, "*/") != 0;
        continue;
      }
      if (line.compare(at, 2, "//") == 0) break;
      comment = line.compare(at, 2, "/*") == 0;
      const bool whole =
          line.compare(at, name.size(), name) == 0 &&
          (at == 0 || !is_name_character(line[at - 1])) &&
          (at + name.size() >= line.size() || !is_name_character(line[at + name.size()]));
      if (whole) found = {number, static_cast<uint32_t>(at + 1)};
      if (whole && until == 0) return found;
    }
  }
  return found;
}

// The next word of a line; quotation marks are taken off.
std::string_view next_word(std::string_view& line) {
  const size_t begin = std::min(line.find_first_not_of(" \t\""), line.size());
  const size_t end = std::min(line.find_first_of(" \t\"", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

uint32_t number_of(std::string_view word) {
  uint32_t value = 0;
  for (const char c : word.substr(0, 9))
    if (is_digit(c)) value = 10 * value + static_cast<uint32_t>(c - '0');
  return value;
}

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
  if (generated_) fail_in_original(where, message);
  message += caret_below(line(where.line), where.column);
  throw bad_input(message, {name_, where.line, where.column});
}

std::string line_of_file(const std::string& path, uint32_t number) {
  std::ifstream file(path);
  std::string line;
  for (uint32_t i = 0; i < number; ++i) {
    if (!std::getline(file, line)) return "";
  }
  return line;
}

std::string Source::file_of_number(std::string_view number) const {
  for (uint32_t n = 1; n <= 1 + std::count(text_.begin(), text_.end(), '\n'); ++n) {
    std::string_view rest = line(n);
    if (next_word(rest) == ".file" && next_word(rest) == number)
      return std::string(next_word(rest));
  }
  return name_;
}

void Source::fail_in_original(Position where, std::string message) const {
  // Back to the function's begin; heads of functions stand behind another one's end.
  for (uint32_t n = where.line; n > 0; --n) {
    std::string_view rest = line(n);
    if (rest.substr(0, 1) == "{" || rest.substr(0, 1) == "}") break;
    if (next_word(rest) != ".loc") continue;
    const std::string file = file_of_number(next_word(rest));
    const Position place{number_of(next_word(rest)), number_of(next_word(rest))};
    message += caret_below(line_of_file(file, place.line), place.column);
    throw bad_input(message, {shown_file(file), place.line, place.column});
  }
  const std::string_view here = line(where.line);
  size_t end = where.column == 0 ? 0 : where.column - 1;
  const size_t begin = end;
  while (end < here.size() && is_name_character(here[end])) ++end;
  const std::string name =
      begin < here.size() ? original_name(here.substr(begin, end - begin)) : "";
  auto [file, body] = begin_of_body(where.line);
  Position place = find_name(file, name, body);
  if (place.line == 0) place.line = body;  // a macro has made the name
  if (place.line == 0) throw bad_input(message, {shown_file(file)});
  message += caret_below(line_of_file(file, place.line), place.column);
  throw bad_input(message, {shown_file(file), place.line, place.column});
}

// The file and the line that the first .loc behind the head of a function names; of other lines
// the source itself and 0.
std::pair<std::string, uint32_t> Source::begin_of_body(uint32_t head) const {
  const std::string_view here = line(head);
  if (here.find(".entry ") == std::string_view::npos) return {name_, 0};
  std::string_view left =
      std::string_view(text_).substr(static_cast<size_t>(here.data() - text_.data()));
  while (!left.empty()) {
    const size_t end = std::min(left.find('\n'), left.size() - 1);
    std::string_view rest = left.substr(0, end);
    left.remove_prefix(end + 1);
    if (rest.substr(0, 1) == "}") break;
    if (next_word(rest) != ".loc") continue;
    std::string file = file_of_number(next_word(rest));
    return {std::move(file), number_of(next_word(rest))};
  }
  return {name_, 0};
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

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/columns.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "tools/kcc/front_end/source_tokens.h"
#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {
namespace {

using Lines = std::vector<std::string>;

std::string normal(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

// The name between the first two quotation marks of a line.
std::string quoted(std::string_view line) {
  const size_t begin = line.find('"');
  const size_t end = line.find('"', begin + 1);
  if (begin == std::string_view::npos || end == std::string_view::npos) return "";
  return std::string(line.substr(begin + 1, end - begin - 1));
}

// A number and what is behind it and the blanks around it; false if there is none.
bool take_number(std::string_view& text, size_t& number) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return false;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data() + begin, end, number);
  if (error != std::errc()) return false;
  text = {after, static_cast<size_t>(end - after)};
  return true;
}

// The lines of each file, by "# 12 "k.cu" 2" before them, as far as they are in the text.
std::map<std::string, std::map<size_t, std::string>> preprocessed_lines(const std::string& text) {
  std::map<std::string, std::map<size_t, std::string>> files;
  std::map<size_t, std::string>* file = nullptr;
  size_t number = 0;
  for_each_line(text, [&](std::string_view line) {
    std::string_view rest = line.substr(std::min<size_t>(line.size(), 2));
    if (begins_with(line, "# ") && take_number(rest, number)) {
      file = &files[normal(quoted(rest))];
      return;
    }
    if (file != nullptr) file->emplace(number, line);
    ++number;
  });
  return files;
}

Lines lines_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class Columns {
 public:
  explicit Columns(const std::string& preprocessed) : texts_(preprocessed_lines(preprocessed)) {}

  // .file 1 "/folder/k.cu"
  void note_file(std::string_view line) {
    size_t number = 0;
    if (take_number(line, number)) files_[number] = normal(quoted(line));
  }

  // .loc 1 12 5: the column, or 0
  size_t of(size_t file, size_t line, size_t column) {
    const auto path = files_.find(file);
    if (path == files_.end()) return column;
    const auto texts = texts_.find(path->second);
    if (texts == texts_.end()) return column;
    const auto text = texts->second.find(line);
    const auto [source, first] = sources_.try_emplace(path->second);
    if (first) source->second = lines_of_file(path->second);
    if (text == texts->second.end() || line == 0 || line > source->second.size()) return 0;
    return column_of_source(source->second[line - 1], text->second, column);
  }

 private:
  std::map<std::string, std::map<size_t, std::string>> texts_;  // by file and line
  std::map<size_t, std::string> files_;
  std::map<std::string, Lines> sources_;
};

}  // namespace

size_t column_of_source(const std::string& source, const std::string& preprocessed, size_t column) {
  if (column == 0) return 0;
  const auto theirs = source_tokens(source, 0, source.size());
  const auto ours = source_tokens(preprocessed, 0, preprocessed.size());
  size_t at = 0;
  while (at < ours.size() && ours[at].end() < column) ++at;
  if (at == ours.size() || ours[at].begin >= column) return 0;
  const size_t inside = column - ours[at].begin;
  size_t before = 0;
  while (before <= at && before < theirs.size() && ours[before].text == theirs[before].text)
    ++before;
  if (before > at) return theirs[at].begin + inside;
  // Something else stands before it: from the end.
  size_t behind = 0;
  const size_t wanted = ours.size() - at;
  while (behind < wanted && behind < theirs.size() &&
         ours[ours.size() - 1 - behind].text == theirs[theirs.size() - 1 - behind].text)
    ++behind;
  return behind == wanted ? theirs[theirs.size() - wanted].begin + inside : 0;
}

std::string with_columns_of_sources(const std::string& ptx, const std::string& preprocessed) {
  constexpr std::string_view kFile = "\t.file\t";
  constexpr std::string_view kPlace = "\t.loc\t";
  if (ptx.find(kPlace) == std::string::npos) return ptx;
  Columns columns(preprocessed);
  for_each_line(ptx, [&](std::string_view line) {
    if (begins_with(line, kFile)) columns.note_file(line.substr(kFile.size()));
  });
  std::string result;
  result.reserve(ptx.size());
  for_each_line(ptx, [&](std::string_view line) {
    size_t file = 0, number = 0, column = 0;
    std::string_view rest = line.substr(std::min(line.size(), kPlace.size()));
    const bool place = begins_with(line, kPlace) && take_number(rest, file) &&
                       take_number(rest, number) && take_number(rest, column);
    if (!place) {
      result += line;
      return;
    }
    result.append(kPlace).append(std::to_string(file)).append(" ").append(std::to_string(number));
    result.append(" ").append(std::to_string(columns.of(file, number, column))).append(rest);
  });
  return result;
}

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/csv_records.h"

#include <algorithm>

namespace gvp::trace_report {

// The line feed behind the record at the beginning of the text: the first with an even number of
// quotes before it.
bool CsvRecords::find_end(size_t& end) {
  size_t from = 0, quotes = 0;
  lines_ = 1;
  for (;;) {
    const std::string_view text = input_.text();
    const size_t line_feed = text.find('\n', from);
    if (line_feed == std::string_view::npos) {
      if (!input_.read_on()) return false;
      continue;
    }
    const std::string_view part = text.substr(from, line_feed - from);
    if (part.find('"') != std::string_view::npos)
      quotes += static_cast<size_t>(std::count(part.begin(), part.end(), '"'));
    if (quotes % 2 == 0) {
      end = line_feed;
      quoted_ = quotes != 0;
      return true;
    }
    from = line_feed + 1;
    ++lines_;
  }
}

bool CsvRecords::next() {
  input_.take(to_take_);
  line_ += lines_;
  to_take_ = 0;
  size_t end = 0;
  if (!find_end(end)) return false;
  std::string_view record = input_.text().substr(0, end);
  to_take_ = end + 1;
  if (!record.empty() && record.back() == '\r') record.remove_suffix(1);
  fields_.clear();
  if (quoted_)
    split_quoted(record);
  else
    split(record);
  return true;
}

void CsvRecords::split(std::string_view record) {
  const char* begin = record.data();
  const char* const end = begin + record.size();
  for (const char* at = begin; at != end; ++at) {
    if (*at != ',') continue;
    fields_.emplace_back(begin, static_cast<size_t>(at - begin));
    begin = at + 1;
  }
  fields_.emplace_back(begin, static_cast<size_t>(end - begin));
}

void CsvRecords::split_quoted(std::string_view record) {
  unquoted_.clear();
  std::string* field = &unquoted_.emplace_back();
  bool within = false;
  for (size_t i = 0; i < record.size(); ++i) {
    const char c = record[i];
    if (c == '"' && within && i + 1 < record.size() && record[i + 1] == '"') {
      *field += c;
      ++i;
    } else if (c == '"') {
      within = !within;
    } else if (c == ',' && !within) {
      field = &unquoted_.emplace_back();
    } else {
      *field += c;
    }
  }
  fields_.assign(unquoted_.begin(), unquoted_.end());
}

}  // namespace gvp::trace_report

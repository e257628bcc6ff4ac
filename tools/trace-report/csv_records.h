// SPDX-License-Identifier: Apache-2.0
// Records of comma-separated values (RFC 4180; lines end with a line feed, or with a carriage
// return before it), one after the other.  A last line without an end, which a writer that was
// killed leaves, is no record.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "tools/trace-report/input_buffer.h"

namespace gvp::trace_report {

class CsvRecords {
 public:
  // Throws Error (bad input), as next() does, for a file that cannot be read.
  explicit CsvRecords(const std::string& path) : input_(path) {}

  bool next();
  // Of the record that next() found, without quotes; valid until the next one.
  const std::vector<std::string_view>& fields() const { return fields_; }
  bool quoted() const { return quoted_; }  // some field of it was
  uint32_t line() const { return line_; }  // where it begins, from 1

 private:
  bool find_end(size_t& end);
  void split(std::string_view record);
  void split_quoted(std::string_view record);

  InputBuffer input_;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;  // of this record
  bool quoted_ = false;
  uint32_t line_ = 0;
  uint32_t lines_ = 1;  // that the record has; before the first one: to it
  size_t to_take_ = 0;  // bytes that it has
};

}  // namespace gvp::trace_report

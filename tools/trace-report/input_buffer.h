// SPDX-License-Identifier: Apache-2.0
// A file that is read once, from its beginning to its end, through a buffer that is as large as a
// few records are.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace gvp::trace_report {

class InputBuffer {
 public:
  // Throws Error (bad input) for a file that cannot be opened.
  explicit InputBuffer(const std::string& path);

  // What has been read and not taken; valid until read_on().
  std::string_view text() const { return {bytes_.data() + begin_, end_ - begin_}; }
  void take(size_t bytes) { begin_ += bytes; }
  // Where text() begins in the file.
  uint64_t offset() const { return offset_ + begin_; }
  // Adds to the end of text(); false: the file ends here.  Throws Error (bad input) for a record
  // that is longer than any that is written, and for a file that cannot be read.
  bool read_on();

 private:
  std::string path_;
  std::ifstream file_;
  std::vector<char> bytes_;
  size_t begin_ = 0, end_ = 0;
  uint64_t offset_ = 0;  // of bytes_
};

}  // namespace gvp::trace_report

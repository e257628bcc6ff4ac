// SPDX-License-Identifier: Apache-2.0
// A file that is written from its beginning to its end, record by record, through a buffer that
// never grows.  After an error (a full disk, a size limit) nothing more is written, and the file is
// cut behind a whole record, at most a few KiB before the end: what is there stays readable. POSIX.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace gvp::trace {

class OutputFile {
 public:
  // Throws Error (bad input) for a file that cannot be written.
  explicit OutputFile(const std::string& path);
  // Standard error.
  OutputFile();
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Between records: room for the next one, which may have this many bytes.  The place to write to.
  char* begin_record(size_t most_bytes) {
    if (buffer_.size() - used_ < most_bytes) make_room(most_bytes);
    return buffer_.data() + used_;
  }
  // What was written at the place, behind its last byte.
  void end_record(const char* end) {
    used_ = static_cast<size_t>(end - buffer_.data());
    if (used_ >= next_mark_) mark();
  }

  void flush();
  // Bytes that have been flushed, by as many others.
  void overwrite(uint64_t place, std::string_view text);
  void close();
  const std::string& failure() const { return failure_; }

 private:
  static constexpr size_t kMarkEvery = 4096;

  void make_room(size_t bytes);
  void mark() {
    marks_.push_back(used_);
    next_mark_ = used_ + kMarkEvery;
  }
  void write_out();
  void fail(const char* what, int error);

  std::string path_;
  int descriptor_ = -1;
  bool owned_ = true;
  std::vector<char> buffer_;
  size_t used_ = 0;
  std::vector<size_t> marks_;  // ends of some of the records in the buffer
  size_t next_mark_ = kMarkEvery;
  uint64_t written_ = 0;  // bytes of whole records
  std::string failure_;
};

// Writers of text: each puts something at a place and returns the place behind it.
inline char* put(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}
inline char* put(char* at, char character) {
  *at = character;
  return at + 1;
}
inline char* put_number(char* at, uint64_t number) {
  return std::to_chars(at, at + 20, number).ptr;
}
inline char* put_signed(char* at, int64_t number) { return std::to_chars(at, at + 20, number).ptr; }
inline char* put_hexadecimal(char* at, uint64_t number) {
  *at++ = '0';
  *at++ = 'x';
  return std::to_chars(at, at + 16, number, 16).ptr;
}

}  // namespace gvp::trace

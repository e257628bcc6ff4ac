// SPDX-License-Identifier: Apache-2.0
// GTKWave's FST writer, as Verilator brings it along, as far as traces need it; its sources are
// compiled into fst_writer.cpp and are nobody else's.  Its small temporary files are kept in
// memory, and errors of writing are noticed, which it does not do itself.
//
// A file is in two until it is closed: FILE and FILE.hier.  Readers take both.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gvp::trace {

class FstWriter {
 public:
  // ok() is false where the file cannot be written; error() has errno.
  explicit FstWriter(const std::string& path);
  ~FstWriter();
  FstWriter(const FstWriter&) = delete;
  FstWriter& operator=(const FstWriter&) = delete;

  bool ok() const { return context_ != nullptr; }
  int error() const { return error_; }  // 0: none so far

  void begin_scope(const std::string& name);
  void end_scope();
  // bits 0: text
  uint32_t add(const std::string& name, unsigned bits);

  void time(uint64_t picoseconds);
  void number(uint32_t variable, unsigned bits, uint64_t value);
  void text(uint32_t variable, std::string_view value);
  // What has been written so far goes into the file with the next time().
  void flush();
  void close();

 private:
  void* context_ = nullptr;
  int error_ = 0;
};

}  // namespace gvp::trace

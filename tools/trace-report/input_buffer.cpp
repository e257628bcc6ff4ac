// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/input_buffer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "models/base/error.h"

namespace gvp::trace_report {
namespace {

constexpr size_t kFirst = size_t{1} << 20;
constexpr size_t kMost = size_t{64} << 20;  // of one record

}  // namespace

InputBuffer::InputBuffer(const std::string& path)
    : path_(path), file_(path, std::ios::binary), bytes_(kFirst) {
  if (!file_.is_open())
    throw bad_input(fmt::format("cannot read this file: {}", std::strerror(errno)), {path});
}

bool InputBuffer::read_on() {
  if (begin_ != 0) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    offset_ += begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == bytes_.size()) {
    if (bytes_.size() >= kMost)
      throw bad_input(fmt::format("the record at byte {} has no end", offset_), {path_},
                      "record the trace again");
    bytes_.resize(2 * bytes_.size());
  }
  file_.read(bytes_.data() + end_, static_cast<std::streamsize>(bytes_.size() - end_));
  if (file_.bad())
    throw bad_input(fmt::format("cannot read this file: {}", std::strerror(errno)), {path_});
  const auto count = static_cast<size_t>(file_.gcount());
  end_ += count;
  return count != 0;
}

}  // namespace gvp::trace_report

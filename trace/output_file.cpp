// SPDX-License-Identifier: Apache-2.0
#include "trace/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "models/base/error.h"

namespace gvp::trace {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 18;

// A write beyond the limit of file sizes becomes an error of that write, not this process's end.
void survive_size_limits() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), buffer_(kBufferBytes) {
  survive_size_limits();
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw bad_input(fmt::format("cannot write the trace: {}", std::strerror(errno)), {path},
                    "check the directory and its permissions");
}

OutputFile::OutputFile()
    : path_("standard error"), descriptor_(STDERR_FILENO), owned_(false), buffer_(kBufferBytes) {}

OutputFile::~OutputFile() { close(); }

void OutputFile::make_room(size_t bytes) {
  write_out();
  if (buffer_.size() < bytes) buffer_.resize(bytes);
}

void OutputFile::write_out() {
  size_t done = 0;
  while (failure_.empty() && descriptor_ >= 0 && done < used_) {
    const ssize_t count = ::write(descriptor_, buffer_.data() + done, used_ - done);
    if (count > 0)
      done += static_cast<size_t>(count);
    else if (count < 0 && errno != EINTR && errno != EAGAIN)
      fail("cannot write", errno);
  }
  if (failure_.empty()) {
    written_ += used_;
  } else if (owned_ && done > 0) {
    const auto whole = std::upper_bound(marks_.begin(), marks_.end(), done);
    const uint64_t end = written_ + (whole == marks_.begin() ? 0 : *(whole - 1));
    if (::ftruncate(descriptor_, static_cast<off_t>(end)) != 0)
      failure_ += " (and its last record is not whole)";
  }
  used_ = 0;
  marks_.clear();
  next_mark_ = kMarkEvery;
}

void OutputFile::fail(const char* what, int error) {
  failure_ = fmt::format("{}: {}: {}", path_, what, std::strerror(error));
}

void OutputFile::flush() { write_out(); }

void OutputFile::overwrite(uint64_t place, std::string_view text) {
  while (failure_.empty() && descriptor_ >= 0 && !text.empty()) {
    const ssize_t count =
        ::pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(place));
    if (count < 0 && errno != EINTR && errno != EAGAIN) fail("cannot write", errno);
    if (count <= 0) continue;
    place += static_cast<uint64_t>(count);
    text.remove_prefix(static_cast<size_t>(count));
  }
}

void OutputFile::close() {
  if (descriptor_ < 0) return;
  write_out();
  if (owned_ && ::close(descriptor_) != 0 && failure_.empty()) fail("cannot write", errno);
  descriptor_ = -1;
}

}  // namespace gvp::trace

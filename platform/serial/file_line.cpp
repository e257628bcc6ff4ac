// SPDX-License-Identifier: Apache-2.0
#include "platform/serial/file_line.h"

#include <cerrno>
#include <cstring>

#include "models/base/error.h"

namespace gvp::platform {

FileLine::FileLine(const std::string& path, const std::string& purpose)
    : stream_(path, std::ios::binary | std::ios::trunc), path_(path) {
  if (!stream_) throw bad_input("cannot create the file for the output of " + purpose, {path});
}

void FileLine::write(uint8_t character) {
  if (!stream_.put(static_cast<char>(character))) note_loss();
}

void FileLine::flush() {
  if (!stream_.flush()) note_loss();
}

void FileLine::note_loss() {
  if (loss_.empty()) loss_ = path_ + ": " + std::strerror(errno);
}

}  // namespace gvp::platform

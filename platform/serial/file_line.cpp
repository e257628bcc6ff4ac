// SPDX-License-Identifier: Apache-2.0
#include "platform/serial/file_line.h"

#include "models/base/error.h"

namespace gvp::platform {

FileLine::FileLine(const std::string& path, const std::string& purpose)
    : stream_(path, std::ios::binary | std::ios::trunc) {
  if (!stream_) throw bad_input("cannot create the file for the output of " + purpose, {path});
}

void FileLine::write(uint8_t character) { stream_.put(static_cast<char>(character)); }

void FileLine::flush() { stream_.flush(); }

}  // namespace gvp::platform

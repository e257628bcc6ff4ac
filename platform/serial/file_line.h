// SPDX-License-Identifier: Apache-2.0
// A serial line whose output goes to a file.  No input.
#pragma once

#include <fstream>
#include <string>

#include "platform/serial/serial_line.h"

namespace gvp::platform {

class FileLine : public SerialLine {
 public:
  FileLine(const std::string& path, const std::string& purpose);
  void write(uint8_t character) override;
  std::optional<uint8_t> read() override { return std::nullopt; }
  bool has_input() const override { return false; }
  void flush() override;

 private:
  std::ofstream stream_;
};

}  // namespace gvp::platform

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
  std::string loss() const override { return loss_; }

 private:
  void note_loss();

  std::ofstream stream_;
  std::string path_;
  std::string loss_;
};

}  // namespace gvp::platform

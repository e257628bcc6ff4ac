// SPDX-License-Identifier: Apache-2.0
// A serial line at the terminal: output to stdout, input from stdin while that is a terminal this
// process is in the foreground of.  Input characters reach the guest one by one and unechoed;
// ^C still interrupts the simulator.  The terminal's modes are restored at the end and by
// restore_terminal().  Redirected input (a pipe, a file, /dev/null) is not read, so that runs from
// scripts depend on nothing but their arguments.
#pragma once

#include <termios.h>

#include <deque>
#include <string>

#include "platform/serial/serial_line.h"

namespace gvp::platform {

class StdioLine : public SerialLine {
 public:
  StdioLine();
  ~StdioLine() override;
  StdioLine(const StdioLine&) = delete;
  StdioLine& operator=(const StdioLine&) = delete;

  void write(uint8_t character) override;
  std::optional<uint8_t> read() override;
  bool has_input() const override { return input_open_ || !input_.empty(); }
  void poll() override;
  void flush() override;
  std::string loss() const override { return loss_; }
  bool at_line_start() const override { return at_line_start_; }
  void set_before_output(std::function<void()> before_output) override;

  // Puts the terminal back as it was; async-signal-safe, for a process about to be killed.
  static void restore_terminal();

 private:
  void take_input();

  std::string output_;
  std::deque<uint8_t> input_;
  std::function<void()> before_output_;
  bool at_line_start_ = true;
  bool output_lost_ = false;  // nobody reads any more, or it cannot be written
  std::string loss_;
  bool input_open_ = false;
};

}  // namespace gvp::platform

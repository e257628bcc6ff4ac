// SPDX-License-Identifier: Apache-2.0
// A serial line at the standard streams: output to stdout (or stderr), input from stdin: a pipe, a
// file, or a terminal that this process is in the foreground of.  What is typed reaches the guest
// key by key and unechoed; ^C still interrupts the simulator.  The terminal's modes are restored at
// the end and by restore_terminal().  A file is read as fast as the guest's line takes it, at times
// that simulated time alone decides; what comes through a pipe arrives when it comes.
#pragma once

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
  bool at_line_start() const override { return shown_.empty(); }
  std::string_view line_shown() const override { return shown_; }
  void show_line_again() override;
  void set_before_output(std::function<void()> before_output) override;

  // Lines made from now on write to standard error: standard output belongs to something else.
  static void leave_standard_output();
  // The descriptor that lines write to.
  static int output();
  // Puts the terminal back as it was; async-signal-safe, for a process about to be killed.
  static void restore_terminal();

 private:
  void take_input();

  int descriptor_;
  std::string output_;
  std::deque<uint8_t> input_;
  std::function<void()> before_output_;
  std::string shown_;         // of the line that has not ended, its last characters at least
  bool output_lost_ = false;  // nobody reads any more, or it cannot be written
  std::string loss_;
  bool input_open_ = false;
};

}  // namespace gvp::platform

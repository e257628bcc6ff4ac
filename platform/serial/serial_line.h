// SPDX-License-Identifier: Apache-2.0
// What a serial line of the board is connected to: nothing, the terminal, a TCP port or a file.
// A line moves characters between the models and the host's operating system only in poll(), which
// the run control calls every few milliseconds at most, and never blocks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "models/peripherals/character_channel.h"

namespace gvp::platform {

class SerialLine : public peripherals::CharacterChannel {
 public:
  // Passes on what was written and takes in what arrived.
  virtual void poll() {}
  // Everything written so far has been passed on when this returns; the line stays usable.
  virtual void flush() {}
  // Why output that the guest wrote is lost (a full disk), in words; empty: nothing is.  A reader
  // that went away (a closed pipe) is no loss: it wanted no more.
  virtual std::string loss() const { return {}; }
  // Returns when somebody is at the other end, for lines that are to wait for that.
  virtual void await_client() {}
  // Whether the last character written ended a line (a status line may be drawn).
  virtual bool at_line_start() const { return true; }
  // What a terminal shows of the line that has not ended, and showing it again: for a log line that
  // takes its place.
  virtual std::string_view line_shown() const { return {}; }
  virtual void show_line_again() {}
  // Called before text goes to the terminal, so that a status line can make room.
  virtual void set_before_output(std::function<void()>) {}
};

// line: as the configuration keys *.line say; purpose: for messages ("uart16550").  Throws Error
// (bad input) for a port or file that cannot be opened.
std::unique_ptr<SerialLine> make_serial_line(const std::string& line, const std::string& purpose);

}  // namespace gvp::platform

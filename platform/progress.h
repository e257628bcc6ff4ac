// SPDX-License-Identifier: Apache-2.0
// The progress line: simulated time, speed of the host, kernel and blocks of the GPGPU, how busy
// the bus is.  On a terminal it is redrawn a few times a second, and everything else that writes
// there hides it first; elsewhere a new line comes every few seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/gpgpu/device.h"
#include "models/host/host.h"

namespace gvp::platform {

class Progress {
 public:
  // write: where text goes (stderr); can_draw: whether the cursor is at the start of a line;
  // terminal: it can be erased there.  interval: least s of wall clock between two lines.
  // clock: that clock, s.
  Progress(std::function<void(const std::string&)> write, std::function<bool()> can_draw,
           bool terminal = true, double interval = kRedraw,
           std::function<double()> clock = wall_clock);
  static constexpr double kRedraw = 0.2;
  static constexpr double kPlainLine = 2;
  static double wall_clock();

  // Shows how far the run is, if the last time is long enough ago.  busy: for how long each port of
  // the buses has carried data, ps.
  void update(const host::Host& host, const std::vector<gpgpu::Device*>& gpgpus,
              const std::vector<uint64_t>& busy = {});
  // Removes the line from the terminal, until the next update.
  void hide();

 private:
  std::function<void(const std::string&)> write_;
  std::function<bool()> can_draw_;
  double bus_share(const std::vector<uint64_t>& busy, double picoseconds);

  bool terminal_;
  double interval_;
  std::function<double()> clock_;
  bool visible_ = false;
  bool shown_ = false;  // at least once
  std::vector<uint64_t> last_busy_;
  double last_picoseconds_ = 0;
  double last_time_ = 0;  // s, wall clock
  double last_instructions_ = 0;
};

// "  12.35 ms   87.1 MIPS   bus 23%   kernel 3: block 12 of 64"; of several GPGPUs, one that runs;
// of the buses the busiest port; bus: a share, negative where there is none.
std::string progress_text(uint64_t picoseconds, double mips, const gpgpu::Progress& gpgpu,
                          double bus = -1);

}  // namespace gvp::platform

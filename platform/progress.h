// SPDX-License-Identifier: Apache-2.0
// The progress line: simulated time, speed of the host, kernel and blocks of the GPGPU, redrawn on
// stderr a few times a second.  Everything else that writes to the terminal hides it first.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/gpgpu/device.h"
#include "models/host/host.h"

namespace gvp::platform {

class Progress {
 public:
  // write: where text goes (stderr); can_draw: whether the cursor is at the start of a line.
  Progress(std::function<void(const std::string&)> write, std::function<bool()> can_draw);

  // Redraws the line if the last time is long enough ago.
  void update(const host::Host& host, const std::vector<gpgpu::Device*>& gpgpus);
  // Removes the line from the terminal, until the next update.
  void hide();

 private:
  std::function<void(const std::string&)> write_;
  std::function<bool()> can_draw_;
  bool visible_ = false;
  double last_time_ = 0;  // s, wall clock
  double last_instructions_ = 0;
};

// "  12.35 ms   87.1 MIPS   kernel 3: block 12 of 64"; of several GPGPUs, one that runs.
std::string progress_text(uint64_t picoseconds, double mips, const gpgpu::Progress& gpgpu);

}  // namespace gvp::platform

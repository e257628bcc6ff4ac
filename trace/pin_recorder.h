// SPDX-License-Identifier: Apache-2.0
// Records the pins of a block of RTL: a level at the beginning and one at each change, at the edges
// of its clock.  Pins of up to 64 bits as they are, wider ones in parts of 64, the lowest first.
// What is inside of the block only --wave shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/rtl/block.h"
#include "trace/recorder.h"

namespace gvp::trace {

class PinRecorder {
 public:
  // device: whose pins they are.
  PinRecorder(Recorder& recorder, const std::string& device, rtl::Block& block);

  // Nothing more is recorded.
  void end() { ended_ = true; }

  // What is to be recorded from now on happens at this time (ps) or later.
  uint64_t horizon() const;

 private:
  struct Part {
    TrackId track;
    const uint8_t* data;
    unsigned bytes;
    uint64_t value;
  };

  void look(uint64_t picoseconds);

  Recorder& recorder_;
  const rtl::Block& block_;
  std::vector<Part> parts_;
  bool looked_ = false;
  bool ended_ = false;
};

}  // namespace gvp::trace

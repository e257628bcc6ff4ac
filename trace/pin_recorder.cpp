// SPDX-License-Identifier: Apache-2.0
#include "trace/pin_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace gvp::trace {

PinRecorder::PinRecorder(Recorder& recorder, const std::string& device, rtl::Block& block)
    : recorder_(recorder), block_(block) {
  constexpr unsigned kBits = 64;
  for (const rtl::Pin& pin : block.pins())
    for (unsigned first = 0; first < pin.bits(); first += kBits) {
      const unsigned bits = std::min(kBits, pin.bits() - first);
      const std::string name =
          pin.bits() <= kBits ? pin.name() : fmt::format("{}_{}", pin.name(), first);
      parts_.push_back({recorder.track(Subject::kPins, device, name, "", bits),
                        pin.data() + first / 8, (bits + 7) / 8, 0});
    }
  block.observe([this](uint64_t picoseconds) { look(picoseconds); });
}

uint64_t PinRecorder::horizon() const {
  const uint64_t now = sc_core::sc_time_stamp().value();
  return block_.running() ? std::min(now, block_.next_edge_ps()) : now;
}

void PinRecorder::look(uint64_t picoseconds) {
  if (ended_) return;
  for (Part& part : parts_) {
    uint64_t value = 0;
    std::memcpy(&value, part.data, part.bytes);
    if (value == part.value && looked_) continue;
    part.value = value;
    recorder_.level({part.track, picoseconds, static_cast<int64_t>(value)});
  }
  looked_ = true;
}

}  // namespace gvp::trace

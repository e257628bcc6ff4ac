// SPDX-License-Identifier: Apache-2.0
// Sits between a UART and its serial line and records what the guest says, line by line, at the
// time of a line's last character.  Longer lines come in pieces.
#pragma once

#include <string>
#include <systemc>

#include "models/peripherals/character_channel.h"
#include "trace/recorder.h"

namespace gvp::trace {

class ConsoleRecorder : public peripherals::CharacterChannel {
 public:
  ConsoleRecorder(Recorder& recorder, const std::string& device,
                  peripherals::CharacterChannel& line)
      : recorder_(recorder),
        line_(line),
        track_(recorder.track(Subject::kConsole, "console", device)) {}

  void write(uint8_t character) override {
    line_.write(character);
    if (character == '\n' || text_.size() >= kLongest) finish();
    if (character >= ' ' || character == '\t') text_ += static_cast<char>(character);
  }
  std::optional<uint8_t> read() override { return line_.read(); }
  bool has_input() const override { return line_.has_input(); }

  // What is left of a line that has not ended.
  void finish() {
    if (!text_.empty()) recorder_.event({track_, sc_core::sc_time_stamp().value(), text_});
    text_.clear();
  }

 private:
  static constexpr size_t kLongest = 1000;

  Recorder& recorder_;
  peripherals::CharacterChannel& line_;
  TrackId track_;
  std::string text_;
};

}  // namespace gvp::trace

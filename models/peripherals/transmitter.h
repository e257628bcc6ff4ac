// SPDX-License-Identifier: Apache-2.0
// The transmit half that both UARTs share: a FIFO in front of a shift register, advanced lazily
// to the time somebody looks.  Knows nothing of registers.
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/peripherals/character_fifo.h"

namespace gvp::peripherals {

class Transmitter {
 public:
  // shifted: a character has left the shift register, at this time.
  using Sink = std::function<void(uint8_t character)>;
  explicit Transmitter(Sink shifted) : shifted_(std::move(shifted)) {}

  bool fifo_empty() const { return fifo_.empty(); }
  bool fifo_full() const { return fifo_.full(); }
  size_t waiting() const { return fifo_.size(); }
  bool idle() const { return !shifting_ && fifo_.empty(); }
  bool shifting() const { return shifting_; }
  sc_core::sc_time done_at() const { return done_at_; }  // of the character being shifted
  void set_depth(size_t depth) { fifo_.set_depth(depth); }
  void clear_fifo() { fifo_.clear(); }

  // Brings the state to `now`; true if the FIFO ran empty on the way.
  bool advance(const sc_core::sc_time& now, const sc_core::sc_time& character_time) {
    bool ran_empty = false;
    while (shifting_ && done_at_ <= now) {
      shifting_ = false;
      shifted_(shift_);
      if (!fifo_.empty()) ran_empty = start(done_at_, character_time) || ran_empty;
    }
    return ran_empty;
  }
  // Takes a character (the FIFO must have room); true if it went on to the shift register at
  // once, so that the FIFO is empty again.
  bool push(uint8_t character, const sc_core::sc_time& now,
            const sc_core::sc_time& character_time) {
    fifo_.push({character, 0});
    return !shifting_ && start(now, character_time);
  }
  // As at power-up: what has not left the shift register is lost.
  void reset() {
    fifo_.clear();
    shifting_ = false;
  }
  // Sends everything out at once: at the end of simulation real hardware would go on sending.
  void flush() {
    if (shifting_) shifted_(shift_);
    shifting_ = false;
    while (!fifo_.empty()) shifted_(fifo_.pop().data);
  }

 private:
  bool start(const sc_core::sc_time& at, const sc_core::sc_time& character_time) {
    shift_ = fifo_.pop().data;
    shifting_ = true;
    done_at_ = at + character_time;
    return fifo_.empty();
  }

  Sink shifted_;
  CharacterFifo fifo_{16};
  bool shifting_ = false;
  uint8_t shift_ = 0;
  sc_core::sc_time done_at_;
};

}  // namespace gvp::peripherals

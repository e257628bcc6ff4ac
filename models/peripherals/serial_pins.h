// SPDX-License-Identifier: Apache-2.0
// The far end of the serial pins of a UART that is RTL: what goes out on tx becomes characters,
// what the channel has to say comes in on rx, in the format that the UART has when a character
// begins.  Each bit lasts a whole number of the block's clock cycles.  The channel is asked for
// input once per character time.  A character that comes with the wrong parity or without its stop
// bit is lost, with a warning.
// Not modelled: breaks, noise, senders and receivers whose formats or rates differ.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/peripherals/character_channel.h"
#include "models/rtl/agent.h"
#include "models/rtl/block.h"

namespace gvp::peripherals {

// What a character on a serial line is made of.
struct LineFormat {
  enum class Parity : uint8_t { kNone, kOdd, kEven, kMark, kSpace };
  uint64_t cycles_per_bit = 16;  // of the block's clock
  unsigned data_bits = 8;        // after one start bit, the lowest first
  Parity parity = Parity::kNone;
  unsigned stop_half_bits = 2;

  unsigned bits() const { return 2 + data_bits + (parity == Parity::kNone ? 0 : 1); }  // one stop
  // On the line, from its start bit in bit 0 to its first stop bit.
  unsigned frame(unsigned character) const;
  uint64_t cycles() const {
    return (bits() - 1) * cycles_per_bit + stop_half_bits * cycles_per_bit / 2;
  }
};

class SerialPins : public rtl::Agent {
 public:
  using FormatNow = std::function<LineFormat()>;
  // full: an output that keeps the sender waiting, may be absent.  channel: not owned, may be null.
  SerialPins(rtl::Block& block, const rtl::Pin& tx, const rtl::Pin& rx, const rtl::Pin& full,
             FormatNow format, CharacterChannel* channel);

  // Lets the block send what it holds, outside of simulated time, while `busy` is high.
  void flush(const rtl::Pin& busy);

 private:
  void sample() override;
  void drive() override;
  void pin_changed() override;
  uint64_t idle_edges() const override;
  void reset() override;
  bool input_left() const { return channel_ != nullptr && channel_->has_input(); }
  void take_character();

  rtl::Block& block_;
  rtl::Pin tx_, rx_, full_;
  FormatNow format_;
  CharacterChannel* channel_;
  // Edges at which something is to be done; kForever for nothing.
  uint64_t tx_at_ = kForever, rx_at_ = kForever;
  // Of the character that is under way.
  LineFormat tx_format_, rx_format_;
  unsigned tx_bit_ = 0, rx_bit_ = 0;
  unsigned tx_frame_ = 0, rx_frame_ = 0;
};

}  // namespace gvp::peripherals

// SPDX-License-Identifier: Apache-2.0
// The far end of the serial pins of a UART that is RTL: what goes out on tx becomes characters,
// what the channel has to say comes in on rx.  Start bit, 8 data bits, 1 stop bit; each bit lasts a
// whole number of the block's clock cycles.  The channel is asked for input once per character
// time. Not modelled: parity, breaks, noise, senders and receivers whose rates differ.
#pragma once

#include <cstdint>
#include <string>

#include "models/peripherals/character_channel.h"
#include "models/rtl/agent.h"
#include "models/rtl/block.h"

namespace gvp::peripherals {

class SerialPins : public rtl::Agent {
 public:
  // full: an output that keeps the sender waiting, may be absent.  channel: not owned, may be null.
  SerialPins(rtl::Block& block, const rtl::Pin& tx, const rtl::Pin& rx, const rtl::Pin& full,
             unsigned cycles_per_bit, CharacterChannel* channel);

  // Lets the block send what it holds, outside of simulated time, while `busy` is high.
  void flush(const rtl::Pin& busy);

 private:
  void sample() override;
  void drive() override;
  void pin_changed() override;
  uint64_t idle_edges() const override;
  void reset() override;
  bool input_left() const { return channel_ != nullptr && channel_->has_input(); }

  rtl::Block& block_;
  rtl::Pin tx_, rx_, full_;
  uint64_t cycles_per_bit_;
  CharacterChannel* channel_;
  // Edges at which something is to be done; kForever for nothing.
  uint64_t tx_at_ = kForever, rx_at_ = kForever;
  unsigned tx_bit_ = 0, rx_bit_ = 0;
  unsigned tx_character_ = 0, rx_frame_ = 0;
};

}  // namespace gvp::peripherals

// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/serial_pins.h"

#include <algorithm>

#include "models/base/log.h"

namespace gvp::peripherals {
namespace {

const Log log_uart("uart");

constexpr unsigned kBits = 10;  // start, 8 data, stop
constexpr uint64_t kMostFlushCycles = 100000000;

}  // namespace

SerialPins::SerialPins(rtl::Block& block, const rtl::Pin& tx, const rtl::Pin& rx,
                       const rtl::Pin& full, unsigned cycles_per_bit, CharacterChannel* channel)
    : block_(block),
      tx_(tx),
      rx_(rx),
      full_(full),
      cycles_per_bit_(cycles_per_bit),
      channel_(channel) {
  rx_.set(1);
  block.watch(tx_, *this);
  block.add(*this);
}

void SerialPins::reset() {
  rx_.set(1);
  tx_at_ = kForever;
  rx_bit_ = 0;
  rx_at_ = input_left() ? block_.edge() + 1 : kForever;
}

uint64_t SerialPins::idle_edges() const {
  const uint64_t next = std::min(tx_at_, rx_at_);
  return next == kForever ? kForever : next - block_.edge() - 1;
}

// The start bit begins at this edge; each bit is looked at in its middle.
void SerialPins::pin_changed() {
  if (tx_at_ != kForever || tx_.high()) return;
  tx_bit_ = 0;
  tx_character_ = 0;
  tx_at_ = block_.edge() + cycles_per_bit_ / 2 + 1;
}

void SerialPins::sample() {
  if (block_.edge() + 1 != tx_at_) return;
  const bool level = tx_.high();
  tx_at_ += cycles_per_bit_;
  if (tx_bit_ == 0 && level) {
    tx_at_ = kForever;  // it was none
  } else if (tx_bit_ == kBits - 1) {
    tx_at_ = kForever;
    if (!level) log_uart.warning("{}: a character without stop bit on tx", block_.name());
    if (level && channel_ != nullptr) channel_->write(static_cast<uint8_t>(tx_character_));
  } else if (tx_bit_ > 0 && level) {
    tx_character_ |= 1u << (tx_bit_ - 1);
  }
  ++tx_bit_;
}

void SerialPins::drive() {
  if (block_.edge() != rx_at_) return;
  rx_at_ += cycles_per_bit_;
  if (rx_bit_ > 0) {
    rx_.set(rx_frame_ & 1);
    rx_frame_ >>= 1;
    rx_bit_ = (rx_bit_ + 1) % kBits;
    return;
  }
  const auto character = full_.high() ? std::nullopt : channel_->read();
  if (character) {
    rx_frame_ = 0x100u | *character;  // after the start bit
    rx_.set(0);
    rx_bit_ = 1;
  } else {
    rx_at_ = input_left() ? block_.edge() + kBits * cycles_per_bit_ : kForever;
  }
}

void SerialPins::flush(const rtl::Pin& busy) {
  for (uint64_t i = 0; i < kMostFlushCycles && (busy.high() || tx_at_ != kForever); ++i)
    block_.cycle_untimed();
}

}  // namespace gvp::peripherals

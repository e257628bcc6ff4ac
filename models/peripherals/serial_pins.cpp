// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/serial_pins.h"

#include <algorithm>

#include "models/base/log.h"

namespace gvp::peripherals {
namespace {

const Log log_uart("uart");

constexpr uint64_t kMostFlushCycles = 100000000;

}  // namespace

unsigned LineFormat::frame(unsigned character) const {
  const unsigned data = character & ((1u << data_bits) - 1);
  const bool odd = __builtin_parity(data) != 0;
  const bool set = parity == Parity::kMark || (parity == Parity::kEven && odd) ||
                   (parity == Parity::kOdd && !odd);
  const unsigned after_start = data | (set ? 1u << data_bits : 0) | 1u << (bits() - 2);
  return after_start << 1;
}

SerialPins::SerialPins(rtl::Block& block, const rtl::Pin& tx, const rtl::Pin& rx,
                       const rtl::Pin& full, FormatNow format, CharacterChannel* channel)
    : block_(block), tx_(tx), rx_(rx), full_(full), format_(std::move(format)), channel_(channel) {
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
  tx_format_ = format_();
  tx_bit_ = 0;
  tx_frame_ = 0;
  tx_at_ = block_.edge() + tx_format_.cycles_per_bit / 2 + 1;
}

void SerialPins::sample() {
  if (block_.edge() + 1 != tx_at_) return;
  const unsigned level = tx_.high() ? 1 : 0;
  tx_frame_ |= level << tx_bit_;
  tx_at_ += tx_format_.cycles_per_bit;
  const bool disturbance = tx_bit_ == 0 && level != 0;
  if (disturbance || ++tx_bit_ == tx_format_.bits()) tx_at_ = kForever;
  if (tx_bit_ == tx_format_.bits()) take_character();
}

void SerialPins::take_character() {
  const unsigned character = tx_frame_ >> 1 & ((1u << tx_format_.data_bits) - 1);
  const unsigned stop_bit = 1u << (tx_format_.bits() - 1);
  if ((tx_frame_ & stop_bit) == 0)
    log_uart.warning("{}: a character without stop bit on {}", block_.name(), tx_.name());
  else if (tx_frame_ != tx_format_.frame(character))
    log_uart.warning("{}: a character with the wrong parity on {}", block_.name(), tx_.name());
  else if (channel_ != nullptr)
    channel_->write(static_cast<uint8_t>(character));
}

void SerialPins::drive() {
  if (block_.edge() != rx_at_) return;
  if (rx_bit_ > 0) {
    rx_.set(rx_frame_ >> rx_bit_ & 1);
    const bool last = ++rx_bit_ == rx_format_.bits();
    rx_at_ += last ? rx_format_.stop_half_bits * rx_format_.cycles_per_bit / 2
                   : rx_format_.cycles_per_bit;
    if (last) rx_bit_ = 0;
    return;
  }
  rx_format_ = format_();
  const auto character = full_.high() ? std::nullopt : channel_->read();
  if (character) {
    rx_frame_ = rx_format_.frame(*character);
    rx_.set(0);
    rx_bit_ = 1;
    rx_at_ += rx_format_.cycles_per_bit;
  } else {
    rx_at_ = input_left() ? block_.edge() + rx_format_.cycles() : kForever;
  }
}

void SerialPins::flush(const rtl::Pin& busy) {
  for (uint64_t i = 0; i < kMostFlushCycles && (busy.high() || tx_at_ != kForever); ++i)
    block_.cycle_untimed();
}

}  // namespace gvp::peripherals

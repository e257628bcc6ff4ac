// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/uartlite.h"

#include "models/base/error.h"

namespace gvp::peripherals {
namespace {

using kit::Access;

// PG142, register space
constexpr uint32_t kRxFifo = 0x0, kTxFifo = 0x4, kStatus = 0x8, kControl = 0xc;
// STAT_REG
constexpr uint32_t kRxValid = 1u << 0, kRxFull = 1u << 1, kTxEmpty = 1u << 2, kTxFull = 1u << 3,
                   kInterruptEnabled = 1u << 4, kOverrun = 1u << 5;
// CTRL_REG
constexpr uint32_t kResetTx = 1u << 0, kResetRx = 1u << 1, kEnableInterrupt = 1u << 4;

constexpr unsigned kBitsPerCharacter = 10;

}  // namespace

UartLite::UartLite(const sc_core::sc_module_name& name, const UartLiteConfiguration& configuration,
                   CharacterChannel* channel)
    : Peripheral(name, kit::RegisterBank::NarrowWrites::kAllowed, configuration.access_latency),
      configuration_(configuration),
      channel_(channel),
      clock_(configuration.clock_hz, "a UART Lite's clock"),
      transmitter_([this](uint8_t character) {
        if (channel_ != nullptr) channel_->write(character);
      }) {
  if (configuration.baud == 0) throw bad_input("a UART Lite needs a baud rate above 0");
  character_time_ = sc_core::sc_time(static_cast<double>(kBitsPerCharacter) / configuration.baud,
                                     sc_core::SC_SEC);
  declare_registers();
  SC_METHOD(on_transmit);
  sensitive << transmit_event_;
  dont_initialize();
  SC_METHOD(on_receive);
  sensitive << receive_event_;
  dont_initialize();
  SC_METHOD(on_pulse_end);
  sensitive << pulse_end_;
  dont_initialize();
}

std::vector<device::RegisterRow> UartLite::register_rows() {
  return {{"Rx_FIFO", kRxFifo, Access::kWriteIgnored, 0,
           "Received character; SLVERR where there is none"},
          {"Tx_FIFO", kTxFifo, Access::kReadsZero, 0,
           "Character to send; SLVERR, and it is lost, where the FIFO is full"},
          {"STAT_REG", kStatus, Access::kWriteIgnored, kTxEmpty,
           "Bits: 0 data, 1 receiver full, 2 transmitter empty, 3 transmitter full, 4 interrupt "
           "enabled, 5 overrun (cleared by reading)"},
          {"CTRL_REG", kControl, Access::kReadsZero, 0,
           "Bits: 0 reset the transmit FIFO, 1 reset the receive FIFO, 4 enable the interrupt"}};
}

void UartLite::declare_registers() {
  registers.add(register_rows());
  // Writes to Rx_FIFO and STAT_REG do nothing and are acknowledged; Tx_FIFO and CTRL_REG read as
  // zero (PG142, register descriptions).
  registers.handle(
      kRxFifo, [this] { return read_rx(); }, {},
      [this] { return receive_.empty() ? 0u : receive_.front().data; });
  registers.handle(kTxFifo, {}, [this](uint32_t value) { write_tx(value); });
  registers.handle(
      kStatus, [this] { return read_status(); }, {}, [this] { return status(); });
  registers.handle(kControl, {}, [this](uint32_t value) { write_control(value); });
}

void UartLite::reset_state() {
  transmitter_.reset();
  receive_.clear();
  overrun_ = false;
  interrupt_enabled_ = false;
  transmit_event_.cancel();
  pulse_end_.cancel();
  set_interrupt(false);
}

void UartLite::start_of_simulation() {
  if (channel_ != nullptr && channel_->has_input()) receive_event_.notify(character_time_);
}

uint32_t UartLite::read_rx() {
  if (receive_.empty()) {
    registers.fail("read of Rx_FIFO while it is empty");
    return 0;
  }
  return receive_.pop().data;
}

void UartLite::write_tx(uint32_t value) {
  advance();
  if (transmitter_.fifo_full()) {
    registers.fail("write of Tx_FIFO while it is full: the character is lost");
    return;
  }
  if (transmitter_.push(static_cast<uint8_t>(value), now(), character_time_)) pulse();
  notify_at(transmit_event_, transmitter_.done_at());
}

uint32_t UartLite::status() const {
  return (receive_.empty() ? 0 : kRxValid) | (receive_.full() ? kRxFull : 0) |
         (transmitter_.fifo_empty() ? kTxEmpty : 0) | (transmitter_.fifo_full() ? kTxFull : 0) |
         (interrupt_enabled_ ? kInterruptEnabled : 0) | (overrun_ ? kOverrun : 0);
}

uint32_t UartLite::read_status() {
  advance();
  const uint32_t value = status();
  overrun_ = false;  // error bits clear when read
  return value;
}

void UartLite::write_control(uint32_t value) {
  advance();
  if (value & kResetTx) transmitter_.clear_fifo();
  if (value & kResetRx) receive_.clear();
  interrupt_enabled_ = (value & kEnableInterrupt) != 0;
}

void UartLite::advance() {
  if (transmitter_.advance(now(), character_time_)) pulse();
}

void UartLite::on_transmit() {
  advance();
  if (transmitter_.shifting()) notify_at(transmit_event_, transmitter_.done_at());
}

void UartLite::on_receive() {
  if (!receive_.full() || !configuration_.input_waits) {
    if (const auto character = channel_->read()) {
      const bool was_empty = receive_.empty();
      if (receive_.full())
        overrun_ = true;  // the new character is lost
      else
        receive_.push({*character, 0});
      if (was_empty) pulse();
    }
  }
  if (channel_->has_input()) receive_event_.notify(character_time_);
}

void UartLite::pulse() {
  if (!interrupt_enabled_) return;
  set_interrupt(true);
  notify_at(pulse_end_, now() + clock_.period());
}

void UartLite::on_pulse_end() { set_interrupt(false); }

}  // namespace gvp::peripherals

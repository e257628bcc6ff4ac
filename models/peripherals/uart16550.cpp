// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/uart16550.h"

#include <algorithm>

#include "models/base/error.h"
#include "models/base/log.h"

namespace gvp::peripherals {
namespace {

using kit::Access;

const Log log_uart("uart");

// PG143, register space; DLL, DLM and the readable FCR appear while LCR bit 7 (DLAB) is set.
constexpr uint32_t kRbrThrDll = 0x1000, kIerDlm = 0x1004, kIirFcr = 0x1008, kLcr = 0x100c,
                   kMcr = 0x1010, kLsr = 0x1014, kMsr = 0x1018, kScr = 0x101c;
// IER
constexpr uint8_t kIerReceived = 1 << 0, kIerTransmit = 1 << 1, kIerLine = 1 << 2,
                  kIerModem = 1 << 3, kIerMask = 0x0f;
// IIR: pending interrupts from the highest priority down
constexpr uint32_t kIirLine = 0x6, kIirReceived = 0x4, kIirTimeout = 0xc, kIirTransmit = 0x2,
                   kIirModem = 0x0, kIirNone = 0x1, kIirFifos = 0xc0, kIirIdMask = 0xf;
// FCR
constexpr uint8_t kFcrEnable = 1 << 0, kFcrResetRx = 1 << 1, kFcrResetTx = 1 << 2,
                  kFcrStored = 0xc9;  // enable, DMA mode, trigger level
// LCR
constexpr uint8_t kLcrTwoStops = 1 << 2, kLcrParity = 1 << 3, kLcrDivisor = 1 << 7;
// MCR
constexpr uint8_t kMcrDtr = 1 << 0, kMcrRts = 1 << 1, kMcrOut1 = 1 << 2, kMcrOut2 = 1 << 3,
                  kMcrLoop = 1 << 4, kMcrMask = 0x1f;
// LSR
constexpr uint8_t kLsrReady = 1 << 0, kLsrOverrun = 1 << 1, kLsrHoldingEmpty = 1 << 5,
                  kLsrEmpty = 1 << 6, kLsrErrors = 0x1e;
// MSR
constexpr uint8_t kMsrDeltaRing = 1 << 2, kMsrCts = 1 << 4, kMsrDsr = 1 << 5, kMsrRing = 1 << 6,
                  kMsrDcd = 1 << 7, kMsrInputs = 0xf0, kMsrDeltas = 0x0f;

constexpr unsigned kTimeoutCharacters = 4;  // PC16550D: 4 character times without activity

}  // namespace

Uart16550::Uart16550(const sc_core::sc_module_name& name,
                     const Uart16550Configuration& configuration, CharacterChannel* channel)
    : Peripheral(name, kit::RegisterBank::NarrowWrites::kAllowed, configuration.access_latency),
      configuration_(configuration),
      clock_(configuration.clock_hz, "a 16550 UART's clock"),
      channel_(channel),
      transmitter_([this](uint8_t character) { sent(character); }),
      msr_(configuration.modem_inputs & kMsrInputs) {
  transmitter_.set_depth(1);
  declare_registers();
  SC_METHOD(on_wake);
  sensitive << wake_event_;
  dont_initialize();
  SC_METHOD(on_receive);
  sensitive << receive_event_;
  dont_initialize();
}

std::vector<device::RegisterRow> Uart16550::register_rows(
    const Uart16550Configuration& configuration) {
  return {{"RBR/THR/DLL", kRbrThrDll, Access::kReadWrite, 0,
           "Read: received character; write: character to send; with LCR bit 7: divisor, low byte"},
          {"IER/DLM", kIerDlm, Access::kReadWrite, 0,
           "Interrupt enable, bits 3..0; with LCR bit 7: divisor, high byte"},
          {"IIR/FCR", kIirFcr, Access::kReadWrite, kIirNone,
           "Read: interrupt identification; write: FIFO control (LCR bit 7: it can be read)"},
          {"LCR", kLcr, Access::kReadWrite, 0, "Line control: format; bit 7: divisor access"},
          {"MCR", kMcr, Access::kReadWrite, 0, "Modem control, bits 4..0; bit 4: loopback"},
          {"LSR", kLsr, Access::kReadWrite, kLsrHoldingEmpty | kLsrEmpty,
           "Line status; a read clears the error bits, a write sets them (factory test)"},
          {"MSR", kMsr, Access::kReadWrite, configuration.modem_inputs & uint32_t{kMsrInputs},
           "Modem status: inputs, and what has changed, which a read clears"},
          {"SCR", kScr, Access::kReadWrite, 0, "Scratch"}};
}

void Uart16550::declare_registers() {
  registers.add(register_rows(configuration_));
  registers.handle(
      kRbrThrDll, [this] { return divisor_access() ? dll_ : read_rbr(); },
      [this](uint32_t value) {
        if (divisor_access())
          dll_ = static_cast<uint8_t>(value);
        else
          write_thr(value);
      },
      [this]() -> uint32_t {
        if (divisor_access()) return dll_;
        return receive_.empty() ? 0 : receive_.front().data;
      });
  registers.handle(
      kIerDlm, [this]() -> uint32_t { return divisor_access() ? dlm_ : ier_; },
      [this](uint32_t value) {
        if (divisor_access())
          dlm_ = static_cast<uint8_t>(value);
        else
          write_ier(value);
      });
  registers.handle(
      kIirFcr, [this]() -> uint32_t { return divisor_access() ? fcr_ : read_iir(); },
      [this](uint32_t value) { write_fcr(value); },
      [this]() -> uint32_t { return divisor_access() ? fcr_ : iir(); });
  registers.handle(
      kLcr, [this]() -> uint32_t { return lcr_; },
      [this](uint32_t value) {
        advance();  // characters so far went out in the old format
        lcr_ = static_cast<uint8_t>(value);
      });
  registers.handle(
      kMcr, [this]() -> uint32_t { return mcr_; }, [this](uint32_t value) { write_mcr(value); });
  registers.handle(
      kLsr, [this] { return read_lsr(); },
      // Read/write in PG143, for factory tests: only the error bits keep what is written.
      [this](uint32_t value) {
        lsr_errors_ = static_cast<uint8_t>(value & kLsrErrors);
        update_interrupt();
      },
      [this] { return lsr(); });
  registers.handle(
      kMsr, [this] { return read_msr(); },
      [this](uint32_t value) {
        msr_ = static_cast<uint8_t>((msr_ & kMsrInputs) | (value & kMsrDeltas));
        update_interrupt();
      },
      [this]() -> uint32_t { return msr_; });
  registers.handle(
      kScr, [this]() -> uint32_t { return scr_; },
      [this](uint32_t value) { scr_ = static_cast<uint8_t>(value); });
}

void Uart16550::reset_state() {
  transmitter_.reset();
  transmitter_.set_depth(1);
  receive_.clear();
  receive_.set_depth(1);
  ier_ = fcr_ = lcr_ = mcr_ = lsr_errors_ = scr_ = dll_ = dlm_ = 0;
  msr_ = configuration_.modem_inputs & kMsrInputs;
  transmit_interrupt_ = false;
  warned_divisor_ = false;
  update_interrupt();
}

void Uart16550::start_of_simulation() {
  if (channel_ != nullptr && channel_->has_input()) receive_event_.notify(character_time());
}

bool Uart16550::divisor_access() const { return (lcr_ & kLcrDivisor) != 0; }
bool Uart16550::fifos_enabled() const { return (fcr_ & kFcrEnable) != 0; }
bool Uart16550::loopback() const { return (mcr_ & kMcrLoop) != 0; }

size_t Uart16550::receive_trigger() const {
  constexpr size_t kLevels[] = {1, 4, 8, 14};
  return fifos_enabled() ? kLevels[fcr_ >> 6] : 1;
}

sc_core::sc_time Uart16550::character_time() const {
  const unsigned data_bits = 5 + (lcr_ & 3);
  // The second stop bit is half a bit for characters of 5 bits.
  const double stop_bits = (lcr_ & kLcrTwoStops) == 0 ? 1.0 : data_bits == 5 ? 1.5 : 2.0;
  const double bits = 1 + data_bits + ((lcr_ & kLcrParity) != 0 ? 1 : 0) + stop_bits;
  const unsigned divisor = std::max(1u, static_cast<unsigned>(dlm_ << 8 | dll_));
  return bits * 16 * divisor * clock_.period();
}

// ---- receiving ----

uint32_t Uart16550::read_rbr() {
  advance();
  if (receive_.empty()) return 0;
  const uint8_t character = receive_.pop().data;
  last_receive_activity_ = now();
  update_interrupt();
  return character;
}

uint8_t Uart16550::on_line(uint8_t character) const {
  return static_cast<uint8_t>(character & ((1u << (5 + (lcr_ & 3))) - 1));
}

void Uart16550::receive(uint8_t character) {
  if (receive_.full()) {
    lsr_errors_ |= kLsrOverrun;
    // Without FIFO the holding register is overwritten; with it the new character is lost.
    if (!fifos_enabled()) {
      receive_.pop();
      receive_.push({on_line(character), 0});
    }
  } else {
    receive_.push({on_line(character), 0});
  }
  last_receive_activity_ = now();
  update_interrupt();
}

void Uart16550::on_receive() {
  const bool room = !receive_.full() || !configuration_.input_waits;
  if (room && !loopback())
    if (const auto character = channel_->read()) receive(*character);
  if (channel_->has_input()) receive_event_.notify(character_time());
}

bool Uart16550::receive_timed_out() const {
  return fifos_enabled() && !receive_.empty() &&
         now() >= last_receive_activity_ + kTimeoutCharacters * character_time();
}

// ---- sending ----

void Uart16550::write_thr(uint32_t value) {
  advance();
  if (transmitter_.fifo_full()) {
    log_uart.warning("{}: write of THR while the transmitter is full: the character is lost",
                     place());
    return;
  }
  if (dll_ == 0 && dlm_ == 0 && !warned_divisor_) {
    warned_divisor_ = true;
    log_uart.warning("{}: sending with a divisor latch of 0; taken as 1", place());
  }
  transmit_interrupt_ = transmitter_.push(static_cast<uint8_t>(value), now(), character_time());
  update_interrupt();
}

void Uart16550::sent(uint8_t character) {
  if (loopback())
    receive(character);
  else if (channel_ != nullptr)
    channel_->write(on_line(character));
}

void Uart16550::write_fcr(uint32_t value) {
  advance();
  const bool enable = (value & kFcrEnable) != 0;
  if (enable != fifos_enabled()) {  // changing modes clears both FIFOs
    receive_.clear();
    transmitter_.clear_fifo();
    receive_.set_depth(enable ? CharacterFifo::kMaximum : 1);
    transmitter_.set_depth(enable ? CharacterFifo::kMaximum : 1);
  }
  if (enable && (value & kFcrResetRx) != 0) receive_.clear();
  if (enable && (value & kFcrResetTx) != 0) transmitter_.clear_fifo();
  fcr_ = enable ? static_cast<uint8_t>(value & kFcrStored) : 0;
  update_interrupt();
}

// ---- interrupts and status ----

void Uart16550::write_ier(uint32_t value) {
  advance();
  const auto enabled = static_cast<uint8_t>(value & kIerMask);
  // Enabling the transmit interrupt while the holding register is empty raises it.
  if ((enabled & ~ier_ & kIerTransmit) != 0 && transmitter_.fifo_empty())
    transmit_interrupt_ = true;
  ier_ = enabled;
  update_interrupt();
}

uint32_t Uart16550::iir() const {
  const uint32_t fifos = fifos_enabled() ? kIirFifos : 0;
  if ((ier_ & kIerLine) != 0 && lsr_errors_ != 0) return fifos | kIirLine;
  if ((ier_ & kIerReceived) != 0) {
    if (receive_.size() >= receive_trigger()) return fifos | kIirReceived;
    if (receive_timed_out()) return fifos | kIirTimeout;
  }
  if ((ier_ & kIerTransmit) != 0 && transmit_interrupt_) return fifos | kIirTransmit;
  if ((ier_ & kIerModem) != 0 && (msr_ & kMsrDeltas) != 0) return fifos | kIirModem;
  return fifos | kIirNone;
}

uint32_t Uart16550::read_iir() {
  advance();
  const uint32_t value = iir();
  // Reading acknowledges the transmit interrupt, if that is the one reported.
  if ((value & kIirIdMask) == kIirTransmit) transmit_interrupt_ = false;
  update_interrupt();
  return value;
}

uint32_t Uart16550::lsr() const {
  uint32_t value = lsr_errors_;
  if (!receive_.empty()) value |= kLsrReady;
  if (transmitter_.fifo_empty()) value |= kLsrHoldingEmpty;
  if (transmitter_.idle()) value |= kLsrEmpty;
  return value;
}

uint32_t Uart16550::read_lsr() {
  advance();
  const uint32_t value = lsr();
  lsr_errors_ = 0;
  update_interrupt();
  return value;
}

void Uart16550::write_mcr(uint32_t value) {
  advance();
  mcr_ = static_cast<uint8_t>(value & kMcrMask);
  update_modem_inputs();
  update_interrupt();
}

void Uart16550::update_modem_inputs() {
  uint8_t inputs = configuration_.modem_inputs & kMsrInputs;
  if (loopback()) {  // the four outputs are fed back
    inputs = 0;
    if ((mcr_ & kMcrRts) != 0) inputs |= kMsrCts;
    if ((mcr_ & kMcrDtr) != 0) inputs |= kMsrDsr;
    if ((mcr_ & kMcrOut1) != 0) inputs |= kMsrRing;
    if ((mcr_ & kMcrOut2) != 0) inputs |= kMsrDcd;
  }
  const uint8_t before = msr_ & kMsrInputs;
  auto deltas = static_cast<uint8_t>((before ^ inputs) >> 4);
  if ((inputs & kMsrRing) != 0) deltas &= static_cast<uint8_t>(~kMsrDeltaRing);  // trailing edge
  msr_ = static_cast<uint8_t>(inputs | (msr_ & kMsrDeltas) | deltas);
}

uint32_t Uart16550::read_msr() {
  const uint32_t value = msr_;
  msr_ &= kMsrInputs;
  update_interrupt();
  return value;
}

void Uart16550::advance() {
  if (transmitter_.advance(now(), character_time())) {
    transmit_interrupt_ = true;
    update_interrupt();
  }
}

void Uart16550::update_interrupt() {
  set_interrupt((iir() & kIirNone) == 0);
  // Be there when the shift register is done or, if enabled, when the receiver times out.
  sc_core::sc_time next = sc_core::sc_max_time();
  if (transmitter_.shifting()) next = transmitter_.done_at();
  if ((ier_ & kIerReceived) != 0 && fifos_enabled() && !receive_.empty() && !receive_timed_out())
    next = std::min(next, last_receive_activity_ + kTimeoutCharacters * character_time());
  if (next != sc_core::sc_max_time())
    notify_at(wake_event_, next);
  else
    wake_event_.cancel();
}

void Uart16550::on_wake() {
  advance();
  update_interrupt();
}

}  // namespace gvp::peripherals

// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/timer.h"

#include <algorithm>

namespace gvp::peripherals {
namespace {

using kit::Access;

// PG079, register space: channel 1 is at +0x10
constexpr uint32_t kTcsr = 0x0, kTlr = 0x4, kTcr = 0x8, kChannelStride = 0x10;
// TCSR
constexpr uint32_t kCapture = 1u << 0, kDown = 1u << 1, kGenerate = 1u << 2,
                   kCaptureTrigger = 1u << 3, kReload = 1u << 4, kLoad = 1u << 5,
                   kInterruptEnable = 1u << 6, kEnable = 1u << 7, kInterrupt = 1u << 8,
                   kPwm = 1u << 9, kEnableAll = 1u << 10, kCascade = 1u << 11;
constexpr uint32_t kControlMask[2] = {0xfff, 0x7ff};  // CASC exists in TCSR0 only

}  // namespace

Timer::Timer(const sc_core::sc_module_name& name, const TimerConfiguration& configuration)
    : Peripheral(name, kit::RegisterBank::NarrowWrites::kForbidden, configuration.access_latency),
      clock_(configuration.clock_hz, "a timer's clock") {
  registers.add(register_rows());
  declare_registers(0);
  declare_registers(1);
  SC_METHOD(on_wake);
  sensitive << wake_event_;
  dont_initialize();
}

std::vector<device::RegisterRow> Timer::register_rows() {
  return {
      {"TCSR0", kTcsr, Access::kReadWrite, 0, "Control and status of channel 0"},
      {"TLR0", kTlr, Access::kReadWrite, 0, "Load register of channel 0, or what it captured"},
      {"TCR0", kTcr, Access::kWriteIgnored, 0, "Counter of channel 0"},
      {"TCSR1", kChannelStride + kTcsr, Access::kReadWrite, 0, "Control and status of channel 1"},
      {"TLR1", kChannelStride + kTlr, Access::kReadWrite, 0,
       "Load register of channel 1, or what it captured"},
      {"TCR1", kChannelStride + kTcr, Access::kWriteIgnored, 0, "Counter of channel 1"}};
}

void Timer::declare_registers(unsigned index) {
  const uint32_t base = index * kChannelStride;
  registers.handle(
      base + kTcsr, [this, index] { return read_control(index); },
      [this, index](uint32_t value) { write_control(index, value); });
  registers.handle(
      base + kTlr, [this, index] { return read_load(index); },
      [this, index](uint32_t value) {
        advance();
        channels_[index].load = value;
        // LOAD holds the counter at the load register
        if ((channels_[cascaded() ? 0 : index].control & kLoad) != 0)
          channels_[cascaded() ? 0 : index].counter.load(load_of(index));
        update();
      },
      [this, index] { return channels_[index].load; });
  registers.handle(base + kTcr, [this, index] { return read_counter(index); });
}

void Timer::reset_state() {
  channels_ = {};
  edge_ = clock_.cycles(now());
  update();
  if (pwm.size() > 0) wake_event_.notify(sc_core::SC_ZERO_TIME);
}

void Timer::end_of_elaboration() {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  bool connected = false;
  for (auto& pin : capture_trigger) {
    if (pin.size() == 0) continue;
    options.set_sensitivity(&pin->value_changed_event());
    connected = true;
  }
  if (connected) sc_core::sc_spawn([this] { on_capture(); }, "capture", &options);
}

// ---- modes ----

bool Timer::cascaded() const { return (channels_[0].control & kCascade) != 0; }

bool Timer::pwm_mode() const {
  // Both channels in PWM and generate mode with their generate outputs on.
  constexpr uint32_t kMask = kPwm | kGenerate | kCapture, kWanted = kPwm | kGenerate;
  return (channels_[0].control & kMask) == kWanted && (channels_[1].control & kMask) == kWanted;
}

bool Timer::runs(const Channel& channel) {
  return (channel.control & kEnable) != 0 && (channel.control & kLoad) == 0;
}

TimerCounter::Mode Timer::mode_of(unsigned index) const {
  const uint32_t control = channels_[index].control;
  TimerCounter::Mode mode;
  if (cascaded()) mode.maximum = ~uint64_t{0};
  mode.down = (control & kDown) != 0;
  mode.capture = (control & kCapture) != 0;
  // The second half of a PWM pair runs once per period.
  mode.reload = (control & kReload) != 0 && !(index == 1 && pwm_mode());
  return mode;
}

uint64_t Timer::load_of(unsigned index) const {
  return cascaded() ? uint64_t{channels_[1].load} << 32 | channels_[0].load : channels_[index].load;
}

// ---- time ----

void Timer::advance() {
  const uint64_t edge = clock_.cycles(now());
  if (edge <= edge_) return;  // another initiator, behind the one that looked last
  const uint64_t cycles = edge - edge_;
  edge_ = edge;
  if (pwm_mode()) return advance_pwm(cycles);
  const unsigned count = cascaded() ? 1 : 2;  // in cascade channel 0 has both halves
  for (unsigned i = 0; i < count; ++i) {
    Channel& channel = channels_[i];
    if (runs(channel) && channel.counter.advance(cycles, mode_of(i), load_of(i)) > 0)
      channel.control |= kInterrupt;
  }
}

void Timer::advance_pwm(uint64_t cycles) {
  // From one rollover of either channel to the next; wake-ups make this loop short.
  while (cycles > 0) {
    uint64_t step = cycles;
    for (unsigned i = 0; i < 2; ++i)
      if (runs(channels_[i]))
        step = std::min(step, channels_[i].counter.cycles_to_rollover(mode_of(i), load_of(i)));
    bool restart = false;
    for (unsigned i = 0; i < 2; ++i) {
      Channel& channel = channels_[i];
      if (!runs(channel) || channel.counter.advance(step, mode_of(i), load_of(i)) == 0) continue;
      channel.control |= kInterrupt;
      restart = restart || i == 0;
    }
    if (restart) channels_[1].counter.restart();
    cycles -= step;
  }
}

void Timer::update() {
  bool level = false;
  uint64_t next = TimerCounter::kNever;
  const bool pwm_pin = pwm_mode() && pwm.size() > 0;
  for (unsigned i = 0; i < (cascaded() ? 1u : 2u); ++i) {
    const Channel& channel = channels_[i];
    const bool enabled = (channel.control & kInterruptEnable) != 0;
    const bool pending = (channel.control & kInterrupt) != 0;
    level = level || (enabled && pending);
    if (runs(channel) && ((enabled && !pending) || pwm_pin))
      next = std::min(next, channel.counter.cycles_to_rollover(mode_of(i), load_of(i)));
  }
  set_interrupt(level);
  constexpr uint64_t kHorizon = uint64_t{1} << 62;  // picoseconds: 53 days
  if (next < clock_.cycles(sc_core::sc_time::from_value(kHorizon)))
    notify_at(wake_event_, clock_.at(edge_ + next));
  else
    wake_event_.cancel();
}

void Timer::on_wake() {
  advance();
  update();
  if (pwm.size() > 0) pwm->write(pwm_mode() && !channels_[1].counter.stopped());
}

void Timer::on_capture() {
  advance();
  for (unsigned i = 0; i < (cascaded() ? 1u : 2u); ++i) {
    Channel& channel = channels_[i];
    constexpr uint32_t kArmed = kCapture | kCaptureTrigger;
    if (capture_trigger[i].size() == 0 || !capture_trigger[i]->posedge()) continue;
    if ((channel.control & kArmed) != kArmed || !runs(channel)) continue;
    channel.control |= kInterrupt;
    // Without auto-reload a captured value stays until it is read.
    if (channel.capture_held && (channel.control & kReload) == 0) continue;
    channel.capture_held = true;
    channel.load = static_cast<uint32_t>(channel.counter.value());
    if (cascaded()) channels_[1].load = static_cast<uint32_t>(channel.counter.value() >> 32);
  }
  update();
}

// ---- registers ----

uint32_t Timer::read_control(unsigned index) {
  advance();
  update();
  return channels_[index].control;
}

void Timer::write_control(unsigned index, uint32_t value) {
  advance();
  const bool was_cascaded = cascaded();
  Channel& channel = channels_[index];
  uint32_t interrupt_bit = channel.control & kInterrupt;
  if ((value & kInterrupt) != 0) interrupt_bit = 0;  // write 1 to clear
  channel.control = (value & kControlMask[index] & ~kInterrupt) | interrupt_bit;
  // ENALL shows in both channels; setting it enables both, clearing it stops neither.
  for (Channel& each : channels_) {
    each.control &= ~kEnableAll;
    if ((value & kEnableAll) != 0) each.control |= kEnableAll | kEnable;
  }
  if (was_cascaded && !cascaded()) {  // split the 64-bit counter again
    const uint64_t both = channels_[0].counter.value();
    channels_[0].counter.load(both & 0xffffffff);
    channels_[1].counter.load(both >> 32);
  } else if (!was_cascaded && cascaded()) {
    channels_[0].counter.load(channels_[1].counter.value() << 32 | channels_[0].counter.value());
  }
  if ((channel.control & kLoad) != 0 && !(cascaded() && index == 1))
    channel.counter.load(load_of(index));
  update();
  if (pwm_mode() && pwm.size() > 0) wake_event_.notify(sc_core::SC_ZERO_TIME);
}

uint32_t Timer::read_load(unsigned index) {
  advance();
  channels_[index].capture_held = false;
  return channels_[index].load;
}

uint32_t Timer::read_counter(unsigned index) {
  advance();
  update();
  if (!cascaded()) return static_cast<uint32_t>(channels_[index].counter.value());
  return static_cast<uint32_t>(channels_[0].counter.value() >> (32 * index));
}

}  // namespace gvp::peripherals

// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/launch_cycle.h"

#include <utility>

namespace gvp::gpgpu {

bool StopRequest::wait_until(const sc_core::sc_time& time) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (!requested_ && time > now) sc_core::wait(time - now, reset_);
  return !requested_;
}

LaunchCycle::LaunchCycle(const sc_core::sc_module_name& name, InterruptLine interrupt,
                         kit::TargetSide& side, const Observers& observers, Work work)
    : sc_core::sc_module(name),
      interrupt_(std::move(interrupt)),
      side_(side),
      observers_(observers),
      work_(std::move(work)) {
  SC_THREAD(run);
  SC_METHOD(tell_interrupt);
  sensitive << *interrupt_.line;
  dont_initialize();
}

bool LaunchCycle::start() {
  if (running()) return false;
  state_ = State::kRunning;
  ending_ = {};
  start_pending_ = true;
  start_event_.notify(sc_core::SC_ZERO_TIME);
  return true;
}

void LaunchCycle::reset() {
  if (running() && !start_pending_) {
    aborted_ = true;
    stop_.requested_ = true;
    stop_.reset_.notify(sc_core::SC_ZERO_TIME);
  }
  ending_ = {};
  if (running()) ending_.cause = FaultCause::kAborted;
  state_ = running() ? State::kStopped : State::kIdle;
  start_pending_ = false;
  interrupt_enabled_ = false;
  interrupt_pending_ = false;
  drive_interrupt();
}

void LaunchCycle::reset_by_line() {
  reset();
  ending_ = {};
  state_ = State::kIdle;
}

void LaunchCycle::enable_interrupt(bool enable) {
  interrupt_enabled_ = enable;
  drive_interrupt();
}

void LaunchCycle::acknowledge_interrupt() {
  interrupt_pending_ = false;
  drive_interrupt();
}

void LaunchCycle::run() {
  for (;;) {
    while (!start_pending_) sc_core::wait(start_event_);
    start_pending_ = false;
    run_one();
  }
}

void LaunchCycle::run_one() {
  ++launches_;
  told_ = false;
  Ending ending = work_();
  if (aborted_)
    ending.cause = FaultCause::kAborted;
  else
    ending_ = ending;  // before observers hear of it, who may look at the device
  if (told_) tell_end(ending);
  if (std::exchange(aborted_, false)) {
    stop_.requested_ = false;  // what is shown is a device after reset already
    return;
  }
  state_ = ending.cause == FaultCause::kNone ? State::kDone : State::kStopped;
  interrupt_pending_ = true;
  drive_interrupt();
}

void LaunchCycle::tell_begin(KernelEvent event) {
  event_ = std::move(event);
  event_.launch = launches_;
  event_.begin_ps = sc_core::sc_time_stamp().value();
  told_ = true;
  observers_.kernel_begins(event_);
}

void LaunchCycle::tell_end(const Ending& ending) {
  event_.end_ps = sc_core::sc_time_stamp().value();
  event_.cycles = ending.cycles;
  event_.cause = static_cast<uint32_t>(ending.cause);
  observers_.kernel_ends(event_);
}

void LaunchCycle::tell_interrupt() {
  if (observers_.want(Observer::kInterrupts))
    observers_.interrupt(
        {interrupt_.name, interrupt_.line->read(), sc_core::sc_time_stamp().value()});
}

}  // namespace gvp::gpgpu

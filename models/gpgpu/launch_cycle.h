// SPDX-License-Identifier: Apache-2.0
// The life of a device's launches, one after the other, whatever its registers and instruction set:
// idle, running, done or stopped; the interrupt at the end; stopping in mid-launch by a reset; and
// the events that tell observers of all this.
//
// A launch is begun by start() within an access to a register, at the access's own time if its
// caller has let simulated time catch up with it, and runs in a process of this module, which takes
// the launch's time by wait().  A reset ends that at once for all who look at the device; the
// process leaves it as soon as it is called again, and the next launch may begin meanwhile.
//
// Not modelled: several launches at a time, queues of launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <systemc>

#include "models/gpgpu/device.h"
#include "models/gpgpu/launch.h"
#include "models/gpgpu/observer.h"
#include "models/tlm/target_side.h"

namespace gvp::gpgpu {

// How whoever runs a launch learns that it shall end it.
class StopRequest {
 public:
  bool requested() const { return requested_; }
  // Lets simulated time pass until then, or less if the launch shall end.  False if it shall.
  bool wait_until(const sc_core::sc_time& time);

 private:
  friend class LaunchCycle;
  std::atomic<bool> requested_{false};
  sc_core::sc_event reset_{"reset"};
};

class LaunchCycle : public sc_core::sc_module {
 public:
  enum class State : uint8_t {
    kIdle,     // nothing launched since power-on or reset
    kRunning,  // a launch
    kDone,     // the last one has ended well
    kStopped,  // the last one has been refused or stopped: ending().cause
  };
  // Runs a launch to its end and returns how that was.
  using Work = std::function<Ending()>;

  // interrupt: the device's output, driven through its side.  The references must outlive this.
  LaunchCycle(const sc_core::sc_module_name& name, InterruptLine interrupt, kit::TargetSide& side,
              const Observers& observers, Work work);

  // From the device's registers.
  State state() const { return state_; }
  bool running() const { return state_ == State::kRunning; }
  // How the last launch ended; nothing while one runs.
  const Ending& ending() const { return ending_; }
  // False, and nothing happens, while a launch runs.
  bool start();
  // Ends a running launch (kAborted) and forgets the last one; the interrupt is off.
  void reset();
  // The same, by a reset line: as after power-on, so that nothing tells of the launch that it
  // ended.
  void reset_by_line();
  bool interrupt_enabled() const { return interrupt_enabled_; }
  bool interrupt_pending() const { return interrupt_pending_; }  // a launch has ended
  void enable_interrupt(bool enable);
  void acknowledge_interrupt();

  // Asks a running launch, and those that follow, to end; async-signal-safe.
  void request_stop() { stop_.requested_ = true; }

  // For the work.
  StopRequest& stop() { return stop_; }
  bool aborted() const { return aborted_; }  // by a reset, while the work goes on
  uint64_t launches() const { return launches_; }
  // Tells observers that the kernel has begun; number, time and ending are filled in here.
  void tell_begin(KernelEvent event);

 private:
  SC_HAS_PROCESS(LaunchCycle);
  void run();
  void run_one();
  void tell_end(const Ending& ending);
  void drive_interrupt() { side_.set_interrupt(interrupt_enabled_ && interrupt_pending_); }
  void tell_interrupt();

  const InterruptLine interrupt_;
  kit::TargetSide& side_;
  const Observers& observers_;
  const Work work_;
  StopRequest stop_;
  sc_core::sc_event start_event_{"start"};
  State state_ = State::kIdle;
  Ending ending_;
  KernelEvent event_;  // of the kernel that runs
  bool told_ = false;  // its begin
  bool start_pending_ = false;
  bool aborted_ = false;
  bool interrupt_enabled_ = false;
  bool interrupt_pending_ = false;
  uint64_t launches_ = 0;  // begun by the process
};

}  // namespace gvp::gpgpu

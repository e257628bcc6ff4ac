// SPDX-License-Identifier: Apache-2.0
// Records the levels of interrupt lines: a level at the beginning and one at each change.
#pragma once

#include <deque>
#include <string>
#include <systemc>

#include "trace/recorder.h"

namespace gvp::trace {

class SignalRecorder : public sc_core::sc_module {
 public:
  SignalRecorder(const sc_core::sc_module_name& name, Recorder& recorder)
      : sc_core::sc_module(name), recorder_(recorder) {}

  // Before the simulation starts.  device: whose output it is.
  void watch(const std::string& device, const sc_core::sc_signal<bool>& signal) {
    const TrackId track = recorder_.track(Subject::kInterrupts, "interrupts", device);
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.set_sensitivity(&signal.value_changed_event());
    sc_core::sc_spawn(
        [this, &signal, track] {
          recorder_.level({track, sc_core::sc_time_stamp().value(), signal.read() ? 1 : 0});
        },
        sc_core::sc_gen_unique_name("watch"), &options);
  }

 private:
  Recorder& recorder_;
};

}  // namespace gvp::trace

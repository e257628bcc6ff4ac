// SPDX-License-Identifier: Apache-2.0
// Runs an elaborated platform to its end and says why it ended: the firmware's exit, a limit, a
// signal, an error, or nothing left to simulate.
//
// Simulated time advances in slices of one millisecond; between slices the host's operating system
// gets its turn (serial lines, progress).  Slices are cut by simulated time alone, so that a run
// does not depend on the speed of the machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/gpgpu/device.h"
#include "models/host/host.h"
#include "platform/command_line.h"

namespace gvp::platform {

enum class End {
  kExit,
  kTimeLimit,
  kInstructionLimit,
  kSignal,
  kDebugger,
  kNothingLeft,
  kHostError,
  kProtocolViolation  // however the run ended, axi.check found something
};

struct Outcome {
  End end = End::kExit;
  int exit_code = 0;
  std::string message;  // for people; empty when the firmware just exited
};

const char* to_string(End end);  // as in statistics: "exit", "time limit"...

// Something to be done whenever so much simulated time has passed.
struct Every {
  uint64_t time_ps = 0;  // 0: never
  std::function<void()> act;
};

class RunControl {
 public:
  // gpgpus: outlive this.  between_slices: called in simulation context's absence, may be empty.
  RunControl(host::Host& host, const std::vector<gpgpu::Device*>& gpgpus, const Limits& limits,
             std::function<void()> between_slices, Every every = {});

  // To be called once.  Returns with the simulation paused, not stopped: models can still be
  // asked for statistics.  Handles signals (Interruption) while it runs.
  Outcome run();

 private:
  void act_if_due();
  bool advance();  // one slice; false when the end of simulated time is reached
  std::optional<Outcome> ended() const;
  Outcome after_host_stop() const;

  host::Host& host_;
  const std::vector<gpgpu::Device*>& gpgpus_;
  Limits limits_;
  std::function<void()> between_slices_;
  Every every_;
  uint64_t acted_ps_ = 0;  // when every_.act was last called
  std::optional<host::Stop> stop_;
};

}  // namespace gvp::platform

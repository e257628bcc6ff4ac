// SPDX-License-Identifier: Apache-2.0
// The signals that ask a run to end: SIGINT, SIGTERM, SIGHUP and SIGQUIT.  While models run, the
// first asks them to stop at their next chance, so that statistics are written as usual; a second
// one, and the first while nothing runs yet, ends the process at once, with the terminal restored.
// After the models have run, the first is only noted: what follows are the results.  A SIGHUP that
// the caller ignores (nohup) stays ignored.
#pragma once

#include <array>
#include <csignal>
#include <vector>

#include "models/gpgpu/device.h"
#include "models/host/host.h"

namespace gvp::platform {

class Interruption {
 public:
  // Installs the handlers before anything runs.
  Interruption() : Interruption(nullptr, nullptr) {}
  // Installs them while these run, which outlive this; the host or the list may be missing.  May be
  // inside of the life of another Interruption, whose models have then run.
  Interruption(host::Host* host, const std::vector<gpgpu::Device*>* gpgpus);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // The signal that arrived since construction; 0: none.
  static int signal();

 private:
  std::array<struct sigaction, 4> before_{};
};

}  // namespace gvp::platform

// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM while a simulation runs: the first asks the models to stop at their next
// chance, the second ends the process at once, with the terminal restored.
#pragma once

#include <vector>

#include "models/gpgpu/device.h"
#include "models/host/host.h"

namespace gvp::platform {

class Interruption {
 public:
  // gpgpus: outlives this.  Installs the handlers; one object at a time.
  Interruption(host::Host& host, const std::vector<gpgpu::Device*>& gpgpus);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // The signal that arrived since construction; 0: none.
  static int signal();
};

}  // namespace gvp::platform

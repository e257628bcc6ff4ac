// SPDX-License-Identifier: Apache-2.0
// What every soft GPGPU offers, whatever its instruction set and timing: named windows on the
// bus (target sockets), one bus port of its own (initiator socket), one interrupt output,
// progress, statistics, and events for whoever observes it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/gpgpu/observer.h"
#include "models/tlm/reset.h"

namespace gvp::gpgpu {

struct Window {
  std::string name;  // "control", "code", "global": the memory map says where each lies
  uint64_t size;     // bytes
  tlm::tlm_target_socket<>* socket;
};

struct Progress {
  bool running = false;
  uint64_t kernels_started = 0;
  uint64_t blocks_done = 0;  // of the running kernel
  uint64_t blocks_total = 0;
};

class Device : public sc_core::sc_module, public kit::Resettable {
 public:
  sc_core::sc_out<bool> interrupt{"interrupt"};  // level, active high

  using sc_core::sc_module::sc_module;
  virtual std::vector<Window> windows() = 0;
  // The device's own port for global memory outside the device; always there, must be bound.
  virtual tlm::tlm_initiator_socket<>& memory_socket() = 0;
  // Asks a running kernel to stop at the next chance; async-signal-safe.
  virtual void request_stop() = 0;
  // Tells this observer what it wants to see from now on; between kernels.  It must outlive the
  // device.
  void observe(Observer& observer) { observers_.add(observer); }
  // The names of the pipeline stages that StageEvent counts; empty: there are no such events.
  virtual std::vector<std::string> stages() const { return {}; }
  virtual Progress progress() const = 0;
  virtual nlohmann::ordered_json statistics() const = 0;  // {"kernels": [...], ...}

 protected:
  Observers observers_;
};

}  // namespace gvp::gpgpu

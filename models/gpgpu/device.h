// SPDX-License-Identifier: Apache-2.0
// What every soft GPGPU offers, whatever its instruction set and timing: named windows on the
// bus (target sockets; debug accesses to its memories go through them), named bus ports of its own
// (initiator sockets: none, one or several), interrupt outputs, reset, progress, statistics, and
// events for whoever observes it.  Its clock is a matter of its configuration.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/gpgpu/instruction_profile.h"
#include "models/gpgpu/observer.h"
#include "models/tlm/reset.h"

namespace gvp::gpgpu {

struct Window {
  std::string name;  // "control", "code", "global": the memory map says where each lies
  uint64_t size;     // bytes
  tlm::tlm_target_socket<>* socket;
};

// A bus port of its own.
struct Port {
  std::string name;  // as its device type calls the master; "" where there is only one
  tlm::tlm_initiator_socket<>* socket;
  unsigned outstanding;  // transactions in flight at most, per direction
};

struct InterruptLine {
  std::string name;  // as its device type and InterruptEvent call it
  sc_core::sc_out<bool>* line;
};

struct Progress {
  bool running = false;
  uint64_t kernels_started = 0;
  uint64_t blocks_done = 0;  // of the running kernel
  uint64_t blocks_total = 0;
};

class Device : public sc_core::sc_module, public kit::Resettable {
 public:
  using sc_core::sc_module::sc_module;
  // All sockets and lines below must be bound.
  virtual std::vector<Window> windows() = 0;
  virtual std::vector<Port> ports() = 0;
  virtual std::vector<InterruptLine> interrupts() = 0;
  // Asks a running kernel to stop at the next chance; async-signal-safe.
  virtual void request_stop() = 0;
  // Tells this observer what it wants to see from now on; between kernels.  It must outlive the
  // device.
  void observe(Observer& observer) { observers_.add(observer); }
  // Shows it what is loaded before the simulation begins: a kernel's file, or memory of a program
  // that has kernels in it.  What it learns of their source lines stands in its messages.
  virtual void learn_source_lines(std::string_view /*contents*/) {}
  // The names of the pipeline stages that StageEvent counts; empty: there are no such events.
  virtual std::vector<std::string> stages() const { return {}; }
  // From now on, between kernels: keep what each instruction does and costs.  False: it cannot.
  virtual bool profile_instructions() { return false; }
  virtual std::vector<InstructionProfile> instruction_profiles() const { return {}; }
  virtual Progress progress() const = 0;
  virtual nlohmann::ordered_json statistics() const = 0;  // {"kernels": [...], ...}

 protected:
  Observers observers_;
};

}  // namespace gvp::gpgpu

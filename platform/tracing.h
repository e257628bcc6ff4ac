// SPDX-License-Identifier: Apache-2.0
// Traces of a board (docs/tracing.md): puts recorders between its sockets, on its interrupt lines,
// its serial lines and its GPGPUs, where a trace file or the ring wants what they see.  Without
// any, sockets are bound to each other and nothing is in between.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/ddr3/memory_controller.h"
#include "models/gpgpu/device.h"
#include "models/host/host.h"
#include "platform/command_line.h"
#include "trace/bank_recorder.h"
#include "trace/console_recorder.h"
#include "trace/gpgpu_recorder.h"
#include "trace/host_recorder.h"
#include "trace/pin_recorder.h"
#include "trace/recorded_port.h"
#include "trace/recorder.h"
#include "trace/signal_recorder.h"

namespace gvp::platform {

class Tracing {
 public:
  // Opens the files; throws Error (bad input) for one that cannot be written.
  explicit Tracing(const TraceSettings& settings);

  // In this order, while a board is built.
  peripherals::CharacterChannel* through(const std::string& device,
                                         peripherals::CharacterChannel* line);
  void watch(host::Host& host);
  void watch(gpgpu::Device& gpgpu);
  void watch(ddr3::MemoryController& memory);
  // What is to be bound to whatever `from` would be.  device: whose port it is.  regions: where
  // addresses lead; empty for a target's port.
  tlm::tlm_initiator_socket<>& through(const std::string& port, const std::string& device,
                                       const std::vector<trace::PortRegion>& regions,
                                       tlm::tlm_initiator_socket<>& from);
  void watch_interrupt(const std::string& device, const sc_core::sc_signal<bool>& line);
  // The board is whole.  Throws Error (bad input) where a filter names what it does not have.
  void begin();

  // exists: whether the host's program has a function of this name.  Throws Error (bad input) where
  // a filter names another.
  void check_functions(const std::function<bool(const std::string&)>& exists) const {
    recorder_.check_functions(exists);
  }

  // The simulation has ended: what blocks of RTL still do to flush their lines is not recorded.
  void end_pins();

  // When the board ends: recorders go.
  void remove();

  // Between slices of the run; throws Error (bad input) if a file cannot be written further.
  void flush();
  // At its end, likewise.
  void close();
  trace::Recorder& recorder() { return recorder_; }

 private:
  std::function<trace::Origin()> origin_of(const std::string& device);
  uint64_t horizon() const;
  void has(trace::Subject subject) { sources_ |= static_cast<unsigned>(subject); }

  trace::Recorder recorder_;
  unsigned sources_ = static_cast<unsigned>(trace::Subject::kTransactions);  // Subjects there are
  host::Host* host_ = nullptr;
  std::unique_ptr<trace::HostRecorder> program_;  // of the host
  struct Function {
    uint32_t pc = 1;  // no address of an instruction
    trace::Id name = trace::kNobody;
  };
  std::vector<Function> functions_;  // of the latest instructions that caused something
  std::map<std::string, std::unique_ptr<trace::GpgpuRecorder>> gpgpus_;
  std::vector<std::unique_ptr<trace::BankRecorder>> banks_;
  std::vector<std::unique_ptr<trace::RecordedPort>> ports_;
  std::vector<std::unique_ptr<trace::ConsoleRecorder>> consoles_;
  std::unique_ptr<trace::SignalRecorder> signals_;
  std::vector<std::unique_ptr<trace::PinRecorder>> pins_;
};

}  // namespace gvp::platform

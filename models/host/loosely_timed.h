// SPDX-License-Identifier: Apache-2.0
// The loosely timed MicroBlaze: the core (engine.h) with TLM-2.0 sockets, local memory and a local
// clock.
//
// The processor runs ahead of simulated time by at most the global quantum, or up to the next event
// where nothing else happens for longer, then synchronises.  It
// sees its interrupt input when it synchronises, and at once when an access to a device made time
// pass.  An access over the bus carries the local time as its delay.  Memory that grants direct
// access is read and written through pointers, at the latency it states.  An idle processor
// (asleep, or branching to itself with interrupts enabled) waits for its interrupt without
// executing.
//
// Not modelled: contention for the LMB, pipeline hazards, cache contents, the trace and debug
// ports.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <atomic>
#include <memory>
#include <vector>

#include "models/host/bus.h"
#include "models/host/engine.h"
#include "models/host/gdb_server.h"
#include "models/host/host.h"
#include "models/host/profiler.h"

namespace gvp::host {

class LooselyTimed : public Host, private Bus {
 public:
  LooselyTimed(const sc_core::sc_module_name& name, const Configuration& configuration);

  tlm::tlm_initiator_socket<>& instruction_socket() override { return instruction_socket_; }
  tlm::tlm_initiator_socket<>& data_socket() override { return data_socket_; }
  size_t debug_read(uint32_t address, void* data, size_t size) override;
  size_t debug_write(uint32_t address, const void* data, size_t size) override;
  void set_start_address(uint32_t pc) override { start_address_ = pc; }
  void set_stop_handler(std::function<void(const Stop&)> handler) override {
    stop_handler_ = std::move(handler);
  }
  void request_stop() override { stop_requested_ = true; }
  void set_symbols(const Symbols& symbols) override;
  uint16_t attach_debugger(uint16_t port) override;
  void add_monitor_command(
      const std::string& name, const std::string& help,
      std::function<std::string(const std::string& arguments)> command) override;
  void start_profile() override;
  void write_profile(const std::string& file) const override;
  uint64_t instructions() const override { return instructions_; }
  uint64_t cycles() const override;
  nlohmann::ordered_json statistics() const override;

  Engine& engine() { return engine_; }

 private:
  void run();
  bool run_once();  // false: stopped for good
  bool handle(Engine::Exit exit);
  void synchronise();  // wait until simulated time has caught up
  void wait_for_interrupt();
  uint32_t cycle_budget();
  void stop(StopReason reason, const std::string& message = "");
  std::string last_words();

  // loosely_timed_debug.cpp
  Engine::Run execute_some();
  Engine::Run traced_step();
  bool obey_debugger();  // false: stopped for good
  void tell_debugger(Engine::Exit exit);
  bool debugger_interrupts();
  void take_sample(uint64_t cycles);
  bool read_program_word(uint32_t address, uint32_t& word);
  std::string trace_line(uint32_t pc, uint32_t word, bool after_imm, uint16_t imm);

  // Bus
  BusStatus read(Port port, uint32_t address, void* data, uint32_t bytes,
                 uint64_t& cycles) override;
  BusStatus write(uint32_t address, const void* data, uint32_t bytes, uint64_t& cycles) override;
  bool direct(Port port, uint32_t address, DirectMemory& memory) override;

  BusStatus transport(Port port, tlm::tlm_command command, uint32_t address, void* data,
                      uint32_t bytes, uint64_t& cycles);
  bool in_local_memory(uint32_t address) const;
  size_t debug_access(tlm::tlm_command command, uint32_t address, void* data, size_t size);
  void invalidate_direct(sc_dt::uint64 first, sc_dt::uint64 last);
  DirectMemory ask_for_direct(Port port, uint32_t address);
  sc_core::sc_time duration(uint64_t cycles) const {
    return sc_core::sc_time::from_value(cycles * period_.value());
  }
  uint32_t to_cycles(const sc_core::sc_time& time) const;

  tlm_utils::simple_initiator_socket<LooselyTimed> instruction_socket_{"instruction_socket"};
  tlm_utils::simple_initiator_socket<LooselyTimed> data_socket_{"data_socket"};
  Configuration configuration_;
  std::vector<uint8_t> local_memory_;
  sc_core::sc_time period_;
  tlm::tlm_generic_payload payload_;
  // Ranges with direct access, and such without (data null), for each port.
  std::array<std::vector<DirectMemory>, 2> direct_;
  Engine engine_;

  Symbols symbols_;
  std::unique_ptr<GdbSession> session_;
  std::unique_ptr<GdbServer> server_;
  std::string stop_reply_;    // to be sent to GDB
  bool halt_wanted_ = false;  // by GDB
  bool stepping_ = false;     // one unit, for GDB
  std::unique_ptr<Profiler> profiler_;
  uint64_t unsampled_cycles_ = 0;

  std::function<void(const Stop&)> stop_handler_;
  std::atomic<bool> stop_requested_{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
  uint32_t start_address_ = 0;
  uint64_t quantum_cycles_ = 1;  // from run_start_ to the end of the quantum
  sc_core::sc_time local_;       // ahead of simulated time
  sc_core::sc_time run_start_;   // absolute time at which Engine::run() was called
  uint64_t instructions_ = 0;
  uint64_t bus_reads_ = 0;
  uint64_t bus_writes_ = 0;
  uint64_t bus_errors_ = 0;
  sc_core::sc_time idle_;
};

}  // namespace gvp::host

// SPDX-License-Identifier: Apache-2.0
// The loosely timed MicroBlaze: TLM-2.0 sockets and a local clock.
//
// The processor runs ahead of simulated time by at most the global quantum, or up to the next event
// where nothing else happens for longer, then synchronises.  It
// sees its interrupt input when it synchronises, and at once when an access to a device made time
// pass.  An access over the bus carries the local time as its delay.  Memory that grants direct
// access is read and written through pointers, at the latency it states.  An idle processor
// (asleep, or branching to itself with interrupts enabled) waits for its interrupt without
// executing.
//
// Not modelled: contention for the LMB, pipeline hazards, the trace and debug ports.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <optional>
#include <vector>

#include "models/host/fetch_stream.h"
#include "models/host/processor.h"
#include "models/tlm/cycle_steps.h"
#include "models/tlm/direct_account.h"

namespace gvp::host {

class LtProcessor : public Processor {
 public:
  LtProcessor(const sc_core::sc_module_name& name, const Configuration& configuration);

  tlm::tlm_initiator_socket<>& instruction_socket() override { return instruction_socket_; }
  tlm::tlm_initiator_socket<>& data_socket() override { return data_socket_; }

 private:
  // Processor
  void account_for_direct() override;
  Engine::Run execute() override;
  Engine::Run step_unit() override;
  void after_run() override;
  void synchronise() override;
  sc_core::sc_time local_time() const override { return sc_core::sc_time_stamp() + local_; }
  void resume_at(const sc_core::sc_time& time) override {
    local_ = time - sc_core::sc_time_stamp();
  }

  // Bus
  BusStatus read(Port port, uint32_t address, void* data, uint32_t bytes,
                 uint64_t& cycles) override;
  BusStatus write(uint32_t address, const void* data, uint32_t bytes, uint64_t& cycles) override;
  BusStatus read_exclusive(uint32_t address, void* data, uint64_t& cycles) override;
  BusStatus write_exclusive(uint32_t address, const void* data, uint64_t& cycles) override;
  BusStatus write_line(uint32_t address, const void* data, uint32_t bytes, uint32_t words,
                       uint64_t& cycles) override;
  bool direct(Port port, uint32_t address, DirectMemory& memory) override;

  uint32_t cycle_budget();
  bool interrupt_level();
  void begin_run();
  Engine::Run end_run(const Engine::Run& result);
  // Times in picoseconds.
  void note_fetch(uint32_t address, const void* data, uint64_t ready, uint64_t begin, uint64_t end);
  BusStatus transport(Port port, tlm::tlm_command command, uint32_t address, void* data,
                      uint32_t bytes, uint8_t* enables, uint64_t& cycles);
  BusStatus transport_exclusive(tlm::tlm_command command, uint32_t address, void* data,
                                uint64_t& cycles);
  void invalidate_direct(sc_dt::uint64 first, sc_dt::uint64 last);
  DirectMemory ask_for_direct(Port port, uint32_t address);
  std::optional<uint8_t> source_of(const kit::DirectAccount& account);
  uint32_t to_cycles(const sc_core::sc_time& time) const;

  tlm_utils::simple_initiator_socket<LtProcessor> instruction_socket_{"instruction_socket"};
  tlm_utils::simple_initiator_socket<LtProcessor> data_socket_{"data_socket"};
  tlm::tlm_generic_payload payload_;
  // Ranges with direct access, and such without (data null), for each port.
  std::array<std::vector<DirectMemory>, 2> direct_;
  // Who counts what goes through pointers, by DirectMemory::source less one.
  std::vector<kit::DirectAccount> sources_;
  uint64_t unaccounted_ = 0;  // cycles since account_for_direct()
  const kit::CycleSteps steps_;
  FetchStream stream_;              // of words over the bus
  uint64_t quantum_cycles_ = 1;     // from run_start_ to the end of the quantum
  sc_core::sc_time local_;          // ahead of simulated time
  sc_core::sc_time run_start_;      // absolute time at which Engine::run() was called
  bool yielded_ = false;            // other processes have run in the last access
  uint64_t accessed_ = UINT64_MAX;  // simulated time when the last access returned, ps
};

}  // namespace gvp::host

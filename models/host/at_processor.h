// SPDX-License-Identifier: Apache-2.0
// The approximately timed MicroBlaze: the same core (engine.h), with the time that its pipeline
// (pipeline.h), its fetches (fetch_unit.h) and its accesses take.
//
// Instructions are executed one unit at a time.  Each word of a unit is fetched when the pipeline
// would fetch it: over the bus one transaction for each word, ahead as far as the prefetch buffer
// goes; from the local memory and from the instruction cache in a cycle.  Loads and stores reach
// the bus one cycle after their instruction has entered execution, and hold the pipeline until they
// are answered.  Both ports speak the non-blocking base protocol; direct memory pointers are not
// used.
//
// The processor may be ahead of simulated time only while nobody can tell: every transaction begins
// at its exact time, and the interrupt input is sampled at its exact time, one cycle before the
// instruction that it would replace enters execution.  So neither results nor statistics depend on
// the quantum, and both are the same in every run.
//
// Assumed, because UG984 does not say: an instruction cache miss is asked for when the loads and
// stores before it have been answered; a fetch from the local memory does not wait for a fetch over
// the bus that nobody wants any more; ahead of a page boundary in virtual mode nothing is fetched.
// Different from hardware: a store into prefetched words is seen by them without a barrier.
// Not modelled: the branch target cache, contention for the local memory.
#pragma once

#include <optional>

#include "models/host/bus_master.h"
#include "models/host/fetch_unit.h"
#include "models/host/pipeline.h"
#include "models/host/processor.h"

namespace gvp::host {

class AtProcessor : public Processor, private UnitObserver {
 public:
  AtProcessor(const sc_core::sc_module_name& name, const Configuration& configuration);

  tlm::tlm_initiator_socket<>& instruction_socket() override { return fetch_.bus().socket; }
  tlm::tlm_initiator_socket<>& data_socket() override { return data_.socket; }
  size_t debug_write(uint32_t address, const void* data, size_t size) override;
  nlohmann::ordered_json statistics() const override;

 private:
  // Processor
  Engine::Run execute() override;
  Engine::Run step_unit() override;
  void after_run() override;
  bool skips_idle_loop() override;
  void synchronise() override { wait_until(pipeline_.next()); }
  sc_core::sc_time local_time() const override { return duration(pipeline_.next()); }
  void resume_at(const sc_core::sc_time& time) override;

  // Bus; cycles stays as it is, because the pipeline keeps the time.
  BusStatus read(Port port, uint32_t address, void* data, uint32_t bytes,
                 uint64_t& cycles) override;
  BusStatus write(uint32_t address, const void* data, uint32_t bytes, uint64_t& cycles) override;
  BusStatus read_exclusive(uint32_t address, void* data, uint64_t& cycles) override;
  BusStatus write_exclusive(uint32_t address, const void* data, uint64_t& cycles) override;
  BusStatus write_line(uint32_t address, const void* data, uint32_t bytes, uint32_t words,
                       uint64_t& cycles) override;
  bool direct(Port port, uint32_t address, DirectMemory& memory) override;

  // UnitObserver
  void fetched(uint32_t address, uint32_t word) override;

  void sample_interrupt();
  bool interrupt_level();
  void end_unit(uint32_t pc, const Engine::Run& run, bool interrupted, bool raised);
  void follow_branch(uint32_t address, const InstructionTiming& timing);
  bool divides_by_zero(uint32_t word) const;
  BusStatus fetch(uint32_t address, void* data, uint32_t bytes);
  BusStatus access(tlm::tlm_command command, uint32_t address, void* data, uint32_t bytes,
                   uint8_t* enables, bool exclusive = false);
  void wait_until(uint64_t cycle);
  // Fetched over the bus, word by word.
  bool is_on_bus(uint32_t physical) const {
    return !in_local_memory(physical) && !engine_.memory().caches().caches_fetch(physical, false);
  }
  uint64_t now() const {  // cycle, rounded up
    return clock_.cycles_up(sc_core::sc_time_stamp());
  }
  // The first cycle in which the next word may be asked for: as a branch's target, or behind the
  // word before.
  uint64_t request() const {
    if (turned_) return target_ - Pipeline::kRefill + Pipeline::kRequest;
    return last_ == 0 ? 0 : last_ - 1;
  }
  void turn(uint64_t target) {
    target_ = target;
    turned_ = true;
  }

  FetchUnit fetch_;
  BusMaster data_;
  sc_core::sc_event data_done_;
  Pipeline pipeline_;

  // Cycles in which a word may execute, as far as its fetch is concerned: where the stream went on
  // last, and for the word that is being fetched.
  uint64_t target_ = Pipeline::kRefill - Pipeline::kRequest;
  uint64_t arrival_ = 0;
  bool turned_ = true;  // the next word is the target

  // The unit at hand.
  uint32_t words_ = 0;
  uint32_t imm_ = 0;  // prefix, shifted
  bool has_imm_ = false;
  bool from_bus_ = false;   // the word that is being fetched
  uint64_t last_ = 0;       // cycle in which its last word so far executed
  uint64_t branch_at_ = 0;  // and its branch
  bool has_branch_ = false;
  bool always_taken_ = false;
  bool has_barrier_ = false;
  uint64_t access_end_ = 0;                             // of its accesses so far
  sc_core::sc_time accessed_ = sc_core::sc_max_time();  // the last access of all ended

  uint32_t breakpoint_ = 1;  // reported already: execution goes on there
  uint64_t idle_loop_ = 0;   // a cycle in which the idle loop would go round; 0: there is none
  uint64_t idle_round_ = 0;  // cycles of a round
  // The branch to itself that was executed last, over the bus, and when.
  std::optional<uint32_t> idle_pc_;
  uint64_t idle_branch_ = 0;
};

}  // namespace gvp::host

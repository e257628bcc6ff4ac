// SPDX-License-Identifier: Apache-2.0
// What the MicroBlaze modules have in common, whatever their timing: the core (engine.h), the local
// memory, run control, debugging, trace, profile, the end of a program.  How time passes, and how
// the bus is reached, is the derived class's.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "models/host/bus.h"
#include "models/host/cache.h"
#include "models/host/decoder.h"
#include "models/host/engine.h"
#include "models/host/function_traffic.h"
#include "models/host/gdb_server.h"
#include "models/host/host.h"
#include "models/host/profiler.h"
#include "models/tlm/clock.h"

namespace gvp::host {

class Processor : public Host, protected Bus {
 public:
  size_t debug_read(uint32_t address, void* data, size_t size) override;
  size_t debug_write(uint32_t address, const void* data, size_t size) override;
  void set_start_address(uint32_t pc) override { start_address_ = pc; }
  void set_stop_handler(std::function<void(const Stop&)> handler) override {
    stop_handler_ = std::move(handler);
  }
  void request_stop() override { stop_requested_ = true; }
  void reset() override;
  void set_time_limit(const sc_core::sc_time& limit) override { time_limit_ = limit; }
  void set_held_handler(std::function<void()> handler) override {
    held_handler_ = std::move(handler);
  }
  void set_symbols(const Symbols& symbols) override;
  uint16_t attach_debugger(uint16_t port) override;
  void add_monitor_command(
      const std::string& name, const std::string& help,
      std::function<std::string(const std::string& arguments)> command) override;
  void observe(Observer& observer) override;
  void start_profile() override;
  void write_profile(const std::string& file) const override;
  uint32_t program_counter() const override { return engine_.program_counter(); }
  std::string function() const override;
  bool find_function(uint32_t pc, std::string& name, uint32_t& start) const override {
    return symbols_.function && symbols_.function(pc, name, start);
  }
  uint64_t instructions() const override { return instructions_; }
  uint64_t cycles() const override;
  nlohmann::ordered_json statistics() const override;
  void account_for_direct() override {}

  Engine& engine() { return engine_; }

 protected:
  // Throws Error (bad input) for a clock or a local memory that cannot be.
  Processor(const sc_core::sc_module_name& name, const Configuration& configuration);

  // The derived class's part of a run; the interrupt input is sampled there.
  virtual Engine::Run execute() = 0;    // a stretch of the program
  virtual Engine::Run step_unit() = 0;  // one unit (Engine::step())
  virtual void after_run() = 0;         // lets simulated time pass, if it has to
  // A branch to itself with interrupts enabled: false if it has to be executed again and again.
  virtual bool skips_idle_loop() { return true; }
  virtual void synchronise() = 0;  // wait until simulated time has caught up
  // The processor's own time, absolute; it may be ahead of simulated time.
  virtual sc_core::sc_time local_time() const = 0;
  // After an idle stretch: goes on at this time, a clock edge.
  virtual void resume_at(const sc_core::sc_time& time) = 0;

  // A cache line on its way to memory, with byte enables unless all of it is written.
  struct Line {
    Line(const void* from, uint32_t bytes, uint32_t words);
    uint8_t* data() { return bytes_.data(); }
    uint8_t* enables() { return whole_ ? nullptr : enables_.data(); }

   private:
    std::array<uint8_t, Cache::kMaxLineBytes> bytes_{};
    std::array<uint8_t, Cache::kMaxLineBytes> enables_{};
    bool whole_;
  };

  bool in_local_memory(uint32_t address) const {
    return address - configuration_.lmb_base < configuration_.lmb_size;
  }
  DirectMemory direct_local_memory();
  uint8_t* local_memory(uint32_t address) {
    return local_memory_.data() + (address - configuration_.lmb_base);
  }
  sc_core::sc_time duration(uint64_t cycles) const { return clock_.at(cycles); }
  // Instructions that may be executed in one run; the largest number where there is no limit.
  uint64_t instructions_left() const;
  uint64_t cycles_left() const;  // up to the time limit; the largest number where there is none
  uint32_t profiling_stride() const;  // most cycles in one run, for the profile
  // A transaction begins.
  void note_traffic(bool write, uint32_t bytes) {
    functions_.count(engine_.program_counter(), write, bytes);
  }

  Configuration configuration_;
  const kit::Clock clock_;
  Engine engine_;
  uint64_t bus_reads_ = 0;
  uint64_t bus_writes_ = 0;
  uint64_t bus_errors_ = 0;
  sc_core::sc_time idle_;

 private:
  void run();
  bool run_once();  // false: stopped for good
  bool handle(Engine::Exit exit);
  void wait_for_interrupt();
  void stop(StopReason reason, const std::string& message = "");
  size_t debug_access(tlm::tlm_command command, uint32_t address, void* data, size_t size);

  // processor_debug.cpp
  Engine::Run execute_some();
  Engine::Run traced_step();
  // processor_observation.cpp
  struct UnitWord {
    uint32_t pc = 0;
    Instruction instruction;
    uint32_t immediate = 0;  // with its prefix
  };
  Engine::Run observed_step();
  void observe_access(const UnitWord& word, const State& before, uint64_t begin, uint64_t end);
  // processor_debug.cpp
  bool asked_to_give_up();  // while GDB holds the processor
  bool obey_debugger();     // false: stopped for good
  void tell_debugger(Engine::Exit exit);
  bool debugger_interrupts();
  void take_sample(uint64_t cycles);
  bool read_program_word(uint32_t address, uint32_t& word);
  std::string trace_line(uint32_t pc, uint32_t word, bool after_imm, uint16_t imm);
  std::string last_words();
  std::string backtrace();

  std::vector<uint8_t> local_memory_;
  FunctionTraffic functions_;
  Symbols symbols_;
  std::unique_ptr<GdbSession> session_;
  std::unique_ptr<GdbServer> server_;
  std::string stop_reply_;    // to be sent to GDB
  bool halt_wanted_ = false;  // by GDB
  bool stepping_ = false;     // one unit, for GDB
  std::unique_ptr<Profiler> profiler_;
  Observer* observer_ = nullptr;  // null: none
  unsigned observed_subjects_ = 0;
  bool observed_before_ = false;
  uint64_t unsampled_cycles_ = 0;

  std::function<void(const Stop&)> stop_handler_;
  std::function<void()> held_handler_;
  sc_core::sc_time time_limit_;  // zero: none
  std::atomic<bool> stop_requested_{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
  bool reset_requested_ = false;
  sc_core::sc_event reset_event_{"reset_event"};  // wakes a processor that waits for an interrupt
  uint32_t start_address_ = 0;
  uint64_t instructions_ = 0;
};

}  // namespace gvp::host

// SPDX-License-Identifier: Apache-2.0
// What every host processor offers, whatever its timing: two bus ports, one interrupt input, reset,
// run control and statistics.  A reset takes effect at the next instruction boundary, where a
// loosely timed processor may be ahead of simulated time; execution goes on at the reset vector.
// The local memory bus (LMB) block RAM is inside the host, as it is on the FPGA; everything else is
// reached over the sockets.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <tlm>

#include "models/host/configuration.h"
#include "models/host/observer.h"
#include "models/host/symbols.h"
#include "models/tlm/reset.h"

namespace gvp::host {

enum class StopReason {
  kExit,              // the guest branched to itself with interrupts off: r3 is the exit code
  kInstructionLimit,  // Configuration::max_instructions reached
  kRequested,         // request_stop()
  kError,             // the guest cannot go on (message says why)
};

struct Stop {
  StopReason reason = StopReason::kExit;
  uint32_t exit_code = 0;  // r3, for kExit
  uint32_t pc = 0;
  std::string message;  // for people, with symbol names where known
};

class Host : public sc_core::sc_module, public kit::Resettable {
 public:
  sc_core::sc_in<bool> interrupt{"interrupt"};  // level, active high

  using sc_core::sc_module::sc_module;
  virtual tlm::tlm_initiator_socket<>& instruction_socket() = 0;
  virtual tlm::tlm_initiator_socket<>& data_socket() = 0;

  // Untimed access as the processor's data side sees physical memory (LMB and bus).  Return the
  // number of bytes transferred: fewer than size where nothing answers.
  virtual size_t debug_read(uint32_t address, void* data, size_t size) = 0;
  virtual size_t debug_write(uint32_t address, const void* data, size_t size) = 0;

  // Where execution starts; to be called before simulation starts.
  virtual void set_start_address(uint32_t pc) = 0;
  // Called once, in simulation context, when the processor stops for good.
  virtual void set_stop_handler(std::function<void(const Stop&)> handler) = 0;
  // Asks the processor to stop at the next instruction boundary; async-signal-safe.
  virtual void request_stop() = 0;

  // No instruction starts at this simulated time or later.  To be called before simulation starts.
  virtual void set_time_limit(const sc_core::sc_time& limit) = 0;
  // Called every now and then while GDB holds the processor and simulated time stands still.
  virtual void set_held_handler(std::function<void()> handler) = 0;

  // For messages, traces and profiles.
  virtual void set_symbols(const Symbols& symbols) = 0;
  // Listens for GDB on 127.0.0.1:port (0: any free port) and holds the processor before its first
  // instruction until GDB lets it go.  To be called before simulation starts; returns the port.
  virtual uint16_t attach_debugger(uint16_t port) = 0;
  // A command for GDB's "monitor NAME ARGUMENTS"; its text is shown to the user.
  virtual void add_monitor_command(
      const std::string& name, const std::string& help,
      std::function<std::string(const std::string& arguments)> command) = 0;
  // Samples the call stack from now on, and writes what was found: FILE in folded form (flame
  // graphs) and FILE.txt with a table of functions; "-": the first alone, to standard output.
  virtual void start_profile() = 0;
  // Of one observer, which outlives the processor.  Before the simulation starts.
  virtual void observe(Observer& observer) = 0;
  virtual void write_profile(const std::string& file) const = 0;

  // For whoever observes: the instruction that the bus access under way belongs to, and outside of
  // one the instruction that the processor goes on with.  A loosely timed processor may be ahead of
  // simulated time.
  virtual uint32_t program_counter() const = 0;
  // The name of the function that it lies in; "" where no symbol is known.
  virtual std::string function() const = 0;
  // The function that includes an address, and where it begins; false: no symbol is known.
  virtual bool find_function(uint32_t pc, std::string& name, uint32_t& start) const = 0;

  virtual uint64_t instructions() const = 0;  // executed so far
  virtual uint64_t cycles() const = 0;        // elapsed so far, at the host's clock
  virtual nlohmann::ordered_json statistics() const = 0;
  // Tells the models that have granted direct memory pointers what has gone through these so far
  // (models/tlm/direct_account.h).  Before their statistics are looked at.
  virtual void account_for_direct() = 0;
};

// model: "lt", "at" or "rtl:<name>"; throws Error (bad input) for what this build does not have.
std::unique_ptr<Host> make_host(const sc_core::sc_module_name& name, const std::string& model,
                                const Configuration& configuration);

}  // namespace gvp::host

// SPDX-License-Identifier: Apache-2.0
// A device that is two models of one type, which get the same stimulus.  The first one steers: it
// stands on the bus, with its own timing, as if it were alone.  The second one follows: a process
// repeats to it what came to the first one's windows, in the same order, each access as soon as it
// has ended as many jobs (inside.h) as the first one had.  Compared are responses, data that are
// read, interrupts, and what an Inside knows; the first difference ends the run (exit code 125).
//
// Direct memory access is refused.  Debug accesses go to both at once, before what waits.
// What the devices do at ports of their own on the bus is compared, too (port_comparison.h), where
// an Inside says at which job they are.
// Not compared: the time of an access; data that are read while one of the devices is at a job;
// serial lines, and whatever is more than a device: buses, bridges, processors.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <vector>

#include "models/compare/choice.h"
#include "models/compare/inside.h"
#include "models/compare/port_comparison.h"
#include "models/device/device_type.h"

namespace gvp::compare {

class Comparison : public sc_core::sc_module {
 public:
  // Builds both, in this module; the first one has the instance's name.  Throws Error (bad input)
  // for what cannot be compared.
  Comparison(const sc_core::sc_module_name& name, const device::DeviceType& type,
             const device::Instance& instance, const Choice& choice,
             device::Surroundings& surroundings);

  // What a board connects: windows, the first device's interrupts, reset.
  device::Parts parts();
  // What stands on the bus.
  sc_core::sc_module& steering() { return *devices_[kSteering].parts.module; }
  sc_core::sc_module& following() { return *devices_[kFollowing].parts.module; }

  // Whether the second device has done all that the first one has.
  bool is_level() const;
  // Waits until it is; for processes.
  void wait_until_level();
  // A job that never ends becomes a mismatch by and by, also if nothing else comes.
  void hurry();

  // Instead of the end of the run.
  void set_handler(std::function<void(const Mismatch&)> handler) { handler_ = std::move(handler); }
  // What ends the run: who differs in what, with both values and the place.
  std::string text_of(const Mismatch& mismatch) const;
  // Resets both, and forgets what is under way.  Changes of interrupts count from 16 cycles on.
  void restart();

 private:
  SC_HAS_PROCESS(Comparison);
  using Initiator = tlm_utils::simple_initiator_socket<Comparison>;
  using Target = tlm_utils::simple_target_socket_tagged<Comparison>;

  struct Device {
    device::Instance instance;
    device::Parts parts;
    std::vector<std::unique_ptr<Initiator>> windows;
  };
  // What came to the first device, and its answer.
  struct Access {
    enum class Kind { kTransport, kDebugWrite, kReset } kind = Kind::kTransport;
    unsigned window = 0;
    tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
    uint64_t address = 0;
    std::vector<uint8_t> data, enables;
    unsigned streaming_width = 0;
    bool ok = false;
    bool busy = false;            // the first device was at a job ...
    bool throughout = false;      // ... all the time at the same one
    uint64_t ended = 0;           // jobs
    std::vector<uint64_t> edges;  // of the first device's interrupts so far
  };

  void make_device(Side side, const device::DeviceType& type, const device::Instance& instance,
                   const Choice& choice, device::Surroundings& surroundings);
  void b_transport(int window, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int window, tlm::tlm_generic_payload& payload);
  bool peek(Side side, const std::string& window, uint64_t offset, uint8_t* data, uint64_t bytes);
  PortComparison& port_named(const std::string& master);
  std::vector<PortComparison*> all_ports() const;
  void push(Access access);
  void follow();
  bool wait_for_jobs(const Access& access);
  void repeat(Access& access);
  void compare(const Access& access, const tlm::tlm_generic_payload& payload,
               const std::vector<uint8_t>& data, bool busy, bool throughout);
  void compare_interrupts(const Access& access);
  void look_for_more_interrupts(const Access& access);
  void differ_in_interrupt(size_t line, uint64_t edges, const Access& access);
  void count_edges();
  uint64_t ended(Side side) const { return inside_ ? inside_->ended(side) : 0; }
  bool busy(Side side) const { return inside_ && inside_->busy(side); }
  void differ(const Mismatch& mismatch);
  std::string describe(const Access& access) const;
  nlohmann::ordered_json statistics() const;

  const std::string type_name_;
  const Choice choice_;
  const sc_core::sc_time cycle_;
  std::array<Device, 2> devices_;
  std::vector<std::unique_ptr<Target>> targets_;
  std::vector<std::unique_ptr<sc_core::sc_signal<bool>>> lines_;  // of the second device
  std::map<std::string, std::unique_ptr<PortComparison>> ports_;  // by master
  std::unique_ptr<Inside> inside_;                                // goes before the devices
  std::function<void(const Mismatch&)> handler_;

  std::array<std::vector<bool>, 2> levels_;     // of interrupts
  std::array<std::vector<uint64_t>, 2> edges_;  // their changes ...
  sc_core::sc_time counts_from_;                // ... from here on, after a restart

  std::deque<Access> waiting_;
  sc_core::sc_event arrived_{"arrived"};
  sc_core::sc_event restarted_{"restarted"};
  uint64_t restarts_ = 0;
  bool repeating_ = false;
  bool lost_ = false;          // a job that does not end
  uint64_t transactions_ = 0;  // repeated
  uint64_t compared_reads_ = 0, other_reads_ = 0;
  uint64_t mismatches_ = 0;
};

// The parts of one, as a type's `make` gives them.
device::Parts make_comparison(const device::DeviceType& type, const device::Instance& instance,
                              device::Surroundings& surroundings);

}  // namespace gvp::compare

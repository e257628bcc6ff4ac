// SPDX-License-Identifier: Apache-2.0
// A port of two compared devices on the bus.  The first device's transactions go there.  Each of
// the second one's waits for the first one's at the same address, gets its answer, after as long a
// time, and goes nowhere.  So there is one memory, and each device finds what it would find alone,
// however far ahead the first one is.
//
// Compared, within one job (inside.h): at each address, in their order, how many bytes are read,
// and how many are written and what.  Not compared: the order of accesses to different addresses,
// and of reads to writes; times. Direct memory access is refused; debug accesses go to the bus.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/compare/inside.h"

namespace gvp::compare {

class PortComparison : public sc_core::sc_module {
 public:
  struct Difference {
    bool write = false;
    uint64_t address = 0;
    std::string what;                   // "the write of 4 bytes at 0x1000"
    std::array<std::string, 2> values;  // by Side
    bool first = true;                  // of the first device's accesses of this kind there
  };

  tlm_utils::simple_initiator_socket<PortComparison> bus{"bus"};

  explicit PortComparison(const sc_core::sc_module_name& name);
  // A device's port; a side without one stays idle.
  void bind(Side side, tlm::tlm_initiator_socket<>& port);

  // ended: jobs that a side has ended, as Inside::ended().  differ: what they do differently.
  void listen(std::function<uint64_t(Side)> ended, std::function<void(const Difference&)> differ);
  // Whenever the first device has ended a job: what it has not accessed by then will not come.
  void job_ended();
  // Once both have ended this one, counted from 0: the first access that only the first device has
  // made.  Forgets the job's accesses.
  std::optional<Difference> close(uint64_t job);
  // Forgets what is under way.
  void restart();
  // Pairs of accesses that were compared.
  uint64_t compared() const { return compared_; }

 private:
  struct Access {
    std::vector<uint8_t> data;
    std::vector<bool> enabled;  // bytes; empty: all
    bool ok = false;
    sc_core::sc_time duration;
    uint64_t number = 0;  // in the order of all
    bool first = true;    // of those at its place
  };
  using Place = std::pair<uint64_t, bool>;  // address, whether it is written there
  // What the first device has done at a place and the second one has not, and the pairs before.
  struct Here {
    std::list<Access> waiting;
    uint64_t paired = 0;
  };
  using Job = std::map<Place, Here>;

  void transport_steering(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void transport_following(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  std::optional<Access> first_access(const Place& place, sc_core::sc_time& delay);
  unsigned transport_debug(tlm::tlm_generic_payload& payload);
  void differ_alone(uint64_t job, const Place& place, const std::string& value, size_t bytes);
  const Job::value_type* earliest(uint64_t job, const std::optional<bool>& write);

  tlm_utils::simple_target_socket_optional<PortComparison> steering_{"steering"};
  tlm_utils::simple_target_socket_optional<PortComparison> following_{"following"};
  std::function<uint64_t(Side)> ended_;
  std::function<void(const Difference&)> differ_;
  std::map<uint64_t, Job> jobs_;          // what the first device has done and the second one not
  sc_core::sc_event arrived_{"arrived"};  // something of the first device, or the end of its job
  uint64_t restarts_ = 0;
  uint64_t accesses_ = 0;  // of the first device
  uint64_t compared_ = 0;
};

}  // namespace gvp::compare

// SPDX-License-Identifier: Apache-2.0
// For a comparison that knows what goes on inside of its two devices, beyond what their sockets and
// interrupts show: a type of device says how by register_inside().  Types that do not are compared
// from outside alone.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <vector>

#include "models/device/device_type.h"

namespace gvp::compare {

// The device whose answers go to the bus, and the one that gets the same stimulus.
enum Side : unsigned { kSteering, kFollowing };

class PortComparison;  // port_comparison.h

// The first thing that differs.
struct Mismatch {
  static constexpr uint32_t kNoPc = ~0u;
  std::string what;                   // "R5"
  std::array<std::string, 2> values;  // by Side
  std::string place;    // "kernel 1 (add), block (0, 0), warp 2, lane 7, pc 0x0010 (...)"
  uint32_t pc = kNoPc;  // of the instruction, where it is one
};

struct Subjects {
  const device::Instance& instance;
  std::array<std::string, 2> models;
  std::array<sc_core::sc_module*, 2> devices;
  bool cycles;  // times are compared, too
  std::function<void(const Mismatch&)> differ;
  // Reads a window by debug accesses; false where not all of it is there.
  std::function<bool(Side, const std::string& window, uint64_t offset, uint8_t* data,
                     uint64_t bytes)>
      peek;
  std::vector<PortComparison*> ports;  // on the bus
};

class Inside {
 public:
  virtual ~Inside() = default;
  // Jobs that a device has ended.  What comes to the steering one after so many goes to the
  // other one after as many.
  virtual uint64_t ended(Side side) const = 0;
  virtual bool busy(Side side) const = 0;
  // Of the following device; at the simulated time when it ends a job.
  virtual const sc_core::sc_event& ends() const = 0;
  // For how long it may be at a job when the steering one has ended it.
  virtual sc_core::sc_time patience() const = 0;
  // Whether both must answer the same to a read, while neither is at a job.
  virtual bool compares(const std::string& window, uint64_t offset) const = 0;
  // What lies there, "" where it has no name.
  virtual std::string name_of(const std::string& window, uint64_t offset) const = 0;
  // Forgets what is under way: both have been reset.
  virtual void restart() = 0;
  virtual nlohmann::ordered_json statistics() const = 0;
};

using MakeInside = std::function<std::unique_ptr<Inside>(const Subjects&)>;
// By the name of a device type.
void register_inside(const std::string& type, MakeInside make);
bool has_inside(const std::string& type);
// Null where nobody has registered one.
std::unique_ptr<Inside> make_inside(const std::string& type, const Subjects& subjects);

}  // namespace gvp::compare

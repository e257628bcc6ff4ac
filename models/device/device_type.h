// SPDX-License-Identifier: Apache-2.0
// What a board needs to know of a type of device to place it: its keys, its windows on the bus and
// the registers in them, its own ports, its interrupts and reset, what the device tree says of it,
// and how to build one.  A type is one
// row, given to register_device_type(); nothing else in the platform knows it by name.
//
// Sizes and addresses are bytes, frequencies Hz.  Not here: what a device does; that is any SystemC
// module with TLM-2.0 sockets.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/device/key.h"
#include "models/device/register_row.h"

namespace gvp::axi {
class Interconnect;
struct InterconnectConfiguration;
}  // namespace gvp::axi

namespace gvp::peripherals {
class CharacterChannel;
}

namespace gvp::device {

// One device of a board, before it is built.
struct Instance {
  std::string name;   // "gpgpu1"
  std::string model;  // "lt", "at", "rtl:NAME", "none"; empty where the type offers no choice
  std::any settings;  // what the type's keys set; begins as DeviceType::defaults
  std::map<std::string, uint64_t> bases;  // where the board has its windows, by their names
  double clock_hz = 0;        // of its bus port, or of its own where it has a key for it
  uint32_t pulse_inputs = 0;  // interrupt controllers: inputs whose source sends pulses, a bit each

  template <typename T>
  T& as() {
    return std::any_cast<T&>(settings);
  }
  template <typename T>
  const T& as() const {
    return std::any_cast<const T&>(settings);
  }
};

// A range of addresses where a device answers.
struct Window {
  std::string name;  // "" where a device has only one
  uint64_t size = 0;
  std::string description;
  bool lite = false;          // AXI4-Lite: single beats of 32 bits
  unsigned data_bytes = 4;    // width of the interconnect's port to it
  bool width_is_key = false;  // ... which a key can change
  bool local = false;         // on no bus: inside the device, as a processor's local memory is
};

// A range of memory on the bus of its port that a device keeps its own data in, and the key that
// says where.
struct KeptMemory {
  std::string key;  // "gpgpu.off_chip_base"
  uint64_t base = 0;
  uint64_t bytes = 0;
  std::string what;  // "code and constants"
};

// A port of a device's own on the bus.
struct Master {
  std::string name;             // "" where a device has only one
  unsigned outstanding = 1;     // transactions it has in flight at most, per direction
  bool reads_only = false;      // it never writes
  bool reports_errors = false;  // it tells users of error responses, so that the bus need not
  unsigned data_bytes = 4;      // width of the interconnect's port to it, unless a key says other
};

enum class Trigger {
  kLevel,  // active high
  kPulse,  // a rising edge
};

struct InterruptOutput {
  std::string name;  // "interrupt"; a board needs it only where there are several
  Trigger trigger = Trigger::kLevel;
};

// What the device tree says of a device, beside its place: "compatible" strings, most special
// first, and properties as dtc reads them ({"reg-shift", "<2>"}; {"big-endian", ""} for a flag).
// The names clocks, interrupts, interrupt-parent and reg are the board's.
struct TreeNode {
  std::string name;  // generic, as the device tree specification wants it: "serial", "timer"
  std::vector<std::string> compatible;
  std::vector<std::pair<std::string, std::string>> properties;
};

// A device that has been built, as far as the board connects and asks it.
struct Parts {
  struct Target {
    std::string window;
    tlm::tlm_target_socket<>* socket;
  };
  struct Initiator {
    std::string master;
    tlm::tlm_initiator_socket<>* socket;
  };
  struct Interrupt {
    std::string output;
    sc_core::sc_out<bool>* line;
  };

  std::unique_ptr<sc_core::sc_module> module;  // null where the device is absent
  std::vector<Target> targets;        // also of windows without bytes: those are left alone
  std::vector<Initiator> initiators;  // some or all of DeviceType::masters; the others stay idle
  std::vector<Interrupt> interrupts;  // some or all of DeviceType::interrupts
  // Connects interrupt input `line`; for types with inputs.
  std::function<void(unsigned line, sc_core::sc_signal<bool>& signal)> connect_input;
  std::function<nlohmann::ordered_json()> statistics;  // empty: it has none
  std::function<void()> flush;  // at the end of a run: sends what is still on its way out
  std::function<void()> reset;  // the active edge of its reset line; empty: it has none
  // Of RTL: what the checkers at its pins have found, and waveforms into a file.
  std::function<uint64_t()> protocol_violations;
  std::function<void(const std::string& file)> open_wave;
};

// What surrounds a device while it is built.
struct Surroundings {
  uint64_t max_instructions = 0;  // of a processor; 0: no limit
  uint32_t seed = 0;              // of what RTL does not initialise; 0: zeros
  // Whether the bus behind a port of its own, by its name, is approximately timed; may be empty.
  std::function<bool(const Instance&, const std::string& master)> on_timed_bus;
  // The far end of a serial line, as the key INSTANCE.line says ("stdio", "tcp:PORT"...).
  std::function<peripherals::CharacterChannel*(const Instance&, const std::string& line)>
      serial_line;
};

class Launcher;  // launcher.h
struct LaunchRequest;
struct MemoryRange;

struct DeviceType {
  std::string name;                 // "axi_uart16550"
  std::string description;          // one line
  std::vector<std::string> models;  // {"lt", "at"}; empty: no choice, no key "model"
  bool may_be_absent = false;       // model "none": its place on the board is empty
  std::any defaults;                // the settings
  std::vector<Key> keys;
  std::map<std::string, std::string> key_groups;  // what "timing" in "timing.poll" is about

  std::function<std::vector<Window>(const Instance&)> windows;  // empty: none
  std::function<RegisterMap(const Instance&)> registers;        // empty: none
  std::vector<Master> masters;
  std::function<std::vector<KeptMemory>(const Instance&)> keeps_memory;  // empty: none
  std::vector<InterruptOutput> interrupts;
  std::function<unsigned(const Instance&)> interrupt_inputs;  // empty: none
  std::function<TreeNode(const Instance&)> device_tree;       // empty: not in the device tree

  std::function<Parts(const Instance&, Surroundings&)> make;
  // A bus, instead of make: the board says who is connected where.
  std::function<std::unique_ptr<axi::Interconnect>(const Instance&,
                                                   const axi::InterconnectConfiguration&)>
      make_bus;

  // Of devices that run kernels; memories: those of the board that its ports reach.
  std::function<std::unique_ptr<Launcher>(const Instance&, const LaunchRequest&,
                                          const std::vector<MemoryRange>& memories)>
      make_launcher;

  bool is_memory = false;     // its windows keep data and programs
  bool has_reset = false;     // a line of the board can reset it (Parts::reset)
  bool is_bridge = false;     // its window shows another bus, at the same addresses
  bool is_processor = false;  // runs the firmware: a board has one, where it has any

  bool is_bus() const { return static_cast<bool>(make_bus); }
  // It has a key "clock_hz", whose default is the clock that the board gives it; a device without
  // runs with the clock of its bus port.
  bool has_clock_key() const;
};

// Throws Error (bad input) where there is a type of this name.
void register_device_type(const DeviceType& type);
// Null where there is none.
const DeviceType* find_device_type(std::string_view name);
// In the order of registration.
std::vector<const DeviceType*> device_types();

}  // namespace gvp::device

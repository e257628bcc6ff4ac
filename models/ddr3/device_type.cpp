// SPDX-License-Identifier: Apache-2.0
// A DDR3 memory with its controller as a device of a board.
#include "models/ddr3/device_type.h"

#include <nlohmann/json.hpp>

#include "models/ddr3/memory_controller.h"

namespace gvp::ddr3 {
namespace {

using namespace device;
using C = Configuration;

constexpr unsigned kModuleBytes = 8;  // as wide as the module's data bus

std::vector<Key> keys() {
  return {
      {"size", field<&C::size>, power_of_two(1 << 20, 512 << 20), "bytes",
       "Size of the DDR3 memory"},
      {"clock_hz", field<&C::clock_hz>, range(300e6, 800e6), "Hz",
       "Clock of the SDRAM, half its data rate"},
      {"device", field<&C::device>, anything(), "",
       "SDRAM device: the name of a built-in one or the path of a device file"},
      {"front_end_ns", field<&C::front_end_ns>, range(0, 10000), "ns",
       "Port, command queue and PHY, both ways together (assumed: 20 cycles of 400 MHz)"},
      // The rest does not matter to the loosely timed memory.
      {"mapping", field<&C::mapping>, one_of({"row-bank-column", "bank-row-column"}), "",
       "How an address is split, most significant part first (not loosely timed)"},
      {"scheduler", field<&C::scheduler>, one_of({"fr-fcfs", "in-order"}), "",
       "Which request goes next: one whose row is open, else the oldest; or always the oldest "
       "(not loosely timed)"},
      {"page_policy", field<&C::page_policy>, one_of({"open", "closed"}), "",
       "Rows stay open, or are precharged after every burst (not loosely timed)"},
      {"queue_depth", field<&C::queue_depth>, range(1, 1024), "requests",
       "Waiting for each bank (not loosely timed; 8 at most as RTL)"},
      {"starvation_limit", field<&C::starvation_limit>, range(1, 1 << 20), "requests",
       "Younger requests that may overtake one request (not loosely timed)"},
      {"refresh", field<&C::refresh>, anything(), "", "Refresh takes its time (not loosely timed)"},
  };
}

std::vector<Window> windows(const Instance& instance) {
  Window memory{"", instance.as<C>().size, "DDR3 memory"};
  memory.data_bytes = kModuleBytes;
  memory.width_is_key = true;
  return {memory};
}

Parts make(const Instance& instance, Surroundings&) {
  auto memory = make_memory_controller(instance.name.c_str(), instance.model, instance.as<C>());
  MemoryController& m = *memory;
  Parts parts;
  parts.targets = {{"", &m.socket()}};
  parts.statistics = [&m] { return m.statistics(); };
  parts.module = std::move(memory);
  return parts;
}

}  // namespace

DeviceType ddr3_type() {
  DeviceType type;
  type.name = "ddr3";
  type.description = "DDR3 SDRAM and controller";
  type.models = {"lt", "at"};
  type.defaults = C{};
  type.keys = keys();
  type.windows = windows;
  type.device_tree = [](const Instance&) {
    return TreeNode{"memory", {}, {{"device_type", "\"memory\""}}};
  };
  type.is_memory = true;
  type.make = make;
  return type;
}

}  // namespace gvp::ddr3

// SPDX-License-Identifier: Apache-2.0
// How a board becomes modules: made, then bound to buses and interrupt lines.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/axi/bus_settings.h"
#include "models/base/error.h"
#include "models/compare/comparison.h"
#include "platform/configuration/placement.h"
#include "platform/platform.h"
#include "platform/tracing.h"

namespace gvp::platform {
namespace {

constexpr unsigned kLiteBytes = 4;  // width of the ports behind AXI4-Lite bridges

bool checked(const device::Instance& bus) {
  const auto* settings = std::any_cast<axi::BusSettings>(&bus.settings);
  return settings != nullptr && settings->check;
}

device::Parts make_device(const device::DeviceType& type, const device::Instance& instance,
                          device::Surroundings& surroundings) {
  return compare::is_comparison(instance.model)
             ? compare::make_comparison(type, instance, surroundings)
             : type.make(instance, surroundings);
}

// Where a device's port is among those of its bus.
unsigned index_of(const std::vector<const BusPort*>& ports, const device::Instance& device,
                  const std::string& part) {
  const auto port = std::find_if(ports.begin(), ports.end(), [&](const BusPort* each) {
    return each->device == device.name && each->part == part;
  });
  return static_cast<unsigned>(port - ports.begin());
}

// For traces: where the addresses of a port lead.
std::vector<trace::PortRegion> regions_of(const std::vector<axi::Region>& regions,
                                          const BusPort& port) {
  std::vector<trace::PortRegion> result;
  if (!port.is_initiator) return result;
  for (const axi::Region& region : regions)
    result.push_back({region.name, {region.base, region.base + (region.size - 1)}});
  return result;
}

}  // namespace

Platform::Platform(const sc_core::sc_module_name& name, const Configuration& configuration,
                   uint64_t max_instructions, Tracing* tracing, HostRole host, uint32_t seed)
    : sc_module(name), configuration_(configuration), tracing_(tracing), host_role_(host) {
  tlm::tlm_global_quantum::instance().set(
      sc_core::sc_time(configuration.quantum_ns, sc_core::SC_NS));
  check_placement(configuration_);
  build_devices(max_instructions, seed);
  find_roles();
  for (const BuiltDevice& device : devices_) connect_initiators(device);
  for (const BuiltDevice& device : devices_) connect_targets(device);
  connect_interrupts();
  if (tracing_ != nullptr) tracing_->begin();
}

// What sits between sockets goes before what they belong to.
Platform::~Platform() {
  if (tracing_ != nullptr) tracing_->remove();
}

peripherals::CharacterChannel* Platform::add_serial_line(const std::string& device,
                                                         const std::string& line) {
  for (const auto& [other_line, other] : line_owners_)
    if (line == other_line && line != "none" && line != "tcp:0" && line != "tcp:0,wait")
      throw bad_input(fmt::format("{}.line and {}.line are both {}", other, device, line), {},
                      "give one of them none, stdio, or a TCP port or a file of its own");
  line_owners_.emplace_back(line, device);
  lines_.push_back(make_serial_line(line, device));
  if (tracing_ != nullptr) return tracing_->through(device, lines_.back().get());
  return lines_.back().get();
}

void Platform::build_devices(uint64_t max_instructions, uint32_t seed) {
  device::Surroundings surroundings;
  surroundings.max_instructions = max_instructions;
  surroundings.seed = seed;
  surroundings.serial_line = [this](const device::Instance& instance, const std::string& line) {
    // Without a host nobody talks to anybody.
    return add_serial_line(instance.name, host_role_ == HostRole::kLeftOut ? "none" : line);
  };
  surroundings.on_timed_bus = [this](const device::Instance& instance, const std::string& master) {
    const std::string& bus = configuration_.board().find(instance.name)->masters.at(master);
    return std::any_of(
        configuration_.devices.begin(), configuration_.devices.end(),
        [&](const device::Instance& each) { return each.name == bus && each.model == "at"; });
  };
  devices_.reserve(configuration_.devices.size());
  for (device::Instance& instance : configuration_.devices) {
    const BoardDevice& board = *configuration_.board().find(instance.name);
    instance.clock_hz = clock_of(configuration_, instance);
    if (board.type->is_bus())
      build_bus(instance, *board.type, seed);
    else if (board.type->is_processor && host_role_ == HostRole::kLeftOut)
      devices_.push_back({&instance, &board, stand_in_for_host(instance, *board.type)});
    else
      devices_.push_back({&instance, &board, make_device(*board.type, instance, surroundings)});
  }
}

void Platform::build_bus(const device::Instance& instance, const device::DeviceType& type,
                         uint32_t seed) {
  if (compare::is_comparison(instance.model))
    throw bad_input(
        fmt::format("{} cannot be compared: it carries others' transactions", instance.name),
        {"--compare"});
  BuiltBus& built = buses_[instance.name];
  built.checks = std::make_unique<AxiChecks>(checked(instance));
  axi::InterconnectConfiguration connections;
  const auto add_port = [&](const BusPort& port, std::vector<std::string>& names,
                            std::vector<axi::PortConfiguration>& ports) {
    names.push_back(port.name);
    ports.push_back(port.configuration);
  };
  connections.seed = seed;
  const Bus& bus = *configuration_.find_bus(instance.name);
  for (const BusPort& port : bus.ports) {
    if (!port.is_initiator) continue;
    built.initiators.push_back(&port);
    add_port(port, connections.initiators, connections.initiator_ports);
  }
  for (const device::Instance& device : configuration_.devices)
    for (const PlacedWindow& placed : placed_windows(configuration_, device)) {
      if (placed.place->bus != instance.name) continue;
      const BusPort& port = *bus.find(device.name, placed.window.name, false);
      connections.regions.push_back({port.name, placed.place->base, placed.window.size,
                                     static_cast<unsigned>(built.targets.size()), 0,
                                     placed.window.lite});
      built.targets.push_back(&port);
      add_port(port, connections.targets, connections.target_ports);
      connections.target_ports.back().non_blocking = device.model == "at";
    }
  built.regions = connections.regions;
  built.interconnect = type.make_bus(instance, connections);
}

device::Parts Platform::stand_in_for_host(const device::Instance& instance,
                                          const device::DeviceType& type) const {
  auto master = std::make_unique<kit::ExternalMaster>(instance.name.c_str());
  device::Parts parts;
  for (const device::Master& port : type.masters)
    if (!port.reads_only && parts.initiators.empty())
      parts.initiators.push_back({port.name, &master->socket});
  parts.connect_input = [](unsigned, sc_core::sc_signal<bool>&) {};
  parts.module = std::move(master);
  return parts;
}

// A device of the type external_master goes before what stands in for the host.
void Platform::find_roles() {
  for (const BuiltDevice& device : devices_) {
    sc_core::sc_module* module = device.parts.module.get();
    if (auto* comparison = dynamic_cast<compare::Comparison*>(module)) {
      comparisons_.push_back(comparison);
      module = &comparison->steering();
    }
    if (auto* master = dynamic_cast<kit::ExternalMaster*>(module))
      if (external_master_ == nullptr || !device.board->type->is_processor)
        external_master_ = master;
    if (auto* host = dynamic_cast<host::Host*>(module)) host_ = host;
    auto* gpgpu = dynamic_cast<gpgpu::Device*>(module);
    if (gpgpu == nullptr) continue;
    gpgpus_.push_back(gpgpu);
    if (!gpgpu::EventLog::wanted()) continue;
    event_logs_.push_back(std::make_unique<gpgpu::EventLog>(gpgpu->name()));
    gpgpu->observe(*event_logs_.back());
  }
  if (tracing_ == nullptr) return;
  if (host_ != nullptr) tracing_->watch(*host_);
  for (gpgpu::Device* gpgpu : gpgpus_) tracing_->watch(*gpgpu);
  for (const BuiltDevice& device : devices_)
    if (auto* memory = dynamic_cast<ddr3::MemoryController*>(device.parts.module.get()))
      tracing_->watch(*memory);
}

void Platform::connect(const Connection& connection, tlm::tlm_initiator_socket<>& from,
                       tlm::tlm_target_socket<>& to) {
  const BuiltBus& bus = buses_.at(connection.bus);
  tlm::tlm_initiator_socket<>& recorded =
      tracing_ == nullptr ? from
                          : tracing_->through(connection.port.name, connection.port.device,
                                              regions_of(bus.regions, connection.port), from);
  bus.checks->connect(connection.port.name, recorded, to, connection.rules);
}

// Of each of its type's masters one is there or, where a model has no use for it, nobody.
void Platform::connect_initiators(const BuiltDevice& device) {
  for (const device::Master& master : device.board->type->masters) {
    const std::string& name = device.board->masters.at(master.name);
    BuiltBus& bus = buses_.at(name);
    const unsigned index = index_of(bus.initiators, *device.instance, master.name);
    const auto& parts = device.parts.initiators;
    const auto part = std::find_if(parts.begin(), parts.end(),
                                   [&](const auto& each) { return each.master == master.name; });
    if (part == parts.end()) {
      bind_idle(bus.interconnect->from_initiator(index));
      continue;
    }
    const BusPort& port = *bus.initiators[index];
    connect({name, port, {false, port.configuration.data_bytes, master.outstanding}}, *part->socket,
            bus.interconnect->from_initiator(index));
  }
}

void Platform::bind_idle(tlm::tlm_target_socket<>& socket) {
  idle_.push_back(std::make_unique<tlm_utils::simple_initiator_socket<Platform>>(
      sc_core::sc_gen_unique_name("idle")));
  idle_.back()->bind(socket);
}

// The widest beats that come to a target: of its port, or, as a loosely timed bus passes bursts on
// as they are, of any master.
unsigned Platform::beat_bytes(const std::string& name, const BuiltBus& bus,
                              const BusPort& port) const {
  unsigned bytes = port.configuration.data_bytes;
  if (configuration_.find(name)->model == "lt")
    for (const BusPort* master : bus.initiators)
      bytes = std::max(bytes, master->configuration.data_bytes);
  return bytes;
}

void Platform::connect_targets(const BuiltDevice& device) {
  const std::vector<PlacedWindow> placed = placed_windows(configuration_, *device.instance);
  for (const device::Parts::Target& part : device.parts.targets) {
    const auto window = std::find_if(placed.begin(), placed.end(), [&](const PlacedWindow& each) {
      return each.window.name == part.window;
    });
    if (window == placed.end()) {
      bind_idle(*part.socket);
      continue;
    }
    const std::string& name = window->place->bus;
    BuiltBus& bus = buses_.at(name);
    const unsigned index = index_of(bus.targets, *device.instance, part.window);
    const BusPort& port = *bus.targets[index];
    const bool lite = window->window.lite;
    const unsigned bytes = lite ? kLiteBytes : beat_bytes(name, bus, port);
    connect({name, port, {lite, bytes, 0}}, bus.interconnect->to_target(index), *part.socket);
  }
}

// An output that nothing listens to is bound all the same: a port must be.
void Platform::connect_interrupts() {
  for (const BuiltDevice& device : devices_)
    for (const device::Parts::Interrupt& part : device.parts.interrupts) {
      const bool only = device.board->type->interrupts.size() == 1;
      interrupts_.push_back(std::make_unique<sc_core::sc_signal<bool>>(
          (device.instance->name + (only ? "_interrupt" : '_' + part.output)).c_str()));
      (*part.line)(*interrupts_.back());
      if (tracing_ != nullptr)
        tracing_->watch_interrupt(
            only ? device.instance->name : device.instance->name + '_' + part.output,
            *interrupts_.back());
      for (const InterruptLink& link : device.board->interrupts)
        if (link.output == part.output) connect_interrupt(link, device, *interrupts_.back());
    }
  // A host without an interrupt controller hears nothing; its input is a port too.
  for (const BuiltDevice& device : devices_) {
    if (!device.board->type->is_processor) continue;
    const bool heard = std::any_of(devices_.begin(), devices_.end(), [&](const BuiltDevice& each) {
      return std::any_of(each.board->interrupts.begin(), each.board->interrupts.end(),
                         [&](const auto& link) { return link.controller == device.board->name; });
    });
    if (heard) continue;
    interrupts_.push_back(std::make_unique<sc_core::sc_signal<bool>>(
        (device.instance->name + "_no_interrupt").c_str()));
    device.parts.connect_input(0, *interrupts_.back());
  }
}

void Platform::connect_interrupt(const InterruptLink& link, const BuiltDevice& device,
                                 sc_core::sc_signal<bool>& signal) {
  const auto controller =
      std::find_if(devices_.begin(), devices_.end(),
                   [&](const BuiltDevice& each) { return each.instance->name == link.controller; });
  const unsigned inputs = controller->board->type->interrupt_inputs(*controller->instance);
  if (link.line >= inputs)
    throw bad_input(fmt::format("{} is on line {} of {}, which has lines 0 to {}",
                                device.instance->name, link.line, link.controller, inputs - 1),
                    link.where,
                    "take a free line, or give the controller more of them by its keys");
  controller->parts.connect_input(link.line, signal);
}

}  // namespace gvp::platform

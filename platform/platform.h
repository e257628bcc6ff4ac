// SPDX-License-Identifier: Apache-2.0
// A board, built: every device that a Configuration has, made by its type's factory, bound to its
// bus at its addresses and to its interrupt line.  Knows no type of device by name; what runs a
// program (the host processor) and what runs kernels (GPGPUs) it finds by their interfaces.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <systemc>
#include <utility>
#include <vector>

#include "models/axi/interconnect.h"
#include "models/device/device_type.h"
#include "models/gpgpu/device.h"
#include "models/gpgpu/event_log.h"
#include "models/host/host.h"
#include "models/tlm/external_master.h"
#include "platform/axi_checks.h"
#include "platform/configuration/configuration.h"
#include "platform/elf/elf_file.h"
#include "platform/serial/serial_line.h"

namespace gvp::compare {
class Comparison;
}

namespace gvp::platform {

class Tracing;

// What becomes of a board's host processor.
enum class HostRole {
  kRuns,
  // It is not built; on the port of its data side a program outside drives the bus.
  kLeftOut,
};

class Platform : public sc_core::sc_module {
 public:
  // Throws Error (bad input) for what cannot be built.  max_instructions: of the host; 0 for no
  // limit.  tracing: outlives this; null: nothing is recorded.  seed: of what RTL does
  // not initialise; 0 for zeros.
  Platform(const sc_core::sc_module_name& name, const Configuration& configuration,
           uint64_t max_instructions, Tracing* tracing = nullptr, HostRole host = HostRole::kRuns,
           uint32_t seed = 0);
  ~Platform() override;

  // Puts the firmware into memory and the processor at its entry point.
  void load(const ElfFile& firmware);
  // After load(): puts text where the firmware looks for its arguments, the array
  // program_argument_text.  Throws Error (bad input) if it has none, or one too small.
  void pass_arguments(const ElfFile& firmware, const std::string& text);

  // After load(): puts a whole file into memory, at an address or into an array of the firmware's;
  // a word of the firmware's called ARRAY_bytes is then told its size.  Throws Error (bad input)
  // for what does not fit, is not there, or lies in registers.
  void load_file(const ElfFile& firmware, const std::string& where, const std::string& path);

  // Waits for GDB before the first instruction; returns the port on 127.0.0.1.  Its "monitor"
  // command also shows the GPGPUs and the statistics of the whole board.
  uint16_t attach_debugger(uint16_t port);

  host::Host& host() { return *host_; }  // of a board that has one, and runs it
  // What a program outside drives the bus by: a device of this type or, where the host is left out,
  // in its place.  Null where there is neither.
  kit::ExternalMaster* external_master() { return external_master_; }
  // The line of an interrupt output.  Throws Error (model error) for one that is not there.
  const sc_core::sc_out<bool>& interrupt(std::string_view device, std::string_view output) const;
  // A GPGPU by its name; null where there is none.
  gpgpu::Device* gpgpu(std::string_view name) const;
  const std::vector<gpgpu::Device*>& gpgpus() const { return gpgpus_; }
  // Devices that are two models, which are compared.
  const std::vector<compare::Comparison*>& comparisons() const { return comparisons_; }
  const std::vector<std::unique_ptr<SerialLine>>& serial_lines() const { return lines_; }

  // Pulls a reset line of the board, which has one of this name: every device on it is as after
  // power-on, memories keep their contents.  Between transactions: in a process of its own, or
  // while the host is held.
  void reset(const std::string& line);
  // The same at a simulated time (picoseconds); before the simulation starts.
  void reset_at(const std::string& line, uint64_t time_ps);

  // For how long the port of each initiator on a bus has carried data, ps.
  std::vector<uint64_t> bus_busy_ps() const;

  // Moves characters between the serial lines and the outside world.
  void poll_serial_lines();
  // Sends what the UARTs still hold; for the end of a run.
  void flush_serial_lines();

  // Waveforms of all devices that are RTL, or of the one that is named: FILE.fst where there is
  // one, FILE.DEVICE.fst where there are several.  Throws Error (bad input) where there is none, or
  // a file cannot be written.
  void open_waves(const std::string& file, const std::string& device = "");
  // The files that it writes.
  std::vector<std::string> wave_files(const std::string& file,
                                      const std::string& device = "") const;

  // Of the AXI protocol, as far as the keys BUS.check look, and at the pins of RTL.
  uint64_t protocol_violations() const;

  // {"host": .., "gpgpu": .., "axi": .., "ddr3": ..}: what each device that counts has counted,
  // by its name.
  nlohmann::ordered_json statistics() const;

 private:
  struct BuiltBus {
    std::unique_ptr<axi::Interconnect> interconnect;
    std::unique_ptr<AxiChecks> checks;
    std::vector<const BusPort*> initiators, targets;  // in the interconnect's order
    std::vector<axi::Region> regions;
  };
  struct BuiltDevice {
    const device::Instance* instance;
    const BoardDevice* board;
    device::Parts parts;
  };
  using OpenWave = std::function<void(const std::string&)>;

  std::vector<std::pair<std::string, OpenWave>> wave_blocks(const std::string& only) const;
  // Where a device's socket meets a bus.
  struct Connection {
    const std::string& bus;
    const BusPort& port;                 // its name is the one of keys and statistics
    axi::ProtocolCheckerSettings rules;  // width, most transactions in flight...
  };

  std::string memories_text() const;
  void show_gpgpus(std::string_view contents);
  peripherals::CharacterChannel* add_serial_line(const std::string& device,
                                                 const std::string& line);
  std::string obey_reset(const std::string& line);
  void build_devices(uint64_t max_instructions, uint32_t seed);
  void build_bus(const device::Instance& instance, const device::DeviceType& type, uint32_t seed);
  device::Parts stand_in_for_host(const device::Instance& instance,
                                  const device::DeviceType& type) const;
  void find_roles();
  void bind_idle(tlm::tlm_target_socket<>& socket);
  // Binds two sockets, with whatever sits between them: every bus port of the board comes by here.
  void connect(const Connection& connection, tlm::tlm_initiator_socket<>& from,
               tlm::tlm_target_socket<>& to);
  unsigned beat_bytes(const std::string& name, const BuiltBus& bus, const BusPort& port) const;
  void connect_targets(const BuiltDevice& device);
  void connect_initiators(const BuiltDevice& device);
  // The bytes from begin to end - 1, called what, come from this file.
  void refuse_registers(const std::string& what, uint64_t begin, uint64_t end,
                        const std::string& file) const;
  void connect_interrupts();
  void connect_interrupt(const InterruptLink& link, const BuiltDevice& device,
                         sc_core::sc_signal<bool>& signal);

  Configuration configuration_;
  Tracing* tracing_;
  std::vector<std::unique_ptr<SerialLine>> lines_;
  std::vector<std::pair<std::string, std::string>> line_owners_;  // line, device
  std::vector<std::unique_ptr<gpgpu::EventLog>> event_logs_;      // outlive the devices
  std::vector<BuiltDevice> devices_;                              // without the buses
  std::map<std::string, BuiltBus> buses_;
  host::Host* host_ = nullptr;
  HostRole host_role_;
  kit::ExternalMaster* external_master_ = nullptr;
  std::vector<gpgpu::Device*> gpgpus_;
  std::vector<compare::Comparison*> comparisons_;
  // What is bound to where nobody is: windows without bytes, bus ports without a device.
  std::vector<std::unique_ptr<tlm_utils::simple_initiator_socket<Platform>>> idle_;
  std::vector<std::unique_ptr<sc_core::sc_signal<bool>>> interrupts_;
};

}  // namespace gvp::platform

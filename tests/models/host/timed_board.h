// SPDX-License-Identifier: Apache-2.0
// A board for the tests of the processor's modules: memory and a device on the bus, and a record of
// when each was accessed.
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/host/host.h"
#include "models/host/processor.h"
#include "tests/models/host/load.h"

namespace gvp::host::test {

using sc_core::sc_time;

constexpr uint64_t kCycle = 10000;  // ps

// RAM at 0x50000000, ten cycles away and with direct access for those who want it; a device at
// 0x80000000: writing n there raises the interrupt after n ns, writing above lowers it.
class Board : public sc_core::sc_module {
 public:
  static constexpr uint32_t kRam = 0x50000000;
  static constexpr uint32_t kDevice = 0x80000000;
  static constexpr uint64_t kLatency = 10;  // cycles

  struct Access {
    uint64_t cycle;
    uint32_t address;
    bool operator==(const Access& other) const {
      return cycle == other.cycle && address == other.address;
    }
  };

  tlm_utils::simple_target_socket<Board> instruction{"instruction"};
  tlm_utils::simple_target_socket<Board> data{"data"};
  sc_core::sc_signal<bool> interrupt{"interrupt"};
  std::unique_ptr<Host> host;
  std::vector<uint8_t> ram = std::vector<uint8_t>(1u << 16);
  bool allow_direct = true;
  std::vector<Access> fetches;
  std::vector<Access> accesses;
  std::vector<uint32_t> access_pcs;  // what the host says its program counter is, at each
  std::vector<std::string> access_functions;
  std::optional<Stop> stop;

  SC_HAS_PROCESS(Board);
  explicit Board(const sc_core::sc_module_name& name, const Configuration& configuration = {},
                 const std::string& model = "at")
      : sc_module(name) {
    host = make_host("host", model, configuration);
    host->instruction_socket().bind(instruction);
    host->data_socket().bind(data);
    host->interrupt(interrupt);
    instruction.register_b_transport(this, &Board::fetch);
    instruction.register_get_direct_mem_ptr(this, &Board::get_direct);
    data.register_b_transport(this, &Board::access);
    data.register_get_direct_mem_ptr(this, &Board::get_direct);
    data.register_transport_dbg(this, &Board::debug);
    host->set_stop_handler([this](const Stop& s) { stop = s; });
    SC_METHOD(drive);
    sensitive << raise_ << lower_;
    dont_initialize();
  }

  void load(std::string_view text, uint32_t address) { load_program(*host, text, address); }
  void run_from(uint32_t address, double microseconds = 1000) {
    host->set_start_address(address);
    sc_core::sc_start(sc_time(microseconds, sc_core::SC_US));
  }
  uint32_t r(size_t n) { return static_cast<Processor&>(*host).engine().state().r[n]; }
  uint64_t stalled(const char* cause) const {
    return host->statistics()["stall_cycles"][cause].get<uint64_t>();
  }
  // Every cycle belongs to an instruction, to a stall or to idling.
  void expect_all_cycles_explained() const {
    const auto json = host->statistics();
    uint64_t sum = host->instructions() + json["idle_cycles"].get<uint64_t>();
    for (const auto& [cause, count] : json["stall_cycles"].items()) sum += count.get<uint64_t>();
    EXPECT_EQ(host->cycles(), sum) << json.dump(2);
  }

 private:
  void drive() { interrupt.write(raise_.triggered()); }
  static uint64_t cycle(const sc_time& delay) {
    return (sc_core::sc_time_stamp() + delay).value() / kCycle;
  }
  void fetch(tlm::tlm_generic_payload& payload, sc_time& delay) {
    fetches.push_back({cycle(delay), static_cast<uint32_t>(payload.get_address())});
    transport(payload, delay);
  }
  void access(tlm::tlm_generic_payload& payload, sc_time& delay) {
    accesses.push_back({cycle(delay), static_cast<uint32_t>(payload.get_address())});
    access_pcs.push_back(host->program_counter());
    access_functions.push_back(host->function());
    transport(payload, delay);
  }
  void transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    const uint64_t address = payload.get_address();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (address - kRam < ram.size()) {
      move(payload);
    } else if (address - kDevice < 8 && payload.is_write()) {
      uint32_t value = 0;
      std::memcpy(&value, payload.get_data_ptr(), 4);
      if (address == kDevice) {
        raise_.notify(delay + sc_time(value, sc_core::SC_NS));
      } else {
        lower_.notify(delay);
      }
    } else {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    delay += sc_time(kLatency * 10, sc_core::SC_NS);
  }
  void move(tlm::tlm_generic_payload& payload) {
    uint8_t* at = &ram[payload.get_address() - kRam];
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
    } else {
      std::memcpy(at, payload.get_data_ptr(), payload.get_data_length());
    }
  }
  unsigned debug(tlm::tlm_generic_payload& payload) {
    if (payload.get_address() - kRam >= ram.size()) return 0;
    move(payload);
    return payload.get_data_length();
  }
  bool get_direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    if (payload.get_address() - kRam >= ram.size() || !allow_direct) return false;
    dmi.set_dmi_ptr(ram.data());
    dmi.set_start_address(kRam);
    dmi.set_end_address(kRam + ram.size() - 1);
    dmi.allow_read_write();
    return true;
  }

  sc_core::sc_event raise_;
  sc_core::sc_event lower_;
};

inline Configuration with_caches() {
  Configuration configuration;
  configuration.use_icache = true;
  configuration.use_dcache = true;
  configuration.icache_baseaddr = configuration.dcache_baseaddr = 0x40000000;
  configuration.icache_highaddr = configuration.dcache_highaddr = 0x5fffffff;
  configuration.reset_msr = 1u << 5 | 1u << 7;  // ICE, DCE
  return configuration;
}

}  // namespace gvp::host::test

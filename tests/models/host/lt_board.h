// SPDX-License-Identifier: Apache-2.0
// The loosely timed processor on a board of RAM and a timer.
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <systemc>
#include <vector>

#include "models/host/host.h"
#include "models/tlm/direct_account.h"
#include "tests/models/host/load.h"
#include "tests/support/guest/tested_engine.h"

namespace gvp::host::test {

using sc_core::sc_time;

// RAM at 0x50000000 with direct access; a device at 0x80000000: writing n there raises the
// interrupt after n ns, writing anywhere above lowers it.
class LtBoard : public sc_core::sc_module {
 public:
  static constexpr uint64_t kRam = 0x50000000;
  static constexpr uint64_t kTimer = 0x80000000;

  tlm_utils::simple_target_socket<LtBoard> instruction{"instruction"};
  tlm_utils::simple_target_socket<LtBoard> data{"data"};
  sc_core::sc_signal<bool> interrupt{"interrupt"};
  std::unique_ptr<Host> host;
  std::vector<uint8_t> ram = std::vector<uint8_t>(1u << 20);
  std::vector<sc_time> accesses;
  struct Transfer {
    bool write;
    uint32_t address;
    unsigned bytes;
    bool operator==(const Transfer& o) const {
      return write == o.write && address == o.address && bytes == o.bytes;
    }
  };
  std::vector<Transfer> transfers;  // of RAM over the bus
  kit::DirectTraffic direct;        // past it, as the processor tells
  uint64_t granted = 0;             // bytes of the ranges that are granted; 0: all of RAM
  std::vector<kit::DirectTraffic> direct_by_range;  // in place of direct, if there are any
  bool allow_direct = true;
  uint32_t direct_from = 0;  // bytes of RAM: what is below has no direct access
  std::function<bool(tlm::tlm_dmi&)> grant = [](tlm::tlm_dmi&) {
    return true;
  };  // has the last word
  sc_time read_latency{100, sc_core::SC_NS}, write_latency{100, sc_core::SC_NS};  // direct ones
  std::optional<Stop> stop;

  SC_HAS_PROCESS(LtBoard);
  explicit LtBoard(const sc_core::sc_module_name& name, const Configuration& configuration = {})
      : sc_module(name) {
    host = make_host("host", "lt", gvp::test::with_tested_engine(configuration));
    host->instruction_socket().bind(instruction);
    host->data_socket().bind(data);
    host->interrupt(interrupt);
    instruction.register_b_transport(this, &LtBoard::b_transport);
    instruction.register_get_direct_mem_ptr(this, &LtBoard::get_direct);
    data.register_b_transport(this, &LtBoard::b_transport);
    data.register_get_direct_mem_ptr(this, &LtBoard::get_direct);
    data.register_transport_dbg(this, &LtBoard::debug);
    host->set_stop_handler([this](const Stop& s) {
      stop = s;
      sc_core::sc_stop();
    });
    SC_METHOD(drive);
    sensitive << raise_ << lower_;
    dont_initialize();
  }

  void load(std::string_view text, uint32_t address) { load_program(*host, text, address); }
  void run(double microseconds = 1000) { sc_core::sc_start(sc_time(microseconds, sc_core::SC_US)); }

 private:
  void drive() { interrupt.write(raise_.triggered()); }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    const uint64_t address = payload.get_address();
    if (address - kRam < ram.size()) {
      access(payload);
      transfers.push_back(
          {payload.is_write(), static_cast<uint32_t>(address), payload.get_data_length()});
      delay += sc_time(100, sc_core::SC_NS);
    } else if (address - kTimer < 8) {
      accesses.push_back(sc_core::sc_time_stamp() + delay);
      uint32_t value = 0;
      if (payload.is_read()) {
        std::memcpy(payload.get_data_ptr(), &value, 4);
      } else if (address == kTimer) {
        std::memcpy(&value, payload.get_data_ptr(), 4);
        raise_.notify(delay + sc_time(value, sc_core::SC_NS));
      } else {
        lower_.notify(delay);
      }
    } else {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void access(tlm::tlm_generic_payload& payload) {
    uint8_t* at = &ram[payload.get_address() - kRam];
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
      return;
    }
    const uint8_t* enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i)
      if (enables == nullptr || enables[i] == TLM_BYTE_ENABLED) at[i] = payload.get_data_ptr()[i];
  }
  unsigned debug(tlm::tlm_generic_payload& payload) {
    if (payload.get_address() - kRam >= ram.size()) return 0;
    EXPECT_EQ(payload.get_streaming_width(), payload.get_data_length());
    access(payload);
    return payload.get_data_length();
  }
  bool get_direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    const uint64_t offset = payload.get_address() - kRam;
    if (offset >= ram.size() || offset < direct_from || !allow_direct) return false;
    const uint64_t bytes = granted == 0 ? ram.size() : granted;
    const uint64_t range = offset / bytes;
    const uint64_t first = std::max<uint64_t>(range * bytes, direct_from);
    kit::account_for_direct(payload, direct_by_range.empty() ? direct : direct_by_range.at(range));
    dmi.set_dmi_ptr(&ram[first]);
    dmi.set_start_address(kRam + first);
    dmi.set_end_address(kRam + range * bytes + bytes - 1);
    dmi.set_read_latency(read_latency);
    dmi.set_write_latency(write_latency);
    dmi.allow_read_write();
    return grant(dmi);
  }

  sc_core::sc_event raise_;
  sc_core::sc_event lower_;
};

inline void set_quantum(double nanoseconds) {
  tlm::tlm_global_quantum::instance().set(sc_time(nanoseconds, sc_core::SC_NS));
}

}  // namespace gvp::host::test

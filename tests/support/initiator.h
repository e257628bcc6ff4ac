// SPDX-License-Identifier: Apache-2.0
// A virtual initiator for tests: reads and writes through a TLM-2.0 socket with a local time of
// its own, and says what the response was.  Use it inside run(), which is a SystemC thread.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>
#include <tlm>
#include <vector>

namespace gvp::test {

class Initiator : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket{"socket"};

  explicit Initiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket.bind(*this);
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    SC_HAS_PROCESS(Initiator);
    SC_THREAD(thread);
  }

  // Runs the body as a SystemC thread and simulates until it returns.
  void run(std::function<void()> body) {
    body_ = std::move(body);
    finished_ = false;
    sc_core::sc_start();
    ASSERT_TRUE(finished_) << "the test body waits for something that never happens";
  }

  // One transaction.  The local time `delay` grows by what the target adds.
  tlm::tlm_response_status access(tlm::tlm_command command, uint64_t address, void* data,
                                  unsigned length) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<uint8_t*>(data));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  tlm::tlm_response_status write(uint64_t address, uint32_t value, unsigned length = 4) {
    return access(tlm::TLM_WRITE_COMMAND, address, &value, length);
  }
  tlm::tlm_response_status read(uint64_t address, uint32_t& value, unsigned length = 4) {
    value = 0;
    return access(tlm::TLM_READ_COMMAND, address, &value, length);
  }
  // Accesses that must succeed.
  void write32(uint64_t address, uint32_t value) {
    EXPECT_EQ(write(address, value), tlm::TLM_OK_RESPONSE) << std::hex << address;
  }
  uint32_t read32(uint64_t address) {
    uint32_t value = 0;
    EXPECT_EQ(read(address, value), tlm::TLM_OK_RESPONSE) << std::hex << address;
    return value;
  }
  // An untimed read of 4 bytes; nothing if the target does not give them.
  std::optional<uint32_t> peek32(uint64_t address) {
    uint32_t value = 0;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
    payload.set_data_length(4);
    if (socket->transport_dbg(payload) != 4) return std::nullopt;
    return value;
  }
  // Lets simulated time catch up with the local time, and go on by so much.
  void advance(const sc_core::sc_time& time = sc_core::SC_ZERO_TIME) {
    sc_core::wait(delay + time);
    delay = sc_core::SC_ZERO_TIME;
  }

  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;  // local time ahead of simulated time
  struct Invalidation {
    uint64_t start, end;
  };
  std::vector<Invalidation> invalidations;  // of direct memory, in order

 private:
  void thread() {
    if (!body_) return;  // another initiator runs the test
    body_();
    finished_ = true;
    sc_core::sc_stop();
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
    invalidations.push_back({start, end});
  }

  std::function<void()> body_;
  bool finished_ = false;
};

}  // namespace gvp::test

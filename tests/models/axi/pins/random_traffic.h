// SPDX-License-Identifier: Apache-2.0
// Random transactions of all forms for tests of transactors: threads with an ID and a range of a
// memory of their own each, so that a copy of the memory says what a read must return, whatever
// overtakes what.
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/extension.h"

namespace gvp::axi::pins {

// Accesses of each thread: `usual`, or so many in all as GVP_PIN_TRANSACTIONS says.
inline unsigned accesses_of_a_thread(unsigned usual, unsigned threads) {
  const char* text = std::getenv("GVP_PIN_TRANSACTIONS");
  return text == nullptr ? usual : static_cast<unsigned>(std::strtoul(text, nullptr, 10)) / threads;
}

class RandomTraffic : public sc_core::sc_module {
 public:
  static constexpr unsigned kRange = 8192, kMostBytes = 1024;  // of a thread, of an access
  tlm_utils::simple_initiator_socket<RandomTraffic> socket{"socket"};
  unsigned done = 0;  // threads

  RandomTraffic(const sc_core::sc_module_name& name, uint32_t seed, unsigned threads,
                unsigned accesses, unsigned data_bytes, bool with_bursts, uint64_t base = 0)
      : sc_module(name),
        random_(seed),
        accesses_(accesses),
        data_bytes_(data_bytes),
        with_bursts_(with_bursts),
        base_(base),
        copy_(size_t{threads} * kRange) {
    for (unsigned i = 0; i < threads; ++i) sc_core::sc_spawn([this, i] { run(i); });
  }

 private:
  struct Access {
    bool write;
    uint64_t address;
    unsigned length, streaming;
    Extension axi;
    bool described;
  };

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  void run(unsigned thread) {
    for (unsigned i = 0; i < accesses_ && !testing::Test::HasFailure(); ++i) {
      transfer(access(thread));
      if (below(4) == 0) sc_core::wait(sc_core::sc_time(below(100), sc_core::SC_NS));
    }
    ++done;
  }

  Access access(unsigned thread) {
    Access access{};
    access.write = below(2) == 0;
    access.length = access.streaming = 1 + below(below(4) == 0 ? 600 : 40);
    access.address = base_ + uint64_t{thread} * kRange + below(kRange - kMostBytes);
    access.axi.id = thread;
    access.axi.beats = 0;  // the transactor cuts it itself
    if (with_bursts_ && below(2) == 0)
      describe(access);
    else if (below(8) == 0)
      access.streaming = 1 + below(access.length);
    return access;
  }

  // Makes it one of the bursts that IHI 0022 has.
  void describe(Access& access) {
    Extension& axi = access.axi;
    const auto widest = static_cast<unsigned>(__builtin_ctz(data_bytes_));
    axi.beat_bytes_log2 = static_cast<uint8_t>(below(widest + 1));
    const unsigned beat = 1u << axi.beat_bytes_log2;
    axi.burst = static_cast<Burst>(below(3));
    axi.beats = static_cast<uint16_t>(1 + below(16));
    access.described = true;
    if (axi.burst == Burst::kWrapping) axi.beats = static_cast<uint16_t>(2u << below(4));
    access.length = access.streaming = axi.beats * beat;
    if (axi.burst == Burst::kIncrementing) {  // unaligned, and inside of a page
      if (access.address % 4096 + access.length > 4096) access.address -= access.address % 4096;
      access.length -= static_cast<unsigned>(access.address % beat);
      access.streaming = access.length;
    } else {
      access.address -= access.address % beat;
      if (axi.burst == Burst::kFixed) access.streaming = beat;
    }
  }

  void transfer(Access access) {
    std::vector<uint8_t> data(access.length), enables;
    for (uint8_t& byte : data) byte = static_cast<uint8_t>(random_());
    if (below(4) == 0) {
      const bool all = access.axi.burst == Burst::kWrapping;
      enables.resize(all ? access.length : 1 + below(access.length));
      for (uint8_t& byte : enables) byte = below(2) == 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    }
    const std::vector<uint8_t> before = data;
    tlm::tlm_generic_payload payload;
    payload.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(access.address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(access.length);
    payload.set_streaming_width(access.streaming);
    payload.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
    payload.set_extension(&access.axi);
    sc_core::sc_time delay(below(30), sc_core::SC_NS);
    socket->b_transport(payload, delay);
    payload.clear_extension(&access.axi);
    ASSERT_TRUE(payload.is_response_ok()) << payload.get_response_string();
    compare(access, data, before, enables);
  }

  void compare(const Access& access, const std::vector<uint8_t>& data,
               const std::vector<uint8_t>& before, const std::vector<uint8_t>& enables) {
    const uint64_t into = access.address % access.length;
    const bool wraps = access.described && access.axi.burst == Burst::kWrapping;
    for (unsigned i = 0; i < access.length; ++i) {
      uint64_t at = access.address + i % access.streaming;
      if (wraps) at = access.address - into + (into + i) % access.length;
      const bool on = enables.empty() || enables[i % enables.size()] == TLM_BYTE_ENABLED;
      if (access.write && on) copy_[at - base_] = data[i];
      if (access.write) continue;
      ASSERT_EQ(data[i], on ? copy_[at - base_] : before[i])
          << "byte " << i << " of " << access.length << " at " << std::hex << access.address;
    }
  }

  std::mt19937 random_;
  unsigned accesses_, data_bytes_;
  bool with_bursts_;
  uint64_t base_;
  std::vector<uint8_t> copy_;
};

}  // namespace gvp::axi::pins

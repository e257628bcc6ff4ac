// SPDX-License-Identifier: Apache-2.0
// A peripheral with an initiator on its socket and its interrupt on a signal.
#pragma once

#include <deque>
#include <string>

#include "models/peripherals/character_channel.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"

namespace gvp::peripherals {

using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_time;
using sc_core::SC_US;

inline constexpr auto kOk = tlm::TLM_OK_RESPONSE;
inline constexpr auto kSlaveError = tlm::TLM_GENERIC_ERROR_RESPONSE;

template <typename Device>
struct Bench {
  template <typename... Args>
  explicit Bench(Args&&... args) : device("device", std::forward<Args>(args)...) {
    initiator.socket.bind(device.socket);
    device.interrupt(interrupt);
  }
  uint32_t read(uint64_t address) { return initiator.read32(address); }
  void write(uint64_t address, uint32_t value) { initiator.write32(address, value); }
  // Lets so much simulated time pass.
  void pass(const sc_time& time) { initiator.advance(time); }
  // Lets so much of the initiator's local time pass; simulated time stays behind.
  void pass_locally(const sc_time& time) { initiator.delay += time; }
  void run(std::function<void()> body) { initiator.run(std::move(body)); }

  test::LogCapture log;
  test::Initiator initiator{"initiator"};
  sc_core::sc_signal<bool> interrupt{"interrupt"};
  Device device;
};

struct StringChannel : CharacterChannel {
  void write(uint8_t character) override { output += static_cast<char>(character); }
  std::optional<uint8_t> read() override {
    if (input.empty()) return std::nullopt;
    const auto character = static_cast<uint8_t>(input.front());
    input.pop_front();
    return character;
  }
  std::string output;
  std::deque<char> input;
};

// A UART whose line ends in strings.
template <typename Uart, typename Configuration>
struct SerialBench {
  explicit SerialBench(const Configuration& configuration) : bench(configuration, &channel) {}
  uint32_t read(uint64_t address) { return bench.read(address); }
  void write(uint64_t address, uint32_t value) { bench.write(address, value); }
  void pass(const sc_time& time) { bench.pass(time); }
  void pass_locally(const sc_time& time) { bench.pass_locally(time); }
  void run(std::function<void()> body) { bench.run(std::move(body)); }

  StringChannel channel;
  Bench<Uart> bench;
  test::LogCapture& log = bench.log;
  test::Initiator& initiator = bench.initiator;
  sc_core::sc_signal<bool>& interrupt = bench.interrupt;
  Uart& device = bench.device;
  std::string& output = channel.output;
  std::deque<char>& input = channel.input;
};

}  // namespace gvp::peripherals

// SPDX-License-Identifier: Apache-2.0
// What every device may have: several bus ports of its own on different buses, several interrupt
// outputs, a reset line; wired by a board alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <string>
#include <vector>

#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "platform/configuration/keys.h"
#include "platform/memory_map.h"
#include "platform/platform.h"

namespace gvp::platform {
namespace {

constexpr uint32_t kFrom = 0x10000000, kTo = 0x20000000, kIntc = 0x80000000;
constexpr uint32_t kIsr = 0x0, kMer = 0x1c;

// Copies a word from one bus to another and says so on one of its two interrupt lines.
class Copier : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Copier> source{"source"};
  tlm_utils::simple_initiator_socket<Copier> sink{"sink"};
  sc_core::sc_out<bool> done{"done"};
  sc_core::sc_out<bool> failed{"failed"};
  unsigned resets = 0;

  explicit Copier(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Copier);
    SC_THREAD(run);
  }
  uint32_t debug_read(uint32_t address) {
    uint32_t word = 0;
    tlm::tlm_generic_payload payload;
    describe(payload, tlm::TLM_READ_COMMAND, address, word);
    return sink->transport_dbg(payload) == sizeof word ? word : 0;
  }

 private:
  static void describe(tlm::tlm_generic_payload& payload, tlm::tlm_command command,
                       uint32_t address, uint32_t& word) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(sizeof word);
    payload.set_streaming_width(sizeof word);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  static bool access(tlm_utils::simple_initiator_socket<Copier>& socket, tlm::tlm_command command,
                     uint32_t address, uint32_t& word) {
    tlm::tlm_generic_payload payload;
    describe(payload, command, address, word);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    sc_core::wait(delay);
    return payload.is_response_ok();
  }
  void run() {
    sc_core::wait(sc_core::sc_time(1, sc_core::SC_US));
    uint32_t word = 0;
    const bool ok = access(source, tlm::TLM_READ_COMMAND, kFrom, word) &&
                    access(sink, tlm::TLM_WRITE_COMMAND, kTo, word);
    (ok ? done : failed)->write(true);
  }
};

Copier* built = nullptr;

device::DeviceType copier_type() {
  device::DeviceType type;
  type.name = "copier";
  type.description = "copies a word";
  type.masters = {{"source", 1, true}, {"spare", 4}, {"sink", 1}};
  type.interrupts = {{"done"}, {"failed"}};
  type.has_reset = true;
  type.make = [](const device::Instance& instance, device::Surroundings&) {
    auto copier = std::make_unique<Copier>(instance.name.c_str());
    built = copier.get();
    device::Parts parts;
    parts.initiators = {{"sink", &copier->sink}, {"source", &copier->source}};
    parts.interrupts = {{"failed", &copier->failed}, {"done", &copier->done}};
    parts.reset = [c = copier.get()] { ++c->resets; };
    parts.module = std::move(copier);
    return parts;
  };
  return type;
}

std::string board_text(const std::string& copier) {
  register_built_in_device_types();
  if (device::find_device_type("copier") == nullptr) device::register_device_type(copier_type());
  return R"(name = "copying"
[clocks]
system = 100_000_000
[resets]
button = "a push button"
[devices.host]
type = "microblaze"
clock = "system"
bus = "axi"
windows.lmb = { base = 0 }
[devices.axi]
type = "axi_interconnect"
clock = "system"
[devices.second]
type = "axi_interconnect"
clock = "system"
[devices.intc]
type = "axi_intc"
bus = "axi"
base = 0x8000_0000
interrupt = { controller = "host", line = 0 }
[devices.from]
type = "block_ram"
bus = "axi"
base = 0x1000_0000
[devices.to]
type = "block_ram"
bus = "second"
base = 0x2000_0000
[devices.copier]
type = "copier"
)" + copier;
}

constexpr const char* kWired =
    "bus = \"axi\"\n"
    "masters.sink = \"second\"\n"
    "interrupts.done = { controller = \"intc\", line = 5 }\n"
    "interrupts.failed = { controller = \"intc\", line = 2 }\n"
    "reset = \"button\"\n";

std::string error_of(const std::string& copier) {
  try {
    parse_board(board_text(copier), "b.toml", "b.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

class Seams : public testing::TestWithParam<const char*> {};

TEST_P(Seams, SeveralMastersAndInterruptsOfADeviceAreWiredByTheBoard) {
  Configuration configuration(
      std::make_shared<const Board>(parse_board(board_text(kWired), "b.toml", "b.toml")));
  for (const char* block : {"host", "axi", "second"}) configuration.model(block) = GetParam();
  assign(configuration, "axi.check=true");
  Platform platform("platform", configuration, 0);
  const uint32_t word = 0x600dcafe, enable = 3;
  ASSERT_EQ(platform.host().debug_write(kFrom, &word, 4), 4u);
  platform.host().debug_write(kIntc + kMer, &enable, 4);
  sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
  EXPECT_EQ(built->debug_read(kTo), word);
  uint32_t seen = 0;
  EXPECT_EQ(platform.host().debug_read(kTo, &seen, 4), 0u) << "the host is not on that bus";
  platform.host().debug_read(kIntc + kIsr, &seen, 4);
  EXPECT_EQ(seen, 1u << 5);
  EXPECT_EQ(platform.protocol_violations(), 0u);
  platform.reset("button");
  EXPECT_EQ(built->resets, 1u);
}

INSTANTIATE_TEST_SUITE_P(Timings, Seams, testing::Values("lt", "at"),
                         [](const auto& param_info) { return std::string(param_info.param); });

TEST(SeamsOfABoard, WhatCannotBeWiredIsRefused) {
  EXPECT_EQ(
      error_of("bus = \"axi\"\ninterrupt = { controller = \"intc\", line = 1 }\n"),
      "b.toml:33:13: a copier has several interrupts (write interrupts.NAME = { ... }; names: "
      "done, failed)");
  EXPECT_EQ(error_of("bus = \"axi\"\ninterrupts.dome = { controller = \"intc\", line = 1 }\n"),
            "b.toml:33:19: a copier has no interrupt \"dome\" (did you mean \"done\"?)");
  EXPECT_EQ(
      error_of("bus = \"axi\"\ninterrupts.done = { controller = \"intc\", line = 1 }\n"
               "interrupts.failed = { controller = \"intc\", line = 1 }\n"),
      "b.toml:34:21: copier and copier are both on line 1 of intc (give one of them a line of "
      "its own)");
  EXPECT_EQ(error_of("bus = \"axi\"\nreset = \"buton\"\n"),
            "b.toml:30:1: copier has reset \"buton\", which is not in [resets] (did you mean "
            "\"button\"?)");
  EXPECT_EQ(error_of("bus = \"axi\"\n[devices.r]\ntype = \"block_ram\"\nbus = \"axi\"\n"
                     "base = 0x3000_0000\nreset = \"button\"\n"),
            "b.toml:33:1: a block_ram has no reset (leave reset out)");
}

// ---- resets of the default board

Configuration quiet() {
  Configuration configuration;
  assign(configuration, "uart16550.line=none");
  configuration.quantum_ns = 100;
  return configuration;
}

uint32_t exchange(Platform& platform, uint32_t address, uint32_t value) {
  uint32_t before = 0;
  EXPECT_EQ(platform.host().debug_read(address, &before, 4), 4u);
  EXPECT_EQ(platform.host().debug_write(address, &value, 4), 4u);
  return before;
}

TEST(ResetLine, PutsRegistersBackAndLeavesMemories) {
  Platform platform("platform", quiet(), 0);
  const uint32_t registers[] = {GVP_GPGPU_CONTROL_BASE + FLEXGRIP_SHARED_STATIC_BYTES,
                                GVP_TIMER_BASE + 4, GVP_INTC_BASE + 8, GVP_UART16550_BASE + 0x101c};
  const uint32_t memories[] = {GVP_GPGPU_CODE_BASE, GVP_GPGPU_GLOBAL_BASE, GVP_DDR3_BASE,
                               GVP_LMB_BASE + 0x100};
  std::vector<uint32_t> after_power_on;
  for (const uint32_t address : registers)
    after_power_on.push_back(exchange(platform, address, 0x25));
  for (const uint32_t address : memories) exchange(platform, address, address);
  platform.reset("system");
  for (size_t i = 0; i < after_power_on.size(); ++i)
    EXPECT_EQ(exchange(platform, registers[i], 0), after_power_on[i]) << std::hex << registers[i];
  for (const uint32_t address : memories) EXPECT_EQ(exchange(platform, address, 0), address);
}

class ResetOfTheHost : public testing::TestWithParam<std::tuple<const char*, bool>> {};

// Counts in memory how often it starts at the reset vector, then works or sleeps for ever.
TEST_P(ResetOfTheHost, GoesOnAtTheResetVector) {
  const auto& [timing, sleeps] = GetParam();
  Configuration configuration = quiet();
  for (const char* block : {"host", "axi", "ddr3"}) configuration.model(block) = timing;
  Platform platform("platform", configuration, 0);
  const std::vector<uint32_t> program = {
      0xe8a00100,                           // lwi r5, r0, 0x100
      0x30a50001,                           // addik r5, r5, 1
      0xf8a00100,                           // swi r5, r0, 0x100
      0x30c60001,                           // addik r6, r6, 1: zero after reset
      0xf8c00104,                           // swi r6, r0, 0x104
      sleeps ? 0x94100002u : 0x80000000u,   // msrset r0, IE; or: or r0, r0, r0
      sleeps ? 0xb8000000u : 0xb800fffcu};  // bri 0 (waits for an interrupt); bri -4
  ASSERT_EQ(platform.host().debug_write(0, program.data(), 4 * program.size()), 4 * program.size());
  platform.host().set_start_address(0);
  bool stopped = false;
  platform.host().set_stop_handler([&](const host::Stop&) { stopped = true; });
  platform.reset_at("system", 20'000'000);
  platform.reset_at("system", 40'000'000);
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  EXPECT_FALSE(stopped);
  EXPECT_EQ(exchange(platform, 0x100, 0), 3u);
  EXPECT_EQ(exchange(platform, 0x104, 0), 1u) << "registers are cleared";
}

INSTANTIATE_TEST_SUITE_P(Timings, ResetOfTheHost,
                         testing::Combine(testing::Values("lt", "at"), testing::Bool()));

}  // namespace
}  // namespace gvp::platform

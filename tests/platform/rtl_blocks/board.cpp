// SPDX-License-Identifier: Apache-2.0
#include "tests/platform/rtl_blocks/board.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "tests/support/seed.h"

namespace gvp::platform {

test::Initiator* master = nullptr;
std::map<unsigned, sc_core::sc_signal<bool>*> lines;

namespace {

device::DeviceType tester_type() {
  device::DeviceType type;
  type.name = "tester";
  type.description = "the test";
  type.masters = {{"", 8}};
  type.interrupt_inputs = [](const device::Instance&) { return 8; };
  type.make = [](const device::Instance& instance, device::Surroundings&) {
    auto tester = std::make_unique<test::Initiator>(instance.name.c_str());
    master = tester.get();
    device::Parts parts;
    parts.initiators = {{"", &tester->socket}};
    parts.connect_input = [](unsigned line, sc_core::sc_signal<bool>& signal) {
      lines[line] = &signal;
    };
    parts.module = std::move(tester);
    return parts;
  };
  return type;
}

}  // namespace

std::string plugin(const std::string& block) {
  return std::string(GVP_BINARY_DIR) + "/tests/rtl_blocks/" + block + ".so";
}

std::string board_text(const std::vector<std::string>& blocks, const std::string& devices) {
  register_built_in_device_types();
  if (device::find_device_type("tester") == nullptr) device::register_device_type(tester_type());
  std::string plugins;
  for (const std::string& block : blocks) plugins += '"' + plugin(block) + "\", ";
  return "name = \"own_rtl\"\nplugins = [" + plugins + R"(]
[clocks]
system = 100_000_000
slow = 30_000_000
[resets]
button = "a push button"
[devices.tester]
type = "tester"
bus = "axi"
[devices.axi]
type = "axi_interconnect"
clock = "system"
[devices.memory]
type = "block_ram"
bus = "axi"
base = 0x4000_0000
)" + devices;
}

bool RtlBlocks::there(const std::vector<std::string>& blocks, const char* tool) {
  for (const std::string& block : blocks)
    if (!std::filesystem::exists(plugin(block))) {
      [&] { GTEST_SKIP() << "built without " << tool; }();
      return false;
    }
  return true;
}

void RtlBlocks::build(const std::vector<std::string>& blocks, const std::string& devices,
                      uint32_t seed, const std::string& setting) {
  Configuration configuration(
      std::make_shared<const Board>(parse_board(board_text(blocks, devices), "b.toml", "b.toml")));
  assign(configuration, setting);
  platform_ =
      std::make_unique<Platform>("platform", configuration, 0, nullptr, HostRole::kRuns, seed);
}

std::string RtlBlocks::error_of(const std::vector<std::string>& blocks,
                                const std::string& devices) {
  try {
    build(blocks, devices);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

void memory_test(uint64_t base, unsigned bytes, unsigned accesses, unsigned longest) {
  std::mt19937 random(test::seed(1));
  std::vector<uint8_t> copy(bytes);
  for (unsigned at = 0; at < bytes; at += longest) {  // what is there is known
    for (unsigned i = 0; i < longest; ++i) copy[at + i] = static_cast<uint8_t>(random());
    ASSERT_EQ(master->access(tlm::TLM_WRITE_COMMAND, base + at, &copy[at], longest),
              tlm::TLM_OK_RESPONSE);
  }
  for (unsigned i = 0; i < accesses; ++i) {
    const unsigned length = 1 + static_cast<unsigned>(random()) % longest;
    const unsigned at = static_cast<unsigned>(random()) % (bytes - length + 1);
    std::vector<uint8_t> data(length);
    if (random() % 2 == 0) {
      for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
      std::copy(data.begin(), data.end(), copy.begin() + at);
      ASSERT_EQ(master->access(tlm::TLM_WRITE_COMMAND, base + at, data.data(), length),
                tlm::TLM_OK_RESPONSE);
    } else {
      ASSERT_EQ(master->access(tlm::TLM_READ_COMMAND, base + at, data.data(), length),
                tlm::TLM_OK_RESPONSE);
      ASSERT_TRUE(std::equal(data.begin(), data.end(), copy.begin() + at))
          << length << " bytes at " << at;
    }
  }
}

}  // namespace gvp::platform

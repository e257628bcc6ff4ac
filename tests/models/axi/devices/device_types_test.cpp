// SPDX-License-Identifier: Apache-2.0
// The bus, the bridge and the block RAM as boards know them, and what is made of their settings.
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <nlohmann/json.hpp>

#include "models/axi/bridge.h"
#include "models/axi/bus_settings.h"
#include "models/axi/interconnect.h"
#include "models/base/error.h"
#include "tests/support/device_type_text.h"
#include "tests/support/initiator.h"

namespace gvp::axi {

device::DeviceType axi_interconnect_type();
device::DeviceType axi_bridge_type();
device::DeviceType block_ram_type();

namespace {

using sc_core::sc_time;

device::Instance instance_of(const device::DeviceType& type) {
  device::Instance instance;
  instance.name = "it";
  instance.model = "lt";
  instance.settings = type.defaults;
  instance.bases = {{"", 0x40000000}};
  instance.clock_hz = 100e6;
  return instance;
}
std::string text_of(const device::DeviceType& type) {
  return test::text_of(type, instance_of(type));
}

TEST(AxiDeviceTypes, TheBusIs) {
  EXPECT_EQ(text_of(axi_interconnect_type()), R"(axi_interconnect: AXI interconnect
model lt
model at
model rtl
bus
clock_hz = 100000000.0, 1000000 to 1000000000 Hz
request_cycles = 2, 0 to 1000 clock cycles
response_cycles = 2, 0 to 1000 clock cycles
lite_cycles = 2, 0 to 1000 clock cycles
data_bytes = 4, 1 to 128, a power of two bytes
arbitration = "round-robin", round-robin, fixed or qos
crossing_cycles = 2, 0 to 100 clock cycles
check = false, true or false
node bus simple-bus
)");
}

TEST(AxiDeviceTypes, TheBridgeIs) {
  EXPECT_EQ(text_of(axi_bridge_type()), R"(axi_bridge: bridge to another bus
model lt
model rtl
bridge
size = 1048576, 4096 to 2147483648, a multiple of 4096 bytes
outstanding = 8, 1 to 8 transactions
window '' of 0x100000 bytes, 4 wide: bridge to another bus
master 'downstream' of 8 outstanding, 4 wide
)");
}

TEST(AxiDeviceTypes, TheBlockRamIs) {
  EXPECT_EQ(text_of(block_ram_type()), R"(block_ram: AXI block RAM
model lt
model rtl
memory
size = 65536, 4096 to 67108864, a multiple of 4096 bytes
window '' of 0x10000 bytes, 4 wide: block RAM
node sram mmio-sram
)");
}

// A block RAM of a page: a cycle an access, and errors behind its end.
TEST(AxiDeviceTypes, ABlockRamIsAsLargeAsItsKeySaysAndTakesACycle) {
  const device::DeviceType type = block_ram_type();
  device::Instance instance = instance_of(type);
  instance.clock_hz = 50e6;
  std::any settings = type.defaults;
  device::assign(type.keys[0].field(settings), type.keys[0].allowed, "it.size",
                 device::Value(int64_t{4096}), {});
  instance.settings = settings;
  device::Surroundings surroundings;
  device::Parts parts = type.make(instance, surroundings);
  ASSERT_EQ(parts.targets.size(), 1u);
  EXPECT_EQ(parts.targets[0].window, "");
  test::Initiator initiator("initiator");
  initiator.socket.bind(*parts.targets[0].socket);
  initiator.run([&] {
    initiator.write32(0xffc, 0x12345678);
    EXPECT_EQ(initiator.delay, sc_time(20, sc_core::SC_NS));
    EXPECT_EQ(initiator.read32(0xffc), 0x12345678u);
    EXPECT_EQ(initiator.delay, sc_time(40, sc_core::SC_NS));
    uint32_t word = 0;
    EXPECT_NE(initiator.access(tlm::TLM_READ_COMMAND, 0x1000, &word, 4), tlm::TLM_OK_RESPONSE);
  });
}

TEST(AxiDeviceTypes, ABridgeLeadsFromItsWindowToTheSameAddresses) {
  const device::DeviceType type = axi_bridge_type();
  device::Surroundings surroundings;
  device::Parts parts = type.make(instance_of(type), surroundings);
  ASSERT_EQ(parts.targets.size(), 1u);
  ASSERT_EQ(parts.initiators.size(), 1u);
  EXPECT_EQ(parts.initiators[0].master, "downstream");
  struct Beyond : sc_core::sc_module {
    tlm_utils::simple_target_socket<Beyond> socket{"socket"};
    uint64_t address = 0;
    explicit Beyond(const sc_core::sc_module_name& name) : sc_module(name) {
      socket.register_b_transport(this, &Beyond::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_time&) {
      address = payload.get_address();
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
  } beyond("beyond");
  parts.initiators[0].socket->bind(beyond.socket);
  test::Initiator initiator("initiator");
  initiator.socket.bind(*parts.targets[0].socket);
  initiator.run([&] {
    initiator.write32(0x1230, 1);
    EXPECT_EQ(beyond.address, 0x40001230u);
  });
}

TEST(AxiDeviceTypes, ABusTakesItsSettingsToItsConnections) {
  const device::DeviceType type = axi_interconnect_type();
  device::Instance instance = instance_of(type);
  instance.as<BusSettings>().configuration.clock_hz = 0.5;  // is refused, as is no other here
  InterconnectConfiguration connections;
  connections.initiators = {"cpu"};
  connections.targets = {"ram"};
  connections.regions = {{"ram", 0, 0x1000, 0, 0, false}};
  for (const char* model : {"lt", "at"}) {
    instance.model = model;
    EXPECT_THROW(type.make_bus(instance, connections), Error) << model;
  }
  instance.settings = type.defaults;
  EXPECT_NE(type.make_bus(instance, connections), nullptr);
}

}  // namespace
}  // namespace gvp::axi

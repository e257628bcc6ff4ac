// SPDX-License-Identifier: Apache-2.0
// The MicroBlaze as boards know it: what the device tree says of it, its windows and its parts.
#include "models/device/device_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "models/host/configuration.h"
#include "tests/models/host/assembler.h"

namespace gvp::host {

device::DeviceType microblaze_type();

namespace test {
namespace {

using sc_core::sc_time;

device::Instance instance_of(const Configuration& configuration, const std::string& model) {
  device::Instance instance;
  instance.name = "host";
  instance.model = model;
  instance.settings = configuration;
  instance.bases = {{"lmb", configuration.lmb_base}};
  return instance;
}

// Numbers that are all different.
TEST(MicroBlazeType, TheDeviceTreeHasWhatLinuxReads) {
  Configuration c;
  c.clock_hz = 125e6;
  c.use_hw_mul = 2;
  c.use_fpu = 1;
  c.use_mmu = 3;
  c.mmu_zones = 16;
  c.pvr = 0;
  c.pvr_user1 = 17;
  c.pvr_user2 = 18;
  c.fsl_links = 5;
  c.use_icache = c.use_dcache = true;
  c.cache_byte_size = 1024;
  c.dcache_byte_size = 2048;
  c.icache_line_len = 8;
  c.dcache_line_len = 16;
  c.icache_baseaddr = 0x10000;
  c.icache_highaddr = 0x1ffff;
  c.dcache_baseaddr = 0x20000;
  c.dcache_highaddr = 0x2ffff;
  std::map<std::string, std::string> expected = {{"device_type", "\"cpu\""},
                                                 {"clock-frequency", "<125000000>"},
                                                 {"timebase-frequency", "<125000000>"},
                                                 {"xlnx,use-hw-mul", "<2>"},
                                                 {"xlnx,use-fpu", "<1>"},
                                                 {"xlnx,use-mmu", "<3>"},
                                                 {"xlnx,mmu-zones", "<16>"},
                                                 {"xlnx,pvr", "<0>"},
                                                 {"xlnx,pvr-user1", "<17>"},
                                                 {"xlnx,pvr-user2", "<18>"},
                                                 {"xlnx,fsl-links", "<5>"},
                                                 {"i-cache-size", "<1024>"},
                                                 {"i-cache-line-size", "<32>"},
                                                 {"i-cache-baseaddr", "<65536>"},
                                                 {"i-cache-highaddr", "<131071>"},
                                                 {"d-cache-size", "<2048>"},
                                                 {"d-cache-line-size", "<64>"},
                                                 {"d-cache-baseaddr", "<131072>"},
                                                 {"d-cache-highaddr", "<196607>"}};
  const std::pair<const char*, bool Configuration::*> flags[] = {
      {"xlnx,area-optimized", &Configuration::area_optimized},
      {"xlnx,use-barrel", &Configuration::use_barrel},
      {"xlnx,use-div", &Configuration::use_div},
      {"xlnx,use-msr-instr", &Configuration::use_msr_instr},
      {"xlnx,use-pcmp-instr", &Configuration::use_pcmp_instr},
      {"xlnx,use-icache", &Configuration::use_icache},
      {"xlnx,use-dcache", &Configuration::use_dcache},
      {"xlnx,dcache-use-writeback", &Configuration::dcache_use_writeback}};
  const auto properties = [&] {
    const auto tree = microblaze_type().device_tree(instance_of(c, "lt"));
    EXPECT_EQ(tree.name, "cpu");
    return std::map<std::string, std::string>(tree.properties.begin(), tree.properties.end());
  };
  for (const auto& [name, member] : flags) expected[name] = c.*member ? "<1>" : "<0>";
  expected["xlnx,endianness"] = "<1>";
  EXPECT_EQ(properties(), expected);
  c.big_endian = true;
  EXPECT_EQ(properties().at("xlnx,endianness"), "<0>");
  for (const auto& [name, member] : flags) {
    c.*member = !(c.*member);
    EXPECT_EQ(properties().at(name), c.*member ? "<1>" : "<0>") << name;
  }
  c.use_icache = c.use_dcache = false;
  for (const auto& [name, value] : properties())
    EXPECT_EQ(name.find("-cache-"), std::string::npos) << name;
}

TEST(MicroBlazeType, ItsWindowIsItsLocalMemory) {
  Configuration c;
  c.lmb_size = 0x8000;
  const auto windows = microblaze_type().windows(instance_of(c, "lt"));
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_EQ(windows[0].name, "lmb");
  EXPECT_EQ(windows[0].size, 0x8000u);
  EXPECT_TRUE(windows[0].local);
}

// Memory of a program at the vectors.
struct Code : sc_core::sc_module {
  explicit Code(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Code::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    const uint64_t offset = payload.get_address() - kBase;
    const uint32_t word = offset / 4 < words.size() ? words[offset / 4] : 0;
    std::memcpy(payload.get_data_ptr(), &word, sizeof word);
    starts += offset == 0 ? 1 : 0;
    delay += sc_time(10, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  static constexpr uint32_t kBase = 0x50000000;
  std::vector<uint32_t> words =
      assemble_program("bri 16\n nop\n nop\n nop\n addik r3, r3, 1\n bri -4");
  unsigned starts = 0;
  tlm_utils::simple_target_socket<Code> socket{"socket"};
};

class MicroBlazeParts : public testing::TestWithParam<const char*> {};

TEST_P(MicroBlazeParts, StartAtTheResetVectorAndAgainAfterReset) {
  Configuration c;
  c.base_vectors = Code::kBase;
  device::Surroundings surroundings;
  surroundings.max_instructions = 100000;
  device::Parts parts = microblaze_type().make(instance_of(c, GetParam()), surroundings);
  ASSERT_EQ(parts.initiators.size(), 2u);
  EXPECT_EQ(parts.initiators[0].master, "instruction");
  EXPECT_EQ(parts.initiators[1].master, "data");
  Code code("code"), data("data");
  parts.initiators[0].socket->bind(code.socket);
  parts.initiators[1].socket->bind(data.socket);
  sc_core::sc_signal<bool> interrupt("interrupt");
  parts.connect_input(0, interrupt);
  sc_core::sc_start(sc_time(5, sc_core::SC_US));
  EXPECT_EQ(code.starts, 1u);
  const auto executed = parts.statistics().at("instructions").get<uint64_t>();
  EXPECT_GT(executed, 50u);
  EXPECT_GT(parts.statistics().at("cycles"), executed);
  EXPECT_TRUE(parts.statistics().contains("stall_cycles") || std::string(GetParam()) == "lt");
  parts.reset();
  sc_core::sc_start(sc_time(5, sc_core::SC_US));
  EXPECT_EQ(code.starts, 2u);
  EXPECT_GT(parts.statistics().at("instructions"), executed);
  EXPECT_EQ(data.starts, 0u);
}

INSTANTIATE_TEST_SUITE_P(Models, MicroBlazeParts, testing::Values("lt", "at"));

}  // namespace
}  // namespace test
}  // namespace gvp::host

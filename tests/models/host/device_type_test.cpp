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
#include "tests/support/device_type_text.h"

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

// Limits: UG984, "MicroBlaze Core Configurability"; defaults: docs/configuration.md.
constexpr const char* kKeys = R"(clock_hz = 100000000.0, 1000000 to 1000000000 Hz
engine = "interpreter", interpreter or jit
jit_threshold = 64, 1 to 1000000000
jit_code_bytes = 16777216, 65536 to 1073741824, a power of two bytes
lmb_size = 131072, 4096 to 1048576, a power of two bytes
big_endian = false, true or false
area_optimized = false, true or false
use_barrel = true, true or false
use_hw_mul = 2, 0 to 2
use_div = true, true or false
use_fpu = 0, 0 to 2
use_pcmp_instr = true, true or false
use_reorder_instr = true, true or false
use_msr_instr = true, true or false
fsl_links = 0, 0 to 16
use_extended_fsl_instr = false, true or false
use_mmu = 3, 0 to 3
mmu_zones = 16, 0 to 16
mmu_privileged_instr = false, true or false
use_stack_protection = false, true or false
pvr = 2, 0 to 2
version = 20, 0 to 255
pvr_user1 = 0, 0 to 255
pvr_user2 = 0, any
base_vectors = 0, 0 to 4294967168, a multiple of 128
reset_msr = 0, any
m_axi_dp_exclusive_access = false, true or false
unaligned_exceptions = true, true or false
ill_opcode_exception = true, true or false
opcode_0x0_illegal = true, true or false
iaxi_bus_exception = true, true or false
daxi_bus_exception = true, true or false
div_zero_exception = true, true or false
fpu_exception = false, true or false
fsl_exception = false, true or false
use_icache = false, true or false
use_dcache = false, true or false
cache_model = "auto", auto, always-hit or contents
cache_byte_size = 8192, 64 to 65536, a power of two bytes
dcache_byte_size = 8192, 64 to 65536, a power of two bytes
icache_line_len = 4, 4, 8 or 16 words
dcache_line_len = 4, 4, 8 or 16 words
icache_baseaddr = 1342177280, any
icache_highaddr = 1610612735, any
dcache_baseaddr = 1342177280, any
dcache_highaddr = 1610612735, any
dcache_use_writeback = false, true or false
allow_icache_wr = true, true or false
allow_dcache_wr = true, true or false
)";

TEST(MicroBlazeType, ItsKeysHaveTheirLimitsAndDefaults) {
  EXPECT_EQ(gvp::test::text_of_keys(microblaze_type()), kKeys);
}

// UG984, "Memory Mapped Interfaces": M_AXI_IP reads, both have one transaction at a time.
TEST(MicroBlazeType, HasTwoPortsAndAnInterrupt) {
  const device::DeviceType type = microblaze_type();
  EXPECT_EQ(gvp::test::text_of_ports(type, instance_of({}, "lt")),
            "window 'lmb' of 0x20000 bytes, 4 wide, local: local memory (LMB block RAM): reset, "
            "exception and interrupt vectors\n"
            "master 'instruction' of 1 outstanding, 4 wide, reads only, reports errors\n"
            "master 'data' of 1 outstanding, 4 wide, reports errors\n"
            "1 inputs\n");
  EXPECT_TRUE(type.is_processor && type.has_reset);
  EXPECT_FALSE(type.is_memory || type.is_bridge || type.may_be_absent);
  EXPECT_EQ(type.models, (std::vector<std::string>{"lt", "at"}));
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

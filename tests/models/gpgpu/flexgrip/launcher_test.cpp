// SPDX-License-Identifier: Apache-2.0
// What a launcher writes to a device, and what it makes of its answers; and the device as boards
// know it, present or not.
#include "models/gpgpu/flexgrip/launcher.h"

#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/device_type.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/cubin.h"
#include "tests/support/temporary_file.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint64_t kControl = 0x80000000, kCode = 0x90000000, kGlobal = 0xa0000000;

struct FakePort : device::LaunchPort {
  uint32_t read(uint64_t address) override { return registers[address]; }
  void write(uint64_t address, uint32_t word) override {
    registers[address] = word;
    written.push_back(address);
  }
  uint64_t debug_read(uint64_t, void*, uint64_t) override { return 0; }
  uint64_t debug_write(uint64_t address, const void* data, uint64_t bytes) override {
    const auto* from = static_cast<const char*>(data);
    loaded[address].assign(from, from + bytes);
    return bytes;
  }
  void wait_for_interrupt(const std::string& output) override { waited.push_back(output); }
  uint32_t at(uint32_t offset) { return registers.at(kControl + offset); }

  std::map<uint64_t, uint32_t> registers;
  std::vector<uint64_t> written;
  std::map<uint64_t, std::string> loaded;
  std::vector<std::string> waited;
};

class LauncherTest : public testing::Test {
 protected:
  LauncherTest() {
    instance_.name = "gpu";
    instance_.model = "lt";
    instance_.settings = Configuration{};
    instance_.bases = {{"control", kControl}, {"code", kCode}, {"global", kGlobal}};
    module_ = g80::assemble(
        ".kernel scale\n.param out, n\n.shared tile, 64\n.const c1[0x4], 7\nMOV.U32 R5, "
        "R0;\nRET;\n",
        "test");
    module_.kernels[0].lines.add(0, module_.kernels[0].lines.file("scale.cu"), 12);
    std::ofstream(file_.path()) << g80::to_text_cubin(module_);
    request_.file = file_.path();
    request_.grid = {5, 6};
    request_.block = {2, 3, 4};
    request_.blocks_per_sm = 7;
    request_.dynamic_bytes = 128;
    request_.parameters = {11, 22};
  }
  std::unique_ptr<device::Launcher> launcher(
      const std::vector<device::MemoryRange>& memories = {}) {
    return flexgrip_type().make_launcher(instance_, request_, memories);
  }
  Configuration& configuration() { return instance_.as<Configuration>(); }

  test::TemporaryFile file_{"scale.cubin"};
  device::Instance instance_;
  device::LaunchRequest request_;
  g80::Module module_;
  FakePort port_;
};

TEST_F(LauncherTest, LoadsCodeConstantsAndTheName) {
  const auto made = launcher();
  EXPECT_EQ(made->kernel(), "scale");
  made->load(port_);
  ASSERT_EQ(port_.loaded.size(), 3u);
  const std::string& code = port_.loaded.at(kCode);
  ASSERT_EQ(code.size(), 4 * module_.kernels[0].code.size());
  EXPECT_EQ(std::memcmp(code.data(), module_.kernels[0].code.data(), code.size()), 0);
  EXPECT_EQ(port_.loaded.at(kControl + FLEXGRIP_CONSTANT_MEMORY).size(),
            configuration().constant_bytes);
  const std::string& name = port_.loaded.at(kControl + FLEXGRIP_KERNEL_NAME(0));
  EXPECT_EQ(name.size(), 4u * FLEXGRIP_KERNEL_NAME_WORDS);
  EXPECT_STREQ(name.c_str(), "scale");
  EXPECT_TRUE(port_.written.empty()) << "it takes no simulated time";
}

TEST_F(LauncherTest, ConfiguresTheDeviceStartsItAndWaits) {
  const auto made = launcher();
  made->launch(port_);
  EXPECT_EQ(port_.at(FLEXGRIP_BLOCKS_PER_CORE), 7u);
  EXPECT_EQ(port_.at(FLEXGRIP_REGISTERS_PER_THREAD), module_.kernels[0].registers);
  EXPECT_EQ(port_.at(FLEXGRIP_SHARED_STATIC_BYTES), 64u);
  EXPECT_EQ(port_.at(FLEXGRIP_SHARED_DYNAMIC_BYTES), 128u);
  EXPECT_EQ(port_.at(FLEXGRIP_PARAMETER_COUNT), 2u);
  EXPECT_EQ(port_.at(FLEXGRIP_PARAMETER(0)), 11u);
  EXPECT_EQ(port_.at(FLEXGRIP_PARAMETER(1)), 22u);
  EXPECT_EQ(port_.registers.count(kControl + FLEXGRIP_PARAMETER(2)), 0u);
  EXPECT_EQ(port_.at(FLEXGRIP_BLOCK_X), 2u);
  EXPECT_EQ(port_.at(FLEXGRIP_BLOCK_Y), 3u);
  EXPECT_EQ(port_.at(FLEXGRIP_BLOCK_Z), 4u);
  EXPECT_EQ(port_.at(FLEXGRIP_GRID_X), 5u);
  EXPECT_EQ(port_.at(FLEXGRIP_GRID_Y), 6u);
  for (uint32_t bank = 0; bank < FLEXGRIP_CONSTANT_BANKS; ++bank)
    EXPECT_LE(
        port_.at(FLEXGRIP_CONSTANT_BANK_BASE(bank)) + port_.at(FLEXGRIP_CONSTANT_BANK_BYTES(bank)),
        configuration().constant_bytes);
  EXPECT_GE(port_.at(FLEXGRIP_CONSTANT_BANK_BYTES(1)), 8u);
  EXPECT_EQ(port_.registers.count(kControl + FLEXGRIP_KERNEL_NAME(0)), 0u) << "that was loaded";
  EXPECT_EQ(port_.at(FLEXGRIP_CONTROL), FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
  EXPECT_EQ(port_.written.back(), kControl + FLEXGRIP_CONTROL) << "last";
  EXPECT_THAT(port_.waited, ElementsAre("interrupt"));
}

// RTL has no back door to its registers.
TEST_F(LauncherTest, TellsRtlTheNameOverTheBus) {
  instance_.model = "rtl:flexgrip";
  const auto made = launcher();
  made->load(port_);
  EXPECT_EQ(port_.loaded.size(), 2u);
  made->launch(port_);
  std::string name;
  for (uint32_t i = 0; i < FLEXGRIP_KERNEL_NAME_WORDS; ++i) {
    const uint32_t word = port_.at(FLEXGRIP_KERNEL_NAME(i));
    name.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  EXPECT_STREQ(name.c_str(), "scale");
}

TEST_F(LauncherTest, ReadsWhatAKernelThatEndedHasDone) {
  const auto made = launcher();
  port_.registers[kControl + FLEXGRIP_STATUS] = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE;
  const auto count = [&](uint32_t offset, uint64_t value) {
    port_.registers[kControl + offset] = static_cast<uint32_t>(value);
    port_.registers[kControl + offset + 4] = static_cast<uint32_t>(value >> 32);
  };
  count(FLEXGRIP_COUNT_CYCLES, 0x123456789a);
  count(FLEXGRIP_COUNT_WARP_INSTRUCTIONS, 0x3000000002);
  count(FLEXGRIP_COUNT_THREAD_INSTRUCTIONS, 0xffffffffff);
  const device::LaunchResult result = made->result(port_);
  EXPECT_TRUE(result.done);
  EXPECT_FALSE(result.is_refused);
  EXPECT_EQ(result.cause, "");
  EXPECT_EQ(result.place, "");
  EXPECT_EQ(result.cycles, 0x123456789au);
  EXPECT_EQ(result.warp_instructions, 0x3000000002u);
  EXPECT_EQ(result.thread_instructions, 0xffffffffffu);
}

TEST_F(LauncherTest, SaysWhyAndWhereAKernelWasStopped) {
  const auto made = launcher();
  port_.registers[kControl + FLEXGRIP_STATUS] = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_ERROR;
  port_.registers[kControl + FLEXGRIP_CAUSE] = FLEXGRIP_CAUSE_MISALIGNED;
  port_.registers[kControl + FLEXGRIP_FAULT_PC] = 8;
  port_.registers[kControl + FLEXGRIP_FAULT_ADDRESS] = 0x1002;
  port_.registers[kControl + FLEXGRIP_FAULT_WARP] = 3u << 24 | 4u << 16 | 5u << 8 | 6;
  port_.registers[kControl + FLEXGRIP_FAULT_BLOCK] = 8u << 16 | 9;
  device::LaunchResult result = made->result(port_);
  EXPECT_FALSE(result.done);
  EXPECT_FALSE(result.is_refused);
  EXPECT_THAT(result.cause, HasSubstr("misaligned"));
  EXPECT_EQ(result.place,
            "pc 0x0008, scale.cu:12, block (9, 8), SM 3 warp 4 lane 6, address 0x00001002");
  port_.registers[kControl + FLEXGRIP_CAUSE] = FLEXGRIP_CAUSE_TOO_MANY_THREADS;
  EXPECT_TRUE(made->result(port_).is_refused);
  port_.registers[kControl + FLEXGRIP_CAUSE] = FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION;
  EXPECT_FALSE(made->result(port_).is_refused) << "the first that stops a kernel";
}

TEST_F(LauncherTest, GlobalMemoryIsTheDevicesOwnOrTheFirstOnItsBus) {
  device::GlobalMemory memory = launcher()->global_memory();
  EXPECT_EQ(memory.base, 0u);
  EXPECT_EQ(memory.bytes, configuration().global_bytes);
  EXPECT_EQ(memory.bus_offset, kGlobal);
  EXPECT_TRUE(memory.is_private);
  configuration().global_memory = "ddr3";
  memory = launcher({{"ddr3", 0x50000000, 0x1000000}, {"other", 0, 16}})->global_memory();
  EXPECT_EQ(memory.base, 0x50000000u);
  EXPECT_EQ(memory.bytes, 0x1000000u);
  EXPECT_EQ(memory.bus_offset, 0u);
  EXPECT_FALSE(memory.is_private);
  EXPECT_THROW(launcher(), Error) << "there is none";
}

TEST_F(LauncherTest, TakesNoMoreParametersThanTheDeviceHasRegisters) {
  const auto complaint = [&](size_t words) -> std::string {
    request_.parameters.resize(words);
    try {
      launcher();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string text = "33 words of parameters, the device has registers for 32";
  EXPECT_THAT(complaint(FLEXGRIP_MAX_PARAMETERS + 1), HasSubstr(text));
  EXPECT_THAT(complaint(FLEXGRIP_MAX_PARAMETERS), HasSubstr("takes 8 bytes of parameters"));
}

TEST_F(LauncherTest, AnAbsentDeviceHasNoWindowsAndNoModule) {
  const device::DeviceType type = flexgrip_type();
  EXPECT_TRUE(type.may_be_absent);
  const auto names = [&] {
    std::vector<std::string> found;
    for (const device::Window& window : type.windows(instance_)) found.push_back(window.name);
    return found;
  };
  EXPECT_THAT(names(), ElementsAre("control", "code", "global"));
  EXPECT_TRUE(type.windows(instance_).front().lite);
  configuration().global_memory = "ddr3";
  EXPECT_THAT(names(), ElementsAre("control", "code"));
  instance_.model = "none";
  EXPECT_TRUE(names().empty());
  device::Surroundings surroundings;
  const device::Parts absent = type.make(instance_, surroundings);
  EXPECT_EQ(absent.module, nullptr);
  EXPECT_TRUE(absent.statistics().at("kernels").empty());
  instance_.model = "lt";
  const device::Parts present = type.make(instance_, surroundings);
  EXPECT_NE(present.module, nullptr);
  EXPECT_EQ(present.targets.size(), 2u);
  EXPECT_EQ(present.initiators.size(), 1u);
  EXPECT_EQ(present.interrupts.size(), 1u);
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip

// SPDX-License-Identifier: Apache-2.0
// The driver of MIAOW's queue, compiled for this machine, on the model's registers: what it
// refuses, and what it says of grids that go wrong.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/memory_map.h"
#include "tests/models/gpgpu/miaow/driver.h"

extern "C" {
#include "bsp/exception.h"
#include "driver/miaow/miaow.h"
}

namespace {

gvp::gpgpu::miaow::Driver* registers;  // null: nothing answers

bool is_register(uint32_t address) {
  return address - GVP_GPGPU_CONTROL_BASE < GVP_GPGPU_CONTROL_SIZE;
}

}  // namespace

uint32_t io_read32(uint32_t address) {
  return is_register(address) ? registers->read(address - GVP_GPGPU_CONTROL_BASE)
                              : *reinterpret_cast<uint32_t*>(uintptr_t{address});
}
void io_write32(uint32_t address, uint32_t value) {
  if (is_register(address))
    registers->write(address - GVP_GPGPU_CONTROL_BASE, value);
  else
    *reinterpret_cast<uint32_t*>(uintptr_t{address}) = value;
}
bool probe_read32(uint32_t address, uint32_t* value) {
  if (registers == nullptr) return false;
  *value = io_read32(address);
  return true;
}

namespace gvp::gpgpu::miaow {
namespace {

constexpr uint32_t kHostBytes = 65536;
const std::string kFormat = " format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT] offen";

// A device with 64 KiB of memory that the driver serves.
class MiaowDriver : public testing::Test {
 protected:
  explicit MiaowDriver(const Configuration& configuration = {})
      : model_("lt", configuration, testing::UnitTest::GetInstance()->current_test_info()->name()) {
    registers = &model_;
    memory_ = mmap(nullptr, kHostBytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    EXPECT_NE(memory_, MAP_FAILED);
    EXPECT_EQ(miaow_open(&device_, 0, memory_, kHostBytes), MIAOW_OK);
  }
  ~MiaowDriver() override {
    munmap(memory_, kHostBytes);
    registers = nullptr;
  }

  // A kernel of one pointer.
  miaow_kernel kernel(const std::string& source) {
    code_ = southern_islands::assemble(source, "test").words;
    miaow_kernel kernel{};
    kernel.name = "test";
    kernel.code = code_.data();
    kernel.code_words = static_cast<uint32_t>(code_.size());
    kernel.hidden_arguments = 44;
    kernel.argument_bytes = 60;
    return kernel;
  }
  miaow_error start(const miaow_kernel& kernel, uint32_t argument, uint32_t items = 64) {
    const std::array<uint32_t, 2> arguments{argument, 0};
    const miaow_launch launch{{2, 1, 1}, {items, 1, 1}, arguments.data(), 2};
    return miaow_start(&device_, &kernel, &launch);
  }
  // Stores 1234 where the argument says.
  miaow_kernel store() {
    return kernel(
        "s_load_dword s4, s[0:1], 0x9\ns_mov_b32 s8, 0\ns_mov_b32 s9, 0\ns_mov_b32 s10, -1\n"
        "s_mov_b32 s11, 0\ns_movk_i32 s5, 0x4d2\nv_mov_b32 v1, s5\nv_mov_b32 v2, s4\n"
        "s_mov_b64 exec, 1\ntbuffer_store_format_x v1, v2, s[8:11], 0" +
        kFormat + "\ns_endpgm");
  }

  Driver model_;
  void* memory_ = nullptr;
  struct ::miaow device_ {};
  std::vector<uint32_t> code_;
};

TEST_F(MiaowDriver, ServesWhatIsAllocatedAndNothingElse) {
  model_.bus.run([&] {
    miaow_address near = 0;
    miaow_address far = 0;
    ASSERT_EQ(miaow_allocate(&device_, MIAOW_PREFETCH, 4, &near), MIAOW_OK);
    ASSERT_EQ(miaow_allocate(&device_, MIAOW_HOST, 4, &far), MIAOW_OK);
    for (const miaow_address address : {near, far}) {
      ASSERT_EQ(start(store(), address), MIAOW_OK);
      EXPECT_EQ(start(store(), address), MIAOW_BUSY);
      ASSERT_EQ(miaow_wait(&device_, 100'000), MIAOW_OK);
      uint32_t word = 0;
      ASSERT_EQ(miaow_copy_from_device(&device_, &word, address, 4), MIAOW_OK);
      EXPECT_EQ(word, 1234u);
      EXPECT_EQ(device_.served_words, address == far ? 2u : 0u) << "a word of each group";
    }
    ASSERT_EQ(start(store(), far + 256), MIAOW_OK);
    EXPECT_EQ(miaow_wait(&device_, 100'000), MIAOW_BAD_ADDRESS);
    EXPECT_EQ(miaow_last_fault(&device_)->address, far + 256);
    ASSERT_EQ(start(store(), far), MIAOW_OK) << "the device is free again";
    EXPECT_EQ(miaow_wait(&device_, 100'000), MIAOW_OK);
  });
}

TEST_F(MiaowDriver, TellsWhyAGridWasStopped) {
  model_.bus.run([&] {
    ASSERT_EQ(start(kernel("s_mov_b32 s60, 0x10000\ns_mov_b32 s61, 0\ns_setpc_b64 s[60:61]"), 0),
              MIAOW_OK);
    EXPECT_EQ(miaow_wait(&device_, 100'000), MIAOW_FAULT);
    EXPECT_NE(miaow_last_fault(&device_)->cause, static_cast<uint32_t>(MIAOW_CAUSE_NONE));
    std::array<char, 160> text{};
    miaow_describe_fault(miaow_last_fault(&device_), text.data(), text.size());
    EXPECT_NE(std::string(text.data()).find(" at pc 0x"), std::string::npos) << text.data();
  });
}

TEST_F(MiaowDriver, EndlessGridsAreLeftToTheProgram) {
  model_.bus.run([&] {
    ASSERT_EQ(start(kernel(".Lagain:\ns_branch .Lagain"), 0), MIAOW_OK);
    EXPECT_EQ(miaow_wait(&device_, 5'000), MIAOW_TIMEOUT);
    EXPECT_EQ(miaow_poll(&device_), MIAOW_BUSY);
    miaow_abort(&device_);
    EXPECT_EQ(miaow_poll(&device_), MIAOW_OK);
    EXPECT_EQ(start(kernel("s_endpgm"), 0), MIAOW_OK);
    EXPECT_EQ(miaow_wait(&device_, 5'000), MIAOW_OK);
  });
}

TEST_F(MiaowDriver, StatisticsHaveTheKernelsNames) {
  model_.bus.run([&] {
    miaow_kernel ends = kernel("s_endpgm");
    const std::string longest(200, 'k');
    for (const char* name : {"four", longest.c_str(), "t\x07", static_cast<const char*>(nullptr)}) {
      ends.name = name;
      ASSERT_EQ(start(ends, 0), MIAOW_OK);
      ASSERT_EQ(miaow_wait(&device_, 10'000), MIAOW_OK);
    }
    const auto kernels = model_.device->statistics()["kernels"];
    EXPECT_EQ(kernels.at(0).at("name"), "four");
    EXPECT_EQ(kernels.at(1).at("name"), std::string(128, 'k'));
    EXPECT_EQ(kernels.at(2).at("name"), "t?");
    EXPECT_EQ(kernels.at(3).at("name").get<std::string>().rfind("code-", 0), 0u);
  });
}

class MiaowDriverOfFourWavefronts : public MiaowDriver {
 protected:
  MiaowDriverOfFourWavefronts() : MiaowDriver(four()) {}

 private:
  static Configuration four() {
    Configuration configuration;
    configuration.wavefronts = 4;
    return configuration;
  }
};

TEST_F(MiaowDriverOfFourWavefronts, RunsGroupsAsLargeAsFit) {
  model_.bus.run([&] {
    miaow_address address = 0;
    ASSERT_EQ(miaow_allocate(&device_, MIAOW_HOST, 4, &address), MIAOW_OK);
    EXPECT_EQ(device_.wavefronts, 4u);
    miaow_kernel stores = store();
    for (const uint32_t registers : {0u, 8u}) {
      stores.vector_registers = registers;
      ASSERT_EQ(start(stores, address, 256), MIAOW_OK) << registers;
      ASSERT_EQ(miaow_wait(&device_, 100'000), MIAOW_OK) << registers;
      EXPECT_EQ(device_.served_words, 8u) << "a word of each wavefront";
    }
    EXPECT_EQ(start(stores, address, 257), MIAOW_TOO_MANY_ITEMS);
    stores.scalar_registers = 105;
    ASSERT_EQ(start(stores, address), MIAOW_OK);
    EXPECT_EQ(miaow_wait(&device_, 100'000), MIAOW_FAULT);
    EXPECT_EQ(miaow_last_fault(&device_)->cause, uint32_t{MIAOW_CAUSE_TOO_MANY_REGISTERS});
  });
}

TEST_F(MiaowDriver, WhatCannotFitIsRefusedBeforeTheDeviceSeesIt) {
  miaow_kernel large = kernel("s_endpgm");
  EXPECT_EQ(start(large, 0, 65), MIAOW_TOO_MANY_ITEMS);
  EXPECT_EQ(start(large, 0, 0), MIAOW_INVALID_ARGUMENT);
  large.share_bytes = 65537;
  EXPECT_EQ(start(large, 0), MIAOW_TOO_MUCH_SHARED);
  large.share_bytes = 0;
  large.hidden_arguments = 48;
  EXPECT_EQ(start(large, 0), MIAOW_TOO_MANY_ARGUMENTS);
  large.hidden_arguments = 44;
  large.code_words = 1025;
  EXPECT_EQ(start(large, 0), MIAOW_TOO_MUCH_CODE);
  miaow_address address = 0;
  EXPECT_EQ(miaow_allocate(&device_, MIAOW_HOST, kHostBytes + 1, &address), MIAOW_OUT_OF_MEMORY);
  EXPECT_EQ(miaow_allocate(&device_, MIAOW_HOST, 0, &address), MIAOW_INVALID_ARGUMENT);
  ASSERT_EQ(miaow_allocate(&device_, MIAOW_HOST, kHostBytes, &address), MIAOW_OK);
  uint32_t word = 0;
  EXPECT_EQ(miaow_copy_to_device(&device_, address + kHostBytes, &word, 4), MIAOW_INVALID_ARGUMENT);
  EXPECT_EQ(miaow_copy_to_device(&device_, address + 2, &word, 4), MIAOW_INVALID_ARGUMENT);
}

TEST(MiaowDriverWithoutADevice, SaysSo) {
  struct ::miaow device {};
  EXPECT_EQ(miaow_open(&device, 0, nullptr, 0), MIAOW_NOT_FOUND);
  EXPECT_EQ(miaow_open(&device, 1, nullptr, 0), MIAOW_INVALID_ARGUMENT);
  for (int error = MIAOW_OK; error < MIAOW_ERRORS; ++error)
    EXPECT_STRNE(miaow_error_string(static_cast<miaow_error>(error)), "unknown error") << error;
}

}  // namespace
}  // namespace gvp::gpgpu::miaow

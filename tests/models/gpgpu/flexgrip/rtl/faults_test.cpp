// SPDX-License-Identifier: Apache-2.0
// Faults in FlexGrip's RTL (faults/faults.toml), one after the other: the comparison with the
// approximately timed model finds each, and says where it shows.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/compare/comparison.h"
#include "models/gpgpu/flexgrip/device_type.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/rtl/kernel_comparison.h"
#include "models/gpgpu/g80/assembler.h"
#include "models/rtl/block_table.h"
#include "models/tlm/memory.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"
#include "tests/support/rtl_plugin.h"

namespace gvp::gpgpu::flexgrip {

device::DeviceType flexgrip_type_with_rtl();  // as the board's table of types has it

namespace {

using testing::HasSubstr;

constexpr uint32_t kData = 0x400, kDataWords = 128;

struct Fault {
  int64_t number;
  bool on_bus;  // global memory
  std::string program, what, place;
};

std::vector<Fault> all_faults() {
  std::vector<Fault> faults;
  const toml::table file =
      toml::parse_file(GVP_SOURCE_DIR "/tests/models/gpgpu/flexgrip/rtl/faults/faults.toml");
  for (const toml::node& node : *file["fault"].as_array()) {
    const toml::table& row = *node.as_table();
    const auto text = [&](const char* key) { return row[key].value_or(std::string()); };
    faults.push_back({row["number"].value_or(int64_t{0}), row["on_bus"].value_or(false),
                      text("program"), text("what"), text("place")});
  }
  return faults;
}

constexpr uint64_t kGlobalBytes = 4096;

// A device with faults beside its model, with global memory in block RAM or on the bus.
class Pair {
 public:
  explicit Pair(bool on_bus) : name_(on_bus ? "on_bus" : "alone"), on_bus_(on_bus) {
    device::Instance instance;
    instance.name = "gpgpu_" + name_;
    instance.model =
        on_bus ? "compare:at,rtl:flexgrip_faults" : "compare:at,rtl:flexgrip_faults,cycles";
    Configuration configuration;
    configuration.global_memory = on_bus ? "ddr3" : "bram";
    configuration.global_bytes = kGlobalBytes;
    configuration.null_page = false;
    instance.settings = configuration;
    instance.clock_hz = configuration.clock_hz;
    device::Surroundings surroundings;
    parts_ = compare::make_comparison(flexgrip_type_with_rtl(), instance, surroundings);
    comparison_ = dynamic_cast<compare::Comparison*>(parts_.module.get());
    comparison_->set_handler([this](const compare::Mismatch& mismatch) {
      if (!mismatch_) mismatch_ = mismatch;
    });
    for (const device::Parts::Target& target : parts_.targets) {
      initiators_[target.window] =
          std::make_unique<test::Initiator>((name_ + '_' + target.window).c_str());
      initiators_[target.window]->socket.bind(*target.socket);
    }
    for (const auto& initiator : parts_.initiators) initiator.socket->bind(bus_.socket);
    (*parts_.interrupts.at(0).line)(interrupt_);
  }

  test::Initiator& control() { return *initiators_.at("control"); }
  const std::optional<compare::Mismatch>& mismatch() const { return mismatch_; }

  // 0: none.
  void choose(int64_t number) {
    setenv("FLEXGRIP_FAULT", std::to_string(number).c_str(), 1);
    mismatch_.reset();
    comparison_->restart();
    control().advance(sc_core::sc_time(1, sc_core::SC_US));
  }

  void launch(const std::string& program) {
    const std::string source = fmt::format(
        "I2I.U32.U16 R1, R0L;\nSHL R2, R1, 0x2;\nSHL R6, R1, 0x3;\nMVI R7, {:#x};\n"
        "IADD32 R6, R6, R7;\n{}\nRET;\n",
        kData, program);
    const std::vector<uint32_t> words = g80::assemble(source, "test").kernels.at(0).code;
    for (uint32_t i = 0; i < words.size(); ++i) initiators_.at("code")->write32(4 * i, words[i]);
    for (uint32_t i = 0; i < kDataWords; ++i) write_global(kData + 4 * i, 0x01020300 + i * 0x10);
    test::Initiator& device = control();
    for (uint32_t i = 0; i < 8; ++i)
      device.write32(FLEXGRIP_CONSTANT_MEMORY + 4 * i, 0x11111111 * (i + 1));
    const std::pair<uint32_t, uint32_t> registers[] = {{FLEXGRIP_BLOCKS_PER_CORE, 0},
                                                       {FLEXGRIP_REGISTERS_PER_THREAD, 12},
                                                       {FLEXGRIP_SHARED_STATIC_BYTES, 512},
                                                       {FLEXGRIP_PARAMETER_COUNT, 0},
                                                       {FLEXGRIP_SHARED_DYNAMIC_BYTES, 0},
                                                       {FLEXGRIP_BLOCK_X, 24},
                                                       {FLEXGRIP_BLOCK_Y, 2},
                                                       {FLEXGRIP_BLOCK_Z, 1},
                                                       {FLEXGRIP_GRID_X, 2},
                                                       {FLEXGRIP_GRID_Y, 1}};
    for (const auto& [offset, value] : registers) device.write32(offset, value);
    device.write(FLEXGRIP_GRID_Y, 1, 2);  // refused: registers take whole words
    device.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
    device.advance();
    while (!interrupt_.read()) sc_core::wait(interrupt_.posedge_event());
    for (const uint32_t offset : {FLEXGRIP_STATUS, FLEXGRIP_CAUSE, FLEXGRIP_COUNT_CYCLES,
                                  FLEXGRIP_COUNT_THREAD_INSTRUCTIONS, FLEXGRIP_INTERRUPT})
      device.read32(offset);
    device.write32(FLEXGRIP_INTERRUPT, FLEXGRIP_INTERRUPT_ENDED);
    device.advance(sc_core::sc_time(1, sc_core::SC_US));
    while (!mismatch_ && !comparison_->is_level()) {
      comparison_->hurry();
      sc_core::wait(sc_core::sc_time(1, sc_core::SC_US));
    }
  }

 private:
  void write_global(uint32_t address, uint32_t value) {
    if (on_bus_)
      std::memcpy(bus_.storage().data() + address, &value, sizeof value);
    else
      initiators_.at("global")->write32(address, value);
  }

  const std::string name_;
  const bool on_bus_;
  device::Parts parts_;
  compare::Comparison* comparison_ = nullptr;
  std::map<std::string, std::unique_ptr<test::Initiator>> initiators_;  // by window
  const sc_core::sc_time latency_{100, sc_core::SC_NS};
  kit::Memory bus_{(name_ + "_bus").c_str(), {kGlobalBytes, latency_, latency_}};
  sc_core::sc_signal<bool> interrupt_{(name_ + "_interrupt").c_str()};
  std::optional<compare::Mismatch> mismatch_;
};

class Faults : public testing::Test {
 protected:
  Faults() {
    rtl::register_block(*test::rtl_plugin("flexgrip_faults"));
    alone_ = std::make_unique<Pair>(false);
    on_bus_ = std::make_unique<Pair>(true);
  }

  Pair& pair_for(const Fault& fault) { return fault.on_bus ? *on_bus_ : *alone_; }
  void run(std::function<void()> body) { alone_->control().run(std::move(body)); }

  std::unique_ptr<Pair> alone_, on_bus_;
};

TEST_F(Faults, EachIsFoundAndLocated) {
  const test::LogCapture log;  // of kernels that fail
  std::set<int64_t> numbers;
  run([&] {
    for (const Fault& fault : all_faults()) {
      SCOPED_TRACE(fmt::format("fault {}", fault.number));
      EXPECT_TRUE(numbers.insert(fault.number).second);
      Pair& pair = pair_for(fault);
      pair.choose(fault.number);
      pair.launch(fault.program);
      EXPECT_TRUE(pair.mismatch());
      if (!pair.mismatch()) continue;
      EXPECT_EQ(pair.mismatch()->what, fault.what);
      EXPECT_NE(pair.mismatch()->values[0], pair.mismatch()->values[1]);
      EXPECT_THAT(pair.mismatch()->place, testing::EndsWith(fault.place));
    }
  });
  EXPECT_GE(numbers.size(), 30u);
}

TEST_F(Faults, WithoutAFaultNothingDiffers) {
  const test::LogCapture log;
  run([&] {
    for (Pair* pair : {alone_.get(), on_bus_.get()}) {
      pair->choose(0);
      std::set<std::string> programs;
      for (const Fault& fault : all_faults()) {
        if (!programs.insert(fault.program).second) continue;
        SCOPED_TRACE(fmt::format("program of fault {}", fault.number));
        pair->launch(fault.program);
        ASSERT_FALSE(pair->mismatch()) << pair->mismatch()->what << ": " << pair->mismatch()->place;
      }
    }
  });
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip

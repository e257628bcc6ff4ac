// SPDX-License-Identifier: Apache-2.0
// FlexGrip as RTL as a device: beside the approximately timed model, with the same launches.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/rtl/rtl_flexgrip.h"
#include "models/rtl/block_table.h"
#include "tests/models/gpgpu/flexgrip/board.h"
#include "tests/support/log_capture.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using testing::HasSubstr;

constexpr uint32_t kDone = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE;
constexpr uint32_t kError = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_ERROR;
constexpr uint32_t kAddress = 0x200;

// What this build has.
Configuration small(bool null_page = false) {
  Configuration configuration;
  for (const unsigned sps : {32, 16, 8})
    if (rtl::find_block("flexgrip_sp" + std::to_string(sps)) != nullptr) configuration.sps = sps;
  configuration.global_bytes = 4096;
  configuration.null_page = null_page;
  return configuration;
}

std::string block_name() { return "flexgrip_sp" + std::to_string(small().sps); }

std::unique_ptr<RtlFlexGrip> make_rtl(bool null_page = false) {
  return std::make_unique<RtlFlexGrip>("rtl_gpgpu", block_name(), small(null_page), 0);
}

struct Recorder : Observer {
  unsigned wants() const override { return kKernels | kStages | kInterrupts; }
  void kernel_begins(const KernelEvent& e) override {
    text += fmt::format("kernel {} {} {}x{} of {}\n", e.launch, e.name, e.grid[0], e.grid[1],
                        e.block[0]);
  }
  void kernel_ends(const KernelEvent& e) override {
    text += fmt::format("end {} after {}\n", e.cause, e.cycles);
    EXPECT_GE(e.end_ps - e.begin_ps, e.cycles * e.period_ps);
  }
  void stages(const StageEvent& e) override {
    const BlockPlace& block = e.place.block;
    text += fmt::format("{} {} {} ({} {}) {:#x} {} {} {} {} {} {} {}\n", e.place.slot,
                        e.place.warp_of_block, block.slot, block.x, block.y, e.pc, e.row, e.issue,
                        e.left[0], e.left[1], e.left[2], e.left[3], e.left[4]);
  }
  void interrupt(const InterruptEvent& e) override {
    text += fmt::format("{} {}\n", e.line, e.level);
  }
  std::string text;
};

void name_kernel(Board& board, const char* name) {
  uint32_t words[2] = {};
  std::memcpy(words, name, std::min(std::strlen(name), sizeof words));
  for (uint32_t i = 0; i < 2; ++i) board.control.write32(FLEXGRIP_KERNEL_NAME(i), words[i]);
}

// Everything that software and observers see of some launches.
void use(Board& board, std::vector<uint32_t>& seen) {
  Launch32 launch;
  launch.block_x = 40;
  launch.grid_x = 3;
  launch.grid_y = 2;
  launch.blocks_per_core = 4;
  launch.parameters = {kAddress};
  const auto run = [&](const char* source, const char* name) {
    board.load(source);
    name_kernel(board, name);
    board.configure(launch);
    board.control.write32(FLEXGRIP_CONTROL,
                          FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
    board.control.advance();
    while (!board.interrupt.read()) sc_core::wait(board.interrupt.posedge_event());
    for (const uint32_t offset :
         {FLEXGRIP_STATUS, FLEXGRIP_CAUSE, FLEXGRIP_FAULT_PC, FLEXGRIP_FAULT_ADDRESS,
          FLEXGRIP_FAULT_WARP, FLEXGRIP_FAULT_BLOCK, FLEXGRIP_COUNT_CYCLES,
          FLEXGRIP_COUNT_WARP_INSTRUCTIONS, FLEXGRIP_COUNT_THREAD_INSTRUCTIONS,
          FLEXGRIP_COUNT_STALL_CYCLES, FLEXGRIP_COUNT_DIVERGENT_BRANCHES,
          FLEXGRIP_COUNT_MAX_STACK_DEPTH, FLEXGRIP_INTERRUPT})
      seen.push_back(board.control.read32(offset));
    board.control.write32(FLEXGRIP_INTERRUPT, FLEXGRIP_INTERRUPT_ENDED);
    board.control.advance(sc_core::sc_time(1, sc_core::SC_US));
  };
  run(kStoreNumber, "numbers");
  run("MVI R1, 0x2;\nGLD.U32 R2, global14[R1];\nRET;\n", "fails");
  launch.registers = 200;
  run(kStoreNumber, "refused");
  launch.registers = 16;
  run(kStoreNumber, "");
  for (uint32_t i = 0; i < 192; ++i) seen.push_back(board.global->read32(kAddress + 4 * i));
}

TEST(RtlDeviceTest, LaunchesGoAsOnTheApproximatelyTimedModel) {
  test::LogCapture log;
  Board model(small(), "at", "at");
  Board board("rtl", make_rtl());
  Recorder expected, got;
  model.device->observe(expected);
  board.device->observe(got);
  std::vector<uint32_t> of_model, of_rtl;
  std::string messages;
  model.control.run([&] {
    use(model, of_model);
    messages = log.text();
    use(board, of_rtl);
  });
  ASSERT_EQ(of_rtl.size(), of_model.size());
  for (size_t i = 0; i < of_rtl.size(); ++i) EXPECT_EQ(of_rtl[i], of_model[i]) << i;
  EXPECT_EQ(got.text, expected.text);
  const nlohmann::ordered_json records = board.device->statistics();
  const nlohmann::ordered_json wanted = model.device->statistics();
  ASSERT_EQ(records["kernels"].size(), 4u);
  for (size_t i = 0; i < 4; ++i)
    for (const auto& [key, value] : records["kernels"][i].items())
      if (key != "begin_ns") {
        EXPECT_EQ(value, wanted["kernels"][i][key]) << i << ' ' << key;
      }
  EXPECT_EQ(records["kernel_totals"].size(), wanted["kernel_totals"].size());
  EXPECT_EQ(records["rtl"]["protocol_check"]["violations"], 0);
  // The same words about what went wrong, but for name and time.
  const std::string more = log.text().substr(messages.size());
  EXPECT_EQ(std::count(more.begin(), more.end(), '\n'), 2);
  for (const char* text :
       {"kernel 2 (fails) stopped: misaligned memory access, address 0x00000002; "
        "pc 0x0008 (GLD.U32 R2, global14[R1]), SM 0, block (0, 0), warp 0",
        "kernel 3 (refused) refused: registers per thread is 200"}) {
    EXPECT_THAT(messages, HasSubstr(text));
    EXPECT_THAT(more, HasSubstr(text));
  }
}

TEST(RtlDeviceTest, ABlockWithoutAKernelCostsNothing) {
  Board board("rtl", make_rtl());
  board.control.run([&] {
    board.load(kStoreNumber);
    Launch32 launch;
    launch.parameters = {kAddress};
    EXPECT_EQ(board.run(launch), kDone);
    const auto& block = static_cast<RtlFlexGrip&>(*board.device).block();
    board.control.advance(sc_core::sc_time(1, sc_core::SC_MS));
    const uint64_t before = block.evaluated_cycles();
    board.control.advance(sc_core::sc_time(100, sc_core::SC_MS));
    EXPECT_EQ(block.evaluated_cycles(), before);
    EXPECT_LT(before, 20000u);
  });
}

TEST(RtlDeviceTest, DebugAccessesSeeWhatTheBusSees) {
  Board board("rtl", make_rtl());
  const auto debug_write = [&](uint64_t address, uint32_t value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
    payload.set_data_length(sizeof value);
    return board.control.socket->transport_dbg(payload);
  };
  board.control.run([&] {
    for (uint32_t offset = 0; offset < 0x1000; offset += 4) {
      uint32_t value = 0;
      if (board.control.read(offset, value) != tlm::TLM_OK_RESPONSE) value = 0;
      EXPECT_EQ(board.control.peek32(offset), value) << offset;
    }
    board.control.write32(FLEXGRIP_CONSTANT_MEMORY + 8, 0x12345678);
    EXPECT_EQ(board.control.peek32(FLEXGRIP_CONSTANT_MEMORY + 8), 0x12345678u);
    EXPECT_EQ(debug_write(FLEXGRIP_CONSTANT_MEMORY + 12, 0xabcdef01), 4u);
    EXPECT_EQ(board.control.read32(FLEXGRIP_CONSTANT_MEMORY + 12), 0xabcdef01u);
    EXPECT_EQ(debug_write(FLEXGRIP_GRID_X, 9), 0u) << "registers are hardware";
    EXPECT_EQ(board.control.peek32(FLEXGRIP_GRID_X), board.control.read32(FLEXGRIP_GRID_X));
  });
}

TEST(RtlDeviceTest, ResetsEndARunningKernel) {
  test::LogCapture log;
  Board board("rtl", make_rtl());
  board.control.run([&] {
    board.load(kForever);
    for (const bool by_line : {false, true}) {
      board.configure({});
      board.start();
      board.control.advance(sc_core::sc_time(10, sc_core::SC_US));
      EXPECT_EQ(board.status(), FLEXGRIP_STATUS_RUNNING);
      EXPECT_TRUE(board.device->progress().running);
      if (by_line)
        static_cast<RtlFlexGrip&>(*board.device).reset();
      else
        board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
      EXPECT_EQ(board.status(), by_line ? FLEXGRIP_STATUS_IDLE : kError);
      EXPECT_FALSE(board.device->progress().running);
    }
    board.load(kStoreNumber);
    Launch32 launch;
    launch.parameters = {kAddress};
    EXPECT_EQ(board.run(launch), kDone);
    EXPECT_EQ(board.global->read32(kAddress + 4 * 31), 31u);
  });
  const auto kernels = board.device->statistics()["kernels"];
  EXPECT_EQ(kernels.at(0)["cause"], FLEXGRIP_CAUSE_ABORTED);
  EXPECT_EQ(kernels.at(1)["cause"], FLEXGRIP_CAUSE_ABORTED);
  EXPECT_EQ(kernels.at(2)["cause"], FLEXGRIP_CAUSE_NONE);
  EXPECT_EQ(log.text(), "");
}

TEST(RtlDeviceTest, AStopRequestEndsTheKernelWithItsInterrupt) {
  test::LogCapture log;
  Board board("rtl", make_rtl());
  board.control.run([&] {
    board.load(kForever);
    board.configure({});
    board.control.write32(FLEXGRIP_CONTROL,
                          FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
    board.control.advance(sc_core::sc_time(10, sc_core::SC_US));
    board.device->request_stop();
    board.control.advance(sc_core::sc_time(10, sc_core::SC_US));
    EXPECT_TRUE(board.interrupt.read());
    EXPECT_EQ(board.status(), kError);
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_ABORTED);
  });
  EXPECT_THAT(log.text(), HasSubstr("stopped on request"));
}

TEST(RtlDeviceTest, ANullPointerStopsTheKernel) {
  test::LogCapture log;
  Board board("rtl", make_rtl(true));
  board.control.run([&] {
    board.load(kStoreNumber);
    Launch32 launch;
    launch.parameters = {0};
    EXPECT_EQ(board.run(launch), kError);
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_NULL_PAGE);
  });
  EXPECT_THAT(log.text(), HasSubstr("rtl_gpgpu.null_page=false makes the first 256 bytes memory"));
}

TEST(RtlDeviceTest, ABlockWithOtherSpsIsRefused) {
  Configuration configuration = small();
  configuration.sps = configuration.sps == 8 ? 16 : 8;
  try {
    const RtlFlexGrip device("rtl_gpgpu", block_name(), configuration, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("gpgpu.sps = " + std::to_string(configuration.sps)));
  }
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip

// SPDX-License-Identifier: Apache-2.0
// Global memory on the bus: the transactions of FlexGrip's RTL, its faults, results and times
// beside those of the approximately timed model, on a memory that always takes as long.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <tlm_utils/simple_target_socket.h>

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

constexpr uint32_t kBytes = 0x8000;     // of the memory; behind it is nobody
constexpr uint32_t kReadOnly = 0x7000;  // from here on
constexpr uint32_t kIn = 0x1000, kOut = 0x4000;

struct RecordingMemory : sc_core::sc_module {
  RecordingMemory(const sc_core::sc_module_name& name, sc_core::sc_time latency)
      : sc_core::sc_module(name), latency_(latency), data(kBytes) {
    socket.register_b_transport(this, &RecordingMemory::b_transport);
    for (uint32_t i = 0; i < kBytes; ++i) data[i] = static_cast<uint8_t>(i * 37 + i / 256);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const uint64_t address = payload.get_address();
    const unsigned bytes = payload.get_data_length();
    const bool writes = payload.is_write();
    delay += latency_;
    transactions += fmt::format("{} {:#x} {}", writes ? "write" : "read", address, bytes);
    for (unsigned i = 0; writes && i < bytes; ++i)
      transactions += fmt::format(" {:02x}", payload.get_data_ptr()[i]);
    transactions += '\n';
    EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
    if (address + bytes > kBytes) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    } else if (writes && address >= kReadOnly) {
      payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    } else {
      uint8_t* const here = &data[address];
      std::memcpy(writes ? here : payload.get_data_ptr(), writes ? payload.get_data_ptr() : here,
                  bytes);
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
  }
  const sc_core::sc_time latency_;
  tlm_utils::simple_target_socket<RecordingMemory> socket{"socket"};
  std::vector<uint8_t> data;
  std::string transactions;
};

struct Stages : Observer {
  unsigned wants() const override { return kStages; }
  void stages(const StageEvent& e) override {
    text += fmt::format("{} {:#x} {}: {} {} {} {} {} {}\n", e.place.slot, e.pc, e.row, e.issue,
                        e.left[0], e.left[1], e.left[2], e.left[3], e.left[4]);
  }
  std::string text;
};

Configuration on_bus(bool null_page) {
  Configuration configuration;
  for (const unsigned sps : {32, 16, 8})
    if (rtl::find_block("flexgrip_sp" + std::to_string(sps)) != nullptr) configuration.sps = sps;
  configuration.global_memory = "ddr3";
  configuration.null_page = null_page;
  return configuration;
}

std::unique_ptr<Device> make_rtl(const std::string& name, bool null_page) {
  const Configuration configuration = on_bus(null_page);
  return std::make_unique<RtlFlexGrip>(
      name.c_str(), "flexgrip_sp" + std::to_string(configuration.sps), configuration, 0);
}

// The model and the RTL, each with its memory.
class BusMemoryTest : public testing::TestWithParam<unsigned> {
 protected:
  // ns; the GPGPU's clock has 10.
  explicit BusMemoryTest(bool null_page = false)
      : of_model("of_model", sc_core::sc_time(GetParam(), sc_core::SC_NS)),
        of_rtl("of_rtl", sc_core::sc_time(GetParam(), sc_core::SC_NS)),
        model(on_bus(null_page), "at", "at", &of_model.socket, null_page),
        rtl("rtl", make_rtl("rtl_gpgpu", null_page), &of_rtl.socket) {
    model.device->observe(stages_of_model);
    rtl.device->observe(stages_of_rtl);
  }
  // What software sees after a kernel on both, but for its cycles; they are `cycles`.
  void run(const std::string& source, const Launch32& launch) {
    for (Board* board : {&model, &rtl}) {
      board->load(source);
      board->run(launch);
    }
    for (const uint32_t offset :
         {FLEXGRIP_STATUS, FLEXGRIP_CAUSE, FLEXGRIP_FAULT_PC, FLEXGRIP_FAULT_ADDRESS,
          FLEXGRIP_FAULT_WARP, FLEXGRIP_FAULT_BLOCK, FLEXGRIP_COUNT_WARP_INSTRUCTIONS,
          FLEXGRIP_COUNT_THREAD_INSTRUCTIONS, FLEXGRIP_COUNT_DIVERGENT_BRANCHES,
          FLEXGRIP_COUNT_MAX_STACK_DEPTH})
      EXPECT_EQ(rtl.control.read32(offset), model.control.read32(offset)) << std::hex << offset;
    EXPECT_EQ(of_rtl.transactions, of_model.transactions);
    EXPECT_EQ(of_rtl.data, of_model.data);
    cycles_of_model = model.counter(FLEXGRIP_COUNT_CYCLES);
    cycles_of_rtl = rtl.counter(FLEXGRIP_COUNT_CYCLES);
    EXPECT_EQ(rtl.device->statistics()["rtl"]["protocol_check"]["violations"], 0);
  }

  RecordingMemory of_model, of_rtl;
  Board model, rtl;
  Stages stages_of_model, stages_of_rtl;
  uint64_t cycles_of_model = 0, cycles_of_rtl = 0;
};

Launch32 launch_of(uint32_t threads, uint32_t blocks = 1) {
  Launch32 launch;
  launch.block_x = threads;
  launch.grid_x = blocks;
  launch.parameters = {kIn, kOut};
  return launch;
}

// R1: the thread's number; R2, R3: its 16 bytes of the input and of the output
constexpr const char* kPlaces = R"(
    I2I.U32.U16 R1, R0L;
    SHL R2, R1, 0x4;
    IADD R3, g [0x5], R2;
    IADD R2, g [0x4], R2;
)";

TEST_P(BusMemoryTest, LoadsTakeTheCyclesOfTheModelInEachStage) {
  rtl.control.run([&] {
    run(std::string(kPlaces) + R"(
    GLD.U32 R4, global14[R2];
    GLD.U8 R5, global14[R2];
    IADD32I R6, R2, 0x2;
    GLD.S16 R7, global14[R6];
    LOP32I.AND R8, R1, 0x5;
    ISET.C0 o[0x7f], R8, R124, NE;
    GLD.U32 R9 (C0.NE), global14[R2];
    RET;
)",
        launch_of(72, 3));
    EXPECT_EQ(rtl.device->statistics()["bus_transactions"],
              model.device->statistics()["bus_transactions"]);
    // The model counts a cycle for what is left of one; at pins the answer is there at the next
    // edge.
    if (GetParam() % 10 != 0) {
      EXPECT_LT(cycles_of_rtl, cycles_of_model);
      EXPECT_GT(cycles_of_rtl * 20, cycles_of_model * 19);
      return;
    }
    EXPECT_EQ(cycles_of_rtl, cycles_of_model);
    EXPECT_EQ(stages_of_rtl.text, stages_of_model.text);
    EXPECT_THAT(of_rtl.transactions, HasSubstr("read 0x1002 2\n"));
    EXPECT_THAT(of_rtl.transactions, Not(HasSubstr("write")));
  });
}

// Here rows store before they leave the read stage, in the model while they are in the write stage,
// all from when the first is read: other warps wait at other places.
TEST_P(BusMemoryTest, StoresAndWideAccessesAreTheModelsTransactions) {
  rtl.control.run([&] {
    run(std::string(kPlaces) + R"(
    GLD.S128 R4, global14[R2];
    GST.S128 global14[R3], R4;
    GLD.S64 R8, global14[R2];
    IADD R8, R8, R4;
    GST.S64 global14[R3], R8;
    GLD.S8 R10, global14[R2];
    IADD32I R11, R3, 0x5;
    GST.U8 global14[R11], R10;
    IADD32I R11, R3, 0x6;
    GST.U16 global14[R11], R10;
    LOP32I.AND R12, R1, 0x1;
    ISET.C0 o[0x7f], R12, R124, NE;
    GST.U32 global14[R3] (C0.NE), R1;
    RET;
)",
        launch_of(72, 3));
    const double ratio = static_cast<double>(cycles_of_rtl) / static_cast<double>(cycles_of_model);
    EXPECT_NEAR(ratio, 1, 0.08);
    EXPECT_THAT(of_rtl.transactions, HasSubstr("write 0x4006 2 "));
  });
}

// But for the cycle between two rows in the write stage, where here they hold nobody up.
TEST_P(BusMemoryTest, AWarpThatIsAloneStoresInTheCyclesOfTheModel) {
  rtl.control.run([&] {
    run(std::string(kPlaces) + "GLD.U32 R4, global14[R2];\nGST.U32 global14[R3], R4;\nRET;\n",
        launch_of(32));
    const unsigned rows = 32 / on_bus(false).sps;
    if (GetParam() % 10 == 0) {
      EXPECT_EQ(cycles_of_rtl + rows, cycles_of_model);
    }
  });
}

TEST_P(BusMemoryTest, CapabilitiesAreThoseOfTheModel) {
  rtl.control.run([&] {
    for (uint32_t offset = FLEXGRIP_CAP_SMS; offset <= FLEXGRIP_CAP_CLOCK_HZ; offset += 4)
      EXPECT_EQ(rtl.control.read32(offset), model.control.read32(offset)) << std::hex << offset;
    EXPECT_EQ(rtl.device->windows().size(), model.device->windows().size());
  });
}

struct Failure {
  const char* name;
  uint32_t cause;
  const char* source;
};

// Lanes before the one that fails have had their access.
const Failure kFailures[] = {
    {"load from nowhere", FLEXGRIP_CAUSE_BUS_ERROR,
     "IADD32I R2, R2, 0x6f00;\nGLD.U32 R4, global14[R2];\n"},
    {"wide load from nowhere", FLEXGRIP_CAUSE_BUS_ERROR,
     "IADD32I R2, R2, 0x6f00;\nGLD.S128 R4, global14[R2];\n"},
    {"store to what is read only", FLEXGRIP_CAUSE_BUS_ERROR,
     "IADD32I R3, R3, 0x2ef0;\nGST.U32 global14[R3], R1;\n"},
    {"misaligned in some lane", FLEXGRIP_CAUSE_MISALIGNED,
     "SHR R4, R1, 0x2;\nIADD R3, R3, R4;\nGST.U32 global14[R3], R1;\n"},
};

TEST_P(BusMemoryTest, FaultsAreThoseOfTheModel) {
  const test::LogCapture log;
  rtl.control.run([&] {
    for (const Failure& failure : kFailures) {
      SCOPED_TRACE(failure.name);
      run(std::string(kPlaces) + failure.source + "RET;\n", launch_of(72, 2));
      EXPECT_EQ(rtl.cause(), failure.cause);
      EXPECT_EQ(cycles_of_rtl, cycles_of_model);
    }
  });
}

class NullPageTest : public BusMemoryTest {
 protected:
  NullPageTest() : BusMemoryTest(true) {}
};

TEST_P(NullPageTest, NullPointersFailBeforeTheyReachTheBus) {
  const test::LogCapture log;
  rtl.control.run([&] {
    run("I2I.U32.U16 R1, R0L;\nSHL R2, R1, 0x2;\nMVI R3, 0x150;\nIADD R2, R3, -R2;\n"
        "GLD.U32 R4, global14[R2];\nRET;\n",
        launch_of(32));
    EXPECT_EQ(rtl.cause(), FLEXGRIP_CAUSE_NULL_PAGE);
    EXPECT_THAT(of_rtl.transactions, HasSubstr("read 0x100 4\n"));
    EXPECT_THAT(of_rtl.transactions, Not(HasSubstr("0xfc")));
  });
}

// The transaction goes on, and its answer is nobody's.
TEST_P(BusMemoryTest, AResetInTheMiddleOfATransactionLeavesTheBusInOrder) {
  const test::LogCapture log;
  rtl.control.run([&] {
    rtl.load("again: MVI R2, 0x1000;\nGLD.U32 R4, global14[R2];\nBRA again;\n");
    for (unsigned ns = 2000; ns < 2400; ns += 10) {
      rtl.configure(launch_of(32));
      rtl.start();
      rtl.control.advance(sc_core::sc_time(ns, sc_core::SC_NS));
      rtl.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
    }
    rtl.control.advance(sc_core::sc_time(1, sc_core::SC_US));
    EXPECT_GT(of_rtl.transactions.size(), 100u);
    of_rtl.transactions.clear();
    run(std::string(kPlaces) + "GLD.U32 R4, global14[R2];\nGST.U32 global14[R3], R4;\nRET;\n",
        launch_of(32));
  });
}

// A whole number of cycles, one that is none, and more than a clock's period between two answers
INSTANTIATE_TEST_SUITE_P(Latencies, BusMemoryTest, testing::Values(70, 73, 400));
INSTANTIATE_TEST_SUITE_P(Latencies, NullPageTest, testing::Values(70));

}  // namespace
}  // namespace gvp::gpgpu::flexgrip

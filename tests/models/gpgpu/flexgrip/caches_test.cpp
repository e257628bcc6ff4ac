// SPDX-License-Identifier: Apache-2.0
// FlexGrip with caches before its bus: what a host and kernels see of each other, and when.
#include <gmock/gmock.h>
#include <tlm_utils/simple_target_socket.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "models/base/error.h"
#include "models/gpgpu/fault.h"
#include "tests/models/gpgpu/flexgrip/board.h"
#include "tests/support/log_capture.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using testing::HasSubstr;

constexpr uint32_t kDone = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE;

Configuration cached() {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  configuration.l1.enabled = true;
  return configuration;
}

Configuration written_back() {
  Configuration configuration = cached();
  configuration.l1.write = "write-back";
  configuration.l1.write_allocate = true;
  configuration.l2.enabled = true;
  configuration.l2.write = "write-back";
  configuration.l2.write_allocate = true;
  return configuration;
}

// Each thread adds 1 to its word of s[0x10].., twice.
constexpr const char* kIncrement = R"(
    I2I.U32.U16 R1, R0L;
    MOV.U16 R2L, g [0x6].U16;
    I2I.U32.U16 R2, R2L;
    SHL R2, R2, 0x5;
    IADD R1, R1, R2;
    SHL R3, R1, 0x2;
    IADD R3, g [0x4], R3;
    GLD.U32 R4, global14[R3];
    IADD32I R4, R4, 0x1;
    GST.U32 global14[R3], R4;
    GLD.U32 R4, global14[R3];
    IADD32I R4, R4, 0x1;
    GST.U32 global14[R3], R4;
    RET;
)";

Launch32 increments(uint32_t blocks) {
  Launch32 launch;
  launch.grid_x = blocks;
  launch.parameters = {0x1000};
  return launch;
}

uint32_t& word(Board& board, uint32_t i) {
  return reinterpret_cast<uint32_t*>(board.bus.storage().data() + 0x1000)[i];
}

struct Case {
  const char* model;
  bool back;
  uint32_t sms;
};
void PrintTo(const Case& c, std::ostream* stream) {
  *stream << c.model << (c.back ? " write-back " : " write-evict ") << c.sms;
}

class Coherence : public testing::TestWithParam<Case> {};

TEST_P(Coherence, HostAndKernelsSeeWhatTheOtherHasWritten) {
  Configuration configuration = GetParam().back ? written_back() : cached();
  configuration.sms = GetParam().sms;
  Board board(configuration, GetParam().model);
  for (uint32_t i = 0; i < 256; ++i) word(board, i) = 1000 + i;
  board.control.run([&] {
    board.load(kIncrement);
    EXPECT_EQ(board.run(increments(8)), kDone);
    for (uint32_t i = 0; i < 256; ++i) ASSERT_EQ(word(board, i), 1002 + i);
    for (uint32_t i = 0; i < 256; ++i) word(board, i) = 5 * i;
    EXPECT_EQ(board.run(increments(8)), kDone);
    for (uint32_t i = 0; i < 256; ++i) ASSERT_EQ(word(board, i), 5 * i + 2);
  });
}

INSTANTIATE_TEST_SUITE_P(Models, Coherence,
                         testing::Values(Case{"lt", false, 1}, Case{"at", false, 1},
                                         Case{"lt", true, 1}, Case{"at", true, 1},
                                         Case{"lt", true, 2}, Case{"at", true, 2}),
                         [](const auto& information) {
                           const Case& c = information.param;
                           return std::string(c.model) +
                                  (c.back ? "_write_back_" : "_write_evict_") +
                                  std::to_string(c.sms) + "_sms";
                         });

TEST(Caches, CyclesOfEachSmAreAccountedForWithTheWriteBack) {
  Configuration configuration = written_back();
  configuration.sms = 2;
  Board lt(configuration, "lt", "lt");
  Board at(configuration, "at", "at");
  lt.control.run([&] {
    for (Board* board : {&lt, &at}) {
      board->load(kIncrement);
      EXPECT_EQ(board->run(increments(7)), kDone);
    }
  });
  for (const Board* board : {&lt, &at}) {
    const auto kernel = board->device->statistics()["kernels"][0];
    EXPECT_GT(kernel["caches"]["l1"][0]["write_backs"], 0);
    EXPECT_EQ(kernel["caches"]["below"]["bytes_written"], 7 * 32 * 4);
    for (const auto& sm : kernel["sms"]) {
      uint64_t sum = 0;
      for (const auto& [name, cycles] : sm["cycles_by_class"].items())
        sum += cycles.get<uint64_t>();
      EXPECT_EQ(sum, kernel["cycles"]) << board->device->name();
    }
  }
}

// The warps of each SM load through lines that nobody has, two an instruction, which take the
// memory 5 cycles each of more than a hundred: it is free most of the time, so SMs hardly wait for
// each other, and the one whose process is executed first has no advantage.
constexpr const char* kEightLinesAnInstruction = R"(
          I2I.U32.U16 R1, R0L;
          SHL R1, R1, 0x5;
          MVI R2, 0x40;
          MVI R5, 0x1;
    more: GLD.U32 R3, global14[R1];
          IADD32I R1, R1, 0x100;
          IADD.C0 R2, R2, -R5;
          BRA C0.NE, more;
          RET;
)";

TEST(Caches, SmsThatNeedTheMemoryRarelyDoNotTakeTimeFromEachOther) {
  Configuration configuration = cached();
  configuration.sps = 32;
  configuration.l1.sets = 1;
  configuration.l1.ways = 2;
  Board one(configuration, "at", "one");
  configuration.sms = 2;
  Board two(configuration, "at", "two");
  one.control.run([&] {
    for (Board* board : {&one, &two}) {
      board->load(kEightLinesAnInstruction);
      Launch32 launch = increments(board == &one ? 1 : 2);
      launch.block_x = 256;
      EXPECT_EQ(board->run(launch), kDone);
    }
  });
  const auto cycles = [](Board& board) {
    return static_cast<double>(board.counter(FLEXGRIP_COUNT_CYCLES));
  };
  EXPECT_NEAR(cycles(two) / cycles(one), 1, 0.06);
  const auto sms = two.device->statistics()["kernels"][0]["sms"];
  EXPECT_NEAR(sms[0]["cycles_by_class"]["global"].get<double>() /
                  sms[1]["cycles_by_class"]["global"].get<double>(),
              1, 0.06);
}

TEST(Caches, HitsAreTheSameInBothTimings) {
  Configuration configuration = cached();
  configuration.l1.sets = 2;
  configuration.l1.ways = 1;
  Board lt(configuration, "lt", "lt");
  Board at(configuration, "at", "at");
  nlohmann::ordered_json hits[2];
  lt.control.run([&] {
    unsigned n = 0;
    for (Board* board : {&lt, &at}) {
      board->load(kIncrement);
      EXPECT_EQ(board->run(increments(8)), kDone);
      const auto l1 = board->device->statistics()["kernels"][0]["caches"]["l1"][0];
      for (const char* key : {"reads", "writes", "read_hits", "write_hits", "evictions"})
        hits[n][key] = l1[key];
      ++n;
    }
  });
  EXPECT_EQ(hits[0]["reads"], 2 * 256);
  EXPECT_GT(hits[0]["read_hits"], 0);
  EXPECT_EQ(hits[0], hits[1]);
}

TEST(Caches, PerfectMemoryIsFasterThanTheBusAndAsRight) {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  Board bus(configuration, "at", "bus");
  configuration.perfect_memory = true;
  Board perfect(configuration, "at", "perfect");
  uint64_t cycles[2];
  bus.control.run([&] {
    unsigned n = 0;
    for (Board* board : {&bus, &perfect}) {
      board->load(kIncrement);
      EXPECT_EQ(board->run(increments(4)), kDone);
      cycles[n++] = board->counter(FLEXGRIP_COUNT_CYCLES);
      for (uint32_t i = 0; i < 128; ++i) ASSERT_EQ(word(*board, i), 2u);
    }
  });
  // Of 512 accesses, one after the other, each takes a cycle instead of five; some of that was
  // hidden, but an instruction that finds the port with another's accesses waited for the three
  // cycles between those, too.
  EXPECT_LT(cycles[1], cycles[0] - 512 * 3);
  EXPECT_GE(cycles[1], cycles[0] - 512 * (4 + 3));
}

TEST(Caches, PerfectMemorySavesAWarpThatIsAloneItsAccessesTimeAndNoMore) {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  Board bus(configuration, "at", "bus");
  configuration.perfect_memory = true;
  Board perfect(configuration, "at", "perfect");
  bus.control.run([&] {
    for (Board* board : {&bus, &perfect}) {
      board->load(kIncrement);
      EXPECT_EQ(board->run(increments(1)), kDone);
    }
  });
  // A cycle instead of five for each of 128; nobody else has the port.
  const uint64_t saved =
      bus.counter(FLEXGRIP_COUNT_CYCLES) - perfect.counter(FLEXGRIP_COUNT_CYCLES);
  EXPECT_GT(saved, 128 * 3u);
  EXPECT_LE(saved, 128 * 4u);
}

TEST(Caches, WithoutL1EachLoadOfALaneAsksForAsMuchAsTheRequestsKeySays) {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  configuration.request_bytes = 64;
  Board lt(configuration, "lt", "lt");
  Board at(configuration, "at", "at");
  configuration.l1.enabled = true;
  Board l1(configuration, "at", "l1");
  lt.control.run([&] {
    for (Board* board : {&lt, &at, &l1}) {
      board->load(kIncrement);
      EXPECT_EQ(board->run(increments(4)), kDone);
      for (uint32_t i = 0; i < 128; ++i) ASSERT_EQ(word(*board, i), 2u);
    }
  });
  for (const Board* board : {&lt, &at}) {
    const auto below = board->device->statistics()["kernels"][0]["caches"]["below"];
    EXPECT_EQ(below["reads"], 2 * 128);
    EXPECT_EQ(below["bytes_read"], 2 * 128 * 64);
    EXPECT_EQ(below["bytes_written"], 2 * 128 * 4);
  }
  const auto l1_below = l1.device->statistics()["kernels"][0]["caches"]["below"];
  EXPECT_EQ(l1_below["bytes_read"], l1_below["reads"].get<uint64_t>() * 128);
}

// A warp's words are a line.
void share_requests(bool l1) {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  configuration.coalescing = "compute-2.0";
  configuration.l1.enabled = l1;
  Board lt(configuration, "lt", "lt");
  Board at(configuration, "at", "at");
  lt.control.run([&] {
    for (Board* board : {&lt, &at}) {
      board->load(kIncrement);
      EXPECT_EQ(board->run(increments(4)), kDone);
      for (uint32_t i = 0; i < 128; ++i) ASSERT_EQ(word(*board, i), 2u);
    }
  });
  for (const Board* board : {&lt, &at}) {
    SCOPED_TRACE(board->device->name());
    const auto caches = board->device->statistics()["kernels"][0]["caches"];
    EXPECT_EQ(caches["below"]["reads"], 2 * 4 * (l1 ? 1 : 4));
    EXPECT_EQ(caches["below"]["writes"], 2 * 4 * (l1 ? 1 : 4));
    EXPECT_EQ(caches["below"]["bytes_read"], 2 * 128 * 4);
    EXPECT_EQ(caches["below"]["bytes_written"], 2 * 128 * 4);
    if (l1) {
      EXPECT_EQ(caches["l1"][0]["reads"], 2 * 4);
    }
  }
}

TEST(Caches, LanesShareRequestsOf32BytesInBothTimings) { share_requests(false); }

TEST(Caches, LanesShareLinesOfTheL1InBothTimings) { share_requests(true); }

// Cycles of the increments of a warp: two loads and two stores of 32 lanes; the bus takes five.
uint64_t alone(Board& board) {
  board.load(kIncrement);
  EXPECT_EQ(board.run(increments(1)), kDone);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(word(board, i), 2u);
  return board.counter(FLEXGRIP_COUNT_CYCLES);
}

TEST(Caches, OutstandingTransactionsOverlapAndTakeTurnsOnTheDataChannel) {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  configuration.request_bytes = 32;
  std::vector<std::unique_ptr<Board>> boards;
  for (const char* const model : {"lt", "at"})
    for (const auto& [outstanding, port_bytes] : {std::pair{1, 32}, {2, 32}, {8, 32}, {8, 4}}) {
      configuration.outstanding = static_cast<uint32_t>(outstanding);
      configuration.port_bytes = static_cast<uint32_t>(port_bytes);
      boards.push_back(
          std::make_unique<Board>(configuration, model, "board" + std::to_string(boards.size())));
    }
  std::vector<uint64_t> all;
  boards[0]->control.run([&] {
    for (const auto& board : boards) all.push_back(alone(*board));
  });
  for (size_t model = 0; model < 2; ++model) {
    SCOPED_TRACE(model == 0 ? "lt" : "at");
    const uint64_t* const cycles = &all[4 * model];
    // Of 32 lanes the last begins in cycle 155, 76 or 31 and is answered five later.  Approximately
    // timed, an instruction may find the port with the one before.
    const auto slack = static_cast<double>(2 * model);
    EXPECT_NEAR(static_cast<double>(cycles[0] - cycles[1]), 4 * (160 - 81), slack);
    EXPECT_NEAR(static_cast<double>(cycles[0] - cycles[2]), 4 * (160 - 36), slack);
    // The 32 bytes of a load are eight words, of which the first answer's come with it.
    EXPECT_NEAR(static_cast<double>(cycles[3] - cycles[2]), 2 * (5 + 31 * 8 - 36), slack);
  }
}

// Two blocks of a warp each, alone and together: where others go on, the second adds hardly
// anything to the cycles of the first; else it adds its own memory's time.  Both see what they have
// stored.
TEST(Caches, WarpsGoOnWhileAnotherWaitsForItsData) {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  configuration.sps = 32;
  configuration.coalescing = "compute-2.0";
  configuration.network.topology = "crossbar";
  configuration.network.hop_cycles = 50;
  configuration.outstanding = 8;
  std::vector<std::unique_ptr<Board>> boards;
  for (const char* const model : {"lt", "at"})
    for (const uint32_t requests : {0u, 64u}) {
      configuration.sm_requests = requests;
      boards.push_back(
          std::make_unique<Board>(configuration, model, "sm" + std::to_string(boards.size())));
    }
  std::vector<uint64_t> one;
  std::vector<uint64_t> two;
  boards[0]->control.run([&] {
    for (const auto& board : boards) {
      one.push_back(alone(*board));
      EXPECT_EQ(board->run(increments(2)), kDone);
      for (uint32_t i = 0; i < 64; ++i) ASSERT_EQ(word(*board, i), i < 32 ? 4u : 2u);
      two.push_back(board->counter(FLEXGRIP_COUNT_CYCLES));
    }
  });
  for (size_t i = 0; i < boards.size(); ++i) {
    SCOPED_TRACE(i);
    const bool goes_on = i % 2 == 1;
    // Four accesses of over two hundred cycles each, of which a warp that goes on waits for the
    // loads alone; the second one's memory takes nothing where the first waits for its own.
    EXPECT_GT(one[i], goes_on ? 400u : 800u);
    if (goes_on) {
      EXPECT_LT(one[i], one[i - 1] - 300);
      EXPECT_LT(two[i] - one[i], two[i - 1] - one[i - 1] - 600);
    }
    const auto kernel = boards[i]->device->statistics()["kernels"].back();
    uint64_t sum = 0;
    for (const auto& [name, cycles] : kernel["sms"][0]["cycles_by_class"].items())
      sum += cycles.get<uint64_t>();
    EXPECT_EQ(sum, kernel["cycles"]);
  }
}

// Four accesses of a warp, each two hops there and two back: a clock half as fast adds what they
// take, also to what is written back at the end.
TEST(Caches, NetworkAndL2HaveTheirOwnClocks) {
  Configuration configuration = written_back();
  configuration.l1.enabled = false;
  configuration.sps = 32;
  configuration.coalescing = "compute-2.0";
  configuration.network.topology = "crossbar";
  configuration.network.hop_cycles = 50;
  configuration.l2.hit_cycles = 40;
  std::vector<std::unique_ptr<Board>> boards;
  const auto add = [&](double network_hz, double l2_hz) {
    configuration.network.clock_hz = network_hz;
    configuration.l2_clock_hz = l2_hz;
    for (const char* const model : {"lt", "at"})
      boards.push_back(
          std::make_unique<Board>(configuration, model, "clock" + std::to_string(boards.size())));
  };
  add(0, 0);
  add(configuration.clock_hz, configuration.clock_hz);
  add(configuration.clock_hz / 2, 0);
  add(0, configuration.clock_hz / 2);
  std::vector<uint64_t> cycles;
  boards[0]->control.run([&] {
    for (const auto& board : boards) {
      cycles.push_back(alone(*board));
      for (uint32_t i = 0; i < 32; ++i) ASSERT_EQ(word(*board, i), 2u);
    }
  });
  for (size_t model = 0; model < 2; ++model) {
    SCOPED_TRACE(model == 0 ? "lt" : "at");
    const auto more = [&](size_t board) { return cycles[2 * board + model] - cycles[model]; };
    EXPECT_EQ(more(1), 0u);
    // Four hops, and four packets of two flits one behind the other.
    EXPECT_EQ(more(2), 4u * (4 * 50 + 4 * 2));
    // The last of a load's four requests comes three of its cycles after the first.
    EXPECT_EQ(more(3), 4u * 40 + 2 * 3);
  }
}

// A bus in which simulated time passes.
class WaitingMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<WaitingMemory> socket{"socket"};
  explicit WaitingMemory(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket.register_b_transport(this, &WaitingMemory::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    sc_core::wait(sc_core::sc_time(50, sc_core::SC_NS));
    std::memset(payload.get_data_ptr(), 0, payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

TEST(Caches, OutstandingTransactionsOfABusThatWaitsAreRefused) {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  configuration.outstanding = 2;
  WaitingMemory memory("waiting_memory");
  Board board(configuration, "at", "waiting", &memory.socket);
  try {
    board.control.run([&] {
      board.load(kIncrement);
      board.run(increments(1));
    });
    FAIL() << "accepted";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("2 outstanding transactions of a GPGPU's port"));
  }
}

TEST(Caches, FaultIsTheSameAsWithoutThem) {
  const test::LogCapture quiet;
  Configuration requests;
  requests.global_memory = "ddr3";
  requests.request_bytes = 256;
  Board evict(cached(), "at", "evict");
  Board back(written_back(), "at", "back");
  Board around(requests, "at", "around");
  requests.coalescing = "compute-2.0";
  Board shared(requests, "at", "shared");
  evict.control.run([&] {
    for (Board* board : {&evict, &back, &around, &shared}) {
      board->load(kIncrement);
      Launch32 launch = increments(1);
      launch.parameters = {Board::kBusBytes - 64};
      EXPECT_EQ(board->run(launch) & FLEXGRIP_STATUS_ERROR, FLEXGRIP_STATUS_ERROR);
      EXPECT_EQ(board->cause(), static_cast<uint32_t>(FaultCause::kBusError));
      EXPECT_EQ(board->control.read32(FLEXGRIP_FAULT_ADDRESS), Board::kBusBytes);
    }
  });
}

TEST(Caches, NeedGlobalMemoryOnTheBus) {
  Configuration configuration = cached();
  configuration.global_memory = "bram";
  try {
    validate(configuration);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("gpgpu.l1.enabled = true"));
    EXPECT_THAT(error.what(), HasSubstr("ddr3"));
  }
  configuration = {};
  configuration.coalescing = "compute-1.0";
  EXPECT_THROW(validate(configuration), Error);
  configuration = {};
  configuration.sm_requests = 1;
  EXPECT_THROW(validate(configuration), Error);
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip

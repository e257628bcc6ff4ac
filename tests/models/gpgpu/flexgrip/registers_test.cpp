// SPDX-License-Identifier: Apache-2.0
// Every register of flexgrip_registers.h: value after reset and access rule.
#include <gmock/gmock.h>

#include "tests/models/gpgpu/flexgrip/board.h"
#include "tests/support/log_capture.h"

namespace gvp::gpgpu::flexgrip {
namespace {

enum class Rule { kReadWrite, kReadOnly, kOther };

struct Row {
  uint32_t offset;
  uint32_t reset;
  Rule rule;
};

std::vector<Row> all_registers() {
  std::vector<Row> rows = {
      {FLEXGRIP_BLOCKS_PER_CORE, 1, Rule::kReadWrite},
      {FLEXGRIP_REGISTERS_PER_THREAD, 0xb, Rule::kReadWrite},
      {FLEXGRIP_SHARED_STATIC_BYTES, 0x10, Rule::kReadWrite},
      {FLEXGRIP_PARAMETER_COUNT, 0, Rule::kReadWrite},
      {FLEXGRIP_SHARED_DYNAMIC_BYTES, 0, Rule::kReadWrite},
      {FLEXGRIP_BLOCK_X, 16, Rule::kReadWrite},
      {FLEXGRIP_BLOCK_Y, 16, Rule::kReadWrite},
      {FLEXGRIP_BLOCK_Z, 1, Rule::kReadWrite},
      {FLEXGRIP_GRID_X, 3, Rule::kReadWrite},
      {FLEXGRIP_GRID_Y, 1, Rule::kReadWrite},
      {FLEXGRIP_ID, 0x50475846, Rule::kReadOnly},
      {FLEXGRIP_VERSION, FLEXGRIP_VERSION_VALUE, Rule::kReadOnly},
      {FLEXGRIP_CONTROL, 0, Rule::kOther},
      {FLEXGRIP_STATUS, FLEXGRIP_STATUS_IDLE, Rule::kReadOnly},
      {FLEXGRIP_CAUSE, 0, Rule::kReadOnly},
      {FLEXGRIP_FAULT_PC, 0, Rule::kReadOnly},
      {FLEXGRIP_FAULT_ADDRESS, 0, Rule::kReadOnly},
      {FLEXGRIP_FAULT_WARP, 0, Rule::kReadOnly},
      {FLEXGRIP_FAULT_BLOCK, 0, Rule::kReadOnly},
      {FLEXGRIP_INTERRUPT, 0, Rule::kOther},
      {FLEXGRIP_CAP_SMS, 1, Rule::kReadOnly},
      {FLEXGRIP_CAP_SPS, 8, Rule::kReadOnly},
      {FLEXGRIP_CAP_WARPS_PER_SM, 24, Rule::kReadOnly},
      {FLEXGRIP_CAP_BLOCKS_PER_SM, 8, Rule::kReadOnly},
      {FLEXGRIP_CAP_THREADS_PER_BLOCK, 256, Rule::kReadOnly},
      {FLEXGRIP_CAP_REGISTERS_PER_SM, 8192, Rule::kReadOnly},
      {FLEXGRIP_CAP_SHARED_BYTES, 16384, Rule::kReadOnly},
      {FLEXGRIP_CAP_STACK_DEPTH, 32, Rule::kReadOnly},
      {FLEXGRIP_CAP_FEATURES, 7, Rule::kReadOnly},
      {FLEXGRIP_CAP_CODE_BYTES, 262144, Rule::kReadOnly},
      {FLEXGRIP_CAP_CONSTANT_BYTES, 8192, Rule::kReadOnly},
      {FLEXGRIP_CAP_GLOBAL_BYTES, 4194304, Rule::kReadOnly},
      {FLEXGRIP_CAP_LOCAL_BYTES, 1024, Rule::kReadOnly},
  };
  for (uint32_t i = 0; i < FLEXGRIP_MAX_PARAMETERS; ++i)
    rows.push_back({FLEXGRIP_PARAMETER(i), 0, Rule::kReadWrite});
  for (uint32_t i = 0; i < FLEXGRIP_KERNEL_NAME_WORDS; ++i)
    rows.push_back({FLEXGRIP_KERNEL_NAME(i), 0, Rule::kReadWrite});
  for (uint32_t bank = 0; bank < FLEXGRIP_CONSTANT_BANKS; ++bank) {
    rows.push_back({FLEXGRIP_CONSTANT_BANK_BASE(bank), 0, Rule::kReadWrite});
    rows.push_back({FLEXGRIP_CONSTANT_BANK_BYTES(bank), 8192, Rule::kReadWrite});
  }
  for (const uint32_t counter :
       {FLEXGRIP_COUNT_CYCLES, FLEXGRIP_COUNT_WARP_INSTRUCTIONS, FLEXGRIP_COUNT_THREAD_INSTRUCTIONS,
        FLEXGRIP_COUNT_STALL_CYCLES, FLEXGRIP_COUNT_DIVERGENT_BRANCHES,
        FLEXGRIP_COUNT_MAX_STACK_DEPTH}) {
    rows.push_back({counter, 0, Rule::kReadOnly});
    rows.push_back({counter + 4, 0, Rule::kReadOnly});
  }
  return rows;
}

TEST(RegistersTest, EveryRegisterHasItsResetValue) {
  Board board;
  board.control.run([&] {
    for (const Row& row : all_registers())
      EXPECT_EQ(board.control.read32(row.offset), row.reset) << std::hex << row.offset;
  });
}

TEST(RegistersTest, ReadWriteRegistersKeepWhatIsWritten) {
  Board board;
  board.control.run([&] {
    for (const Row& row : all_registers())
      if (row.rule == Rule::kReadWrite) board.control.write32(row.offset, row.offset ^ 0x5a5a5a5a);
    for (const Row& row : all_registers()) {
      if (row.rule != Rule::kReadWrite) continue;
      EXPECT_EQ(board.control.read32(row.offset), row.offset ^ 0x5a5a5a5a);
    }
  });
}

TEST(RegistersTest, WritesToReadOnlyRegistersAreErrorsAndChangeNothing) {
  Board board;
  const test::LogCapture quiet;
  board.control.run([&] {
    for (const Row& row : all_registers()) {
      if (row.rule != Rule::kReadOnly) continue;
      EXPECT_NE(board.control.write(row.offset, 0xffffffff), tlm::TLM_OK_RESPONSE)
          << std::hex << row.offset;
      EXPECT_EQ(board.control.read32(row.offset), row.reset);
    }
  });
}

TEST(RegistersTest, AddressesBetweenRegistersAreErrorsAndNotTransferred) {
  Board board;
  const test::LogCapture log;
  board.control.run([&] {
    uint32_t value = 0;
    for (const uint32_t offset : {0x28u, 0x7cu, 0x128u, 0x1b0u, 0x300u, 0x7ffcu})
      EXPECT_EQ(board.control.read(offset, value), tlm::TLM_GENERIC_ERROR_RESPONSE)
          << std::hex << offset;
  });
  EXPECT_THAT(log.text(), testing::HasSubstr("no register there"));
}

TEST(RegistersTest, NarrowReadsWorkAndNarrowWritesAreErrors) {
  Board board;
  const test::LogCapture quiet;
  board.control.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(board.control.read(FLEXGRIP_ID + 1, value, 1), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(value, 0x58u);
    EXPECT_EQ(board.control.read(FLEXGRIP_ID + 2, value, 2), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(value, 0x5047u);
    EXPECT_NE(board.control.write(FLEXGRIP_BLOCK_X, 1, 1), tlm::TLM_OK_RESPONSE);
    EXPECT_NE(board.control.read(FLEXGRIP_ID + 2, value, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(board.control.read32(FLEXGRIP_BLOCK_X), 16u);
  });
}

TEST(RegistersTest, TexturesAreThereWithTheirCaches) {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  configuration.texture_cache.enabled = true;
  Board board(configuration);
  board.control.run([&] {
    EXPECT_EQ(board.control.read32(FLEXGRIP_CAP_FEATURES),
              7u | FLEXGRIP_FEATURE_GLOBAL_ON_BUS | FLEXGRIP_FEATURE_TEXTURES);
    for (uint32_t i = 0; i < FLEXGRIP_TEXTURES; ++i) {
      EXPECT_EQ(board.control.read32(FLEXGRIP_TEXTURE_BASE(i)), 0u);
      EXPECT_EQ(board.control.read32(FLEXGRIP_TEXTURE_BYTES(i)), 0u);
      board.control.write32(FLEXGRIP_TEXTURE_BASE(i), 0x1000 + i);
      board.control.write32(FLEXGRIP_TEXTURE_BYTES(i), 0x2000 + i);
    }
    for (uint32_t i = 0; i < FLEXGRIP_TEXTURES; ++i) {
      EXPECT_EQ(board.control.read32(FLEXGRIP_TEXTURE_BASE(i)), 0x1000 + i);
      EXPECT_EQ(board.control.read32(FLEXGRIP_TEXTURE_BYTES(i)), 0x2000 + i);
    }
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
    EXPECT_EQ(board.control.read32(FLEXGRIP_TEXTURE_BYTES(0)), 0u);
  });
}

TEST(RegistersTest, ConstantMemoryTakesBytes) {
  Board board;
  board.control.run([&] {
    EXPECT_EQ(board.control.write(FLEXGRIP_CONSTANT_MEMORY + 5, 0xab, 1), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(board.control.write(FLEXGRIP_CONSTANT_MEMORY + 6, 0xcdef, 2), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(board.control.read32(FLEXGRIP_CONSTANT_MEMORY + 4), 0xcdefab00u);
    EXPECT_EQ(board.control.peek32(FLEXGRIP_CONSTANT_MEMORY + 4), 0xcdefab00u);
  });
}

TEST(RegistersTest, ConstantMemoryEndsWhereTheCapabilitySaysSo) {
  Board board;
  const test::LogCapture quiet;
  board.control.run([&] {
    const uint32_t end =
        FLEXGRIP_CONSTANT_MEMORY + board.control.read32(FLEXGRIP_CAP_CONSTANT_BYTES);
    uint32_t value = 0;
    EXPECT_EQ(board.control.read(end - 4, value), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(board.control.read(end, value), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(board.control.read(end - 2, value), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
}

TEST(RegistersTest, ConstantMemoryOfMoreThanAPageIsSeenPageByPage) {
  Configuration configuration;
  configuration.constant_bytes = 40000;
  Board board(configuration);
  const test::LogCapture log;
  board.control.run([&] {
    constexpr uint32_t kLast = FLEXGRIP_CONSTANT_MEMORY + FLEXGRIP_CONSTANT_PAGE_BYTES - 4;
    constexpr uint32_t kEnd =
        FLEXGRIP_CONSTANT_MEMORY + 40000 - FLEXGRIP_CONSTANT_PAGE_BYTES;  // in the second page
    EXPECT_EQ(board.control.read32(FLEXGRIP_CONSTANT_PAGE), 0u);
    board.control.write32(FLEXGRIP_CONSTANT_MEMORY + 8, 11);
    board.control.write32(kLast, 12);
    board.control.write32(FLEXGRIP_CONSTANT_PAGE, 1);
    EXPECT_EQ(board.control.read32(FLEXGRIP_CONSTANT_MEMORY + 8), 0u);
    board.control.write32(FLEXGRIP_CONSTANT_MEMORY + 8, 21);
    EXPECT_EQ(board.control.peek32(FLEXGRIP_CONSTANT_MEMORY + 8), 21u);
    uint32_t value = 0;
    EXPECT_EQ(board.control.read(kEnd - 4, value), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(board.control.read(kEnd, value), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(board.control.write(FLEXGRIP_CONSTANT_PAGE, 2), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(board.control.read32(FLEXGRIP_CONSTANT_PAGE), 1u);
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
    EXPECT_EQ(board.control.read32(FLEXGRIP_CONSTANT_MEMORY + 8), 11u);
    EXPECT_EQ(board.control.read32(kLast), 12u);
  });
  EXPECT_THAT(log.text(), testing::HasSubstr("constant memory has 2 pages"));
}

TEST(RegistersTest, ADeviceWhoseConstantMemoryFitsTheWindowHasNoPages) {
  Configuration configuration;
  configuration.constant_bytes = FLEXGRIP_CONSTANT_PAGE_BYTES;
  Board board(configuration);
  const test::LogCapture quiet;
  board.control.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(board.control.read(FLEXGRIP_CONSTANT_PAGE, value), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
}

TEST(RegistersTest, CapabilitiesFollowTheConfiguration) {
  Configuration configuration;
  configuration.sms = 2;
  configuration.sps = 32;
  configuration.multiplier = false;
  configuration.global_memory = "ddr3";
  configuration.stack_depth = 16;
  Board board(configuration);
  board.control.run([&] {
    EXPECT_EQ(board.control.read32(FLEXGRIP_CAP_SMS), 2u);
    EXPECT_EQ(board.control.read32(FLEXGRIP_CAP_SPS), 32u);
    EXPECT_EQ(board.control.read32(FLEXGRIP_CAP_STACK_DEPTH), 16u);
    EXPECT_EQ(board.control.read32(FLEXGRIP_CAP_GLOBAL_BYTES), 0u);
    EXPECT_EQ(board.control.read32(FLEXGRIP_CAP_FEATURES), FLEXGRIP_FEATURE_THREE_OPERANDS |
                                                               FLEXGRIP_FEATURE_FLOAT |
                                                               FLEXGRIP_FEATURE_GLOBAL_ON_BUS);
  });
  EXPECT_EQ(board.device->windows().size(), 2u);
}

TEST(RegistersTest, EachUnitHasABitOfItsOwn) {
  Configuration without;
  without.multiplier = without.three_operands = without.floating_point = false;
  std::vector<std::unique_ptr<Board>> boards;
  const auto features = [&](const std::string& name, auto change) {
    Configuration configuration = without;
    change(configuration);
    boards.push_back(std::make_unique<Board>(configuration, "lt", name));
  };
  features("none", [](Configuration&) {});
  features("multiplier", [](Configuration& c) { c.multiplier = true; });
  features("operands", [](Configuration& c) { c.three_operands = c.multiplier = true; });
  features("floating", [](Configuration& c) { c.floating_point = true; });
  features("bus", [](Configuration& c) { c.global_memory = "ddr3"; });
  std::vector<uint32_t> seen;
  boards[0]->control.run([&] {
    for (const auto& board : boards) seen.push_back(board->control.read32(FLEXGRIP_CAP_FEATURES));
  });
  EXPECT_THAT(seen,
              testing::ElementsAre(0, FLEXGRIP_FEATURE_MULTIPLIER,
                                   FLEXGRIP_FEATURE_MULTIPLIER | FLEXGRIP_FEATURE_THREE_OPERANDS,
                                   FLEXGRIP_FEATURE_FLOAT, FLEXGRIP_FEATURE_GLOBAL_ON_BUS));
}

TEST(RegistersTest, WhileAKernelRunsItsConfigurationCannotBeWritten) {
  Board board;
  const test::LogCapture log;
  board.control.run([&] {
    board.load(kForever);
    board.configure({});
    board.start();
    board.control.advance(sc_core::sc_time(10, sc_core::SC_US));
    EXPECT_EQ(board.status(), FLEXGRIP_STATUS_RUNNING);
    for (const Row& row : all_registers()) {
      if (row.rule != Rule::kReadWrite) continue;
      EXPECT_EQ(board.control.write(row.offset, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    EXPECT_EQ(board.control.write(FLEXGRIP_CONSTANT_MEMORY, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
  });
  EXPECT_THAT(log.text(), testing::HasSubstr("while a kernel runs"));
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip

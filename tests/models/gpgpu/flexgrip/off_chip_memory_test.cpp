// SPDX-License-Identifier: Apache-2.0
// FlexGrip whose code and constants lie in memory on the bus, behind caches: what is written there,
// what a kernel executes when somebody else writes there, and what is refused.
#include <gmock/gmock.h>
#include <tlm_utils/simple_target_socket.h>

#include <utility>

#include "models/base/error.h"
#include "models/gpgpu/fault.h"
#include "tests/models/gpgpu/flexgrip/off_chip_boards.h"
#include "tests/support/log_capture.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using testing::HasSubstr;

TEST(OffChipMemory, FaultsOfConstantsAreTheSameAsInTheDevice) {
  const test::LogCapture quiet;
  std::vector<std::unique_ptr<Board>> boards;
  for (const Configuration& configuration : {on_bus(), with_both()})
    for (const char* model : {"lt", "at"})
      boards.push_back(
          std::make_unique<Board>(configuration, model, "f" + std::to_string(boards.size())));
  const char* const kBeyond[] = {
      "NOP;\n IADD R1, R0, c[0x1] [0x10];\n RET;\n",
      "I2I.U32.U16 R1, R0L;\n SHL R2, R1, 0x2;\n R2A A1, R2, 0x0;\n MVC R3, c[0x1] [A1+0x0];\n "
      "RET;\n",
      "MVI R2, 0x2;\n R2A A1, R2, 0x0;\n MVC R3, c[0x1] [A1+0x0];\n RET;\n"};
  boards[0]->control.run([&] {
    for (const char* source : kBeyond) {
      std::vector<std::vector<uint32_t>> found;
      for (const auto& board : boards) {
        board->load(source);
        board->control.write32(FLEXGRIP_CONSTANT_BANK_BYTES(1), 0x40);
        EXPECT_EQ(board->run({}), kError);
        found.push_back({board->cause(), board->control.read32(FLEXGRIP_FAULT_PC),
                         board->control.read32(FLEXGRIP_FAULT_ADDRESS),
                         board->control.read32(FLEXGRIP_FAULT_WARP)});
      }
      for (const auto& each : found) EXPECT_EQ(each, found[0]) << source;
    }
  });
}

TEST(OffChipMemory, WhatHasChangedIsWrittenBeforeAKernelAndNothingElse) {
  Boards boards(with_both());
  boards.run([&](Board& board) {
    const auto written = [&] {
      EXPECT_EQ(board.run({}), kDone);
      const ordered_json out = last_kernel(board)["caches"]["written_out"];
      EXPECT_EQ(out["bytes"], out["writes"].get<uint64_t>() * 128);
      EXPECT_EQ(out["cycles"], out["writes"].get<uint64_t>() * 5);
      return out["writes"].get<uint64_t>();
    };
    board.load(kLoop);
    EXPECT_EQ(written(), 1u + 8192 / 128);  // the kernel's 48 bytes, all constants
    EXPECT_EQ(written(), 0u);
    write_constant(board, 0x200, 5);
    EXPECT_EQ(written(), 1u);
    EXPECT_EQ(word(board, kConstants + 0x200), 5u);
    write_constant(board, 0x200, 5);
    EXPECT_EQ(written(), 0u);
    board.load("NOP;\n RET;\n");
    EXPECT_EQ(written(), 1u);
    EXPECT_EQ(word(board, kBase), board.code.peek32(0).value_or(0));
  });
}

// Of the kernel itself, which begins after that.
TEST(OffChipMemory, WritingOutIsNoPartOfTheKernelsCycles) {
  Boards boards(with_both());
  boards.run([&](Board& board) {
    board.load(kLoop);
    EXPECT_EQ(board.run({}), kDone);
    const ordered_json first = last_kernel(board);
    EXPECT_EQ(board.run({}), kDone);
    EXPECT_EQ(last_kernel(board)["cycles"], first["cycles"]);
    EXPECT_EQ(last_kernel(board)["caches"]["below"], first["caches"]["below"]);
  });
}

TEST(OffChipMemory, ConstantsAreWhatMemoryHas) {
  Boards boards(with_both());
  boards.run([&](Board& board) {
    board.load(kConstantReads);
    EXPECT_EQ(board.run({}), kDone);
    const uint32_t other = 1234;
    std::memcpy(board.bus.storage().data() + kConstants + 4 * 9, &other, sizeof other);
    EXPECT_EQ(board.run({}), kDone);
    for (uint32_t i = 0; i < 32; ++i) ASSERT_EQ(word(board, 8 * i), i == 9 ? 1234u : 0u);
  });
}

TEST(OffChipMemory, CodeThatIsNotWhatTheKernelBeganWithStopsIt) {
  Boards boards(with_both());
  boards.run([&](Board& board) {
    const test::LogCapture log;
    board.load(kLoop);
    EXPECT_EQ(board.run({}), kDone);
    const uint32_t other = 0x12345678;
    std::memcpy(board.bus.storage().data() + kBase + 8 * 3 + 4, &other, sizeof other);
    EXPECT_EQ(board.run({}), kError);
    EXPECT_EQ(board.cause(), static_cast<uint32_t>(FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION));
    EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_PC), 24u);
    EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_ADDRESS), kBase + 24);
    EXPECT_THAT(log.text(), HasSubstr("memory has 0x12345678 at 0x8001c, where the kernel's code "
                                      "had "));
    EXPECT_THAT(log.text(), HasSubstr("off_chip_base; pc 0x0018 (IADD.C0"));
  });
}

// The store changes an instruction in the next line, which nobody has fetched yet.
TEST(OffChipMemory, AKernelThatOverwritesItsCodeIsStoppedThere) {
  Boards boards(with_instructions(4, 4, 32));
  boards.run([&](Board& board) {
    const test::LogCapture log;
    board.load(
        "MVI R1, 0x80024;\n MVI R2, 0x0;\n GST.U32 global14[R1], R2;\n NOP;\n NOP;\n RET;\n");
    EXPECT_EQ(board.run({}), kError);
    EXPECT_EQ(board.cause(), static_cast<uint32_t>(FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION));
    EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_PC), 32u);
    EXPECT_THAT(log.text(), HasSubstr("memory has 0x00000000 at 0x80024"));
  });
}

TEST(OffChipMemory, AResetWhileItIsWrittenLeavesTheRestForTheNextKernel) {
  Boards boards(with_both());
  boards.run([&](Board& board) {
    const test::LogCapture quiet;
    board.load(kConstantReads);
    EXPECT_EQ(board.run({}), kDone);
    board.load(kLoop);
    for (uint32_t i = 0; i < 8192 / 128; ++i) write_constant(board, 128 * i, 70 + i);
    board.start();
    board.control.advance();
    board.control.advance(sc_core::sc_time(1, sc_core::SC_US));
    EXPECT_EQ(board.status(), FLEXGRIP_STATUS_RUNNING);
    EXPECT_EQ(board.counter(FLEXGRIP_COUNT_CYCLES), 0u) << "of a kernel that has not begun";
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
    board.control.advance(sc_core::sc_time(10, sc_core::SC_US));
    EXPECT_EQ(last_kernel(board)["cause"], FLEXGRIP_CAUSE_ABORTED);
    EXPECT_EQ(board.run({}), kDone);
    for (uint32_t i = 0; i < 8192 / 128; ++i) ASSERT_EQ(word(board, kConstants + 128 * i), 70 + i);
  });
}

// Memory on the bus that remembers what it was asked for.
class RecordingMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<RecordingMemory> socket{"socket"};
  explicit RecordingMemory(const sc_core::sc_module_name& name)
      : sc_core::sc_module(name), bytes(Board::kBusBytes) {
    socket.register_b_transport(this, &RecordingMemory::b_transport);
  }
  std::vector<uint8_t> bytes;
  std::vector<std::pair<uint64_t, unsigned>> reads, writes;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const uint64_t address = payload.get_address();
    const unsigned length = payload.get_data_length();
    if (address + length > bytes.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    if (payload.is_read()) {
      reads.emplace_back(address, length);
      std::memcpy(payload.get_data_ptr(), &bytes[address], length);
    } else {
      writes.emplace_back(address, length);
      std::memcpy(&bytes[address], payload.get_data_ptr(), length);
    }
    delay += sc_core::sc_time(50, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

TEST(OffChipMemory, FetchesAreTransactionsOfTheBusPort) {
  Configuration configuration = with_instructions(4, 4, 32);
  configuration.constant_cache.enabled = true;
  RecordingMemory lt_memory("lt_memory");
  RecordingMemory at_memory("at_memory");
  Board lt(configuration, "lt", "lt", &lt_memory.socket);
  Board at(configuration, "at", "at", &at_memory.socket);
  lt.control.run([&] {
    for (const auto& [board, memory] : {std::pair{&lt, &lt_memory}, std::pair{&at, &at_memory}}) {
      board->load("IADD R1, R0, c[0x1] [0x21];\n NOP;\n NOP;\n NOP;\n RET;\n");
      EXPECT_EQ(board->run({}), kDone);
      using Accesses = std::vector<std::pair<uint64_t, unsigned>>;
      EXPECT_EQ(memory->reads, (Accesses{{kBase, 32}, {kConstants + 0x80, 64}, {kBase + 32, 32}}));
      ASSERT_EQ(memory->writes.size(), 65u);
      EXPECT_EQ(memory->writes[0], (std::pair<uint64_t, unsigned>{kBase, 128}));
      EXPECT_EQ(memory->writes[64], (std::pair<uint64_t, unsigned>{kConstants + 8192 - 128, 128}));
    }
  });
}

std::string complaint(const Configuration& configuration) {
  try {
    validate(configuration);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(OffChipMemory, NeedsMemoryOnTheBusAndRoomForIt) {
  EXPECT_EQ(complaint(with_both()), "");
  Configuration bram = with_instructions();
  bram.global_memory = "bram";
  EXPECT_THAT(complaint(bram), HasSubstr("gpgpu.instruction_cache.enabled = true"));
  EXPECT_THAT(complaint(bram), HasSubstr("ddr3"));
  bram = with_both();
  bram.instruction_cache.enabled = false;
  bram.global_memory = "bram";
  EXPECT_THAT(complaint(bram), HasSubstr("gpgpu.constant_cache.enabled = true"));
  Configuration high = with_both();
  high.off_chip_base = 0xffff'f000;
  EXPECT_THAT(complaint(high), HasSubstr("gpgpu.off_chip_base = 0xfffff000 is not possible"));
  EXPECT_THAT(complaint(high), HasSubstr("0xfffbe000 at most"));
  high.off_chip_base = 0xfffb'e000;
  EXPECT_EQ(complaint(high), "");
  high.off_chip_base = 0x1004;
  EXPECT_THAT(complaint(high), HasSubstr("a multiple of 4096"));
  Configuration lines = with_instructions();
  lines.instruction_cache.sets = 3;
  EXPECT_THAT(complaint(lines), HasSubstr("gpgpu.instruction_cache.sets = 3"));
  lines = with_both();
  lines.constant_cache.line_bytes = 32;
  EXPECT_THAT(complaint(lines), HasSubstr("gpgpu.constant_cache.sector_bytes = 64"));
}

TEST(OffChipMemory, MemoryThatRefusesTheCodeIsAnErrorThatNamesTheKey) {
  Configuration configuration = with_both();
  configuration.off_chip_base = 0x1000'0000;
  Board board(configuration, "at");
  try {
    board.control.run([&] {
      board.load(kLoop);
      board.run({});
    });
    FAIL() << "accepted";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("at 0x10000000"));
    EXPECT_THAT(error.what(), HasSubstr("gpgpu.off_chip_base"));
  }
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip

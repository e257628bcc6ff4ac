// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/register_bank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "tests/support/log_capture.h"

namespace gvp::kit {
namespace {

class RegisterBankTest : public testing::Test {
 protected:
  RegisterBankTest() {
    bank.add({"CONTROL", 0x0, Access::kReadWrite, 0x11223344});
    bank.add({"STATUS", 0x4, Access::kReadOnly, 0x55});
    bank.add({"COMMAND", 0x8, Access::kWriteOnly, 0, {}, [this](uint32_t v) { command = v; }});
    bank.add({"FIFO", 0xc, Access::kReadWrite, 0, [this] { return ++pops; },
              [this](uint32_t v) { pushed.push_back(v); }, [this] { return pops + 1; }});
    bank.add({"COUNT", 0x10, Access::kWriteIgnored, 0x66});
    bank.add({"ACK", 0x14, Access::kReadsZero, 0, {}, [this](uint32_t v) {
                if (v == 13) bank.fail("13 is refused");
              }});
  }

  tlm::tlm_response_status access(tlm::tlm_command command_, uint64_t address, void* data,
                                  unsigned length, unsigned streaming_width = 0) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command_);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<uint8_t*>(data));
    payload.set_data_length(length);
    payload.set_streaming_width(streaming_width == 0 ? length : streaming_width);
    bank.access(payload);
    return payload.get_response_status();
  }
  tlm::tlm_response_status read(uint64_t address, unsigned length = 4) {
    value = 0;
    return access(tlm::TLM_READ_COMMAND, address, &value, length);
  }
  tlm::tlm_response_status write(uint64_t address, uint32_t data, unsigned length = 4) {
    return access(tlm::TLM_WRITE_COMMAND, address, &data, length);
  }

  static constexpr auto kOk = tlm::TLM_OK_RESPONSE;
  static constexpr auto kError = tlm::TLM_GENERIC_ERROR_RESPONSE;
  uint32_t value = 0;
  uint32_t command = 0;
  uint32_t pops = 0;
  std::vector<uint32_t> pushed;
  test::LogCapture log;
  RegisterBank bank{[] { return std::string("soc.device @ 3 us"); },
                    RegisterBank::NarrowWrites::kForbidden};
};

TEST_F(RegisterBankTest, PlainRegisterHoldsItsValueAndResets) {
  EXPECT_EQ(read(0), kOk);
  EXPECT_EQ(value, 0x11223344u);
  EXPECT_EQ(write(0, 7), kOk);
  read(0);
  EXPECT_EQ(value, 7u);
  bank.reset();
  read(0);
  EXPECT_EQ(value, 0x11223344u);
}

TEST_F(RegisterBankTest, WriteToReadOnlyRegisterIsSlverrWithAMessage) {
  EXPECT_EQ(write(4, 1), kError);
  EXPECT_THAT(log.text(), testing::HasSubstr("soc.device @ 3 us: write of 0x1 to STATUS at 0x4: "
                                             "it is read-only"));
  read(4);
  EXPECT_EQ(value, 0x55u);
}

TEST_F(RegisterBankTest, ReadOfWriteOnlyRegisterIsSlverr) {
  EXPECT_EQ(read(8), kError);
  EXPECT_EQ(write(8, 9), kOk);
  EXPECT_EQ(command, 9u);
}

TEST_F(RegisterBankTest, HoleIsSlverr) {
  EXPECT_EQ(read(0x18), kError);
  EXPECT_EQ(write(0x1000000000, 0), kError);
}

TEST_F(RegisterBankTest, IgnoredWritesAreAcknowledged) {
  EXPECT_EQ(write(0x10, 1), kOk);
  read(0x10);
  EXPECT_EQ(value, 0x66u);
  EXPECT_TRUE(log.lines().empty());
}

TEST_F(RegisterBankTest, ReadsZeroWhereTheDataSheetSaysSo) {
  value = 5;
  EXPECT_EQ(read(0x14), kOk);
  EXPECT_EQ(value, 0u);
}

TEST_F(RegisterBankTest, HandlerCanRefuse) {
  EXPECT_EQ(write(0x14, 12), kOk);
  EXPECT_EQ(write(0x14, 13), kError);
  EXPECT_THAT(log.text(), testing::HasSubstr("13 is refused"));
  EXPECT_EQ(write(0x14, 12), kOk);
}

TEST_F(RegisterBankTest, NarrowReadsTakeTheirLanes) {
  EXPECT_EQ(read(1, 1), kOk);
  EXPECT_EQ(value, 0x33u);
  EXPECT_EQ(read(2, 2), kOk);
  EXPECT_EQ(value, 0x1122u);
}

TEST_F(RegisterBankTest, MisalignedAndOddSizedAccessesAreRefused) {
  EXPECT_EQ(read(1, 2), kError);
  EXPECT_EQ(read(2, 4), kError);
  EXPECT_EQ(read(0, 3), kError);
  EXPECT_EQ(write(0, 1, 1), kError) << "narrow writes are off in this bank";
}

TEST_F(RegisterBankTest, NarrowWritesReachTheFirstByteOnly) {
  RegisterBank narrow{[] { return std::string("x"); }, RegisterBank::NarrowWrites::kAllowed};
  narrow.add({"DATA", 0});
  tlm::tlm_generic_payload payload;
  uint8_t data = 0xab;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_data_ptr(&data);
  payload.set_data_length(1);
  payload.set_streaming_width(1);
  narrow.access(payload);
  EXPECT_EQ(payload.get_response_status(), kOk);
  payload.set_address(1);
  narrow.access(payload);
  EXPECT_EQ(payload.get_response_status(), kError);
}

TEST_F(RegisterBankTest, BurstsGoRegisterByRegister) {
  uint32_t words[2] = {0, 0};
  EXPECT_EQ(access(tlm::TLM_READ_COMMAND, 0, words, 8), kOk);
  EXPECT_EQ(words[0], 0x11223344u);
  EXPECT_EQ(words[1], 0x55u);
}

TEST_F(RegisterBankTest, StreamingBurstsStayAtOneRegister) {
  uint32_t words[3] = {1, 2, 3};
  EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, 0xc, words, 12, 4), kOk);
  EXPECT_THAT(pushed, testing::ElementsAre(1, 2, 3));
}

TEST_F(RegisterBankTest, ByteEnablesNarrowTheAccess) {
  uint32_t word = 0xdddddddd;
  uint8_t enables[4] = {0, 0xff, 0, 0};
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_data_ptr(reinterpret_cast<uint8_t*>(&word));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  payload.set_byte_enable_ptr(enables);
  payload.set_byte_enable_length(4);
  bank.access(payload);
  EXPECT_EQ(payload.get_response_status(), kOk);
  EXPECT_EQ(word, 0xdddd33ddu);
  enables[3] = 0xff;  // two runs
  bank.access(payload);
  EXPECT_EQ(payload.get_response_status(), kError);
}

TEST_F(RegisterBankTest, DebugReadHasNoSideEffect) {
  uint32_t word = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(0xc);
  payload.set_data_ptr(reinterpret_cast<uint8_t*>(&word));
  payload.set_data_length(4);
  EXPECT_EQ(bank.debug_access(payload), 4u);
  EXPECT_EQ(word, 1u);
  EXPECT_EQ(pops, 0u);
}

TEST_F(RegisterBankTest, OverlappingDeclarationsAreAModelError) {
  EXPECT_THROW(bank.add({"TWICE", 0x0}), Error);
  EXPECT_THROW(bank.add({"ODD", 0x21}), Error);
}

}  // namespace
}  // namespace gvp::kit

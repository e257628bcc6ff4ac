// SPDX-License-Identifier: Apache-2.0
// Blocks and boards with something wrong: what is said of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/platform/rtl_blocks/board.h"
#include "tests/support/log_capture.h"
#include "tests/support/temporary_file.h"

namespace gvp::platform {
namespace {

using testing::HasSubstr;

std::string model_error_of(const std::function<void()>& body) {
  try {
    master->run(body);
  } catch (const std::exception& error) {  // SystemC makes a report of it
    return error.what();
  }
  return "no error";
}

// By the numbers of tests/rtl_blocks/faulty.sv: what the log or the end of the run says.
struct Wrong {
  unsigned fault;
  const char* name;
  std::vector<const char*> texts;
};

class FaultyBlock : public RtlBlocks, public testing::WithParamInterface<Wrong> {};

TEST_P(FaultyBlock, IsNamedWithSignalAndRule) {
  if (!there({"faulty"})) return;
  const test::LogCapture log;
  build({"faulty"},
        "[devices.bad]\ntype = \"rtl:faulty\"\nbus = \"axi\"\nbase = 0x1000_0000\n"
        "keys = { time_out = 100, pins.fault = " +
            std::to_string(GetParam().fault) + " }\n");
  std::string text = model_error_of([&] {
    std::array<uint8_t, 16> data{};
    master->access(tlm::TLM_WRITE_COMMAND, kOne, data.data(), data.size());
    master->access(tlm::TLM_READ_COMMAND, kOne, data.data(), data.size());
    master->advance(sc_core::sc_time(2, sc_core::SC_US));
  });
  text += log.text();
  for (const char* each : GetParam().texts) EXPECT_THAT(text, HasSubstr(each));
  EXPECT_LT(sc_core::sc_time_stamp(), sc_core::sc_time(10, sc_core::SC_US));
  if (GetParam().fault == 0) expect_no_violations();
}

INSTANTIATE_TEST_SUITE_P(
    All, FaultyBlock,
    testing::Values(
        Wrong{0, "None", {"no error"}},
        Wrong{1, "NoAwready", {"the bus hangs", "s_axi_awready has not come"}},
        Wrong{2, "NoWready", {"the bus hangs", "s_axi_wready has not come"}},
        Wrong{3, "NoArready", {"the bus hangs", "s_axi_arready has not come"}},
        Wrong{4, "NoBvalid", {"the bus hangs", "no response to the write of 4 x 4 bytes"}},
        Wrong{5, "NoRvalid", {"the bus hangs", "no data for the read of 4 x 4 bytes"}},
        Wrong{6, "WrongBid", {"s_axi_bid", "PIN_ID, IHI 0022 A5.3"}},
        Wrong{7, "WrongRid", {"s_axi_rid", "PIN_ID, IHI 0022 A5.3"}},
        Wrong{8, "EarlyRlast", {"s_axi_rlast", "PIN_LAST, IHI 0022 A3.4.1"}},
        Wrong{9, "NoRlast", {"s_axi_rlast", "PIN_LAST, IHI 0022 A3.4.1"}},
        Wrong{10, "SecondB", {"s_axi_bvalid", "PIN_RESPONSE, IHI 0022"}},
        Wrong{11, "EarlyB", {"s_axi_bvalid", "PIN_RESPONSE_EARLY, IHI 0022"}},
        Wrong{12, "UnaskedR", {"s_axi_rvalid", "PIN_RESPONSE, IHI 0022"}},
        Wrong{13, "BInReset", {"s_axi_bvalid", "PIN_RESET, IHI 0022"}},
        Wrong{14, "ExokayB", {"s_axi_bresp", "PIN_EXOKAY, IHI 0022 A7.2.3"}},
        Wrong{15, "ExokayR", {"s_axi_rresp", "PIN_EXOKAY, IHI 0022 A7.2.3"}},
        Wrong{16, "Fatal", {"RTL block faulty", "this block gives up", "faulty.sv:"}},
        Wrong{17,
              "Assertion",
              {"RTL block faulty", "this block asserts that nobody writes", "faulty.sv:"}},
        Wrong{18, "Finish", {"RTL block faulty", "$finish", "faulty.sv:"}},
        Wrong{19, "EndlessR", {"s_axi_rlast", "PIN_LAST, IHI 0022 A3.4.1"}}),
    [](const auto& each) { return std::string(each.param.name); });

constexpr const char* kLoop =
    "[devices.bad]\ntype = \"rtl:loop\"\nbus = \"axi\"\nbase = 0x1000_0000\n"
    "keys = { time_out = 100 }\n";

TEST_F(RtlBlocks, ACombinationalLoopIsAnErrorThatNamesTheBlock) {
  if (!there({"loop"})) return;
  build({"loop"}, kLoop);
  const std::string error = model_error_of([&] { master->write32(kOne, 1); });
  EXPECT_THAT(error, HasSubstr("did not converge"));
  EXPECT_THAT(error, HasSubstr("RTL block loop"));
  EXPECT_THAT(error, HasSubstr("UNOPTFLAT"));
}

TEST_F(RtlBlocks, AResponseThatNeverComesEndsTheRunWithinTheTimeOut) {
  if (!there({"loop"})) return;
  test::LogCapture log;
  build({"loop"}, kLoop);
  uint32_t word = 0;
  const std::string error = model_error_of([&] {
    master->write32(kOne, 2);
    master->read(kOne, word);
  });
  EXPECT_THAT(error, HasSubstr("the bus hangs"));
  EXPECT_THAT(error, HasSubstr("s_axi_rvalid"));
  EXPECT_LT(sc_core::sc_time_stamp(), sc_core::sc_time(2, sc_core::SC_US));
}

TEST_F(RtlBlocks, AResponseThatNobodyAskedForIsAViolation) {
  if (!there({"loop"})) return;
  test::LogCapture log;
  build({"loop"}, kLoop);
  master->run([&] {
    master->write32(kOne, 4);
    master->advance(sc_core::sc_time(100, sc_core::SC_NS));
  });
  EXPECT_GT(platform_->protocol_violations(), 0u);
  EXPECT_THAT(platform_->statistics()["bad"]["rtl"]["ports"]["s_axi"].dump(),
              HasSubstr("PIN_RESPONSE"));
}

TEST_F(RtlBlocks, ABoardThatDoesNotFitIsRefused) {
  if (!there({"register_file", "odd_names"})) return;
  const std::string at = "bus = \"axi\"\nbase = 0x1000_0000\n";
  EXPECT_THAT(error_of({"register_file"}, "[devices.a]\ntype = \"rtl:regster_file\"\n" + at),
              HasSubstr("did you mean \"rtl:register_file\"?"));
  EXPECT_THAT(error_of({"register_file"}, "[devices.a]\ntype = \"rtl:register_file\"\n" + at +
                                              "keys = { pins.mode = 8 }\n"),
              HasSubstr("a.pins.mode = 8 is not possible (allowed: 0 to 7)"));
  EXPECT_THAT(error_of({"register_file"}, "[devices.a]\ntype = \"rtl:register_file\"\n" + at +
                                              "keys = { pins.mod = 1 }\n"),
              HasSubstr("did you mean \"a.pins.mode\"?"));
  EXPECT_THAT(error_of({"odd_names"}, "[devices.a]\ntype = \"rtl:odd_names\"\n" + at),
              HasSubstr("names: configuration, look"));
  EXPECT_THAT(error_of({"register_file"}, "[devices.a]\ntype = \"rtl:register_file\"\n" + at +
                                              "interrupts.bell = { controller = \"tester\", line "
                                              "= 1 }\n"),
              HasSubstr("no interrupt \"bell\" (there are: int_o)"));
}

TEST_F(RtlBlocks, TwoBlocksOfOneNameAreRefused) {
  if (!there({"register_file"})) return;
  const test::TemporaryFile copy("copy.so");
  std::filesystem::copy(plugin("register_file"), copy.path());
  const std::string text = board_text({"register_file"}, kRegisterFile);
  parse_board(text, "b.toml", "b.toml");
  try {
    parse_board("plugins = [\"" + copy.path() + "\"]\n" + text.substr(0, text.find("plugins")) +
                    text.substr(text.find("[clocks]")),
                "b.toml", "b.toml");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is an RTL block register_file already"));
  }
}

}  // namespace
}  // namespace gvp::platform

// SPDX-License-Identifier: Apache-2.0
// Each fault that can be made at the pins is found by its rule, at its signal; what is legal is
// not.
#include "models/axi/pins/checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "tests/models/axi/pins/faults.h"
#include "tests/support/fake_rtl.h"
#include "tests/support/log_capture.h"

namespace gvp::axi::pins {
namespace {

using namespace test_traffic;
using test::FakeRtl;
using testing::HasSubstr;

// Plays the steps, one an edge, from the first on.
class Player : public rtl::Agent {
 public:
  Player(rtl::Block& block, FakeRtl& rtl, Steps steps)
      : block_(block), rtl_(rtl), steps_(std::move(steps)) {
    block.add(*this);
  }

 private:
  void drive() override {
    for (const char* channel : {"aw", "w", "b", "ar", "r"})
      for (const char* signal : {"valid", "ready"})
        rtl_[std::string("s_axi_") + channel + signal] = 0;
    if (at_ < steps_.size())
      for (const auto& [name, value] : steps_[at_]) rtl_["s_axi_" + name] = value;
    ++at_;
  }
  uint64_t idle_edges() const override { return at_ <= steps_.size() ? 0 : kForever; }

  rtl::Block& block_;
  FakeRtl& rtl_;
  Steps steps_;
  size_t at_ = 0;
};

struct CheckerBench {
  CheckerBench(Steps steps, bool lite, uint64_t time_out)
      : rtl(make(lite)),
        block(sc_core::sc_gen_unique_name("block"), rtl->table(), {}),
        player(block, *rtl, std::move(steps)),
        checker(block, find_port(block, "s_axi_", false), {time_out}) {}
  static std::unique_ptr<FakeRtl> make(bool lite) {
    auto fake = std::make_unique<FakeRtl>("fake");
    fake->axi_port("s_axi_", false, 32, 4, lite);
    return fake;
  }
  std::unique_ptr<FakeRtl> rtl;
  rtl::Block block;
  Player player;
  Checker checker;
};

// All in one simulation, each on a block of its own.
void expect_found(const std::vector<Fault>& faults, bool lite) {
  const test::LogCapture log;
  std::vector<std::unique_ptr<CheckerBench>> benches;
  for (const Fault& fault : faults)
    benches.push_back(std::make_unique<CheckerBench>(fault.steps, lite, 0));
  sc_core::sc_start(5, sc_core::SC_US);
  const std::string text = log.text();
  for (size_t i = 0; i < faults.size(); ++i) {
    const Fault& fault = faults[i];
    bool found = false;
    std::string list;
    for (const PinViolation& each : benches[i]->checker.violations()) {
      found = found || (each.rule == fault.rule && each.signal == "s_axi_" + fault.signal);
      list += each.rule + " " + each.signal + ": " + each.text + "\n";
    }
    EXPECT_TRUE(found) << fault.name << " is to be " << fault.rule << " of " << fault.signal
                       << "; found:\n"
                       << list;
    EXPECT_THAT(text,
                HasSubstr(benches[i]->block.name() + std::string(".s_axi_") + fault.signal + ": "));
    EXPECT_THAT(text, HasSubstr(fault.rule + ", IHI 0022 "));
  }
}

TEST(PinChecker, FindsEveryFaultOfHandshakes) { expect_found(handshake_faults(), false); }
TEST(PinChecker, FindsEveryFaultOfAddresses) { expect_found(address_faults(), false); }
TEST(PinChecker, FindsEveryFaultOfDataAndResponses) {
  expect_found(data_faults(), false);
  EXPECT_GE(handshake_faults().size() + address_faults().size() + data_faults().size(), 40u);
}

TEST(PinChecker, FindsFaultsOfLite) {
  const Step lite_aw = {{"awaddr", 0x10}, {"awvalid", 1}, {"awready", 1}};
  const Step lite_w = {{"wstrb", 15}, {"wvalid", 1}, {"wready", 1}};
  const Step lite_ar = {{"araddr", 0x10}, {"arvalid", 1}, {"arready", 1}};
  const auto lite_b = [](uint64_t response) {
    return Step{{"bresp", response}, {"bvalid", 1}, {"bready", 1}};
  };
  const auto lite_r = [](uint64_t response) {
    return Step{{"rresp", response}, {"rvalid", 1}, {"rready", 1}};
  };
  CheckerBench legal({lite_aw + lite_w, lite_b(2), lite_ar, lite_r(3), lite_w, lite_aw, lite_b(0)},
                     true, 50);
  expect_found({{"EXOKAY to a write", {lite_aw, lite_w, lite_b(1)}, "PIN_LITE_RESPONSE", "bresp"},
                {"EXOKAY to a read", {lite_ar, lite_r(1)}, "PIN_LITE_RESPONSE", "rresp"},
                {"two", {lite_ar, lite_r(0), lite_r(0)}, "PIN_RESPONSE", "rvalid"},
                {"none", {lite_b(0)}, "PIN_RESPONSE", "bvalid"}},
               true);
  EXPECT_EQ(legal.checker.violation_count(), 0u);
  EXPECT_EQ(legal.checker.transactions(), 3u);
}

TEST(PinChecker, WhatIsLegalIsNotReported) {
  const test::LogCapture log;
  CheckerBench bench(legal_traffic(), false, 1000);
  sc_core::sc_start(20, sc_core::SC_US);
  EXPECT_EQ(bench.checker.violation_count(), 0u) << log.text();
  EXPECT_EQ(bench.checker.transactions(), 18u);
}

// A valid signal that is high while reset is active.
TEST(PinChecker, FindsWhatIsHighInReset) {
  const test::LogCapture log;
  const char* const signals[] = {"s_axi_bvalid", "s_axi_rvalid"};
  std::vector<std::unique_ptr<CheckerBench>> benches;
  for (const char* signal : signals) {
    benches.push_back(std::make_unique<CheckerBench>(Steps{}, false, 0));
    FakeRtl& fake = *benches.back()->rtl;
    fake.on_eval = [&fake, signal](bool) { fake[signal] = fake["aresetn"] == 0; };
  }
  sc_core::sc_start(1, sc_core::SC_US);
  for (size_t i = 0; i < benches.size(); ++i) {
    ASSERT_FALSE(benches[i]->checker.violations().empty());
    EXPECT_EQ(benches[i]->checker.violations().front().rule, "PIN_RESET");
    EXPECT_EQ(benches[i]->checker.violations().front().signal, signals[i]);
  }
}

TEST(PinChecker, WhatGoesWrongAtEveryEdgeDoesNotFillTheLog) {
  const test::LogCapture log;
  CheckerBench bench(Steps{}, false, 0);
  FakeRtl& fake = *bench.rtl;
  fake.on_eval = [&fake](bool) {
    fake["s_axi_bvalid"] = fake["aresetn"];
    fake["s_axi_bready"] = 1;
  };
  sc_core::sc_start(20, sc_core::SC_US);
  EXPECT_GT(bench.checker.violation_count(), 1000u);
  EXPECT_EQ(bench.checker.violations().size(), 100u);
  const std::string text = log.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 101);
  EXPECT_THAT(text, HasSubstr(".s_axi: more than 100 violations: further ones are only counted"));
}

struct Hang {
  Steps steps;
  const char* text;
};

std::vector<Hang> hangs() {
  const auto forever = [](const Step& step, const char* ready) {
    return times(2000, step + Step{{ready, 0}});
  };
  return {
      {forever(aw(), "awready"), "s_axi_awready has not come"},
      {Steps{aw()} + forever(w(), "wready"), "s_axi_wready has not come"},
      {Steps{aw(), w()} + forever(b(), "bready"), "s_axi_bready has not come"},
      {forever(ar(), "arready"), "s_axi_arready has not come"},
      {Steps{ar()} + forever(r(), "rready"), "s_axi_rready has not come"},
      {{aw({{"id", 5}}), w()}, "no response to the write of 1 x 4 bytes at 0x100, ID 5"},
      {{ar({{"len", 1}}), r(0)}, "no data for the read of 2 x 4 bytes at 0x100, ID 0"},
      {{aw()}, "no data of the write of 1 x 4 bytes at 0x100"},
      {{w()}, "no address of the write data"},
  };
}

class PinCheckerHang : public testing::TestWithParam<size_t> {};

TEST_P(PinCheckerHang, EndsTheSimulation) {
  const test::LogCapture log;
  const Hang hang = hangs()[GetParam()];
  CheckerBench bench(hang.steps, false, 100);
  try {
    sc_core::sc_start(1, sc_core::SC_MS);
    FAIL() << "nothing said of " << hang.text;
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr(hang.text));
    EXPECT_THAT(error.what(), HasSubstr(".s_axi_"));
  }
}

INSTANTIATE_TEST_SUITE_P(All, PinCheckerHang, testing::Range(size_t{0}, hangs().size()));

TEST(PinPort, WrongPortsAreNamed) {
  const auto error_of = [](FakeRtl& fake, const char* name) {
    rtl::Block block(name, fake.table(), {});
    try {
      find_port(block, "s_axi_", false);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  FakeRtl missing("missing");
  missing.input("s_axi_awaddr", 32);
  missing.input("s_axi_awvalid", 1);
  missing.output("s_axi_aw_ready", 1);
  EXPECT_THAT(error_of(missing, "a"),
              HasSubstr("it has no port s_axi_awready (did you mean s_axi_aw_ready?)"));
  FakeRtl turned("turned");
  turned.axi_port("s_axi_", true, 32, 4);
  EXPECT_THAT(error_of(turned, "b"), HasSubstr("port s_axi_awaddr is an output, not an input"));
  FakeRtl odd("odd");
  odd.axi_port("s_axi_", false, 48, 4);
  EXPECT_THAT(error_of(odd, "c"), HasSubstr("port s_axi_rdata has 48 bits"));
  FakeRtl lite("lite");
  lite.axi_port("s_axi_", false, 16, 4, true);
  EXPECT_THAT(error_of(lite, "d"), HasSubstr("AXI4-Lite has 32 or 64"));
}

}  // namespace
}  // namespace gvp::axi::pins

// SPDX-License-Identifier: Apache-2.0
// Each fault that can be made at the pins is found by its rule, at its signal; what is legal is
// not.
#include "models/axi/pins/checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "tests/support/fake_rtl.h"
#include "tests/support/log_capture.h"

namespace gvp::axi::pins {
namespace {

using test::FakeRtl;
using testing::HasSubstr;

// What the pins are at one edge; handshake signals that are not named are low.
using Step = std::vector<std::pair<std::string, uint64_t>>;
using Steps = std::vector<Step>;

Step operator+(Step step, const Step& more) {
  step.insert(step.end(), more.begin(), more.end());  // the last of two counts
  return step;
}

// Address phases that are taken at once, of one full beat at 0x100 unless more says otherwise.
Step address(const std::string& x, const Step& more = {}) {
  Step step = {{x + "addr", 0x100}, {x + "id", 0},     {x + "len", 0},   {x + "size", 2},
               {x + "burst", 1},    {x + "lock", 0},   {x + "cache", 0}, {x + "prot", 0},
               {x + "qos", 0},      {x + "region", 0}, {x + "valid", 1}, {x + "ready", 1}};
  for (const auto& [name, value] : more) step.emplace_back(x + name, value);
  return step;
}
Step aw(const Step& more = {}) { return address("aw", more); }
Step ar(const Step& more = {}) { return address("ar", more); }
Step w(uint64_t last = 1, uint64_t strobes = 15) {
  return {{"wdata", 0x12345678}, {"wstrb", strobes}, {"wlast", last}, {"wvalid", 1}, {"wready", 1}};
}
Step b(uint64_t id = 0, uint64_t response = 0) {
  return {{"bid", id}, {"bresp", response}, {"bvalid", 1}, {"bready", 1}};
}
Step r(uint64_t last = 1, uint64_t id = 0, uint64_t response = 0) {
  return {{"rid", id},  {"rresp", response}, {"rlast", last},
          {"rdata", 7}, {"rvalid", 1},       {"rready", 1}};
}
Steps times(unsigned count, const Step& step) { return Steps(count, step); }
Steps operator+(Steps steps, const Steps& more) {
  steps.insert(steps.end(), more.begin(), more.end());
  return steps;
}
// The beats of a burst.
Steps beats(unsigned count, const std::function<Step(uint64_t)>& beat) {
  return times(count - 1, beat(0)) + Steps{beat(1)};
}
Step write_beat(uint64_t last) { return w(last); }
Step read_beat(uint64_t last) { return r(last); }

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

struct Fault {
  std::string name;
  Steps steps;
  std::string rule, signal;
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

std::vector<Fault> handshake_faults() {
  std::vector<Fault> faults;
  struct Channel {
    const char* name;
    Step step;
    std::vector<const char*> payload;
  };
  const std::vector<const char*> of_address = {"addr", "id",    "len",  "size", "burst",
                                               "lock", "cache", "prot", "qos",  "region"};
  const Channel channels[] = {{"aw", aw(), of_address},
                              {"w", w(), {"data", "strb", "last"}},
                              {"b", b(), {"id", "resp"}},
                              {"ar", ar(), of_address},
                              {"r", r(), {"id", "data", "resp", "last"}}};
  for (const Channel& channel : channels) {
    const std::string name = channel.name;
    const Step waits = channel.step + Step{{name + "ready", 0}};
    // What a response answers comes before it.
    const Steps before = name == "b" ? Steps{aw(), w()} : name == "r" ? Steps{ar()} : Steps{};
    faults.push_back(
        {name + "valid goes low", before + Steps{waits, {}}, "PIN_VALID_HELD", name + "valid"});
    for (const char* signal : channel.payload) {
      uint64_t value = 0;
      for (const auto& [pin, set] : channel.step)
        if (pin == name + signal) value = set;
      faults.push_back({name + signal + " changes",
                        before + Steps{waits, waits + Step{{name + signal, value ^ 1}}},
                        "PIN_STABLE", name + signal});
    }
  }
  return faults;
}

std::vector<Fault> address_faults() {
  std::vector<Fault> faults;
  for (const std::string x : {"aw", "ar"}) {
    const auto fault = [&](const std::string& name, const Step& more, const std::string& rule,
                           const std::string& signal) {
      faults.push_back({x + " " + name, {address(x, more)}, rule, x + signal});
    };
    fault("reserved burst", {{"burst", 3}}, "PIN_BURST_TYPE", "burst");
    fault("too wide", {{"size", 3}}, "PIN_SIZE", "size");
    fault("FIXED too long", {{"burst", 0}, {"len", 16}}, "PIN_LENGTH", "len");
    fault("WRAP of one beat", {{"burst", 2}, {"len", 0}}, "PIN_LENGTH", "len");
    fault("WRAP of three beats", {{"burst", 2}, {"len", 2}}, "PIN_LENGTH", "len");
    fault("WRAP of 32 beats", {{"burst", 2}, {"len", 31}}, "PIN_LENGTH", "len");
    fault("WRAP unaligned", {{"burst", 2}, {"len", 3}, {"addr", 0x102}}, "PIN_WRAP_ALIGNED",
          "addr");
    fault("across 4 KiB", {{"len", 3}, {"addr", 0xff8}}, "PIN_BOUNDARY", "addr");
    fault("allocates, not modifiable", {{"cache", 4}}, "PIN_CACHE", "cache");
    fault("exclusive of 17 beats", {{"lock", 1}, {"len", 16}}, "PIN_EXCLUSIVE_LENGTH", "len");
    fault("exclusive of 12 bytes", {{"lock", 1}, {"len", 2}}, "PIN_EXCLUSIVE_SIZE", "len");
    fault("exclusive unaligned", {{"lock", 1}, {"len", 1}, {"addr", 0x104}},
          "PIN_EXCLUSIVE_ALIGNED", "addr");
  }
  faults.push_back(
      {"exclusive write without read", {aw({{"lock", 1}})}, "PIN_EXCLUSIVE_PAIR", "awlock"});
  const Steps exclusive_read = {ar({{"lock", 1}}), r(1, 0, 1)};
  faults.push_back({"exclusive write elsewhere",
                    exclusive_read + Steps{aw({{"lock", 1}, {"addr", 0x200}})},
                    "PIN_EXCLUSIVE_PAIR", "awlock"});
  faults.push_back({"exclusive write of another size",
                    exclusive_read + Steps{aw({{"lock", 1}, {"size", 1}})}, "PIN_EXCLUSIVE_PAIR",
                    "awlock"});
  faults.push_back({"exclusive write before the read's data",
                    {ar({{"lock", 1}}), aw({{"lock", 1}})},
                    "PIN_EXCLUSIVE_PAIR",
                    "awlock"});
  faults.push_back({"exclusive write before the next read's data",
                    exclusive_read + Steps{ar({{"lock", 1}}), aw({{"lock", 1}})},
                    "PIN_EXCLUSIVE_PAIR", "awlock"});
  return faults;
}

std::vector<Fault> data_faults() {
  const Step burst_write = aw({{"len", 3}}), burst_read = ar({{"len", 3}});
  return {
      {"WLAST early", Steps{burst_write, w(0), w(1)}, "PIN_LAST", "wlast"},
      {"WLAST missing", Steps{burst_write} + times(4, w(0)), "PIN_LAST", "wlast"},
      {"WLAST missing, data first", Steps{w(0), aw()}, "PIN_LAST", "wlast"},
      {"strobe outside of a narrow beat",
       {aw({{"size", 0}, {"addr", 0x101}}), w(1, 4)},
       "PIN_STROBES",
       "wstrb"},
      {"strobe before an unaligned address",
       {aw({{"addr", 0x102}}), w(1, 15)},
       "PIN_STROBES",
       "wstrb"},
      {"strobe of the wrong half",
       {aw({{"size", 1}, {"len", 1}}), w(0, 3), w(1, 3)},
       "PIN_STROBES",
       "wstrb"},
      {"write response to nothing", {b()}, "PIN_RESPONSE", "bvalid"},
      {"two responses to a write", {aw(), w(), b(), b()}, "PIN_RESPONSE", "bvalid"},
      {"response before the data", {aw(), b()}, "PIN_RESPONSE_EARLY", "bvalid"},
      {"response before the last data", {burst_write, w(0), b()}, "PIN_RESPONSE_EARLY", "bvalid"},
      {"response before the address", {w(), b()}, "PIN_RESPONSE", "bvalid"},
      {"BID of nobody", {aw({{"id", 2}}), w(), b(3)}, "PIN_ID", "bid"},
      {"EXOKAY for an ordinary write", {aw(), w(), b(0, 1)}, "PIN_EXOKAY", "bresp"},
      {"data to nothing", {r()}, "PIN_RESPONSE", "rvalid"},
      {"one beat too many", {ar(), r(), r()}, "PIN_RESPONSE", "rvalid"},
      {"RID of nobody", {ar({{"id", 2}}), r(1, 3)}, "PIN_ID", "rid"},
      {"RLAST early", {burst_read, r(0), r(1)}, "PIN_LAST", "rlast"},
      {"RLAST missing", {ar(), r(0)}, "PIN_LAST", "rlast"},
      {"EXOKAY for an ordinary read", {ar(), r(1, 0, 1)}, "PIN_EXOKAY", "rresp"},
      {"OKAY after EXOKAY",
       {ar({{"lock", 1}, {"len", 1}}), r(0, 0, 1), r(1, 0, 0)},
       "PIN_EXOKAY_MIXED",
       "rresp"},
      {"EXOKAY after OKAY",
       {ar({{"lock", 1}, {"len", 1}}), r(0, 0, 0), r(1, 0, 1)},
       "PIN_EXOKAY_MIXED",
       "rresp"},
      {"EXOKAY for a write whose read was not answered so",
       {ar({{"lock", 1}}), r(1, 0, 0), aw({{"lock", 1}}), w(), b(0, 1)},
       "PIN_EXOKAY",
       "bresp"},
      {"EXOKAY twice for one read",
       {ar({{"lock", 1}}), r(1, 0, 1), aw({{"lock", 1}}), w(), b(0, 1), aw({{"lock", 1}}), w(),
        b(0, 1)},
       "PIN_EXOKAY",
       "bresp"},
  };
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
  const Steps legal =
      // data before, with and after its address; bursts of all types; both directions at once
      Steps{aw() + w(), b(), w(), aw(), b(), aw(), w(), b()} + Steps{aw({{"len", 3}})} +
      beats(4, write_beat) + Steps{b()} + Steps{aw({{"len", 255}, {"size", 0}})} +
      [] {
        Steps narrow;
        for (unsigned i = 0; i < 256; ++i) narrow.push_back(w(i == 255, 1u << (i % 4)));
        return narrow;
      }() +
      Steps{b()} + Steps{ar({{"burst", 2}, {"len", 7}, {"addr", 0x10c}})} + beats(8, read_beat) +
      Steps{ar({{"burst", 0}, {"len", 15}})} + beats(16, read_beat) + Steps{ar({{"addr", 0xffe}})} +
      Steps{r()} +  // unaligned, up to the end of the page
      // several outstanding, answered in another order and interleaved
      Steps{ar({{"id", 1}, {"len", 1}}),
            ar({{"id", 2}, {"len", 1}}),
            r(0, 2),
            r(0, 1),
            r(1, 1),
            r(1, 2)} +
      Steps{aw({{"id", 1}}), aw({{"id", 2}}), w(), w(), b(2), b(1)} +
      // exclusive, granted and not
      Steps{ar({{"lock", 1}}), r(1, 0, 1), aw({{"lock", 1}}), w(), b(0, 1)} +
      Steps{ar({{"lock", 1}}), r(1, 0, 0), aw({{"lock", 1}}), w(), b(0, 0)} +
      // waiting on each channel
      Steps{aw() + Step{{"awready", 0}}, aw(), w() + Step{{"wready", 0}}, w(),
            b() + Step{{"bready", 0}},   b()} +
      Steps{ar() + Step{{"arready", 0}}, ar(), r() + Step{{"rready", 0}}, r()};
  const test::LogCapture log;
  CheckerBench bench(legal, false, 1000);
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

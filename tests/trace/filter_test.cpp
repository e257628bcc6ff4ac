// SPDX-License-Identifier: Apache-2.0
#include "trace/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"

namespace gvp::trace {
namespace {

using testing::HasSubstr;

Filter filter(const std::string& text) { return parse_filter(text, {"--trace", 1, 1}); }

std::string refusal(const std::string& text) {
  try {
    parse_specification(text, {"--trace", 1, 1});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "accepted";
}

TEST(Filter, HasATermForEachThing) {
  const Filter f = filter(
      "port=host_data|gpgpu,target=ddr3,address=0x100..0x1ff|0x400,command=write,errors,"
      "latency=500ns..,kernel=mat*,function=memcpy,time=1.5us..2ms,trigger=start..stop,"
      "record=transactions|warps");
  EXPECT_THAT(f.ports.patterns(), testing::ElementsAre("host_data", "gpgpu"));
  EXPECT_TRUE(f.targets.match("ddr3"));
  ASSERT_EQ(f.addresses.size(), 2u);
  EXPECT_EQ(f.addresses[0].first, 0x100u);
  EXPECT_EQ(f.addresses[0].last, 0x1ffu);
  EXPECT_EQ(f.addresses[1].first, 0x400u);
  EXPECT_EQ(f.addresses[1].last, 0x400u);
  EXPECT_EQ(f.command, Command::kWrite);
  EXPECT_TRUE(f.errors);
  EXPECT_EQ(f.latency.first, 500000u);
  EXPECT_EQ(f.latency.last, ~uint64_t{0});
  EXPECT_TRUE(f.kernels.match("matmul"));
  EXPECT_FALSE(f.kernels.match("automat"));
  EXPECT_TRUE(f.functions.match("memcpy"));
  EXPECT_EQ(f.time.first, 1500000u);
  EXPECT_EQ(f.time.last, 2000000000u);
  EXPECT_EQ(f.trigger_from, "start");
  EXPECT_EQ(f.trigger_to, "stop");
  EXPECT_TRUE(f.wants(Subject::kTransactions));
  EXPECT_TRUE(f.wants(Subject::kWarps));
  EXPECT_FALSE(f.wants(Subject::kKernels));
}

TEST(Filter, WithoutRecordWantsAllButWhatIsMany) {
  const Filter f = filter("port=x");
  EXPECT_TRUE(f.wants(Subject::kBlocks));
  EXPECT_TRUE(f.wants(Subject::kConsole));
  EXPECT_FALSE(f.wants(Subject::kWarps));
  EXPECT_FALSE(f.wants(Subject::kStages));
  for (const Subject many : {Subject::kFunctions, Subject::kLocal, Subject::kPins}) {
    EXPECT_FALSE(f.wants(many));
    EXPECT_TRUE(filter("record=all").wants(many));
    EXPECT_TRUE(filter("record=" + std::string(to_string(many))).wants(many));
  }
  EXPECT_TRUE(filter("record=all").wants(Subject::kStages));
  EXPECT_THAT(refusal("a.csv:record=queues"),
              HasSubstr("known are all, transactions, kernels, blocks, warps, stages, banks, "
                        "interrupts, console, pins, functions, local, accesses"));
}

TEST(Filter, PinsAreInWaveformsUnlessOthersAreAskedFor) {
  const auto wants_pins = [](const std::string& text) {
    return parse_specification(text, {"--trace", 1, 1}).filter.wants(Subject::kPins);
  };
  EXPECT_TRUE(wants_pins("a.fst"));
  EXPECT_TRUE(wants_pins("a.vcd:port=x"));
  EXPECT_FALSE(wants_pins("a.vcd:record=kernels"));
  EXPECT_FALSE(wants_pins("a.csv"));
  EXPECT_FALSE(wants_pins("a.csv:port=x"));
  EXPECT_TRUE(wants_pins("a.csv:record=pins"));
}

TEST(Filter, AccessesOfBanksAreInPerfettoFilesUnlessOthersAreAskedFor) {
  const auto wants_accesses = [](const std::string& text) {
    return parse_specification(text, {"--trace", 1, 1}).filter.wants(Subject::kAccesses);
  };
  EXPECT_TRUE(wants_accesses("a.pftrace"));
  EXPECT_TRUE(wants_accesses("a.pftrace:port=x"));
  EXPECT_FALSE(wants_accesses("a.pftrace:record=kernels"));
  EXPECT_FALSE(wants_accesses("a.db"));
  EXPECT_TRUE(wants_accesses("a.db:record=accesses"));
}

TEST(Filter, PatternsHaveStarsAndQuestionMarks) {
  EXPECT_TRUE(matches("host_*", "host_data"));
  EXPECT_TRUE(matches("*_data", "host_data"));
  EXPECT_TRUE(matches("*a*a", "gamma_a"));
  EXPECT_FALSE(matches("*a*b", "gamma_a"));
  EXPECT_TRUE(matches("gpgpu?", "gpgpu1"));
  EXPECT_FALSE(matches("gpgpu?", "gpgpu"));
  EXPECT_FALSE(matches("gpgpu", "gpgpu1"));
  EXPECT_TRUE(matches("**", ""));
}

TEST(Filter, SaysWhereATextIsWrongAndWhatWouldBeRight) {
  EXPECT_THAT(refusal("a.csv:prot=x"), HasSubstr("--trace:1:7: unknown term \"prot\""));
  EXPECT_THAT(refusal("a.csv:prot=x"), HasSubstr("did you mean port?"));
  EXPECT_THAT(refusal("a.csv:port=x,command=raed"), HasSubstr("--trace:1:22: unknown command"));
  EXPECT_THAT(refusal("a.csv:port="), HasSubstr("port has no value"));
  EXPECT_THAT(refusal("a.csv:port"), HasSubstr("port has no value"));
  EXPECT_THAT(refusal("a.csv:"), HasSubstr("a term of the filter is empty"));
  EXPECT_THAT(refusal("a.csv:port=a,"), HasSubstr("a term of the filter is empty"));
  EXPECT_THAT(refusal("a.csv:port=a|"), HasSubstr("an alternative is empty"));
  EXPECT_THAT(refusal("a.csv:errors=1"), HasSubstr("errors takes no value"));
  EXPECT_THAT(refusal("a.csv:address=5g"), HasSubstr("\"5g\" is not an address"));
  EXPECT_THAT(refusal("a.csv:address=0x"), HasSubstr("\"0x\" is not an address"));
  EXPECT_THAT(refusal("a.csv:address=9..8"), HasSubstr("ends before it begins"));
  EXPECT_THAT(refusal("a.csv:address=.."), HasSubstr("the range has no ends"));
  EXPECT_THAT(refusal("a.csv:time=5..6ms"), HasSubstr("\"5\" is not a time"));
  EXPECT_THAT(refusal("a.csv:time=1ms..6"), HasSubstr("--trace:1:17: \"6\" is not a time"));
  EXPECT_THAT(refusal("a.csv:time=9999999999s"), HasSubstr("is not a time"));
  EXPECT_THAT(refusal("a.csv:latency=fast"), HasSubstr("is not a time"));
  EXPECT_THAT(refusal("a.csv:record=everything"), HasSubstr("unknown records"));
  EXPECT_THAT(refusal("a.csv:trigger=..x"), HasSubstr("does not say where to begin"));
  EXPECT_THAT(refusal("a.xml:port=x"), HasSubstr("the suffix decides: .csv"));
  EXPECT_THAT(refusal(""), HasSubstr("does not say what to write"));
  EXPECT_THAT(refusal(".csv"), HasSubstr("does not say what to write"));
}

TEST(Filter, BeginsBehindTheSuffixOfTheFile) {
  const Specification one = parse_specification("C:/a:b.csv:port=x", {"--trace", 1, 1});
  EXPECT_EQ(one.file, "C:/a:b.csv");
  EXPECT_FALSE(one.filter.ports.any());
  EXPECT_EQ(parse_specification("run.db", {"--trace", 1, 1}).file, "run.db");
}

}  // namespace
}  // namespace gvp::trace

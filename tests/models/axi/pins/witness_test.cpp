// SPDX-License-Identifier: Apache-2.0
// The second checker of AXI's rules, tests/rtl_blocks/axi_witness.sv, which has nothing of ours in
// it: it finds the same faults by the same rules, and complains of nothing that is legal.  What it
// says of our transactors is in transactor_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/rtl/pin.h"
#include "tests/models/axi/pins/faults.h"
#include "tests/support/rtl_plugin.h"

namespace gvp::axi::pins {
namespace {

using namespace test_traffic;

// By the bits of its pin `broken`.
const std::vector<std::string> kRules = {"PIN_VALID_HELD",
                                         "PIN_STABLE",
                                         "PIN_RESET",
                                         "PIN_BURST_TYPE",
                                         "PIN_LENGTH",
                                         "PIN_SIZE",
                                         "PIN_WRAP_ALIGNED",
                                         "PIN_BOUNDARY",
                                         "PIN_LAST",
                                         "PIN_STROBES",
                                         "PIN_CACHE",
                                         "PIN_ID",
                                         "PIN_RESPONSE",
                                         "PIN_RESPONSE_EARLY",
                                         "PIN_EXCLUSIVE_LENGTH",
                                         "PIN_EXCLUSIVE_SIZE",
                                         "PIN_EXCLUSIVE_ALIGNED",
                                         "PIN_EXCLUSIVE_PAIR",
                                         "PIN_EXOKAY",
                                         "PIN_EXOKAY_MIXED"};

// Driven pin by pin, without SystemC.
class Witness {
 public:
  explicit Witness(const gvp_rtl_block& type) : type_(type), model_(type.create("witness", 0)) {
    reset(nullptr);
    pin("aresetn").set(1);
  }
  ~Witness() { type_.destroy(model_); }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  // valid: a pin that is high meanwhile; 0: none.
  void reset(const char* valid) {
    pin("aresetn").set(0);
    if (valid != nullptr) pin(valid).set(1);
    for (int i = 0; i < 3; ++i) cycle();
    if (valid != nullptr) pin(valid).set(0);
  }
  void play(const Steps& steps) {
    for (const Step& step : steps) {
      drive({});
      drive(step);
      cycle();
    }
    drive({});
    cycle();
  }
  std::vector<std::string> broken() {
    std::vector<std::string> rules;
    for (size_t i = 0; i < kRules.size(); ++i)
      if ((pin("broken").get() >> i & 1) != 0) rules.push_back(kRules[i]);
    return rules;
  }
  uint64_t transactions() { return pin("transactions").get(); }

 private:
  rtl::Pin pin(const std::string& name) {
    for (size_t i = 0; i < type_.pin_count; ++i)
      if (name == type_.pins[i].name)
        return {name, type_.pin_data(model_, i), type_.pins[i].bits, type_.pins[i].is_input != 0};
    ADD_FAILURE() << "no pin " << name;
    return {};
  }
  // A signal of AXI: on the side where it is an input.
  void set(const std::string& signal, uint64_t value) {
    for (const char* side : {"s_axi_", "m_axi_"})
      for (size_t i = 0; i < type_.pin_count; ++i)
        if (side + signal == type_.pins[i].name && type_.pins[i].is_input != 0)
          return pin(side + signal).set(value);
    ADD_FAILURE() << "no input " << signal;
  }
  void drive(const Step& step) {
    if (step.empty())
      for (const char* channel : {"aw", "w", "b", "ar", "r"})
        for (const char* signal : {"valid", "ready"}) set(std::string(channel) + signal, 0);
    for (const auto& [signal, value] : step) set(signal, value);
  }
  void cycle() {
    for (const uint64_t level : {0, 1}) {
      pin("aclk").set(level);
      ASSERT_EQ(type_.eval(model_), 0) << type_.error(model_);
    }
  }

  const gvp_rtl_block& type_;
  void* model_;
};

class PinWitness : public testing::Test {
 protected:
  const gvp_rtl_block* type = test::rtl_plugin("axi_witness");
  void SetUp() override {
    if (type == nullptr) GTEST_SKIP() << "built without Verilator";
  }
};

TEST_F(PinWitness, FindsEveryFaultThatTheCheckerFindsByTheSameRule) {
  for (const auto& faults : {handshake_faults(), address_faults(), data_faults()})
    for (const Fault& fault : faults) {
      Witness witness(*type);
      witness.play(fault.steps);
      EXPECT_THAT(witness.broken(), testing::Contains(fault.rule)) << fault.name;
    }
}

TEST_F(PinWitness, FindsWhatIsHighInReset) {
  for (const char* valid :
       {"s_axi_awvalid", "s_axi_wvalid", "m_axi_bvalid", "s_axi_arvalid", "m_axi_rvalid"}) {
    Witness witness(*type);
    witness.reset(valid);
    EXPECT_THAT(witness.broken(), testing::ElementsAre("PIN_RESET")) << valid;
  }
}

TEST_F(PinWitness, ComplainsOfNothingThatIsLegal) {
  Witness witness(*type);
  witness.play(legal_traffic());
  EXPECT_THAT(witness.broken(), testing::IsEmpty());
  EXPECT_EQ(witness.transactions(), 18u);
}

}  // namespace
}  // namespace gvp::axi::pins

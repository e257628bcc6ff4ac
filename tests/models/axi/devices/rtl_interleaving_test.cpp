// SPDX-License-Identifier: Apache-2.0
// The crossbar as RTL between targets that interleave read data of several
// masters, as IHI 0022 A5.3 allows: no two of them may wait for each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "models/axi/pins/checker.h"
#include "models/axi/pins/tlm_to_axi.h"
#include "models/rtl/block_table.h"
#include "tests/support/at_initiator.h"
#include "tests/support/log_capture.h"

namespace gvp::axi {
namespace {

constexpr uint64_t kTarget = 0x1000;  // bytes of each
constexpr unsigned kBeats = 4;

// Answers the reads of both masters beat by beat, `first` at first, when all targets have theirs.
class Interleaver : public rtl::Agent {
 public:
  Interleaver(rtl::Block& block, const pins::Port& port, unsigned first, unsigned& missing)
      : port_(port), next_(first), missing_(missing) {
    block.add(*this);
  }
  void sample() override {
    if (port_.ar.valid.high() && port_.ar.ready.high()) {
      reads_.push_back({port_.ar.id.get(), static_cast<unsigned>(port_.ar.length.get()) + 1});
      --missing_;
    }
    if (on_pins_ == nullptr || !port_.r.ready.high()) return;
    if (--on_pins_->beats == 0)
      reads_.erase(std::find_if(reads_.begin(), reads_.end(),
                                [](const Read& read) { return read.beats == 0; }));
    on_pins_ = nullptr;
    next_ = 1 - next_;
  }
  void drive() override {
    port_.ar.ready.set(1);
    if (on_pins_ != nullptr) return;
    port_.r.valid.set(0);
    if (missing_ != 0 || reads_.empty()) return;
    const auto of_next = std::find_if(reads_.begin(), reads_.end(), [&](const Read& read) {
      return read.id >> 4 == next_;  // the master's port is above its IDs
    });
    on_pins_ = of_next == reads_.end() ? &reads_.front() : &*of_next;
    port_.r.id.set(on_pins_->id);
    port_.r.last.set(on_pins_->beats == 1 ? 1 : 0);
    port_.r.valid.set(1);
  }
  uint64_t idle_edges() const override { return 0; }
  void reset() override { port_.r.valid.set(0); }

 private:
  struct Read {
    uint64_t id;
    unsigned beats;
  };
  pins::Port port_;
  uint64_t next_;  // master
  std::deque<Read> reads_;
  Read* on_pins_ = nullptr;
  unsigned& missing_;  // reads that have not come, of all targets
};

TEST(RtlCrossbarInterleaving, TwoTargetsThatInterleaveDoNotWaitForEachOther) {
  const gvp_rtl_block* crossbar = rtl::find_block("axi_interconnect");
  if (crossbar == nullptr) GTEST_SKIP() << "built without Verilator";
  const test::LogCapture log;
  rtl::Block block("block", *crossbar, {});
  std::deque<pins::TlmToAxi> masters;
  std::deque<Interleaver> targets;
  unsigned missing = 4;
  std::deque<test::AtInitiator> initiators;
  std::deque<pins::Checker> checkers;
  for (unsigned i = 0; i < 2; ++i) {
    const std::string target = "m" + std::to_string(i) + "_";
    block.input_pin(target + "exists", 1).set(1);
    block.input_pin(target + "first", 32).set(i * kTarget);
    block.input_pin(target + "last", 32).set((i + 1) * kTarget - 1);
    const pins::Port to = pins::find_port(block, target + "axi_", true);
    targets.emplace_back(block, to, i, missing);
    checkers.emplace_back(block, to, pins::CheckerSettings{1000});
    const std::string prefix = "s" + std::to_string(i) + "_axi_";
    const pins::Port from = pins::find_port(block, prefix, false);
    masters.emplace_back(("master_" + std::to_string(i)).c_str(), block, from);
    checkers.emplace_back(block, from, pins::CheckerSettings{1000});
    initiators.emplace_back(("initiator_" + std::to_string(i)).c_str());
    initiators[i].socket.bind(masters[i].socket);
  }
  block.settle();
  std::vector<test::AtInitiator::Transfer*> reads;
  for (test::AtInitiator& initiator : initiators)
    for (uint32_t target = 0; target < 2; ++target)
      reads.push_back(&initiator.read(target * kTarget, 4 * kBeats, target + 1));
  sc_core::sc_start(1, sc_core::SC_US);
  for (const auto* read : reads) {
    EXPECT_TRUE(read->done);
    EXPECT_TRUE(read->payload.is_response_ok());
  }
  for (const pins::Checker& checker : checkers)
    EXPECT_EQ(checker.violation_count(), 0u) << log.text();
}

}  // namespace
}  // namespace gvp::axi

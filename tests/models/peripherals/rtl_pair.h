// SPDX-License-Identifier: Apache-2.0
// A peripheral's RTL beside its model: the same accesses at the same times to both, and a
// comparison of what software sees of them.
//
// A write that is issued at an edge reaches the registers of the RTL two cycles later, a read sees
// what they held one cycle later (rtl/axi_lite_registers.sv): the model is accessed at these times.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "models/peripherals/rtl_peripheral.h"
#include "models/rtl/block_table.h"
#include "tests/models/peripherals/bench.h"
#include "tests/support/seed.h"

namespace gvp::peripherals {

inline const sc_time kCycle(10, SC_NS), kInstant(1, SC_PS);

struct Access {
  uint64_t cycle;  // when it is issued
  bool write;
  uint32_t address, value;
  unsigned length = 4;
};

struct Seen {
  tlm::tlm_response_status response;
  uint32_t value;
  bool interrupt;  // before the access
};

struct Edge {
  sc_time time;
  bool level;
  bool operator==(const Edge& other) const { return time == other.time && level == other.level; }
};

// One side: a target, an initiator that makes the accesses, and what it saw.
class Side : public sc_core::sc_module {
 public:
  sc_core::sc_signal<bool> interrupt{"interrupt"};
  std::vector<Seen> seen;
  std::vector<Edge> edges;

  // So many cycles later than they say, reads and writes are made.
  Side(const sc_core::sc_module_name& name, const std::vector<Access>& accesses,
       unsigned read_later, unsigned write_later)
      : sc_module(name), accesses_(accesses), read_later_(read_later), write_later_(write_later) {
    SC_HAS_PROCESS(Side);
    SC_THREAD(run);
    SC_METHOD(note);
    sensitive << interrupt;
    dont_initialize();
  }
  tlm::tlm_initiator_socket<>& socket() { return initiator_.socket; }
  bool done() const { return seen.size() == accesses_.size(); }

 private:
  void run() {
    for (const Access& access : accesses_) {
      const sc_time at = static_cast<double>(access.cycle) * kCycle;
      if (at > sc_core::sc_time_stamp()) sc_core::wait(at - sc_core::sc_time_stamp());
      const bool level = interrupt.read();
      // At the edge, and before anything else that happens at its time.
      if (const unsigned later = access.write ? write_later_ : read_later_; later > 0) {
        sc_core::wait(later * kCycle - kInstant);
        initiator_.delay = kInstant;
      }
      uint32_t value = access.value;
      const auto response =
          initiator_.access(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                            access.address, &value, access.length);
      seen.push_back({response, access.write || response != kOk ? 0 : value, level});
    }
  }
  void note() { edges.push_back({sc_core::sc_time_stamp(), interrupt.read()}); }

  const std::vector<Access>& accesses_;
  unsigned read_later_, write_later_;
  test::Initiator initiator_{"initiator"};
};

struct Pair {
  explicit Pair(const std::vector<Access>& list) : accesses(list) {}
  // with_interrupt: its level before each access, too.
  enum class Interrupt { kNot, kAtReads, kAlways };
  void compare(const sc_time& time, Interrupt with_interrupt) {
    sc_core::sc_start(time);
    ASSERT_TRUE(model.done() && rtl.done()) << "not enough time for all accesses";
    for (size_t i = 0; i < accesses.size(); ++i) {
      const Access& access = accesses[i];
      ASSERT_TRUE(model.seen[i].response == rtl.seen[i].response &&
                  model.seen[i].value == rtl.seen[i].value &&
                  (with_interrupt == Interrupt::kNot ||
                   (with_interrupt == Interrupt::kAtReads && access.write) ||
                   model.seen[i].interrupt == rtl.seen[i].interrupt))
          << "access " << i << ", " << (access.write ? "write of " : "read, ") << std::hex
          << access.value << " at 0x" << access.address << " in cycle " << std::dec << access.cycle
          << ": model " << model.seen[i].response << ' ' << std::hex << model.seen[i].value << ' '
          << model.seen[i].interrupt << ", RTL " << rtl.seen[i].response << ' ' << rtl.seen[i].value
          << ' ' << rtl.seen[i].interrupt;
    }
  }
  std::vector<Access> accesses;
  test::LogCapture log;
  Side model{"model", accesses, 1, 2};
  Side rtl{"rtl", accesses, 0, 0};
};

inline rtl::BlockConfiguration seeded(uint32_t seed) {
  rtl::BlockConfiguration configuration;
  configuration.seed = seed & 0x7fffffff;
  return configuration;
}

class RtlPeripheralTest : public testing::TestWithParam<uint32_t> {
 protected:
  void SetUp() override {
    if (rtl::built_in_blocks().empty()) GTEST_SKIP() << "built without Verilator";
    random.seed(seed);
  }
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random() % limit); }

  const uint32_t seed = test::seed(GetParam());
  testing::ScopedTrace trace{__FILE__, __LINE__, test::text_of_seed(seed)};
  std::mt19937 random;
};

}  // namespace gvp::peripherals

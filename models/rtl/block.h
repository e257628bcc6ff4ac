// SPDX-License-Identifier: Apache-2.0
// A block of RTL in the simulation: an instance of what a gvp_rtl_block makes, its clock, and the
// agents at its pins.  Edges lie at whole multiples of the clock's period.  An edge sees the inputs
// that were set before its time, never those of the same time, whatever the order of SystemC's
// processes: whoever changes an input calls input() first, which makes the edges that are due.
//
// The clock stops when the block stands still: all agents idle, and a cycle that has left every
// byte of its state as it was.  It goes on with the next change of an input.  The edges in between
// count as made.
//
// Reset takes no simulated time: at power-on and whenever the board asks for it, the reset pin is
// held for some cycles between two edges; a block without such a pin has none and goes on.  Inputs
// that nobody drives are zero.
//
// Frequencies are Hz, times picoseconds.  Not modelled: several clocks of one block, logic at the
// falling edge that reads inputs, gated clocks, unknown and floating values (two states only; the
// seed makes initial values differ instead).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/rtl/agent.h"
#include "models/rtl/block_interface.h"
#include "models/rtl/pin.h"
#include "models/rtl/scheduler.h"
#include "models/tlm/clock.h"
#include "models/tlm/reset.h"

namespace gvp::rtl {

struct BlockConfiguration {
  double clock_hz = 100e6;
  uint32_t seed = 0;  // of initial values; 0: zero
};

class Block : public sc_core::sc_module, public kit::Resettable {
 public:
  // Throws Error (bad input) for a block without a clock.
  Block(const sc_core::sc_module_name& name, const gvp_rtl_block& type,
        const BlockConfiguration& configuration);
  ~Block() override;

  const gvp_rtl_block& type() const { return type_; }
  // A pin that the block may not have: see Pin.
  Pin pin(const std::string& name);
  // The pins that are this (block_interface.h).
  std::vector<Pin> pins_of_role(const std::string& role);
  // Throws Error (bad input), which names the nearest pin, where it has none or one of another
  // kind.
  Pin input_pin(const std::string& name, unsigned bits);
  Pin output_pin(const std::string& name, unsigned bits);
  std::vector<Pin> pins();

  // Not owned.  Before the simulation starts.
  void add(Agent& agent);
  // The agent hears of every change of this output, of up to 8 bits, after the edge.
  void watch(const Pin& pin, Agent& agent);

  // For agents and for others who change an input: before they do.  Not from an agent's own calls.
  void input();
  // After a change that shall be seen without an edge: combinational logic.
  void settle() {
    eval();
    unsettled_ = false;
  }
  // For agents, at an edge: publish() shall be called when simulated time is there.
  void tell() { told_ = true; }
  // For agents: the number and the time of the edge that is being made.
  uint64_t edge() const { return edge_; }
  uint64_t edge_ps() const { return clock_.ps(edge_); }
  const kit::Clock& clock() const { return clock_; }

  void reset() override;

  // Waveforms of everything inside.  Throws Error (bad input) if the file cannot be written.
  void open_wave(const std::string& file);
  // Called after each edge of the clock, rising or falling, with its time, which grows; pins are
  // settled.  Before the simulation starts.  Edges of a clock that is stopped are left out.
  void observe(std::function<void(uint64_t picoseconds)> observer) {
    observer_ = std::move(observer);
    observed_ = true;
  }

  // {"clock_hz", "cycles", "evaluated_cycles", "cycles_per_second"}: evaluated ones are those in
  // which the clock was not stopped; the speed is theirs, by the time spent in them.
  nlohmann::ordered_json statistics() const;
  uint64_t cycles() const { return edge_; }
  uint64_t evaluated_cycles() const { return evaluated_; }

  // For the scheduler.
  bool running() const { return !stopped_; }
  uint64_t next_edge_ps() const { return clock_.ps(edge_ + 1); }
  void catch_up();  // edges up to the present
  void publish();   // what was told, if simulated time is there
  // Edges before `limit` and at most `most`, until something is told; returns how many.
  uint64_t advance(uint64_t limit, uint64_t most);
  // The next edge alone, or the block stops: for blocks that go together.
  void step();
  bool has_told() const { return told_; }
  std::optional<uint64_t> told_at() const;
  // Cycles outside of simulated time, for what a block still holds at the end of a run.
  void cycle_untimed() { make_edge(); }

 private:
  struct Watch {
    const uint8_t* data;
    uint8_t last;
    Agent* agent;
  };

  void eval();
  void set_clock(uint8_t level) {
    for (uint8_t* clock : clocks_) *clock = level;
  }
  void set_reset(bool active);
  uint64_t make_edges(uint64_t limit, uint64_t most);
  bool has_reset() const { return !high_resets_.empty() || !low_resets_.empty(); }
  void make_edge();                         // with all agents
  uint64_t make_idle_edges(uint64_t most);  // without, until a watched pin changes
  void cycle();
  bool look_at_watches();
  uint64_t idle_edges() const;
  bool may_sleep() const;
  bool wake_for_overdue(uint64_t present);
  bool stands_still();  // makes an edge and sees
  void start_of_simulation() override;
  void show(uint64_t picoseconds);
  void pass_output_on();
  Pin find(const std::string& name) const;
  [[noreturn]] void refuse_pin(const std::string& name, const std::string& trouble) const;

  const gvp_rtl_block& type_;
  void* model_;
  std::unique_ptr<void, void (*)(void*)> owned_;  // model_, also where the constructor fails
  int (*eval_)(void*);
  kit::Clock clock_;
  std::shared_ptr<Scheduler> scheduler_;
  std::vector<Agent*> agents_;
  std::vector<Watch> watches_;
  std::vector<uint8_t*> clocks_;
  std::vector<Pin> high_resets_, low_resets_;

  uint64_t edge_ = 0;  // the last one made, by its number
  bool stopped_ = false;
  bool fixed_ = false;      // a cycle changes nothing
  bool unsettled_ = false;  // inputs have changed since the last evaluation
  bool told_ = false;
  uint64_t idle_ = 0;        // edges that no agent has to do with, from the next one on; 0: unknown
  uint64_t until_look_ = 0;  // idle edges until the state is compared again
  uint64_t look_interval_ = 0;
  const uint8_t* state_ = nullptr;
  size_t state_bytes_ = 0;
  std::vector<uint8_t> remembered_;

  bool waves_ = false;
  std::function<void(uint64_t picoseconds)> observer_;
  bool observed_ = false;  // by a file of waves or by the observer
  uint64_t dumped_ps_ = 0;
  uint64_t evaluated_ = 0;
  uint64_t busy_ns_ = 0;  // wall-clock time spent in advance(), and in step() by samples
  unsigned until_sample_ = 0;
};

}  // namespace gvp::rtl

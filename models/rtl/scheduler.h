// SPDX-License-Identifier: Apache-2.0
// The one SystemC process that makes the clock edges of all blocks of RTL.  It runs them ahead of
// simulated time, in batches, up to the next event that is pending in the whole simulation: nothing
// can reach a block before that.  A batch ends early when a block has something to tell; simulated
// time then goes there first.  What nobody waits for costs a process activation per batch, not per
// edge.
//
// Not modelled: events that come from outside of the simulation between two calls of sc_start();
// the blocks see those up to a batch later.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

namespace gvp::rtl {

class Block;

class Scheduler : public sc_core::sc_module {
 public:
  // That of this simulation; lives as long as somebody has it.
  static std::shared_ptr<Scheduler> instance();
  // All blocks of this simulation, in the order in which they were made.
  static std::vector<Block*> blocks();

  void add(Block& block);
  void remove(Block& block);
  // No edge is made after this time (ps) before simulated time has got there: where sc_start() is
  // told to return, so that nothing is seen of blocks that is not part of the run.
  static void hold_at(uint64_t picoseconds) { held_until = picoseconds; }
  // Of waveforms: those edges alone, from and up to these times (ps), are in the files.
  static void show_waves(uint64_t from, uint64_t to) { waves_from = from, waves_to = to; }
  static bool shows_waves_at(uint64_t picoseconds) {
    return picoseconds >= waves_from && picoseconds <= waves_to;
  }
  // Inputs have changed, or an edge has been made out of turn: looks again, in the next delta
  // cycle.
  void look_again() { event_.notify(sc_core::SC_ZERO_TIME); }

 private:
  SC_HAS_PROCESS(Scheduler);
  explicit Scheduler(const sc_core::sc_module_name& name);
  void run();
  void run_ahead(uint64_t limit);
  void look_at(uint64_t picoseconds);
  uint64_t next_edge() const;  // of those that run
  uint64_t advance_together(uint64_t limit, uint64_t most);

  static inline uint64_t held_until = ~uint64_t{0};
  static inline uint64_t waves_from = 0, waves_to = ~uint64_t{0};
  std::vector<Block*> blocks_, running_;
  sc_core::sc_event event_{"rtl_event"};
};

}  // namespace gvp::rtl

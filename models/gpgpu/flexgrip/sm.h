// SPDX-License-Identifier: Apache-2.0
// One streaming multiprocessor without time: the warps, registers, shared and local memory of
// the batch of blocks that it runs (simt::BlockBatch) and their start state (docs/flexgrip.md).
// Timing models decide which warp runs when.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/kernel.h"
#include "models/gpgpu/flexgrip/warp_observer.h"
#include "models/gpgpu/g80/semantics.h"
#include "models/gpgpu/simt/block_batch.h"

namespace gvp::gpgpu::flexgrip {

using simt::StopOutcome;
using simt::WarpState;

class Sm {
 public:
  Sm(const Configuration& configuration, unsigned number);

  // Before the first batch of a kernel.
  // observation: who watches; null: nobody.  It must outlive the kernel.
  void prepare(const Kernel& kernel, const g80::Program& program, unsigned blocks_at_a_time,
               const Observation* observation = nullptr);
  // Starts a batch of at most so many blocks, which begin in the given cycle.
  void load(const std::vector<simt::BlockIndex>& blocks, uint64_t cycle = 0);

  unsigned number() const { return number_; }
  unsigned blocks() const { return batch_.blocks(); }  // of the batch
  unsigned warps() const { return batch_.warps(); }
  unsigned warps_per_block() const { return batch_.warps_per_block(); }
  g80::Warp& warp(unsigned slot) { return warps_[slot]; }
  WarpState state(unsigned slot) const { return batch_.state(slot); }
  simt::BlockIndex block_of(unsigned slot) const { return batch_.block_of(slot); }
  unsigned unfinished() const { return batch_.unfinished(); }  // warps of the batch
  unsigned ready() const { return batch_.ready(); }

  // Executes one instruction of a ready warp, then settles what it means for others where it stops:
  // else the outcome stays as it is.
  g80::Step step(g80::Machine& machine, unsigned slot, StopOutcome& outcome);
  // Executes a ready warp until it stops or so many instructions are done, without settling.
  // Observers are told that the first is issued at the machine's clock, and each other when the
  // latency of those before it has passed.
  g80::Stop run(g80::Machine& machine, unsigned slot, uint64_t max_instructions,
                g80::RunCounters& counters, g80::OpCounts* by_op);
  // What the stop of a warp means for others, after run().
  StopOutcome settle(unsigned slot, g80::Stop stop);

  // For timing models that know better: somebody wants to see each instruction of step().
  bool observes_instructions() const { return instructions_; }
  bool observes_stages() const { return stages_; }
  // Tells observers of the instruction that step() has executed: when it was issued and had its
  // last effect, and when its loads and its stores reached memory.
  struct Times {
    uint64_t issue = 0, end = 0, load = 0, store = 0;
  };
  void tell_instruction(unsigned slot, const g80::Step& step, const Times& times);
  void tell_stages(StageEvent& event, unsigned slot) const;
  // Tells observers that all warps of a slot's block have come to a barrier, or have ended.
  void tell_barrier(unsigned slot) const;
  // Tells observers that the last warp of a slot's block has ended.
  void tell_block_end(unsigned slot, uint64_t cycle) const;

 private:
  WarpPlace place_of(unsigned slot) const;
  g80::Step observed_step(g80::Machine& machine, unsigned slot);

  const Configuration& configuration_;
  unsigned number_;
  const Kernel* kernel_ = nullptr;
  const g80::Program* program_ = nullptr;
  simt::BlockBatch batch_;
  std::vector<g80::Warp> warps_;
  std::vector<simt::Lanes> rows_;
  std::vector<uint8_t> shared_;
  std::vector<uint8_t> locks_;  // of the words of shared memory; device extensions only
  std::vector<uint8_t> local_;

  const Observation* observation_ = nullptr;  // null: nobody watches
  bool observed_ = false;                     // execute instruction by instruction
  bool instructions_ = false;                 // or memory accesses
  bool stages_ = false;
  std::vector<MemoryEvent> accesses_;  // of the instruction that is executed
};

}  // namespace gvp::gpgpu::flexgrip

// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/sm.h"

#include <algorithm>
#include <cstring>

namespace gvp::gpgpu::flexgrip {
namespace {

void put16(uint8_t* at, uint32_t value) {
  const auto half = static_cast<uint16_t>(value);
  std::memcpy(at, &half, sizeof half);
}

// What a block finds at the start of its shared memory: 16-bit sizes and indices, then the
// parameters (docs/g80.md, "Thread start state").
void write_header(uint8_t* shared, const Kernel& kernel, simt::BlockIndex block) {
  put16(shared + 0x0, 0);
  put16(shared + 0x2, kernel.block_x);
  put16(shared + 0x4, kernel.block_y);
  put16(shared + 0x6, kernel.block_z);
  put16(shared + 0x8, kernel.grid_x);
  put16(shared + 0xa, kernel.grid_y);
  put16(shared + 0xc, block.x);
  put16(shared + 0xe, block.y);
  for (uint32_t i = 0; i < kernel.parameter_count; ++i)
    std::memcpy(shared + 0x10 + 4 * i, &kernel.parameters[i], sizeof(uint32_t));
}

// $r0 of each thread: tid.x | tid.y << 16 | tid.z << 26.  Lanes without a thread keep their zero.
void write_thread_indices(simt::Lanes& r0, const Kernel& kernel, unsigned first_thread) {
  for (unsigned lane = 0; lane < simt::kWarpSize; ++lane) {
    const unsigned thread = first_thread + lane;
    if (thread >= kernel.threads()) break;
    const unsigned x = thread % kernel.block_x;
    const unsigned y = thread / kernel.block_x % kernel.block_y;
    const unsigned z = thread / (kernel.block_x * kernel.block_y);
    r0[lane] = x | y << 16 | z << 26;
  }
}

bool uses_local_memory(const g80::Program& program) {
  return std::any_of(program.ops().begin(), program.ops().end(),
                     [](const g80::Op& op) { return g80::accesses_local(*op.instruction); });
}

}  // namespace

Sm::Sm(const Configuration& configuration, unsigned number)
    : configuration_(configuration), number_(number) {}

void Sm::prepare(const Kernel& kernel, const g80::Program& program, unsigned blocks_at_a_time) {
  kernel_ = &kernel;
  program_ = &program;
  warps_per_block_ = kernel.warps_per_block();
  observers_.clear();
  if (configuration_.execution_observer != nullptr)
    observers_.push_back(configuration_.execution_observer);
  if (WarpTrace::wanted()) observers_.push_back(&trace_);
  const unsigned slots = blocks_at_a_time * warps_per_block_;
  const unsigned rows = g80::row_count(kernel.registers_per_thread);
  blocks_.clear();
  unfinished_ = 0;
  ready_ = 0;
  barriers_.assign(blocks_at_a_time, {});
  warps_.resize(slots);
  states_.assign(slots, WarpState::kFinished);
  rows_.resize(size_t{slots} * rows);
  shared_.resize(size_t{blocks_at_a_time} * kernel.shared_bytes());
  // Most kernels have no local memory, and clearing it for every batch would show.
  const uint32_t local_bytes = uses_local_memory(program) ? configuration_.local_bytes : 0;
  local_.resize(size_t{slots} * simt::kWarpSize * local_bytes);
  for (unsigned slot = 0; slot < slots; ++slot) {
    g80::Warp& warp = warps_[slot];
    warp.flow.configure(configuration_.stack_depth);
    warp.rows = &rows_[size_t{slot} * rows];
    warp.shared = &shared_[size_t{slot / warps_per_block_} * kernel.shared_bytes()];
    warp.shared_bytes = static_cast<uint32_t>(kernel.shared_bytes());
    warp.local_bytes = local_bytes;
    warp.local = local_.data() + size_t{slot} * simt::kWarpSize * local_bytes;
    warp.physical_id = slot << 8 | number_ << 16;
  }
}

void Sm::load(const std::vector<simt::BlockIndex>& blocks) {
  blocks_ = blocks;
  // Shared and local memory start as zero: the hardware leaves them undefined, and a model must
  // be the same every time.
  std::fill(shared_.begin(), shared_.end(), uint8_t{0});
  std::fill(local_.begin(), local_.end(), uint8_t{0});
  const unsigned threads = kernel_->threads();
  const bool full = configuration_.partial_warps == "full";
  for (unsigned b = 0; b < blocks.size(); ++b) {
    barriers_[b].start(warps_per_block_);
    write_header(&shared_[size_t{b} * kernel_->shared_bytes()], *kernel_, blocks[b]);
    for (unsigned w = 0; w < warps_per_block_; ++w) {
      const unsigned slot = b * warps_per_block_ + w;
      const unsigned first_thread = w * simt::kWarpSize;
      warps_[slot].start(full ? simt::kAllLanes : simt::first_lanes(threads - first_thread),
                         kernel_->registers_per_thread);
      write_thread_indices(warps_[slot].register_row(0), *kernel_, first_thread);
      states_[slot] = WarpState::kReady;
    }
  }
  unfinished_ = warps();
  ready_ = unfinished_;
  for (ExecutionObserver* observer : observers_)
    observer->blocks_loaded(number_, this->blocks(), *kernel_);
}

g80::Step Sm::step(g80::Machine& machine, unsigned slot, StopOutcome& outcome) {
  const g80::Step done =
      observed() ? observed_step(machine, slot) : g80::step(machine, *program_, warps_[slot]);
  outcome = settle(slot, done.stop);
  return done;
}

g80::Step Sm::observed_step(g80::Machine& machine, unsigned slot) {
  g80::Warp& warp = warps_[slot];
  const WarpPlace place{number_, slot, slot / warps_per_block_, slot % warps_per_block_,
                        block_of(slot)};
  for (ExecutionObserver* observer : observers_)
    observer->before(place, *program_->at(warp.flow.pc), warp);
  const g80::Step done = g80::step(machine, *program_, warp);
  for (ExecutionObserver* observer : observers_) observer->after(place, done, warp);
  return done;
}

g80::Stop Sm::run(g80::Machine& machine, unsigned slot, uint64_t max_instructions,
                  g80::RunCounters& counters) {
  if (!observed()) return g80::run(machine, *program_, warps_[slot], max_instructions, counters);
  for (uint64_t done = 0; done < max_instructions; ++done) {
    const g80::Step step = observed_step(machine, slot);
    counters.add(step);
    if (step.stop != g80::Stop::kNone) return step.stop;
  }
  return g80::Stop::kNone;
}

StopOutcome Sm::settle(unsigned slot, g80::Stop stop) {
  StopOutcome outcome;
  const unsigned block_slot = slot / warps_per_block_;
  const unsigned warp_of_block = slot % warps_per_block_;
  simt::Barriers& barriers = barriers_[block_slot];
  if (stop == g80::Stop::kFinished) {
    outcome.state = WarpState::kFinished;
    outcome.released = barriers.exit(warp_of_block);
    --unfinished_;
    --ready_;
  } else if (stop == g80::Stop::kBarrier) {
    const g80::BarrierRequest& request = warps_[slot].barrier;
    // Counts are in threads, whole warps of them; all of the block by default.
    const unsigned expected = request.threads == g80::kAllThreads
                                  ? simt::Barriers::kAllWarps
                                  : std::max(1u, simt::warps_of(request.threads));
    const simt::Barriers::Outcome reached =
        barriers.reach(request.barrier, warp_of_block, request.arrive, request.wait, expected);
    outcome.released = reached.released;
    if (reached.wait) {
      outcome.state = WarpState::kWaiting;
      --ready_;
    } else if (request.wait && request.threads == g80::kAllThreads) {
      for (ExecutionObserver* observer : observers_) observer->barrier_passed(number_, block_slot);
    }
  }
  states_[slot] = outcome.state;
  release(block_slot, outcome.released);
  return outcome;
}

void Sm::release(unsigned block_slot, simt::Barriers::Warps warps) {
  for (; warps != 0; warps &= warps - 1) {
    const unsigned slot = block_slot * warps_per_block_ + simt::first_lane(warps);
    states_[slot] = WarpState::kReady;
    ++ready_;
  }
}

}  // namespace gvp::gpgpu::flexgrip

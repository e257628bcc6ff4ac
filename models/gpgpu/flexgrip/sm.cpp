// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/sm.h"

#include <algorithm>
#include <cstring>

#include "models/gpgpu/flexgrip/memory_events.h"

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

void Sm::prepare(const Kernel& kernel, const g80::Program& program, unsigned blocks_at_a_time,
                 const Observation* observation) {
  kernel_ = &kernel;
  program_ = &program;
  const unsigned warps_per_block = kernel.warps_per_block();
  batch_.prepare(blocks_at_a_time, warps_per_block);
  observation_ = observation;
  const auto wanted = [&](unsigned subjects) {
    return observation != nullptr && observation->observers.want(subjects);
  };
  instructions_ = wanted(Observer::kInstructions | Observer::kMemory);
  stages_ = wanted(Observer::kStages);
  observed_ = instructions_ || (observation != nullptr && !observation->warps.empty());
  const unsigned slots = blocks_at_a_time * warps_per_block;
  const unsigned rows = g80::row_count(kernel.registers_per_thread);
  warps_.resize(slots);
  rows_.resize(size_t{slots} * rows);
  shared_.resize(size_t{blocks_at_a_time} * kernel.shared_bytes());
  const size_t words = kernel.shared_bytes() / sizeof(uint32_t);
  locks_.resize(configuration_.device_extensions ? blocks_at_a_time * words : 0);
  // Most kernels have no local memory, and clearing it for every batch would show.
  const uint32_t local_bytes = uses_local_memory(program) ? configuration_.local_bytes : 0;
  local_.resize(size_t{slots} * simt::kWarpSize * local_bytes);
  for (unsigned slot = 0; slot < slots; ++slot) {
    g80::Warp& warp = warps_[slot];
    warp.flow.configure(configuration_.stack_depth);
    warp.rows = &rows_[size_t{slot} * rows];
    warp.shared = &shared_[size_t{batch_.block_slot(slot)} * kernel.shared_bytes()];
    warp.shared_bytes = static_cast<uint32_t>(kernel.shared_bytes());
    warp.locks = locks_.data() + (locks_.empty() ? 0 : batch_.block_slot(slot) * words);
    warp.local_bytes = local_bytes;
    warp.local = local_.data() + size_t{slot} * simt::kWarpSize * local_bytes;
    warp.physical_id = slot << 8 | number_ << 16;
  }
}

void Sm::load(const std::vector<simt::BlockIndex>& blocks, uint64_t cycle) {
  batch_.start(blocks);
  // Shared and local memory start as zero: the hardware leaves them undefined, and a model must
  // be the same every time.
  std::fill(shared_.begin(), shared_.end(), uint8_t{0});
  std::fill(locks_.begin(), locks_.end(), uint8_t{0});
  std::fill(local_.begin(), local_.end(), uint8_t{0});
  const unsigned threads = kernel_->threads();
  const bool full = configuration_.partial_warps == "full";
  for (unsigned b = 0; b < blocks.size(); ++b) {
    write_header(&shared_[size_t{b} * kernel_->shared_bytes()], *kernel_, blocks[b]);
    for (unsigned w = 0; w < warps_per_block(); ++w) {
      const unsigned slot = b * warps_per_block() + w;
      const unsigned first_thread = w * simt::kWarpSize;
      warps_[slot].start(full ? simt::kAllLanes : simt::first_lanes(threads - first_thread),
                         kernel_->registers_per_thread);
      write_thread_indices(warps_[slot].register_row(0), *kernel_, first_thread);
    }
  }
  if (observation_ == nullptr) return;
  for (WarpObserver* observer : observation_->warps)
    observer->blocks_loaded(number_, this->blocks(), *kernel_);
  if (!observation_->observers.want(Observer::kBlocks)) return;
  for (unsigned b = 0; b < blocks.size(); ++b)
    observation_->observers.block_begins({place_of(b * warps_per_block()).block, cycle});
}

WarpPlace Sm::place_of(unsigned slot) const {
  const simt::BlockIndex block = block_of(slot);
  return {{number_, batch_.block_slot(slot), block.x, block.y, block.z},
          slot,
          batch_.warp_of_block(slot)};
}

g80::Step Sm::step(g80::Machine& machine, unsigned slot, StopOutcome& outcome) {
  const g80::Step done =
      observed_ ? observed_step(machine, slot) : g80::step(machine, *program_, warps_[slot]);
  if (done.stop != g80::Stop::kNone) outcome = settle(slot, done.stop);
  return done;
}

g80::Step Sm::observed_step(g80::Machine& machine, unsigned slot) {
  g80::Warp& warp = warps_[slot];
  const WarpPlace place = place_of(slot);
  const g80::Op& op = *program_->at(warp.flow.pc);
  for (WarpObserver* observer : observation_->warps) observer->before(place, op, warp);
  if (observation_->observers.want(Observer::kMemory)) memory_events(op, warp, accesses_);
  const g80::Step done = g80::step(machine, *program_, warp);
  for (WarpObserver* observer : observation_->warps) observer->after(place, done, warp);
  return done;
}

void Sm::tell_instruction(unsigned slot, const g80::Step& step, const Times& times) {
  const WarpPlace place = place_of(slot);
  const Observers& observers = observation_->observers;
  if (observers.want(Observer::kInstructions))
    observers.instruction(
        {place, step.op->pc, step.active_before, step.executed, times.issue, times.end});
  if (!observers.want(Observer::kMemory) || step.executed == 0) return;
  for (MemoryEvent& access : accesses_) {
    access.place = place;
    access.pc = step.op->pc;
    access.lanes = step.executed;
    access.cycle = access.write ? times.store : times.load;
    observers.memory(access);
  }
}

void Sm::tell_stages(StageEvent& event, unsigned slot) const {
  event.place = place_of(slot);
  observation_->observers.stages(event);
}

void Sm::tell_block_end(unsigned slot, uint64_t cycle) const {
  if (observation_ != nullptr && observation_->observers.want(Observer::kBlocks))
    observation_->observers.block_ends({place_of(slot).block, cycle});
}

g80::Stop Sm::run(g80::Machine& machine, unsigned slot, uint64_t max_instructions,
                  g80::RunCounters& counters, g80::OpCounts* by_op) {
  if (!observed_)
    return g80::run(machine, *program_, warps_[slot], max_instructions, counters, by_op);
  const uint64_t before = counters.latency;
  for (uint64_t done = 0; done < max_instructions; ++done) {
    const uint64_t issue = machine.clock + counters.latency - before;
    const g80::Step step = observed_step(machine, slot);
    counters.add(step);
    by_op[step.op->number].add(step);
    const uint64_t end = machine.clock + counters.latency - before;
    if (instructions_ && step.stop != g80::Stop::kFault)
      tell_instruction(slot, step, {issue, end, end, end});
    if (step.stop != g80::Stop::kNone) return step.stop;
  }
  return g80::Stop::kNone;
}

StopOutcome Sm::settle(unsigned slot, g80::Stop stop) {
  if (stop == g80::Stop::kFinished) {
    const StopOutcome outcome = batch_.exit(slot);
    // It was the one that the others waited for, at a barrier of the whole block: those of so many
    // threads do not become fewer.
    if (outcome.released != 0) tell_barrier(slot);
    return outcome;
  }
  if (stop != g80::Stop::kBarrier) return {};
  const g80::BarrierRequest& request = warps_[slot].barrier;
  // Counts are in threads, whole warps of them; all of the block by default.
  const bool all = request.threads == g80::kAllThreads;
  const unsigned expected =
      all ? simt::Barriers::kAllWarps : std::max(1u, simt::warps_of(request.threads));
  const StopOutcome outcome =
      batch_.reach(slot, request.barrier, request.arrive, request.wait, expected);
  if (outcome.state == WarpState::kReady && request.wait && all) tell_barrier(slot);
  return outcome;
}

void Sm::tell_barrier(unsigned slot) const {
  if (observation_ == nullptr) return;
  for (WarpObserver* observer : observation_->warps)
    observer->barrier_passed(number_, batch_.block_slot(slot));
}

}  // namespace gvp::gpgpu::flexgrip

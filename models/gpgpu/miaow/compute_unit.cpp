// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/compute_unit.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/gpgpu/southern_islands/operations.h"

namespace gvp::gpgpu::miaow {

using namespace southern_islands;

namespace {

constexpr unsigned kMostAccessRegisters = 4;  // that a vector access moves

bool is_atomic(const Op& op) {
  const OperationInfo& row = info(op.instruction.operation);
  return row.is(Trait::kLoads) && row.is(Trait::kStores);
}

}  // namespace

ComputeUnit::ComputeUnit(const Configuration& configuration, std::unique_ptr<Schedule> schedule,
                         std::shared_ptr<Memories> memories)
    : timing_(configuration.timing),
      rtl_quirks_(configuration.rtl_quirks),
      schedule_(std::move(schedule)),
      memories_(memories != nullptr ? std::move(memories)
                                    : std::make_shared<Memories>(configuration)),
      scalars_(kScalarRegisters),
      vectors_(kVectorRegisters),
      share_(kShareBytes),
      slots_(configuration.wavefronts) {
  for (Lanes& row : vectors_) row = {};
  machine_.global.data = memories_->prefetch_bytes().data();
  machine_.global.bytes = memories_->prefetch_bytes().size();
  machine_.port = &port_;
  machine_.check_buffers = configuration.check_buffers;
}

void ComputeUnit::start(const Launch& launch) {
  prepare();
  start(0, launch, 0);
}

void ComputeUnit::prepare() {
  memories_->prepare();
  schedule_->reset();
  pending_ = {};
  stuck_ = false;
  stuck_slot_ = 0;
  executing_ = 0;
  last_ = 0;
  first_end_ = Schedule::kNever;
}

void ComputeUnit::start(unsigned number, const Launch& launch, uint64_t cycle) {
  Slot& slot = slots_[number];
  slot = {};
  slot.state = State::kExecuting;
  slot.begin_cycle = cycle;
  slot.launch = launch;
  Wavefront& wavefront = slot.wavefront;
  wavefront.pc = launch.pc;
  for (unsigned i = 0; i < code::kScalarRegisters; ++i)
    wavefront.scalar[i] = i < launch.scalars ? scalar(launch.base_scalar + i) : 0;
  wavefront.set_pair(code::kExecLo, simt::first_lanes_of<kWavefrontLanes>(launch.lanes));
  const uint32_t first = launch.base_vector % kVectorRegisters;
  wavefront.vector = &vectors_[first];
  wavefront.vector_count = std::min(launch.vectors, kVectorRegisters - first);
  const uint32_t share = launch.base_share % kShareBytes;
  wavefront.share = share_.data() + share;
  wavefront.share_bytes = std::min(launch.share_bytes, kShareBytes - share);
  schedule_->begin(number, cycle);
  ++executing_;
}

void ComputeUnit::reset() {
  for (Slot& slot : slots_) {
    if (slot.state == State::kExecuting) save_scalars(slot);
    slot.state = State::kIdle;
    slot.end_cycle = 0;
  }
  executing_ = 0;
  first_end_ = Schedule::kNever;
  stuck_ = false;
  stuck_slot_ = 0;
  pending_ = {};
  service_.reset();
}

void ComputeUnit::save_scalars(const Slot& slot) {
  for (unsigned i = 0; i < std::min<uint32_t>(slot.launch.scalars, code::kScalarRegisters); ++i)
    set_scalar(slot.launch.base_scalar + i, slot.wavefront.scalar[i]);
}

// Who issues next, whenever that is.
ComputeUnit::Choice ComputeUnit::choose() const {
  Choice best;
  const auto count = static_cast<unsigned>(slots_.size());
  const auto look = [&](unsigned number) {
    const Slot& slot = slots_[number];
    if (!slot.runs() || (pending_.op != nullptr && pending_.slot == number)) return;
    const uint64_t cycle = schedule_->issue_cycle(number, cost_of(slot));
    if (cycle < best.cycle) best = {number, cycle};
  };
  if (!schedule_->side_by_side() && slots_[last_].runs()) {
    look(last_);
    return best;
  }
  for (unsigned i = last_ + 1; i < count; ++i) look(i);
  for (unsigned i = 0; i <= last_; ++i) look(i);
  return best;
}

void ComputeUnit::run_until(uint64_t cycle) {
  while (executing_ != 0 && !stuck_) {
    const uint64_t limit = std::min(cycle, first_end_);
    if (pending_.op != nullptr && serve(limit)) continue;
    if (pending_.op != nullptr && executing_ == 1) return;
    const Choice next = choose();
    if (next.cycle == Schedule::kNever || next.cycle > limit) break;
    execute(next.slot, next.cycle);
  }
  if (first_end_ <= cycle) finish(first_end_);
}

// Wavefronts whose end this cycle is.
void ComputeUnit::finish(uint64_t cycle) {
  first_end_ = Schedule::kNever;
  for (Slot& slot : slots_) {
    if (slot.state != State::kExecuting || !slot.ended) continue;
    if (slot.end_cycle > cycle) {
      first_end_ = std::min(first_end_, slot.end_cycle);
      continue;
    }
    save_scalars(slot);
    slot.state = State::kFinished;
    --executing_;
  }
}

void ComputeUnit::stick(unsigned number) {
  stuck_ = true;
  stuck_slot_ = number;
}

void ComputeUnit::execute(unsigned number, uint64_t cycle) {
  Slot& slot = slots_[number];
  Wavefront& wavefront = slot.wavefront;
  last_ = number;
  machine_.clock = cycle - slot.begin_cycle;
  machine_.share_base = slot.launch.base_share;
  const Op& op = memories_->program().at(wavefront.pc);
  const OperationCost& cost = cost_of(slot);
  if (cost.is_memory()) return execute_memory(number, op, cost, cycle);
  const unsigned lanes = cost.is_late() ? simt::count_lanes(wavefront.exec()) : 0;
  const uint32_t behind = op.next_pc;
  step(machine_, wavefront, memories_->program());
  if (wavefront.stop == Stop::kFault) return stick(number);
  ++slot.instructions;
  slot.lane_instructions += lanes;
  const bool always = op.instruction.operation == Operation::kSBranch;
  const bool taken = cost.branches && (always || wavefront.pc != behind);
  schedule_->issued(number, cost, cycle, taken ? timing_.branch_taken : cost.cycles);
  switch (wavefront.stop) {
    case Stop::kFinished:
      slot.ended = true;
      slot.end_cycle = schedule_->end(number);
      first_end_ = std::min(first_end_, slot.end_cycle);
      release_barrier(slot.launch);
      break;
    case Stop::kHalted:
      return stick(number);
    case Stop::kBarrier:
      wavefront.stop = Stop::kNone;
      slot.waits = true;
      release_barrier(slot.launch);
      break;
    default:
      wavefront.stop = Stop::kNone;
      break;
  }
}

// If all that have not ended have come to it.
void ComputeUnit::release_barrier(const Launch& group) {
  const auto first = slots_.begin() + group.first_of_group;
  const auto last = first + group.group_size;
  if (std::any_of(first, last, [](const Slot& each) { return each.runs(); })) return;
  uint64_t cycle = 0;
  for (unsigned i = 0; i < group.group_size; ++i)
    if (first[i].waits) cycle = std::max(cycle, schedule_->next(group.first_of_group + i));
  for (unsigned i = 0; i < group.group_size; ++i) {
    if (!std::exchange(first[i].waits, false)) continue;
    schedule_->wait_until(group.first_of_group + i, cycle);
  }
}

unsigned ComputeUnit::accessed_lanes(Mask exec) const {
  return simt::count_lanes(rtl_quirks_ ? rtl_accessed_lanes(exec) : exec);
}

void ComputeUnit::execute_memory(unsigned number, const Op& op, const OperationCost& cost,
                                 uint64_t cycle) {
  Slot& slot = slots_[number];
  const Wavefront before = slot.wavefront;
  std::array<Lanes, kMostAccessRegisters> rows{};
  const Code destination = op.instruction.destination;
  const unsigned first = is_vector(destination) ? destination - code::kVector0 : 0;
  const unsigned count = cost.is_vector && !cost.is_store
                             ? std::min(kMostAccessRegisters,
                                        before.vector_count - std::min(first, before.vector_count))
                             : 0;
  std::copy_n(before.vector + first, count, rows.begin());
  const auto loaded = machine_.loaded;

  port_.record(is_atomic(op));
  step(machine_, slot.wavefront, memories_->program());
  if (slot.wavefront.stop == Stop::kFault) return stick(number);
  const unsigned lanes = cost.is_vector ? accessed_lanes(before.exec()) : 1;
  ++slot.instructions;
  if (cost.is_vector) slot.lane_instructions += lanes;
  const uint64_t host = port_.requests().size();
  const uint64_t all = uint64_t{lanes} * cost.access_words;
  const uint64_t near = all > host ? all - host : 0;
  slot.words.prefetch += near;
  slot.words.host += host;
  const uint64_t near_cycles = near * timing_.memory_word;
  if (host == 0) {
    schedule_->issued(number, cost, cycle, cost.fixed_cycles + near_cycles);
    return;
  }

  slot.wavefront = before;
  std::copy_n(rows.begin(), count, before.vector + first);
  machine_.loaded = loaded;
  schedule_->access_begins(number, cycle);
  pending_ = {&op, &cost, number, cycle, 0, cycle + timing_.memory_word + near_cycles, false};
}

// The next step of an instruction that the host serves; false: not before this cycle is over.
bool ComputeUnit::serve(uint64_t limit) {
  HostPort::Request& request = port_.requests()[pending_.next];
  if (!pending_.requested) {
    if (pending_.request_cycle > limit) return false;
    service_.request(request.store, request.address, request.data);
    pending_.requested = true;
  }
  const auto completion = service_.take_completion();
  if (!completion) return false;
  if (!request.store) request.data = completion->data;
  if (request.store && rtl_quirks_) set_prefetch(request.address, request.data);
  pending_.requested = false;
  pending_.request_cycle = completion->cycle + timing_.memory_word;
  if (++pending_.next == port_.requests().size()) finish_access();
  return true;
}

void ComputeUnit::finish_access() {
  const Pending done = std::exchange(pending_, {});
  port_.replay();
  machine_.share_base = slots_[done.slot].launch.base_share;
  step(machine_, slots_[done.slot].wavefront, memories_->program());
  const uint32_t behind =
      done.cost->fixed_cycles - std::min(done.cost->fixed_cycles, timing_.memory_word);
  schedule_->issued(done.slot, *done.cost, done.issued, done.request_cycle + behind - done.issued);
}

}  // namespace gvp::gpgpu::miaow

// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/compute_unit.h"

#include <algorithm>
#include <utility>

#include "models/gpgpu/southern_islands/operations.h"

namespace gvp::gpgpu::miaow {

using namespace southern_islands;

namespace {

constexpr unsigned kMostVectorRegisters = 256;  // that instructions can name
constexpr unsigned kMostAccessRegisters = 4;    // that a vector access moves

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
      share_(kShareBytes) {
  for (Lanes& row : vectors_) row = {};
  machine_.global.data = memories_->prefetch_bytes().data();
  machine_.global.bytes = memories_->prefetch_bytes().size();
  machine_.port = &port_;
  machine_.check_buffers = configuration.check_buffers;
}

void ComputeUnit::start(const Launch& launch) {
  memories_->prepare();
  launch_ = launch;
  wavefront_ = {};
  wavefront_.pc = launch.pc;
  for (unsigned i = 0; i < code::kScalarRegisters; ++i)
    wavefront_.scalar[i] = scalar(launch.base_scalar + i);
  wavefront_.set_pair(code::kExecLo, simt::first_lanes_of<kWavefrontLanes>(launch.lanes));
  const uint32_t first = launch.base_vector % kVectorRegisters;
  wavefront_.vector = &vectors_[first];
  wavefront_.vector_count = std::min(kMostVectorRegisters, kVectorRegisters - first);
  wavefront_.share = share_.data() + launch.base_share % kShareBytes;
  wavefront_.share_bytes = kShareBytes - launch.base_share % kShareBytes;
  machine_.share_base = launch.base_share;
  schedule_->begin();
  pending_ = {};
  stuck_ = false;
  ended_ = false;
  instructions_ = 0;
  lane_instructions_ = 0;
  words_ = {};
  state_ = State::kExecuting;
}

void ComputeUnit::reset() {
  if (state_ == State::kExecuting) save_scalars();
  state_ = State::kIdle;
  stuck_ = false;
  end_cycle_ = 0;
  pending_ = {};
  service_.reset();
}

void ComputeUnit::save_scalars() {
  for (unsigned i = 0; i < code::kScalarRegisters; ++i)
    set_scalar(launch_.base_scalar + i, wavefront_.scalar[i]);
}

void ComputeUnit::run_until(uint64_t cycle) {
  while (state_ == State::kExecuting && !stuck_) {
    if (ended_) {
      if (end_cycle_ > cycle) return;
      save_scalars();
      state_ = State::kFinished;
      return;
    }
    if (pending_.op != nullptr) {
      if (!serve(cycle)) return;
      continue;
    }
    const Op& op = memories_->program().at(wavefront_.pc);
    const OperationCost& cost = memories_->cost(wavefront_.pc);
    const uint64_t issue = schedule_->issue_cycle(cost);
    if (issue > cycle) return;
    execute(op, cost, issue);
  }
}

void ComputeUnit::execute(const Op& op, const OperationCost& cost, uint64_t cycle) {
  machine_.clock = cycle;
  if (cost.is_memory()) return execute_memory(op, cost, cycle);
  const unsigned lanes = cost.is_late() ? simt::count_lanes(wavefront_.exec()) : 0;
  const uint32_t behind = op.next_pc;
  step(machine_, wavefront_, memories_->program());
  if (wavefront_.stop == Stop::kFault) {
    stuck_ = true;
    return;
  }
  ++instructions_;
  lane_instructions_ += lanes;
  const bool always = op.instruction.operation == Operation::kSBranch;
  const bool taken = cost.branches && (always || wavefront_.pc != behind);
  schedule_->issued(cost, cycle, taken ? timing_.branch_taken : cost.cycles);
  switch (wavefront_.stop) {
    case Stop::kFinished:
      ended_ = true;
      end_cycle_ = schedule_->end();
      break;
    case Stop::kHalted:
      stuck_ = true;
      break;
    default:
      wavefront_.stop = Stop::kNone;
      break;
  }
}

unsigned ComputeUnit::accessed_lanes(Mask exec) const {
  return simt::count_lanes(rtl_quirks_ ? rtl_accessed_lanes(exec) : exec);
}

void ComputeUnit::execute_memory(const Op& op, const OperationCost& cost, uint64_t cycle) {
  const Wavefront before = wavefront_;
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
  step(machine_, wavefront_, memories_->program());
  if (wavefront_.stop == Stop::kFault) {
    stuck_ = true;
    return;
  }
  const unsigned lanes = cost.is_vector ? accessed_lanes(before.exec()) : 1;
  ++instructions_;
  if (cost.is_vector) lane_instructions_ += lanes;
  const uint64_t host = port_.requests().size();
  const uint64_t all = uint64_t{lanes} * cost.access_words;
  const uint64_t near = all > host ? all - host : 0;
  words_.prefetch += near;
  words_.host += host;
  const uint64_t near_cycles = near * timing_.memory_word;
  if (host == 0) {
    schedule_->issued(cost, cycle, cost.fixed_cycles + near_cycles);
    return;
  }

  wavefront_ = before;
  std::copy_n(rows.begin(), count, before.vector + first);
  machine_.loaded = loaded;
  pending_ = {&op, &cost, cycle, 0, cycle + timing_.memory_word + near_cycles, false};
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
  step(machine_, wavefront_, memories_->program());
  const uint32_t behind =
      done.cost->fixed_cycles - std::min(done.cost->fixed_cycles, timing_.memory_word);
  schedule_->issued(*done.cost, done.issued, done.request_cycle + behind - done.issued);
}

}  // namespace gvp::gpgpu::miaow

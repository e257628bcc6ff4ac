// SPDX-License-Identifier: Apache-2.0
// The registers of the queue of grids.
#include <fmt/format.h>

#include "models/gpgpu/miaow/device.h"
#include "models/gpgpu/miaow/miaow_registers.h"
#include "models/gpgpu/miaow/register_rows.h"

namespace gvp::gpgpu::miaow {

void Miaow::declare_queue() {
  registers_.add(queue_register_rows());
  registers_.handle(MIAOW_QUEUE_UNITS, [this] { return configuration_.compute_units; });
  registers_.handle(MIAOW_QUEUE_WAVEFRONTS, [this] { return configuration_.wavefronts; });
  registers_.handle(MIAOW_QUEUE_PREFETCH_BYTES,
                    [this] { return configuration_.prefetch ? kPrefetchBytes : 0; });
  registers_.handle(MIAOW_QUEUE_CONTROL, {}, [this](uint32_t value) { control_queue(value); });
  registers_.handle(MIAOW_QUEUE_STATUS, [this]() -> uint32_t {
    if (refused_ != FaultCause::kNone) return MIAOW_QUEUE_STOPPED;
    return static_cast<uint32_t>(queue_.state());
  });
  registers_.handle(MIAOW_QUEUE_CYCLES,
                    [this] { return static_cast<uint32_t>(queue_.cycles(now_)); });
  registers_.handle(MIAOW_QUEUE_GROUPS_DONE,
                    [this] { return static_cast<uint32_t>(queue_.groups_done()); });
  registers_.handle(MIAOW_QUEUE_CAUSE, [this] {
    const bool refused = refused_ != FaultCause::kNone;
    return static_cast<uint32_t>(refused ? refused_ : queue_.fault().cause);
  });
  registers_.handle(MIAOW_QUEUE_FAULT_PC, [this] { return queue_.fault().pc; });
  registers_.handle(MIAOW_QUEUE_FAULT_ADDRESS, [this] { return queue_.fault().address; });
  registers_.handle(MIAOW_QUEUE_FAULT_GROUP,
                    [this] { return static_cast<uint32_t>(queue_.faulting_group()); });
}

void Miaow::control_queue(uint32_t value) {
  if ((value & MIAOW_QUEUE_ABORT) != 0) {
    const bool ran = queue_.running();
    queue_.abort();
    refused_ = FaultCause::kNone;
    if (ran) end_grid();
  } else if ((value & MIAOW_QUEUE_START) != 0 && idle()) {
    start_grid();
  }
}

// As the driver has told; what is not printable stands as a question mark.
std::string Miaow::grid_name() {
  std::string name;
  for (uint32_t i = 0; i < 4 * MIAOW_QUEUE_NAME_WORDS; ++i) {
    const uint32_t byte = registers_.at(MIAOW_QUEUE_NAME(i / 4)).value >> 8 * (i % 4) & 0xffu;
    if (byte == 0) break;
    name += byte >= ' ' && byte <= '~' ? static_cast<char>(byte) : '?';
  }
  return name;
}

void Miaow::start_grid() {
  GridLaunch launch;
  for (uint32_t i = 0; i < 3; ++i) {
    launch.groups[i] = registers_.at(MIAOW_QUEUE_GROUPS(i)).value;
    launch.items[i] = registers_.at(MIAOW_QUEUE_ITEMS(i)).value;
  }
  launch.pc = registers_.at(MIAOW_QUEUE_PC).value;
  launch.arguments = registers_.at(MIAOW_QUEUE_ARGUMENTS).value;
  launch.group_numbers = registers_.at(MIAOW_QUEUE_GROUP_NUMBERS).value;
  launch.vectors = registers_.at(MIAOW_QUEUE_VECTOR_REGISTERS).value;
  launch.scalars = registers_.at(MIAOW_QUEUE_SCALAR_REGISTERS).value;
  launch.share_bytes = registers_.at(MIAOW_QUEUE_SHARE_BYTES).value;
  refused_ = queue_.start(launch, now_);
  if (refused_ != FaultCause::kNone) return;
  begin_ = now_;
  grid_ = true;
  tell_begin(grid_name(), launch.pc, {launch.groups[0], launch.groups[1], launch.groups[2]},
             {launch.items[0], launch.items[1], launch.items[2]});
}

void Miaow::catch_up_grid() {
  queue_.run_until(now_);
  if (!queue_.running()) end_grid();
}

void Miaow::end_grid() {
  const FaultCause cause = queue_.state() == GridQueue::State::kDone   ? FaultCause::kNone
                           : queue_.fault().cause != FaultCause::kNone ? queue_.fault().cause
                                                                       : FaultCause::kAborted;
  tell_end(cause);
  if (queue_.state() != GridQueue::State::kStopped) return;
  report(queue_.fault(),
         fmt::format("grid {} ({}), work-group {},", records_.launches(), records_.last().name,
                     queue_.faulting_group()),
         "");
}

}  // namespace gvp::gpgpu::miaow

// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/event_log.h"

#include <fmt/format.h>

#include <systemc>
#include <utility>

#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::gpgpu {
namespace {

const Log log_gpgpu("gpgpu");

std::string block_text(const BlockPlace& place) {
  return fmt::format("block ({}, {}) on SM {}, slot {}", place.x, place.y, place.sm, place.slot);
}

}  // namespace

EventLog::EventLog(std::string place) : place_(std::move(place)) {}

bool EventLog::wanted() { return log_gpgpu.enabled(LogLevel::kInfo); }

unsigned EventLog::wants() const {
  unsigned subjects = kKernels;
  if (log_gpgpu.enabled(LogLevel::kDebug)) subjects |= kBlocks;
  if (log_gpgpu.enabled(LogLevel::kTrace)) subjects |= kMemory;
  return subjects;
}

std::string EventLog::at(uint64_t time_ps) const {
  return fmt::format("{} @ {}", place_, kit::time_text(sc_core::sc_time::from_value(time_ps)));
}

void EventLog::kernel_begins(const KernelEvent& event) {
  kernel_ = event;
  log_gpgpu.info("{}: kernel {} ({}) begins: grid {}x{}, blocks of {}x{}x{}", at(event.begin_ps),
                 event.launch, event.name, event.grid[0], event.grid[1], event.block[0],
                 event.block[1], event.block[2]);
}

// Why one was stopped, the device says.
void EventLog::kernel_ends(const KernelEvent& event) {
  log_gpgpu.info("{}: kernel {} ({}) {} after {} cycles", at(event.end_ps), event.launch,
                 event.name, event.cause == 0 ? "ends" : "is stopped", event.cycles);
}

void EventLog::block_begins(const BlockEvent& event) {
  log_gpgpu.debug("{}: {} begins", at(kernel_.time_ps(event.cycle)), block_text(event.place));
}

void EventLog::block_ends(const BlockEvent& event) {
  log_gpgpu.debug("{}: {} ends", at(kernel_.time_ps(event.cycle)), block_text(event.place));
}

void EventLog::memory(const MemoryEvent& event) {
  if (event.lanes == 0) return;
  const auto first = static_cast<unsigned>(__builtin_ctzll(event.lanes));
  log_gpgpu.trace(
      "{}: {}, warp {}, pc {:#06x}: {} of {} bytes of {} by {} lanes, the first at {:#x}",
      at(kernel_.time_ps(event.cycle)), block_text(event.place.block), event.place.warp_of_block,
      event.pc, event.write ? "write" : "read", event.bytes, name_of(event.space),
      __builtin_popcountll(event.lanes), event.address[first]);
}

}  // namespace gvp::gpgpu

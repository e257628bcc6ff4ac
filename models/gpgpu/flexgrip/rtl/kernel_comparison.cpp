// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/rtl/kernel_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/flexgrip.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/register_rows.h"
#include "models/gpgpu/flexgrip/rtl/rtl_flexgrip.h"
#include "models/gpgpu/simt/lanes.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using compare::kFollowing;
using compare::kSteering;
using compare::Side;

Side other(Side side) { return side == kSteering ? kFollowing : kSteering; }

template <typename T>
T take_front(std::deque<T>& queue) {
  T front = std::move(queue.front());
  queue.pop_front();
  return front;
}

uint64_t block_of(const WarpPlace& place) { return uint64_t{place.block.y} << 32 | place.block.x; }

}  // namespace

KernelComparison::KernelComparison(const compare::Subjects& subjects)
    : subjects_(subjects),
      configuration_(subjects.instance.as<Configuration>()),
      on_bus_(configuration_.global_memory != "bram"),
      own_order_(on_bus_ || subjects.models[0] == "lt" || subjects.models[1] == "lt") {
  if (subjects.cycles && on_bus_)
    throw bad_input(
        fmt::format("{}'s times cannot be compared: its global memory lies on the bus, where the "
                    "second device waits for the first one",
                    subjects.instance.name),
        {"--compare"},
        fmt::format("leave out cycles, or set {}.global_memory to bram", subjects.instance.name));
  if (subjects.cycles && own_order_)
    throw bad_input(
        fmt::format("{} cannot be compared: the loosely timed model has no stages, whose times "
                    "could be compared",
                    subjects.instance.name),
        {"--compare"}, "leave out cycles, or take at");
  for (compare::PortComparison* port : subjects.ports)
    port->listen([this](Side side) { return watches_[side]->ended; },
                 [this](const compare::PortComparison::Difference& difference) {
                   differ_on_bus(difference);
                 });
  for (const Side side : {kSteering, kFollowing}) {
    auto watch = std::make_unique<Watch>();
    watch->comparison = this;
    watch->side = side;
    watch->device = dynamic_cast<Device*>(subjects.devices[side]);
    if (watch->device == nullptr)
      throw model_error(fmt::format("{} is no GPGPU", subjects.devices[side]->name()));
    watch->device->observe(*watch);
    if (auto* rtl = dynamic_cast<RtlFlexGrip*>(watch->device)) {
      rtl->observe_retired(*watch);
    } else {
      watch->retirement = std::make_unique<WarpRetirement>(
          *watch, [this, side](uint32_t address, uint8_t* data, unsigned bytes) {
            if (on_bus_) return false;  // its port is compared
            const uint64_t size = configuration_.global_bytes;
            for (unsigned i = 0; i < bytes; ++i)  // an access may wrap
              if (!subjects_.peek(side, "global", (uint64_t{address} + i) % size, data + i, 1))
                return false;
            return true;
          });
      observe_warps(*watch->device, *watch->retirement);
      if (on_bus_ && !shows_places_) observe_warps(*watch->device, access_places_);
      shows_places_ = true;
    }
    watches_[side] = std::move(watch);
  }
}

KernelComparison::~KernelComparison() = default;

bool KernelComparison::busy(Side side) const { return watches_[side]->device->progress().running; }

sc_core::sc_time KernelComparison::patience() const {
  // The loosely timed model may be off; what hangs is found all the same.
  constexpr double kFactor = 2;
  const sc_core::sc_time least(200, sc_core::SC_US);
  if (kernels_.empty() || !kernels_.front().ended[kSteering]) return least;
  const KernelEvent& event = *kernels_.front().ended[kSteering];
  return least + sc_core::sc_time(static_cast<double>(event.end_ps - event.begin_ps) * kFactor,
                                  sc_core::SC_PS);
}

uint32_t KernelComparison::register_of(Side side, uint32_t offset) const {
  uint32_t value = 0;
  subjects_.peek(side, "control", offset, reinterpret_cast<uint8_t*>(&value), sizeof value);
  return value;
}

// What the registers say of the instruction that has failed, now that its kernel has ended.
KernelComparison::Failure KernelComparison::failure_of(Side side, const KernelEvent& event) const {
  const uint32_t warp = register_of(side, FLEXGRIP_FAULT_WARP);
  const uint32_t block = register_of(side, FLEXGRIP_FAULT_BLOCK);
  const uint32_t threads = event.block[0] * event.block[1] * event.block[2];
  const uint32_t warps = std::max((threads + simt::kWarpSize - 1) / simt::kWarpSize, 1u);
  Failure failure;
  failure.where.pc = register_of(side, FLEXGRIP_FAULT_PC);
  failure.where.place.slot = warp >> 16 & 0xffu;
  failure.where.place.warp_of_block = failure.where.place.slot % warps;
  failure.where.place.block = {warp >> 24, warp >> 8 & 0xffu, block & 0xffffu, block >> 16, 0};
  failure.lane = static_cast<int>(warp & 0xffu);
  return failure;
}

std::string KernelComparison::name_of(const std::string& window, uint64_t offset) const {
  if (window != "control") return "";
  for (const device::RegisterRow& row : register_rows(configuration_, subjects_.instance.clock_hz))
    for (uint32_t i = 0; i < row.count; ++i)
      if (offset == row.offset + uint64_t{i} * row.stride)
        return row.count == 1 ? row.name : fmt::format("{} {}", row.name, i);
  return "";
}

bool KernelComparison::compares(const std::string& window, uint64_t offset) const {
  if (window != "control") return true;
  const auto within = [offset](uint32_t first, uint32_t bytes) {
    return offset >= first && offset < first + bytes;
  };
  constexpr uint32_t kCounterBytes = 8;
  if (within(FLEXGRIP_COUNT_CYCLES, kCounterBytes) ||
      within(FLEXGRIP_COUNT_STALL_CYCLES, kCounterBytes))
    return subjects_.cycles;
  const bool of_failure = within(FLEXGRIP_FAULT_PC, 4) || within(FLEXGRIP_FAULT_ADDRESS, 4) ||
                          within(FLEXGRIP_FAULT_WARP, 4) || within(FLEXGRIP_FAULT_BLOCK, 4);
  const bool counter = within(FLEXGRIP_COUNT_WARP_INSTRUCTIONS, kCounterBytes) ||
                       within(FLEXGRIP_COUNT_THREAD_INSTRUCTIONS, kCounterBytes) ||
                       within(FLEXGRIP_COUNT_DIVERGENT_BRANCHES, kCounterBytes) ||
                       within(FLEXGRIP_COUNT_MAX_STACK_DEPTH, kCounterBytes);
  // Which of several warps fails first, and how far the others are, is a matter of their order.
  if (of_failure) return !own_order_;
  if (!counter) return true;
  const uint32_t cause = register_of(kSteering, FLEXGRIP_CAUSE);
  return cause == FLEXGRIP_CAUSE_NONE || (!own_order_ && configuration_.sms == 1);
}

void KernelComparison::restart() {
  kernels_.clear();
  for (auto& watch : watches_) {
    watch->ended = watch->begun = std::max(watches_[0]->begun, watches_[1]->begun);
    if (watch->retirement) watch->retirement->kernel_begins();
  }
  forgotten_ = watches_[0]->begun;
  access_places_.clear();
  stopped_ = false;
}

nlohmann::ordered_json KernelComparison::statistics() const {
  uint64_t bus_accesses = 0;
  for (const compare::PortComparison* port : subjects_.ports) bus_accesses += port->compared();
  return {{"kernels", compared_kernels_},
          {"instructions", instructions_},
          {"stored_bytes", stored_bytes_},
          {"bus_accesses", bus_accesses},
          {"stage_rows", stage_rows_}};
}

// ---- Events ----

unsigned KernelComparison::Watch::wants() const {
  return kKernels | (comparison->subjects_.cycles ? kStages : 0u);
}
void KernelComparison::Watch::kernel_begins(const KernelEvent& event) {
  ++begun;
  if (retirement) retirement->kernel_begins();
  if (comparison->kernels_.empty()) comparison->access_places_.clear();
  comparison->begins(side, event);
}
void KernelComparison::Watch::kernel_ends(const KernelEvent& event) {
  if (ended == begun) return;  // of before a restart
  comparison->ends(side, event);
}
void KernelComparison::Watch::stages(const StageEvent& event) { comparison->leaves(side, event); }
void KernelComparison::Watch::retired(const Retired& retired) {
  comparison->retires(side, retired);
}

// The kernel that this side is at.
KernelComparison::Kernel& KernelComparison::kernel_of(Side side) {
  const uint64_t number = watches_[side]->begun;
  while (forgotten_ + kernels_.size() < number) {
    kernels_.emplace_back();
    kernels_.back().number = forgotten_ + kernels_.size();
  }
  return kernels_[number - forgotten_ - 1];
}

void KernelComparison::begins(Side side, const KernelEvent& event) {
  Kernel& kernel = kernel_of(side);
  kernel.begun[side] = event;
  if (stopped_ || !kernel.begun[other(side)]) return;
  const KernelEvent& first = *kernel.begun[kSteering];
  const KernelEvent& second = *kernel.begun[kFollowing];
  // Not its name, which a debug access may have written: RTL's registers take none.
  const auto text = [](const KernelEvent& e) {
    return fmt::format("grid {}x{}, block {}x{}x{}", e.grid[0], e.grid[1], e.block[0], e.block[1],
                       e.block[2]);
  };
  if (text(first) != text(second)) differ("the kernel that begins", text(first), text(second));
}

void KernelComparison::ends(Side side, const KernelEvent& event) {
  Kernel& kernel = kernel_of(side);
  kernel.ended[side] = event;
  if (event.cause != 0) kernel.failed[side] = failure_of(side, event);
  if (!on_bus_) {
    kernel.global[side].resize(configuration_.global_bytes);
    subjects_.peek(side, "global", 0, kernel.global[side].data(), kernel.global[side].size());
  }
  ++watches_[side]->ended;
  if (side == kSteering)
    for (compare::PortComparison* port : subjects_.ports) port->job_ended();
  if (side == kFollowing) {
    // The block's clock may be ahead of simulated time.
    const uint64_t now = sc_core::sc_time_stamp().value();
    ends_.notify(sc_core::sc_time::from_value(event.end_ps > now ? event.end_ps - now : 1));
  }
  while (!kernels_.empty() && kernels_.front().ended[0] && kernels_.front().ended[1]) {
    if (!stopped_) compare_ends(kernels_.front());
    kernels_.pop_front();
    ++forgotten_;
  }
}

void KernelComparison::retires(Side side, const Retired& retired) {
  if (stopped_) return;
  Kernel& kernel = kernel_of(side);
  if (!own_order_ && configuration_.sms == 1 && !retired.stores.empty())
    compare_order(kernel, side, retired);
  Warp& warp =
      kernel.warps[{retired.place.block.y, retired.place.block.x, retired.place.warp_of_block}];
  if (warp.waiting[other(side)].empty()) {
    warp.waiting[side].push_back(retired);
    return;
  }
  const Retired matching = take_front(warp.waiting[other(side)]);
  if (side == kSteering)
    compare_retired(warp, retired, matching);
  else
    compare_retired(warp, matching, retired);
}

void KernelComparison::leaves(Side side, const StageEvent& event) {
  if (stopped_) return;
  Warp& warp =
      kernel_of(side).warps[{event.place.block.y, event.place.block.x, event.place.warp_of_block}];
  if (warp.rows[other(side)].empty()) {
    warp.rows[side].push_back(event);
    return;
  }
  const StageEvent matching = take_front(warp.rows[other(side)]);
  if (side == kSteering)
    compare_stages(event, matching);
  else
    compare_stages(matching, event);
}

void KernelComparison::compare_order(Kernel& kernel, Side side, const Retired& retired) {
  auto& waiting = kernel.stores;
  if (waiting[other(side)].empty()) {
    Retired store;
    store.place = retired.place;
    store.pc = retired.pc;
    waiting[side].push_back(store);
    return;
  }
  const Retired matching = take_front(waiting[other(side)]);
  const Retired& first = side == kSteering ? retired : matching;
  const Retired& second = side == kSteering ? matching : retired;
  if (first.pc == second.pc && block_of(first.place) == block_of(second.place) &&
      first.place.warp_of_block == second.place.warp_of_block)
    return;
  differ("the SM's next store", place_of(first, -1), place_of(second, -1), &first);
}

void register_kernel_comparison() {
  compare::register_inside("flexgrip", [](const compare::Subjects& subjects) {
    return std::make_unique<KernelComparison>(subjects);
  });
}

}  // namespace gvp::gpgpu::flexgrip

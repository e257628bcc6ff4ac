// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/rtl/kernel_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/flexgrip.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/rtl/rtl_flexgrip.h"
#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/simt/lanes.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using compare::kFollowing;
using compare::kSteering;
using compare::Side;

Side other(Side side) { return side == kSteering ? kFollowing : kSteering; }

std::string name_of(Retired::File file, unsigned number) {
  constexpr const char* kFiles[] = {"R", "A", "C"};
  return fmt::format("{}{}", kFiles[static_cast<unsigned>(file)], number);
}

std::string value_text(Retired::File file, uint32_t value) {
  if (file != Retired::File::kFlags) return fmt::format("{:#010x}", value);
  std::string text;
  constexpr const char kFlags[] = "ZSCO";
  for (unsigned flag = 0; flag < 4; ++flag) text += (value >> flag & 1) != 0 ? kFlags[flag] : '-';
  return text;
}

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
      loosely_timed_(subjects.models[0] == "lt" || subjects.models[1] == "lt") {
  if (subjects.cycles && loosely_timed_)
    throw bad_input(
        fmt::format("{} cannot be compared: the loosely timed model has no stages, whose times "
                    "could be compared",
                    subjects.instance.name),
        {"--compare"}, "leave out cycles, or take at");
  if (configuration_.global_memory != "bram")
    throw bad_input(fmt::format("{} cannot be compared: its global memory lies on the bus",
                                subjects.instance.name),
                    {"--compare"},
                    fmt::format("set {}.global_memory to bram", subjects.instance.name));
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
            const uint64_t size = configuration_.global_bytes;
            for (unsigned i = 0; i < bytes; ++i)  // an access may wrap
              if (!subjects_.peek(side, "global", (uint64_t{address} + i) % size, data + i, 1))
                return false;
            return true;
          });
      observe_warps(*watch->device, *watch->retirement);
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
  if (of_failure) return !loosely_timed_;
  if (!counter) return true;
  uint32_t cause = 0;
  subjects_.peek(kSteering, "control", FLEXGRIP_CAUSE, reinterpret_cast<uint8_t*>(&cause), 4);
  return cause == FLEXGRIP_CAUSE_NONE || (!loosely_timed_ && configuration_.sms == 1);
}

void KernelComparison::restart() {
  kernels_.clear();
  for (auto& watch : watches_) {
    watch->ended = watch->begun = std::max(watches_[0]->begun, watches_[1]->begun);
    if (watch->retirement) watch->retirement->kernel_begins();
  }
  forgotten_ = watches_[0]->begun;
  stopped_ = false;
}

nlohmann::ordered_json KernelComparison::statistics() const {
  return {{"kernels", compared_kernels_},
          {"instructions", instructions_},
          {"stored_bytes", stored_bytes_},
          {"stage_rows", stage_rows_}};
}

// ---- Events ----

unsigned KernelComparison::Watch::wants() const {
  return kKernels | (comparison->subjects_.cycles ? kStages : 0u);
}
void KernelComparison::Watch::kernel_begins(const KernelEvent& event) {
  ++begun;
  if (retirement) retirement->kernel_begins();
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
  kernel.global[side].resize(configuration_.global_bytes);
  subjects_.peek(side, "global", 0, kernel.global[side].data(), kernel.global[side].size());
  ++watches_[side]->ended;
  if (side == kFollowing) {
    // The block's clock may be ahead of simulated time.
    const uint64_t now = sc_core::sc_time_stamp().value();
    ends_.notify(sc_core::sc_time::from_value(event.end_ps > now ? event.end_ps - now : 1));
  }
  while (!kernels_.empty() && kernels_.front().ended[0] && kernels_.front().ended[1]) {
    Kernel done = take_front(kernels_);
    ++forgotten_;
    if (!stopped_) compare_ends(done);
  }
}

void KernelComparison::retires(Side side, const Retired& retired) {
  if (stopped_) return;
  Kernel& kernel = kernel_of(side);
  if (!loosely_timed_ && configuration_.sms == 1 && !retired.stores.empty())
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

// ---- Comparisons ----

void KernelComparison::compare_retired(Warp& warp, const Retired& first, const Retired& second) {
  ++instructions_;
  if (first.pc != second.pc || first.begins != second.begins) {
    const auto text = [this](const Retired& each) {
      return each.begins ? "begins" : fmt::format("{:#06x} ({})", each.pc, instruction_at(each.pc));
    };
    differ("the warp's next instruction", text(first), text(second), &first);
    return;
  }
  if (!first.begins && first.executed != second.executed) {
    const auto lane = static_cast<int>(__builtin_ctz(first.executed ^ second.executed));
    differ("the lanes in which it takes effect", fmt::format("{:#010x}", first.executed),
           fmt::format("{:#010x}", second.executed), &first, lane);
    return;
  }
  if (compare_rows(warp, first, second)) compare_stores(first, second);
}

bool KernelComparison::compare_rows(Warp& warp, const Retired& first, const Retired& second) {
  std::set<RowName> touched;
  for (const Side side : {kSteering, kFollowing})
    for (const Retired::Row& row : (side == kSteering ? first : second).rows) {
      Values& values = warp.registers[side][{row.file, row.number}];
      touched.emplace(row.file, row.number);
      for (unsigned lane = 0; lane < simt::kWarpSize; ++lane) {
        if ((row.lanes >> lane & 1) == 0) continue;
        const uint32_t value = row.adds ? values[lane] + row.values[lane] : row.values[lane];
        values[lane] = (values[lane] & ~row.bits) | (value & row.bits);
      }
    }
  for (const RowName& name : touched) {
    const Values& ours = warp.registers[kSteering][name];
    const Values& theirs = warp.registers[kFollowing][name];
    for (unsigned lane = 0; lane < simt::kWarpSize; ++lane)
      if (ours[lane] != theirs[lane]) {
        differ(name_of(name.first, name.second), value_text(name.first, ours[lane]),
               value_text(name.first, theirs[lane]), &first, static_cast<int>(lane));
        return false;
      }
  }
  return true;
}

// Where several lanes store at one place the last one counts.
bool KernelComparison::compare_stores(const Retired& first, const Retired& second) {
  stored_bytes_ += first.stores.size();
  if (first.stores.size() != second.stores.size()) {
    differ("the number of bytes that it stores", fmt::format("{}", first.stores.size()),
           fmt::format("{}", second.stores.size()), &first);
    return false;
  }
  std::set<std::pair<MemorySpace, uint32_t>> seen;
  for (size_t i = 0; i < first.stores.size(); ++i)
    if (first.stores[i].space != second.stores[i].space ||
        first.stores[i].address != second.stores[i].address) {
      const auto text = [](const Retired::Byte& byte) {
        return fmt::format("{:#x} of {} memory", byte.address, gpgpu::name_of(byte.space));
      };
      differ(fmt::format("the address of byte {} that it stores", i), text(first.stores[i]),
             text(second.stores[i]), &first);
      return false;
    }
  for (size_t i = first.stores.size(); i-- > 0;) {
    const Retired::Byte& ours = first.stores[i];
    const bool local = ours.space == MemorySpace::kLocal;  // each thread has its own
    if (!local && !seen.emplace(ours.space, ours.address).second) continue;
    if (ours.value == second.stores[i].value) continue;
    differ(fmt::format("{} memory at {:#x}", gpgpu::name_of(ours.space), ours.address),
           fmt::format("{:#04x}", ours.value), fmt::format("{:#04x}", second.stores[i].value),
           &first);
    return false;
  }
  return true;
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

void KernelComparison::compare_stages(const StageEvent& first, const StageEvent& second) {
  ++stage_rows_;
  Retired where;
  where.place = first.place;
  where.pc = static_cast<uint32_t>(first.pc);
  const auto check = [&](const std::string& what, uint64_t a, uint64_t b) {
    if (a == b) return true;
    differ(what, fmt::format("{}", a), fmt::format("{}", b), &where);
    return false;
  };
  if (!check("the pc of its next row", first.pc, second.pc)) return;
  if (!check("the number of its next row", first.row, second.row)) return;
  if (!check(fmt::format("the cycle in which row {} is issued", first.row), first.issue,
             second.issue))
    return;
  const std::vector<std::string> stages = watches_[kSteering]->device->stages();
  for (size_t stage = 0; stage < stages.size(); ++stage)
    if (!check(fmt::format("the cycle in which row {} has left {}", first.row, stages[stage]),
               first.left[stage], second.left[stage]))
      return;
}

// Whether what all warps have done can be compared, beside the one that failed.
bool KernelComparison::compares_all(const Kernel& kernel) const {
  const bool failed = kernel.ended[kSteering]->cause != 0;
  return !failed || (!loosely_timed_ && configuration_.sms == 1);
}

void KernelComparison::compare_ends(Kernel& kernel) {
  ++compared_kernels_;
  const KernelEvent& first = *kernel.ended[kSteering];
  const KernelEvent& second = *kernel.ended[kFollowing];
  if (first.cause != second.cause) {
    Side side = kSteering;
    const Retired* left = leftover(kernel, side);  // what failed in the other one
    differ("the cause of its end", fmt::format("{:#x}", first.cause),
           fmt::format("{:#x}", second.cause), left);
    return;
  }
  const auto aborted = static_cast<uint32_t>(FaultCause::kAborted);
  if (first.cause == aborted || !compares_all(kernel)) return;
  if (subjects_.cycles && first.cycles != second.cycles) {
    differ("its cycles", fmt::format("{}", first.cycles), fmt::format("{}", second.cycles));
    return;
  }
  compare_leftovers(kernel);
  if (!stopped_) compare_global(kernel);
}

// The first instruction that one side alone has retired, and which; null: there is none.
const Retired* KernelComparison::leftover(const Kernel& kernel, Side& side) {
  for (const auto& [key, warp] : kernel.warps)
    for (const Side each : {kSteering, kFollowing})
      if (!warp.waiting[each].empty()) {
        side = each;
        return &warp.waiting[each].front();
      }
  return nullptr;
}

void KernelComparison::compare_leftovers(const Kernel& kernel) {
  Side side = kSteering;
  const Retired* left = leftover(kernel, side);
  if (left == nullptr) return;
  const std::string text =
      left->begins ? "begins" : fmt::format("{:#06x} ({})", left->pc, instruction_at(left->pc));
  differ("the warp's next instruction", side == kSteering ? text : "none",
         side == kSteering ? "none" : text, left);
}

void KernelComparison::compare_global(const Kernel& kernel) {
  const auto& [first, second] = kernel.global;
  const auto [ours, theirs] = std::mismatch(first.begin(), first.end(), second.begin());
  if (ours == first.end()) return;
  differ(fmt::format("global memory at {:#x} at its end", ours - first.begin()),
         fmt::format("{:#04x}", *ours), fmt::format("{:#04x}", *theirs));
}

// ---- Reports ----

std::string KernelComparison::instruction_at(uint32_t pc) const {
  std::array<uint32_t, 2> words{};
  if (!subjects_.peek(kSteering, "code", pc, reinterpret_cast<uint8_t*>(words.data()),
                      sizeof words))
    return "outside of code memory";
  const g80::Decoded decoded = g80::decode(words.data(), words.size());
  return decoded.executable() ? g80::to_text(decoded.instruction) : "no instruction";
}

std::string KernelComparison::place_of(const Retired& retired, int lane) const {
  const WarpPlace& place = retired.place;
  const std::string of_lane = lane < 0 ? "" : fmt::format(", lane {}", lane);
  const std::string pc =
      retired.begins ? std::string(", at its beginning")
                     : fmt::format(", pc {:#06x} ({})", retired.pc, instruction_at(retired.pc));
  return fmt::format("SM {}, block ({}, {}), warp {}{}{}", place.block.sm, place.block.x,
                     place.block.y, place.warp_of_block, of_lane, pc);
}

void KernelComparison::differ(const std::string& what, std::string first, std::string second,
                              const Retired* where, int lane) {
  const uint64_t number = std::max<uint64_t>(forgotten_ + (kernels_.empty() ? 0 : 1), 1);
  std::string place = fmt::format("kernel {}", number);
  if (!kernels_.empty() && kernels_.front().begun[kSteering])
    place += fmt::format(" ({})", kernels_.front().begun[kSteering]->name);
  if (where != nullptr) place += ", " + place_of(*where, lane);
  stopped_ = true;
  subjects_.differ({what,
                    {std::move(first), std::move(second)},
                    place,
                    where == nullptr || where->begins ? compare::Mismatch::kNoPc : where->pc});
}

void register_kernel_comparison() {
  compare::register_inside("flexgrip", [](const compare::Subjects& subjects) {
    return std::make_unique<KernelComparison>(subjects);
  });
}

}  // namespace gvp::gpgpu::flexgrip

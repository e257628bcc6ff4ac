// SPDX-License-Identifier: Apache-2.0
// What of two kernels is compared, and in what words a difference is told.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "models/gpgpu/flexgrip/rtl/kernel_comparison.h"
#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/simt/lanes.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using compare::kFollowing;
using compare::kSteering;
using compare::Side;

std::string row_name(Retired::File file, unsigned number) {
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

}  // namespace

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
        differ(row_name(name.first, name.second), value_text(name.first, ours[lane]),
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
  return !failed || (!own_order_ && configuration_.sms == 1);
}

void KernelComparison::compare_ends(Kernel& kernel) {
  ++compared_kernels_;
  const KernelEvent& first = *kernel.ended[kSteering];
  const KernelEvent& second = *kernel.ended[kFollowing];
  const auto left_on_bus = close_ports(kernel);
  if (first.cause != second.cause) {
    Side side = kSteering;
    const Retired* left = leftover(kernel, side);  // what failed in the other one
    const Side failed = kernel.failed[kSteering] ? kSteering : kFollowing;
    int lane = -1;
    if (left == nullptr && !refuses(static_cast<FaultCause>(kernel.ended[failed]->cause))) {
      left = &kernel.failed[failed]->where;
      lane = kernel.failed[failed]->lane;
    }
    differ("the cause of its end", fmt::format("{:#x}", first.cause),
           fmt::format("{:#x}", second.cause), left, lane);
    return;
  }
  const auto aborted = static_cast<uint32_t>(FaultCause::kAborted);
  if (first.cause == aborted || !compares_all(kernel)) return;
  if (subjects_.cycles && first.cycles != second.cycles) {
    differ("its cycles", fmt::format("{}", first.cycles), fmt::format("{}", second.cycles));
    return;
  }
  compare_leftovers(kernel);
  if (!stopped_ && left_on_bus) differ_on_bus(*left_on_bus);
  if (!stopped_) compare_global(kernel);
}

// The first access that the first device alone has made.
std::optional<compare::PortComparison::Difference> KernelComparison::close_ports(
    const Kernel& kernel) {
  std::optional<compare::PortComparison::Difference> left;
  for (compare::PortComparison* port : subjects_.ports)
    if (auto difference = port->close(kernel.number - 1); difference && !left) left = difference;
  return left;
}

void KernelComparison::differ_on_bus(const compare::PortComparison::Difference& difference) {
  if (stopped_) return;
  // What other warps have done when one fails depends on the order in which they go on.
  const uint64_t number = watches_[kFollowing]->begun;
  if (number <= forgotten_ || number - forgotten_ > kernels_.size()) return;
  const Kernel& kernel = kernels_[number - forgotten_ - 1];
  if (kernel.ended[kSteering] && kernel.ended[kSteering]->cause != 0) return;
  Retired where;
  const auto access = access_places_.find(difference.write, difference.address, difference.first);
  if (access) {
    where.place = access->place;
    where.pc = access->pc;
  }
  differ(difference.what, difference.values[kSteering], difference.values[kFollowing],
         access ? &where : nullptr, access ? access->lane : -1);
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
  if (on_bus_) return;
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

}  // namespace gvp::gpgpu::flexgrip

// SPDX-License-Identifier: Apache-2.0
#include "models/cache/bank_conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/base/error.h"

namespace gvp::cache {
namespace {

unsigned first_lane(uint32_t lanes) { return static_cast<unsigned>(__builtin_ctz(lanes)); }

// 32-bit or narrower accesses of a half-warp.
using Addresses = std::array<uint32_t, kWarpLanes>;

// F.3.3.2.  The guide leaves open which word is broadcast and which address of a bank is served:
// here those of the lowest lane.
unsigned read_steps_10(const Addresses& addresses, uint32_t lanes) {
  unsigned steps = 0;
  while (lanes != 0) {
    const uint32_t broadcast = addresses[first_lane(lanes)] / 4;
    uint32_t banks_served = 1u << broadcast % 16;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = first_lane(rest);
      const uint32_t word = addresses[lane] / 4;
      const uint32_t bank = 1u << word % 16;
      if (word != broadcast && (banks_served & bank) != 0) continue;
      banks_served |= bank;
      lanes &= ~(1u << lane);
    }
    ++steps;
  }
  return steps;
}

// F.3.3: of several lanes that write to the same location one does.
unsigned write_steps_10(const Addresses& addresses, uint32_t lanes) {
  std::array<unsigned, 16> of_bank{};
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = first_lane(rest);
    bool written = false;
    for (uint32_t before = lanes & ((1u << lane) - 1); before != 0; before &= before - 1)
      written = written || addresses[first_lane(before)] == addresses[lane];
    if (!written) ++of_bank[addresses[lane] / 4 % 16];
  }
  return *std::max_element(of_bank.begin(), of_bank.end());
}

// F.3.3.4: accesses of more than 32 bits are several of 32 bits.
unsigned steps_10(const WarpAccess& access) {
  unsigned steps = 0;
  for (uint32_t word = 0; word < std::max(access.bytes, 4u); word += 4) {
    Addresses addresses = access.addresses;
    for (uint32_t& address : addresses) address += word;
    for (const uint32_t half : {0xffffu, 0xffff0000u}) {
      const uint32_t lanes = access.lanes & half;
      steps += access.write ? write_steps_10(addresses, lanes) : read_steps_10(addresses, lanes);
    }
  }
  return steps;
}

// F.4.3: only different words of a bank are in each other's way.
unsigned steps_20(const WarpAccess& access, uint32_t lanes) {
  std::array<std::array<uint32_t, kWarpLanes>, 32> words;
  std::array<unsigned, 32> count{};
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint32_t first = access.addresses[first_lane(rest)] / 4;
    for (uint32_t word = first; word < first + std::max(access.bytes / 4, 1u); ++word) {
      auto& of_bank = words[word % 32];
      const auto end = of_bank.begin() + count[word % 32];
      if (std::find(of_bank.begin(), end, word) == end) of_bank[count[word % 32]++] = word;
    }
  }
  return *std::max_element(count.begin(), count.end());
}

}  // namespace

Banking banking_of(const std::string& name) {
  if (name == "none") return Banking::kNone;
  if (name == "compute-1.x") return Banking::kCompute10;
  if (name == "compute-2.x") return Banking::kCompute20;
  throw bad_input(fmt::format("there is no rule of shared-memory banks called \"{}\"", name), {},
                  "none, compute-1.x or compute-2.x");
}

unsigned bank_steps(Banking rule, const WarpAccess& access) {
  if (access.bytes != 1 && access.bytes != 2 && access.bytes != 4 && access.bytes != 8)
    throw model_error(fmt::format("shared memory has no accesses of {} bytes", access.bytes));
  if (rule == Banking::kNone) return static_cast<unsigned>(__builtin_popcount(access.lanes));
  if (rule == Banking::kCompute10) return steps_10(access);
  // 64-bit accesses go by half-warps, which have no more words than there are banks.
  if (access.bytes == 8)
    return steps_20(access, access.lanes & 0xffffu) + steps_20(access, access.lanes & 0xffff0000u);
  return steps_20(access, access.lanes);
}

}  // namespace gvp::cache

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/common_sums.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "tools/kcc/g80/definitions.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

bool is_sum(const Instruction& instruction) {
  return instruction.operation == Operation::kAdd && instruction.combine == isa::Combine::kAdd &&
         instruction.flags == kNoRegister && !instruction.saturate && instruction.defines() &&
         is_plain_register(instruction.sources[0]);
}

// v = (x + constant) + y, where base is the register of x + constant.
struct Sum {
  uint32_t v;
  Place place;
  uint32_t base;
  uint32_t y;
  int64_t constant;
};

class SumSharing {
 public:
  explicit SumSharing(Kernel& kernel) : kernel_(kernel), definitions_(kernel) {}

  bool run() {
    collect();
    bool changed = false;
    for (auto& [key, sums] : alike_) {
      if (sums.size() > 1) changed |= share(sums);
    }
    return changed;
  }

 private:
  const Instruction& at(const Place& place) const {
    return kernel_.blocks[place.block].code[place.index];
  }

  void collect() {
    for (uint32_t v = 1; v < kernel_.registers.size(); ++v) {
      const auto place = definitions_.only(v);
      if (!place || !definitions_.is_static_single(v) || !only_addresses(v)) continue;
      const Instruction& sum = at(*place);
      if (!is_sum(sum) || !is_plain_register(sum.sources[1])) continue;
      if (!add(v, *place, sum.sources[0].reg, sum.sources[1].reg))
        add(v, *place, sum.sources[1].reg, sum.sources[0].reg);
    }
  }

  bool add(uint32_t v, const Place& place, uint32_t base, uint32_t y) {
    const auto definition = definitions_.only(base);
    if (!definition || !definitions_.is_static_single(base) || !definitions_.is_static_single(y))
      return false;
    const Instruction& offset = at(*definition);
    if (!is_sum(offset) || !offset.sources[1].is_immediate()) return false;
    const uint32_t x = offset.sources[0].reg;
    if (!definitions_.is_static_single(x)) return false;
    alike_[{place.block, std::min(x, y), std::max(x, y)}].push_back(
        {v, place, base, y, offset.sources[1].value});
    return true;
  }

  bool only_addresses(uint32_t v) const {
    const auto& uses = definitions_.uses(v);
    return !uses.empty() && std::all_of(uses.begin(), uses.end(), [&](const Place& use) {
      const auto& code = kernel_.blocks[use.block].code;
      if (use.index >= code.size() || !code[use.index].arguments.empty()) return false;
      bool all = true;
      for_each_source(code[use.index], [&](const Operand& operand) {
        const bool address = operand.is_memory() && operand.kind != Operand::Kind::kGlobal;
        all &= operand.reg != v || address;
      });
      return all;
    });
  }

  // Offsets are added to the lowest address: they must not be negative, and small ones cost
  // nothing.
  bool share(std::vector<Sum>& sums) {
    const Sum lowest = *std::min_element(sums.begin(), sums.end(), [](const Sum& a, const Sum& b) {
      return a.constant < b.constant;
    });
    bool changed = false;
    for (const Sum& sum : sums) {
      if (sum.constant == lowest.constant || sum.constant - lowest.constant > kFarthest) continue;
      if (!definitions_.dominates(*definitions_.only(lowest.base), sum.place)) continue;
      Instruction& instruction = kernel_.blocks[sum.place.block].code[sum.place.index];
      instruction.sources[0] = reg(lowest.base);
      instruction.sources[1] = reg(lowest.y);
      move_uses(sum.v, static_cast<uint32_t>(sum.constant - lowest.constant));
      changed = true;
    }
    return changed;
  }

  void move_uses(uint32_t v, uint32_t bytes) {
    const Place* last = nullptr;
    for (const Place& use : definitions_.uses(v)) {
      // An instruction that has v twice is there twice, one behind the other.
      if (last != nullptr && last->block == use.block && last->index == use.index) continue;
      last = &use;
      for_each_source(kernel_.blocks[use.block].code[use.index], [&](Operand& operand) {
        if (operand.reg != v) return;
        const uint32_t sum = static_cast<uint32_t>(operand.value) + (bytes << operand.shift);
        operand.value = static_cast<int16_t>(sum);  // addresses have 16 bits
      });
    }
  }

  static constexpr int64_t kFarthest = 0x3fff;  // all of shared memory
  Kernel& kernel_;
  Definitions definitions_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<Sum>> alike_;  // block, x, y
};

}  // namespace

bool share_sums(Kernel& kernel) { return SumSharing(kernel).run(); }

}  // namespace gvp::kcc::g80

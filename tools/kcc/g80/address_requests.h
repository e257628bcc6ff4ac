// SPDX-License-Identifier: Apache-2.0
// Which addresses of s[], c[] and l[] take an $a register, how often they are wanted, and which of
// them are better computed before a loop than in each of its rounds.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

inline constexpr uint32_t kAddressRegisters = 3;  // $a4 exists too, but only long forms reach it

// The highest offset the operand's field holds.
int32_t address_reach(const Instruction& instruction, const Operand& operand);
bool needs_address_register(const Instruction& instruction, const Operand& operand);

using AddressKey = std::pair<uint32_t, uint8_t>;  // base and shift

// How often blocks that want an address run.
class AddressWeight {
 public:
  void add(uint32_t block, double weight) {
    if (blocks_.emplace(block, weight).second) sum_ += weight;
  }
  double here(uint32_t block) const {
    const auto found = blocks_.find(block);
    return found == blocks_.end() ? 0 : found->second;
  }
  double elsewhere(uint32_t block) const { return sum_ - here(block); }

 private:
  std::map<uint32_t, double> blocks_;
  double sum_ = 0;
};
using AddressWeights = std::map<AddressKey, AddressWeight>;

AddressWeights address_weights(const Kernel& kernel, const compiler::Graph& graph);

// What to have in an $a register at the end of a block: an operand, and the instruction it is of.
struct AddressRequest {
  Instruction user;
  Operand operand;
};
using AddressRequests = std::map<uint32_t, std::vector<AddressRequest>>;  // by block

// Before loops whose addresses all fit the registers: those that each round wants and none changes.
AddressRequests address_requests(const Kernel& kernel, const compiler::Graph& graph);

}  // namespace gvp::kcc::g80

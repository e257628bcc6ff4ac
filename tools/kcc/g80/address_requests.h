// SPDX-License-Identifier: Apache-2.0
// Which addresses of s[], c[] and l[] take an $a register, how often they are wanted, and which of
// them are better computed before a loop than in each of its rounds.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

inline constexpr uint32_t kAddressRegisters = 3;  // $a4 exists too, but only long forms reach it

// The highest offset the operand's field holds.
int32_t address_reach(const Instruction& instruction, const Operand& operand);
bool needs_address_register(const Instruction& instruction, const Operand& operand);

using AddressKey = std::pair<uint32_t, uint8_t>;  // base and shift

// An operand as far as it matters to what an $a register must hold.
struct AddressUse {
  int32_t value;
  int32_t reach;
  int32_t size;  // of the access

  // Whether the operand's own offset does the rest.
  bool fits(int32_t offset) const {
    return value >= offset && value - offset <= reach && (value - offset) % size == 0;
  }
  bool operator<(const AddressUse& other) const {
    return std::tie(value, reach, size) < std::tie(other.value, other.reach, other.size);
  }
};
AddressUse use_of(const Instruction& instruction, const Operand& operand);

// How often blocks run that want an address.
class AddressWeights {
 public:
  void add(const AddressKey& key, uint32_t block, const AddressUse& use) {
    uses_[key][block].insert(use);
  }
  void set_weight(uint32_t block, double weight) { weights_[block] = weight; }
  double here(uint32_t block) const { return weights_.at(block); }
  double elsewhere(const AddressKey& key, int32_t offset, uint32_t block) const;

 private:
  std::map<AddressKey, std::map<uint32_t, std::set<AddressUse>>> uses_;
  std::map<uint32_t, double> weights_;
};

AddressWeights address_weights(const Kernel& kernel, const compiler::Graph& graph);

// What to have in an $a register at the end of a block: an operand, and the instruction it is of.
struct AddressRequest {
  Instruction user;
  Operand operand;
};
using AddressRequests = std::map<uint32_t, std::vector<AddressRequest>>;  // by block

// Before loops: addresses that each round wants and none changes, as far as there are registers.
AddressRequests address_requests(const Kernel& kernel, const compiler::Graph& graph);

}  // namespace gvp::kcc::g80

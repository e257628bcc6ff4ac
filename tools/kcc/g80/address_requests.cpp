// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/address_requests.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "tools/compiler/dominators.h"

namespace gvp::kcc::g80 {
namespace {

// Calls visit(const Instruction&, const Operand&) for each operand of a block that takes an $a
// register.
template <typename Visit>
void for_each_address(const Block& block, Visit visit) {
  for (const Instruction& instruction : block.code) {
    for_each_source(instruction, [&](const Operand& operand) {
      if (needs_address_register(instruction, operand)) visit(instruction, operand);
    });
  }
}

std::set<AddressKey> keys_of(const Block& block) {
  std::set<AddressKey> keys;
  for_each_address(block, [&](const Instruction&, const Operand& operand) {
    keys.insert({operand.reg, operand.shift});
  });
  return keys;
}

void request_before(const Kernel& kernel, const compiler::Loop& loop,
                    const compiler::DominatorTree& tree, AddressRequests& requests) {
  const uint32_t before = loop.entry;
  if (before == compiler::kNoNode || kernel.blocks[before].branches) return;
  std::set<AddressKey> all;
  std::set<uint32_t> written;
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
    if (!loop.members[b]) continue;
    for (const AddressKey& key : keys_of(kernel.blocks[b])) all.insert(key);
    for (const Instruction& instruction : kernel.blocks[b].code) {
      if (is_call(instruction)) return;  // nothing is kept for the next round
      for_each_definition(instruction, [&](uint32_t v) { written.insert(v); });
    }
  }
  // Where there are more addresses than registers, one is left to those that change, and a block
  // that wants more by itself keeps none for its next round.
  const size_t most = kAddressRegisters - (all.size() > kAddressRegisters ? 1 : 0);
  std::set<AddressKey> requested;
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
    const bool each_round =
        loop.members[b] && std::all_of(loop.latches.begin(), loop.latches.end(),
                                       [&](uint32_t latch) { return tree.dominates(b, latch); });
    if (!each_round || keys_of(kernel.blocks[b]).size() > most) continue;
    for_each_address(kernel.blocks[b], [&](const Instruction& user, const Operand& operand) {
      if (written.count(operand.reg) != 0 || requested.size() == most) return;
      if (!requested.insert({operand.reg, operand.shift}).second) return;
      requests[before].push_back({user, operand});
    });
  }
}

}  // namespace

int32_t address_reach(const Instruction& instruction, const Operand& operand) {
  const bool own_field = is_store(instruction) ||
                         instruction.operation == isa::Operation::kLoadConstant ||
                         operand.kind == Operand::Kind::kLocal;
  if (own_field) return 0xffff;
  const auto size = static_cast<int32_t>(isa::type_bytes(operand.access));
  if (operand.kind == Operand::Kind::kConstant) return 127 * size;
  const bool has_immediate =
      std::any_of(std::begin(instruction.sources), std::end(instruction.sources),
                  [](const Operand& o) { return o.is_immediate(); });
  return (has_immediate ? 15 : 31) * size;
}

bool needs_address_register(const Instruction& instruction, const Operand& operand) {
  if (!operand.is_memory() || operand.kind == Operand::Kind::kGlobal) return false;
  return operand.reg != kNoRegister || operand.value < 0 ||
         operand.value > address_reach(instruction, operand);
}

AddressUse use_of(const Instruction& instruction, const Operand& operand) {
  return {operand.value, address_reach(instruction, operand),
          static_cast<int32_t>(isa::type_bytes(operand.access))};
}

double AddressWeights::elsewhere(const AddressKey& key, int32_t offset, uint32_t block) const {
  const auto blocks = uses_.find(key);
  if (blocks == uses_.end()) return 0;
  double sum = 0;
  for (const auto& [other, uses] : blocks->second) {
    const bool wants =
        other != block && std::any_of(uses.begin(), uses.end(),
                                      [&](const AddressUse& use) { return use.fits(offset); });
    if (wants) sum += weights_.at(other);
  }
  return sum;
}

AddressWeights address_weights(const Kernel& kernel, const compiler::Graph& graph) {
  const std::vector<uint32_t> depths = compiler::loop_depths(graph);
  AddressWeights weights;
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
    weights.set_weight(b, std::pow(10.0, std::min(depths[b], 6U)));
    for_each_address(kernel.blocks[b], [&](const Instruction& user, const Operand& operand) {
      weights.add({operand.reg, operand.shift}, b, use_of(user, operand));
    });
  }
  return weights;
}

AddressRequests address_requests(const Kernel& kernel, const compiler::Graph& graph) {
  AddressRequests requests;
  const compiler::DominatorTree tree(graph, 0);
  for (const compiler::Loop& loop : compiler::natural_loops(graph))
    request_before(kernel, loop, tree, requests);
  return requests;
}

}  // namespace gvp::kcc::g80

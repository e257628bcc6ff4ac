// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/equal_fetches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tools/kcc/g80/definitions.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

constexpr double kRounds = 10;  // of a loop
constexpr uint32_t kMostDepth = 6;

class EqualFetches {
 public:
  explicit EqualFetches(Kernel& kernel)
      : kernel_(kernel), depths_(compiler::loop_depths(graph_of(kernel))) {}

  void run() {
    collect();
    find_known();
    for (const auto& [v, fetch] : known_)
      if (definitions_.at(v).size() > 1 && pays(v, fetch)) replace(v, fetch);
    insert();
  }

 private:
  // From a word that nobody writes, at an address that no register has a part in.
  static bool is_fetch(const Instruction& instruction) {
    const Operand& from = instruction.sources[0];
    const bool moves = instruction.operation == Operation::kMove ||
                       instruction.operation == Operation::kLoadConstant;
    const bool fixed = from.kind == Operand::Kind::kConstant ||
                       (from.kind == Operand::Kind::kShared && from.invariant);
    return moves && fixed && from.reg == kNoRegister && from.address_register == 0 &&
           is_whole(instruction);
  }
  static bool is_copy(const Instruction& instruction) {
    return instruction.operation == Operation::kMove && instruction.sources[0].is_register() &&
           instruction.sources[0].plain() && is_whole(instruction);
  }
  static bool is_whole(const Instruction& instruction) {
    return instruction.defines() && !instruction.destination.half && !instruction.guard.exists() &&
           instruction.flags == kNoRegister;
  }
  static bool same(const Instruction& one, const Instruction& other) {
    return one.operation == other.operation && one.type == other.type &&
           one.sources[0] == other.sources[0];
  }
  double weight(uint32_t block) const {
    return std::pow(kRounds, std::min(depths_[block], kMostDepth));
  }

  void collect() {
    for (uint32_t b = 0; b < kernel_.blocks.size(); ++b) {
      const auto& code = kernel_.blocks[b].code;
      for (uint32_t i = 0; i < code.size(); ++i) {
        for_each_definition(code[i], [&](uint32_t v) { definitions_[v].push_back({b, i}); });
        for_each_use(code[i], [&](uint32_t v) { uses_[v].push_back({b, i}); });
      }
    }
    // The machine or a caller defines these.
    definitions_.erase(kThreadIndex);
    for (const uint32_t v : kernel_.parameters) definitions_.erase(v);
    for (const auto& [v, number] : kernel_.fixed) definitions_.erase(v);
  }

  const Instruction& at(const Place& place) const {
    return kernel_.blocks[place.block].code[place.index];
  }

  // The fetch that all definitions of v are, or are copies of.
  std::optional<Instruction> common_fetch(const std::vector<Place>& places) const {
    std::optional<Instruction> common;
    for (const Place& place : places) {
      const Instruction* fetch = &at(place);
      if (is_copy(*fetch)) {
        const auto original = known_.find(fetch->sources[0].reg);
        if (original == known_.end()) return std::nullopt;
        fetch = &original->second;
      }
      if (!is_fetch(*fetch) || (common && !same(*common, *fetch))) return std::nullopt;
      common = *fetch;
    }
    return common;
  }

  void find_known() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [v, places] : definitions_) {
        if (!kernel_.is_general(v) || known_.count(v) != 0) continue;
        const auto fetch = common_fetch(places);
        if (!fetch) continue;
        known_.emplace(v, *fetch);
        changed = true;
      }
    }
  }

  // Fetches that cannot be operands are instructions.
  bool pays(uint32_t v, const Instruction& fetch) const {
    double before = 0;
    for (const Place& place : definitions_.at(v)) before += weight(place.block);
    std::map<uint32_t, bool> fetches;  // by block
    const auto uses = uses_.find(v);
    if (uses == uses_.end()) return false;
    for (const Place& use : uses->second) {
      const bool operand = with_memory_operand(kernel_, at(use), v, fetch.sources[0]).has_value();
      fetches[use.block] |= !operand;
    }
    double after = 0;
    for (const auto& [block, fetched] : fetches) after += fetched ? weight(block) : 0;
    return after <= before;
  }

  // The definitions are left to the removal of dead code.
  void replace(uint32_t v, const Instruction& fetch) {
    std::map<uint32_t, uint32_t> first;  // use, by block
    for (const Place& use : uses_.at(v)) first.emplace(use.block, use.index);
    for (const auto& [b, index] : first) {
      const uint32_t fresh = kernel_.new_register();
      auto& code = kernel_.blocks[b].code;
      for (size_t i = index; i < code.size(); ++i) {
        for_each_source(code[i], [&, v = v](Operand& operand) {
          if (operand.reg == v) operand.reg = fresh;
        });
        std::replace(code[i].arguments.begin(), code[i].arguments.end(), v, fresh);
      }
      Instruction own = fetch;
      own.destination = reg(fresh);
      own.source = code[index].source;
      inserted_[b].emplace_back(index, own);
    }
  }

  // Places stay as they are until all are known.
  void insert() {
    for (auto& [b, fetches] : inserted_) {
      std::stable_sort(fetches.begin(), fetches.end(),
                       [](const auto& one, const auto& other) { return one.first < other.first; });
      auto& code = kernel_.blocks[b].code;
      for (size_t k = fetches.size(); k-- > 0;)
        code.insert(code.begin() + fetches[k].first, fetches[k].second);
    }
  }

  Kernel& kernel_;
  std::vector<uint32_t> depths_;
  std::map<uint32_t, std::vector<Place>> definitions_;
  std::map<uint32_t, std::vector<Place>> uses_;
  std::map<uint32_t, Instruction> known_;
  std::map<uint32_t, std::vector<std::pair<uint32_t, Instruction>>> inserted_;
};

}  // namespace

void fetch_where_used(Kernel& kernel) { EqualFetches(kernel).run(); }

}  // namespace gvp::kcc::g80

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/one_sided.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tools/kcc/g80/branch_costs.h"
#include "tools/kcc/g80/definitions.h"
#include "tools/kcc/g80/flow.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

bool is_movable(const Instruction& instruction) {
  return is_pure(instruction) && instruction.defines() && !instruction.destination.half &&
         !instruction.guard.exists() && instruction.flags == kNoRegister &&
         instruction.operation != Operation::kMoveFromSpecial &&
         !reads_variable_memory(instruction);
}

class OneSided {
 public:
  explicit OneSided(Kernel& kernel)
      : kernel_(kernel),
        graph_(graph_of(kernel)),
        live_(live_registers(kernel, graph_)),
        loops_(compiler::natural_loops(graph_)),
        divergent_(divergent_branches(kernel, graph_)),
        data_(registers_with_data(kernel)) {}

  void run() {
    for (const uint32_t b : compiler::reverse_post_order(graph_, 0)) {
      const Block& block = kernel_.blocks[b];
      if (!block.branches || block.target == block.next) continue;
      for (const bool taken : {true, false}) move(b, taken);
    }
  }

 private:
  // By the numbers of instructions in the block: those that go to one side, the last one first.
  struct Moved {
    std::vector<size_t> places;
    compiler::BitSet live;  // at the begin of that side
  };

  void move(uint32_t b, bool taken) {
    const Block& block = kernel_.blocks[b];
    const uint32_t side = taken ? block.target : block.next;
    const uint32_t other = taken ? block.next : block.target;
    if (side == kNoRegister || side == b) return;
    const Moved moved = find(b, side, other);
    if (moved.places.empty()) return;
    if (graph_.predecessors[side].size() == 1) {
      take(b, moved.places, kernel_.blocks[side]);
      live_.in[side] = moved.live;
    } else if (own_block_pays(b, side, other, moved.places)) {
      Block between;
      between.next = side;
      between.source = block.source;
      take(b, moved.places, between);
      const auto number = static_cast<uint32_t>(kernel_.blocks.size());
      (taken ? kernel_.blocks[b].target : kernel_.blocks[b].next) = number;
      kernel_.blocks.push_back(std::move(between));
      live_.in.push_back(moved.live);
    }
  }

  Moved find(uint32_t b, uint32_t side, uint32_t other) const {
    const Block& block = kernel_.blocks[b];
    const auto size = static_cast<uint32_t>(kernel_.registers.size());
    Moved moved{{}, live_.in[side]};
    // By what stays.
    compiler::BitSet read(size);
    compiler::BitSet written(size);
    read.insert(block.guard.condition);
    for (size_t i = block.code.size(); i-- > 0;) {
      const Instruction& instruction = block.code[i];
      bool goes = is_movable(instruction);
      if (goes) {
        const uint32_t result = instruction.destination.reg;
        goes = moved.live.contains(result) && !read.contains(result) && !written.contains(result);
        goes = goes && (other == kNoRegister || !live_.in[other].contains(result));
        for_each_use(instruction, [&](uint32_t v) { goes = goes && !written.contains(v); });
      }
      if (goes) {
        moved.places.push_back(i);
        step_back(instruction, moved.live);
        continue;
      }
      for_each_use(instruction, [&](uint32_t v) { read.insert(v); });
      for_each_definition(instruction, [&](uint32_t v) { written.insert(v); });
    }
    return moved;
  }

  void take(uint32_t b, const std::vector<size_t>& places, Block& side) {
    auto& code = kernel_.blocks[b].code;
    std::vector<Instruction> taken;
    for (const size_t i : places) {
      taken.push_back(std::move(code[i]));
      code.erase(code.begin() + static_cast<std::ptrdiff_t>(i));
    }
    side.code.insert(side.code.begin(), std::make_move_iterator(taken.rbegin()),
                     std::make_move_iterator(taken.rend()));
  }

  bool own_block_pays(uint32_t b, uint32_t side, uint32_t other,
                      const std::vector<size_t>& places) const {
    Way way = divergent_[b] ? (data_[kernel_.blocks[b].guard.condition] ? Way::kUsual : Way::kEven)
                            : Way::kEven;
    for (const compiler::Loop& loop : loops_) {
      if (!loop.members[b]) continue;
      const bool stays = loop.members[side];
      const bool other_stays = other != kNoRegister && loop.members[other];
      if (stays && !other_stays) return false;  // the usual way
      if (!stays && other_stays) way = Way::kRare;
    }
    std::vector<const Instruction*> instructions;
    instructions.reserve(places.size());
    for (const size_t i : places) instructions.push_back(&kernel_.blocks[b].code[i]);
    return jump_pays(instructions, way);
  }

  Kernel& kernel_;
  compiler::Graph graph_;  // of the blocks that there were
  compiler::Liveness live_;
  std::vector<compiler::Loop> loops_;
  std::vector<bool> divergent_;
  std::vector<bool> data_;
};

}  // namespace

void compute_behind_branches(Kernel& kernel) { OneSided(kernel).run(); }

}  // namespace gvp::kcc::g80

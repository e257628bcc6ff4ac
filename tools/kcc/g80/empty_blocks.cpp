// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/empty_blocks.h"

#include <algorithm>
#include <utility>

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

bool names_block(const Instruction& instruction) { return instruction.target != kNoRegister; }

class EmptyBlocks {
 public:
  EmptyBlocks(Kernel& kernel, const std::vector<uint32_t>& numbers)
      : kernel_(kernel), numbers_(numbers) {}

  void run() {
    std::vector<uint32_t> leads_to(kernel_.blocks.size());
    for (uint32_t b = 0; b < leads_to.size(); ++b) leads_to[b] = destination(b);
    std::vector<bool> kept(kernel_.blocks.size(), false);
    kept[0] = true;
    const auto keep = [&](uint32_t& b) {
      if (b == kNoRegister) return;
      b = leads_to[b];
      kept[b] = true;
    };
    for (uint32_t b = 0; b < leads_to.size(); ++b) {
      if (b != 0 && leads_to[b] != b) continue;
      Block& block = kernel_.blocks[b];
      keep(block.next);
      if (block.branches) keep(block.target);
      if (block.branches && block.target == block.next) {
        block.branches = false;
        block.guard = {};
        block.target = kNoRegister;
      }
      for (Instruction& instruction : block.code)
        if (names_block(instruction)) keep(instruction.target);
    }
    remove(kept);
  }

 private:
  uint32_t destination(uint32_t block) const {
    for (size_t steps = 0; steps < kernel_.blocks.size(); ++steps) {
      const Block& here = kernel_.blocks[block];
      const bool is_empty =
          !here.join && !here.branches && here.next != kNoRegister &&
          std::all_of(here.code.begin(), here.code.end(), [&](const Instruction& instruction) {
            return copies_to_itself(instruction, numbers_);
          });
      if (!is_empty) return block;
      block = here.next;
    }
    return block;  // an empty endless loop
  }

  void remove(const std::vector<bool>& kept) {
    std::vector<uint32_t> number(kernel_.blocks.size(), kNoRegister);
    std::vector<Block> blocks;
    for (uint32_t b = 0; b < kernel_.blocks.size(); ++b) {
      if (!kept[b]) continue;
      number[b] = static_cast<uint32_t>(blocks.size());
      blocks.push_back(std::move(kernel_.blocks[b]));
    }
    for (Block& block : blocks) {
      if (block.next != kNoRegister) block.next = number[block.next];
      if (block.target != kNoRegister) block.target = number[block.target];
      for (Instruction& instruction : block.code)
        if (names_block(instruction)) instruction.target = number[instruction.target];
    }
    kernel_.blocks = std::move(blocks);
  }

  Kernel& kernel_;
  const std::vector<uint32_t>& numbers_;
};

}  // namespace

bool copies_to_itself(const Instruction& instruction, const std::vector<uint32_t>& numbers) {
  return instruction.operation == Operation::kMove && instruction.defines() &&
         instruction.sources[0].is_register() && instruction.sources[0].plain() &&
         numbers[instruction.destination.reg] == numbers[instruction.sources[0].reg];
}

void remove_empty_blocks(Kernel& kernel, const std::vector<uint32_t>& numbers) {
  EmptyBlocks(kernel, numbers).run();
}

}  // namespace gvp::kcc::g80

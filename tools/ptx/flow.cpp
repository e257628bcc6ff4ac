// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/flow.h"

namespace gvp::ptx {
namespace {

bool leaves(Opcode opcode) {
  return opcode == Opcode::kRet || opcode == Opcode::kExit || opcode == Opcode::kTrap;
}

}  // namespace

bool ends_block(const Instruction& instruction) {
  return instruction.opcode == Opcode::kBra || leaves(instruction.opcode);
}

FlowGraph flow_graph(const Function& function) {
  FlowGraph flow;
  flow.block_of_label.assign(function.labels.size(), 0);
  const auto size = static_cast<uint32_t>(function.body.size());
  // The entry stands alone so that it is never the target of a branch.
  flow.blocks.push_back({0, 0});
  uint32_t begin = 0;
  for (uint32_t i = 0; i < size; ++i) {
    const Instruction& instruction = function.body[i];
    if (instruction.opcode == Opcode::kLabel) {
      if (i > begin && function.body[i - 1].opcode != Opcode::kLabel) {
        flow.blocks.push_back({begin, i});
        begin = i;
      }
      flow.block_of_label[instruction.operands[0].index] =
          static_cast<uint32_t>(flow.blocks.size());
    } else if (ends_block(instruction)) {
      flow.blocks.push_back({begin, i + 1});
      begin = i + 1;
    }
  }
  flow.blocks.push_back({begin, size});
  flow.graph = compiler::Graph(flow.blocks.size());
  for (uint32_t block = 0; block < flow.blocks.size(); ++block) {
    const Block& range = flow.blocks[block];
    const Instruction* last = range.end > range.begin ? &function.body[range.end - 1] : nullptr;
    const bool ends = last != nullptr && ends_block(*last);
    if (ends && last->opcode == Opcode::kBra) {
      flow.graph.add_edge(block, flow.block_of_label[last->operands[0].index]);
    }
    const bool falls_through = !ends || last->guard != kNoIndex;
    if (falls_through && block + 1 < flow.blocks.size()) flow.graph.add_edge(block, block + 1);
  }
  return flow;
}

}  // namespace gvp::ptx

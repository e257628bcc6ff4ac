// SPDX-License-Identifier: Apache-2.0
// In kernels with barriers threads that end are not waited for, so that nothing lies behind a loop
// that is left by ending alone:
//
//   while (true) {
//     barrier();
//     if (done) return;
//     if (t & 1) continue;
//     ...
//   }
//
// For the analysis of what lies behind a branch it is endless, and with two ways back to its begin
// no place is passed by all: threads would go round without the others, and reach its barriers
// alone. With one way back, that is where they meet.
#include "tools/compiler/dominators.h"
#include "tools/kcc/g80/flow.h"

namespace gvp::kcc::g80 {
namespace {

void redirect(Block& block, uint32_t from, uint32_t to) {
  if (block.next == from) block.next = to;
  if (block.branches && block.target == from) block.target = to;
}

bool is_endless(const compiler::Graph& graph, uint32_t header) {
  const std::vector<bool> ahead = compiler::reachable_without(graph, header, compiler::kNoNode);
  for (uint32_t node = 0; node < graph.size(); ++node)
    if (ahead[node] && graph.successors[node].empty()) return false;
  return true;
}

}  // namespace

void unify_ways_back(Kernel& kernel) {
  if (kernel.barriers == 0) return;
  const compiler::Graph graph = graph_of(kernel);
  const compiler::DominatorTree above(graph, 0);
  for (uint32_t header = 0; header < graph.size(); ++header) {
    std::vector<uint32_t> sources;
    for (const uint32_t from : graph.predecessors[header])
      if (above.dominates(header, from)) sources.push_back(from);
    if (sources.size() < 2 || !is_endless(graph, header)) continue;
    const auto way_back = static_cast<uint32_t>(kernel.blocks.size());
    kernel.blocks.emplace_back().next = header;
    for (const uint32_t from : sources) redirect(kernel.blocks[from], header, way_back);
  }
}

}  // namespace gvp::kcc::g80

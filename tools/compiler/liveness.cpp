// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/liveness.h"

namespace gvp::compiler {

Liveness liveness(const Graph& graph, const std::vector<BlockVariables>& blocks,
                  uint32_t variables) {
  Liveness result;
  result.in.assign(graph.size(), BitSet(variables));
  result.out.assign(graph.size(), BitSet(variables));
  std::vector<uint32_t> work;
  std::vector<bool> queued(graph.size(), true);
  for (uint32_t node = 0; node < graph.size(); ++node) work.push_back(node);
  while (!work.empty()) {
    const uint32_t node = work.back();
    work.pop_back();
    queued[node] = false;
    BitSet& out = result.out[node];
    for (const uint32_t successor : graph.successors[node]) out.merge(result.in[successor]);
    BitSet in = out;
    in.subtract(blocks[node].defined);
    in.merge(blocks[node].used);
    if (!result.in[node].merge(in)) continue;
    for (const uint32_t predecessor : graph.predecessors[node]) {
      if (queued[predecessor]) continue;
      queued[predecessor] = true;
      work.push_back(predecessor);
    }
  }
  return result;
}

}  // namespace gvp::compiler

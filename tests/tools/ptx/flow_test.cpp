// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/flow.h"

#include <gtest/gtest.h>

#include "tools/ptx/parser.h"

namespace gvp::ptx {
namespace {

TEST(PtxFlow, LoopHasABackEdge) {
  const Module module = parse("k.ptx", R"(.entry k() { .reg .pred %p<2>; .reg .b32 %r<3>;
    mov.u32 %r1, 0;
    L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;
    ret; })");
  const FlowGraph flow = flow_graph(module.functions[0]);
  // entry, before the loop, the loop, ret, end
  ASSERT_EQ(flow.blocks.size(), 5u);
  EXPECT_EQ(flow.block_of_label[0], 2u);
  EXPECT_EQ(flow.graph.successors[2], (std::vector<uint32_t>{2, 3}));
  EXPECT_TRUE(flow.graph.successors[3].empty());
}

TEST(PtxFlow, GuardedReturnFallsThrough) {
  const Module module = parse("k.ptx", R"(.entry k() { .reg .pred %p<2>;
    @%p1 ret; ret; })");
  const FlowGraph flow = flow_graph(module.functions[0]);
  EXPECT_EQ(flow.graph.successors[1], (std::vector<uint32_t>{2}));
}

}  // namespace
}  // namespace gvp::ptx

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/flags_pressure.h"

#include <algorithm>
#include <set>

#include "tools/kcc/g80/definitions.h"

namespace gvp::kcc::g80 {

std::vector<uint32_t> live_flags(const Kernel& kernel, const compiler::Liveness& live,
                                 uint32_t block) {
  const Block& where = kernel.blocks[block];
  std::set<uint32_t> now;
  live.out[block].for_each([&](uint32_t v) {
    if (!kernel.is_general(v)) now.insert(v);
  });
  if (where.guard.exists()) now.insert(where.guard.condition);
  std::vector<uint32_t> counts(where.code.size() + 1);
  for (size_t i = where.code.size(); i > 0; --i) {
    const Instruction& instruction = where.code[i - 1];
    if (instruction.flags != kNoRegister) now.insert(instruction.flags);
    counts[i] = static_cast<uint32_t>(now.size());
    // What is called has them all.
    if (is_call(instruction)) counts[i] = std::max(counts[i], kFlagsRegisters);
    if (instruction.flags != kNoRegister) now.erase(instruction.flags);
    for_each_use(instruction, [&](uint32_t v) {
      if (!kernel.is_general(v)) now.insert(v);
    });
  }
  counts[0] = static_cast<uint32_t>(now.size());
  return counts;
}

}  // namespace gvp::kcc::g80

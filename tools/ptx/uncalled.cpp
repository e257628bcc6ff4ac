// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/uncalled.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gvp::ptx {

void leave_out_uncalled(Module& module) {
  std::unordered_map<std::string_view, const Function*> by_name;
  std::vector<const Function*> reached;
  for (const Function& function : module.functions) {
    by_name.emplace(function.name, &function);
    if (function.entry) reached.push_back(&function);
  }
  std::unordered_set<std::string> names;  // not views: functions are moved below
  for (size_t next = 0; next < reached.size(); ++next) {
    for (const Instruction& instruction : reached[next]->body) {
      if (instruction.opcode != Opcode::kCall) continue;
      const auto callee = by_name.find(instruction.callee);
      if (callee != by_name.end() && names.insert(instruction.callee).second)
        reached.push_back(callee->second);
    }
  }
  auto& functions = module.functions;
  functions.erase(std::remove_if(functions.begin(), functions.end(),
                                 [&](const Function& function) {
                                   return !function.entry && names.count(function.name) == 0;
                                 }),
                  functions.end());
}

}  // namespace gvp::ptx

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/inlined_size.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {
namespace {

constexpr size_t kMost = std::numeric_limits<size_t>::max() / 2;

struct Function {
  size_t instructions = 0;
  std::vector<std::string_view> calls;
  bool visited = false;
};
using Functions = std::map<std::string_view, Function>;

// The name in "call i32 @_Z3addii(i32 noundef 1, ..."; nothing of other instructions.
std::string_view called_in(std::string_view line) {
  const size_t call = line.find("call ");
  const size_t name = call == std::string_view::npos ? call : line.find('@', call);
  if (name == std::string_view::npos) return "";
  return line.substr(name + 1, line.find_first_of("( ,)\n", name) - name - 1);
}

Functions functions_of(const std::string& text) {
  Functions functions;
  Function* inside = nullptr;
  for_each_line(text, [&](std::string_view line) {
    if (begins_with(line, "define ")) {
      inside = &functions[name_in(line)];
    } else if (begins_with(line, "}")) {
      inside = nullptr;
    } else if (inside != nullptr && begins_with(line, "  ")) {
      const std::string_view name = called_in(line);
      if (begins_with(name, "llvm.dbg.") || begins_with(name, "llvm.lifetime.")) return;
      ++inside->instructions;
      if (!name.empty()) inside->calls.push_back(name);
    }
  });
  return functions;
}

// Functions that call themselves are refused later.
size_t size_of(Function& function, Functions& functions) {
  if (function.visited) return function.instructions;
  function.visited = true;
  for (const std::string_view name : function.calls) {
    const auto called = functions.find(name);
    if (called == functions.end()) continue;
    const size_t size = size_of(called->second, functions);
    function.instructions = std::min(function.instructions + size, kMost);
  }
  return function.instructions;
}

}  // namespace

size_t largest_when_inlined(const std::string& text) {
  Functions functions = functions_of(text);
  size_t largest = 0;
  for (auto& [name, function] : functions)
    largest = std::max(largest, size_of(function, functions));
  return largest;
}

}  // namespace gvp::kcc

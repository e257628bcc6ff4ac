// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/warp_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {
namespace {

constexpr std::string_view kShared = "addrspace(3)";
constexpr std::string_view kStay = "  call void asm sideeffect \"\", \"\"() convergent nounwind\n";
constexpr std::string_view kLook = "  call void asm sideeffect \"\", \"~{memory}\"() nounwind\n";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Of "  %5 = load i32, i32* %4, align 4\n": without the name and what stands before it.
std::string_view operation_of(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const size_t equals = begins_with(line, "%") ? line.find(" = ") : std::string_view::npos;
  return equals == std::string_view::npos ? line : line.substr(equals + 3);
}

// The names "%4" in a text.
std::vector<std::string_view> names_in(std::string_view text) {
  std::vector<std::string_view> names;
  for (size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1))
    names.push_back(text.substr(at, text.find_first_of(" ,)]\n", at) - at));
  return names;
}

struct Line {
  std::string_view text;
  bool stores = false;  // to shared memory, and LLVM may leave it out
  bool looks = false;   // loads from there, or may do so
  bool barrier = false;
};

class Function {
 public:
  // From "define" to "}".
  Function(std::vector<std::string_view> lines, bool kernel) : kernel_(kernel) {
    for (const std::string_view line : lines) lines_.push_back({line});
    for (size_t i = 1; i < lines_.size(); ++i) {
      const std::string_view line = lines_[i].text;
      if (!begins_with(line, " ")) {
        blocks_["%" + std::string(line.substr(0, line.find(':')))] = i;
      } else if (begins_with(line, "  %") && has(line, " = ")) {
        definitions_[line.substr(2, line.find(" = ") - 2)] = operation_of(line);
      }
    }
    for (Line& line : lines_) classify(line);
  }

  void append_to(std::string& result) const {
    for (size_t i = 0; i < lines_.size(); ++i) {
      result += lines_[i].text;
      if (!lines_[i].stores) continue;
      std::set<size_t> seen;
      if (meets_load(i + 1, seen)) result += kLook;
    }
  }

 private:
  void classify(Line& line) {
    std::string_view operation = operation_of(line.text);
    for (const std::string_view kind : {"tail ", "musttail ", "notail "})
      if (begins_with(operation, kind)) operation.remove_prefix(kind.size());
    if (begins_with(operation, "call ")) {
      line.barrier = has(operation, "@llvm.nvvm.barrier") || has(operation, "bar.sync");
      const bool copies = has(operation, "@llvm.memcpy") || has(operation, "@llvm.memmove") ||
                          has(operation, "@llvm.memset");
      if (copies) {
        const auto names = names_in(operation);
        const bool shared = has(operation, kShared) ||
                            std::any_of(names.begin(), names.end(),
                                        [&](std::string_view name) { return is_shared(name); });
        line.stores = line.looks = shared;
      } else {
        const bool known = has(operation, "@llvm.") || has(operation, " asm ");
        line.looks = !line.barrier && (!known || has(operation, "@llvm.nvvm.atom"));
      }
    } else if (begins_with(operation, "load ")) {
      line.looks = is_shared_access(operation);
    } else if (begins_with(operation, "atomicrmw ") || begins_with(operation, "cmpxchg ")) {
      line.looks = is_shared_access(operation);
    } else if (begins_with(operation, "store ") && !begins_with(operation, "store volatile ")) {
      line.stores = is_shared_access(operation);
    }
  }

  // The address is the last name before ", align" of a load or store.
  bool is_shared_access(std::string_view operation) const {
    if (has(operation, kShared)) return true;
    const auto names = names_in(operation.substr(0, operation.find(", align ")));
    return !names.empty() && is_shared(names.back());
  }

  bool is_shared(std::string_view name) const {
    std::set<std::string_view> seen;
    return is_shared(name, seen);
  }

  // Addresses that were loaded, and parameters of kernels, are those of global memory.
  bool is_shared(std::string_view name, std::set<std::string_view>& seen) const {
    if (!seen.insert(name).second) return false;
    const auto found = definitions_.find(name);
    if (found == definitions_.end()) return !kernel_;
    const std::string_view operation = found->second;
    const bool choice = begins_with(operation, "phi ") || begins_with(operation, "select ");
    const bool moves = begins_with(operation, "getelementptr ") ||
                       begins_with(operation, "bitcast ") ||
                       begins_with(operation, "addrspacecast ");
    if (!choice && !moves) return false;
    if (has(operation, kShared)) return true;
    const std::string_view own = operation.substr(0, operation.find(", !dbg "));
    if (moves) {
      // Behind its type; that of a structure has a name, too.
      const size_t pointer = own.find("* %");
      return pointer != std::string_view::npos &&
             is_shared(names_in(own.substr(pointer)).front(), seen);
    }
    const auto names = names_in(own);
    return std::any_of(names.begin(), names.end(), [&](std::string_view each) {
      return definitions_.count(each) != 0 && is_shared(each, seen);
    });
  }

  // Whether a load from shared memory comes before a barrier from a line on, in the same round of
  // loops: what a later one loads, LLVM seldom knows the place of.
  bool meets_load(size_t from, std::set<size_t>& seen) const {
    for (size_t i = from; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (line.barrier) return false;
      if (line.looks) return true;
      if (i != from && !begins_with(line.text, " ") && !begins_with(line.text, "\n")) return false;
      for (size_t at = line.text.find("label %"); at != std::string_view::npos;
           at = line.text.find("label %", at + 1)) {
        const size_t begin = at + 6;
        const auto block = blocks_.find(
            std::string(line.text.substr(begin, line.text.find_first_of(" ,]\n", begin) - begin)));
        if (block != blocks_.end() && block->second > i && seen.insert(block->second).second &&
            meets_load(block->second + 1, seen))
          return true;
      }
    }
    return false;
  }

  bool kernel_;
  std::vector<Line> lines_;
  std::map<std::string, size_t> blocks_;                      // "%12": its first line
  std::map<std::string_view, std::string_view> definitions_;  // "%5": what it is
};

// "@name" of "define dso_local void @name(i32* %0) #0 {".
std::string_view name_of(std::string_view define) {
  const size_t at = std::min(define.find('@'), define.size());
  return define.substr(at, define.find('(', at) - at);
}

using Lines = std::vector<std::string_view>;

// The loops of a function as clang writes them, from the first line to that which goes back.
std::vector<std::pair<size_t, size_t>> loops_of(const Lines& function) {
  std::map<std::string_view, size_t> blocks;
  std::vector<std::pair<size_t, size_t>> loops;
  for (size_t i = 1; i < function.size(); ++i) {
    const std::string_view line = function[i];
    if (!begins_with(line, " ")) blocks[line.substr(0, line.find(':'))] = i;
    if (!begins_with(line, "  br ")) continue;
    for (const std::string_view name : names_in(line)) {
      const auto block = blocks.find(name.substr(1));
      if (block != blocks.end() && block->second < i) loops.emplace_back(block->second, i);
    }
  }
  return loops;
}

// Loops that try to take a lock.
class Locks {
 public:
  explicit Locks(const std::vector<Lines>& functions) {
    for (size_t before = 1, now = 0; before != now; now = takers_.size()) {
      before = takers_.size();
      for (const Lines& function : functions) {
        const auto loops = loops_of(function);
        for (size_t i = 1; i < function.size(); ++i) {
          const bool again = std::any_of(loops.begin(), loops.end(), [&](const auto& loop) {
            return loop.first < i && i < loop.second;
          });
          if (takes(function[i]) && !again) takers_.insert(name_of(function.front()));
        }
      }
    }
  }

  std::vector<bool> branches_of_loops(const Lines& function) const {
    std::vector<bool> result(function.size());
    for (const auto& [first, last] : loops_of(function)) {
      const auto begin = function.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = function.begin() + static_cast<std::ptrdiff_t>(last) + 1;
      if (!std::any_of(begin, end, [&](std::string_view line) { return takes(line); })) continue;
      for (size_t i = first; i <= last; ++i)
        if (begins_with(function[i], "  br i1 ")) result[i] = true;
    }
    return result;
  }

 private:
  bool takes(std::string_view line) const {
    const std::string_view operation = operation_of(line.substr(0, line.find('\n')));
    if (begins_with(operation, "cmpxchg ")) return true;
    if (begins_with(operation, "atomicrmw ")) return has(operation, " xchg ");
    return has(operation, "call ") && takers_.count(name_of(operation)) != 0;
  }

  std::set<std::string_view> takers_;  // functions that try once
};

}  // namespace

std::string with_locks_in_their_loops(const std::string& text) {
  if (!has(text, " cmpxchg ") && !has(text, " xchg ")) return text;
  std::vector<Lines> functions;
  Lines lines;
  bool inside = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end;
    lines.push_back(line);
    if (begins_with(line, "define ")) {
      functions.emplace_back();
      inside = true;
    }
    if (inside) functions.back().push_back(line);
    if (begins_with(line, "}")) inside = false;
  }
  const Locks locks(functions);
  std::set<const char*> branches;
  for (const Lines& function : functions) {
    const auto marked = locks.branches_of_loops(function);
    for (size_t i = 0; i < marked.size(); ++i)
      if (marked[i]) branches.insert(function[i].data());
  }
  std::string result;
  result.reserve(text.size());
  for (const std::string_view line : lines) {
    if (branches.count(line.data()) != 0) result += kStay;
    result += line;
  }
  return result;
}

std::string with_stores_before_loads(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  std::vector<std::string_view> function;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end;
    if (function.empty() && !begins_with(line, "define ")) {
      result += line;
      continue;
    }
    function.push_back(line);
    if (!begins_with(line, "}")) continue;
    const std::string mark = std::string(name_of(function.front())) + ", !\"kernel\"";
    Function(function, has(text, mark)).append_to(result);
    function.clear();
  }
  for (const std::string_view line : function) result += line;
  return result;
}

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/parts.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "tools/kcc/front_end/text_lines.h"
#include "tools/kcc/front_end/text_pieces.h"

namespace gvp::kcc {
namespace {

// Of "!12 = distinct !DISubprogram(name: ...": "!DISubprogram(name: ...".
std::string_view node_in(std::string_view line) {
  constexpr std::string_view kEquals = " = ";
  constexpr std::string_view kDistinct = "distinct ";
  const size_t at = line.find(kEquals);
  if (at == std::string_view::npos) return "";
  line.remove_prefix(at + kEquals.size());
  if (begins_with(line, kDistinct)) line.remove_prefix(kDistinct.size());
  return line;
}

// Numbers of the nodes that describe the source.
Names descriptions_in(std::string_view text) {
  Names numbers;
  for_each_line(text, [&](std::string_view line) {
    if (line[0] == '!' && begins_with(node_in(line), "!DI")) numbers.insert(word_at(line, 0));
  });
  return numbers;
}

class Parts {
 public:
  explicit Parts(const std::string& text) : pieces_(pieces_of(text)) {
    for (size_t i = 0; i < pieces_.size(); ++i)
      if (!pieces_[i].function.empty()) function_[pieces_[i].function] = i;
    for (const Piece& piece : pieces_) find_kernels(piece.text);
    calls_.resize(pieces_.size());
    for (const auto& [name, i] : function_) find_calls(i);
  }

  std::vector<std::string> divide(unsigned count) {
    std::vector<size_t> kernels;
    for (size_t i = 0; i < pieces_.size(); ++i)
      if (kernels_.count(pieces_[i].function) != 0) kernels.push_back(i);
    std::vector<std::vector<size_t>> reached;  // by kernel
    size_t total = 0;
    for (const size_t kernel : kernels) {
      reached.push_back(reached_from(kernel));
      total += size_of(reached.back());
    }
    count = static_cast<unsigned>(std::clamp<size_t>(kernels.size(), 1, count));
    std::vector<std::vector<bool>> kept(count, std::vector<bool>(pieces_.size(), false));
    size_t before = 0;
    for (const std::vector<size_t>& each : reached) {
      const size_t size = size_of(each);
      std::vector<bool>& part = kept[(before + size / 2) * count / total];
      for (const size_t i : each) part[i] = true;
      before += size;
    }
    std::vector<std::string> result;
    result.reserve(kept.size());
    for (const std::vector<bool>& part : kept) result.push_back(text_of(part));
    return result;
  }

 private:
  //   !2 = !{void (i32*)* @_Z3addPi, !"kernel", i32 1}
  void find_kernels(std::string_view line) {
    if (line[0] != '!' || line.find(", !\"kernel\"") == std::string_view::npos) return;
    for_each_name(line, [&](std::string_view name) { kernels_.insert(name); });
  }

  void find_calls(size_t i) {
    for_each_name(pieces_[i].text, [&](std::string_view name) {
      const auto found = function_.find(name);
      if (found != function_.end() && found->second != i) calls_[i].push_back(found->second);
    });
  }

  std::vector<size_t> reached_from(size_t kernel) const {
    std::vector<size_t> reached{kernel};
    std::unordered_set<size_t> seen{kernel};
    for (size_t next = 0; next < reached.size(); ++next) {
      for (const size_t called : calls_[reached[next]])
        if (seen.insert(called).second) reached.push_back(called);
    }
    return reached;
  }

  size_t size_of(const std::vector<size_t>& pieces) const {
    size_t sum = 0;
    for (const size_t i : pieces) sum += pieces_[i].text.size();
    return sum;
  }

  // Without the functions that are not kept, and what is said of them.
  std::string text_of(const std::vector<bool>& kept) const {
    Names nodes;
    const auto says_of_others = [&](std::string_view line) {
      bool others = false;
      for_each_name(line, [&](std::string_view name) {
        const auto found = function_.find(name);
        others |= found != function_.end() && !kept[found->second];
      });
      return others;
    };
    for (const Piece& piece : pieces_) {
      if (piece.text[0] == '!' && says_of_others(piece.text)) nodes.insert(word_at(piece.text, 0));
    }
    std::string result;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const std::string_view text = pieces_[i].text;
      if (!pieces_[i].function.empty()) {
        if (kept[i]) result += text;
      } else if (begins_with(text, "!nvvm.annotations = ")) {
        result += without_nodes(text, nodes);
      } else if (text[0] != '!' || nodes.count(word_at(text, 0)) == 0) {
        result += text;
      }
    }
    return result;
  }

  std::vector<Piece> pieces_;
  std::unordered_map<std::string_view, size_t> function_;  // by name: its piece
  Names kernels_;
  std::vector<std::vector<size_t>> calls_;
};

}  // namespace

std::string without_lines(const std::string& text) {
  const Names descriptions = descriptions_in(text);
  std::string result;
  result.reserve(text.size());
  for_each_line(text, [&](std::string_view line) {
    if (line[0] != '!') {
      result += without_debug(line);
    } else if (!begins_with(line, "!llvm.dbg.") && descriptions.count(word_at(line, 0)) == 0) {
      const bool list = begins_with(node_in(line), "!{");
      result += list ? without_nodes(line, descriptions) : std::string(line);
    }
  });
  return result;
}

bool computes_in_doubles(const std::string& text) {
  bool found = false;
  for_each_line(text, [&](std::string_view line) {
    found |= begins_with(line, "  ") && line.find(" double") != std::string_view::npos;
  });
  return found;
}

std::vector<std::string> parts_of(const std::string& text, unsigned count) {
  return Parts(text).divide(count);
}

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
// LLVM's intermediate code as text: its functions, names and nodes.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace gvp::kcc {

using Names = std::unordered_set<std::string_view>;

// What stands at the outermost level of intermediate code: a function, or a line.
struct Piece {
  std::string_view text;
  std::string_view function;  // its name, if it is one that is defined
};
std::vector<Piece> pieces_of(const std::string& text);

// Calls visit(name) for each "@name" in a text.
template <typename Visit>
void for_each_name(std::string_view text, Visit visit) {
  for (size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1))
    visit(text.substr(at + 1, text.find_first_of(" (,)*]}\n", at) - at - 1));
}

// "!{!463, !464, !"llvm.loop.mustprogress"}" without the nodes that are left out.
std::string without_nodes(std::string_view line, const Names& left_out);

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/text_pieces.h"

#include <cctype>

#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {

std::vector<Piece> pieces_of(const std::string& text) {
  std::vector<Piece> pieces;
  bool inside = false;
  for_each_line(text, [&](std::string_view line) {
    if (inside) {
      Piece& function = pieces.back();
      function.text = {function.text.data(), function.text.size() + line.size()};
      inside = !begins_with(line, "}");
      return;
    }
    inside = begins_with(line, "define ");
    pieces.push_back({line, inside ? name_in(line) : ""});
  });
  return pieces;
}

std::string without_nodes(std::string_view line, const Names& left_out) {
  std::string result(line.substr(0, line.find('{') + 1));
  const size_t end = line.rfind('}');
  const char* comma = "";
  for (size_t at = result.size(); at < end;) {
    const bool node =
        line[at] == '!' && std::isdigit(static_cast<unsigned char>(line[at + 1])) != 0;
    // Others, texts among them, go as far as to the next node.
    size_t next = line.find(", !", at + 1);
    if (next == std::string_view::npos || next > end) next = end;
    const std::string_view each = line.substr(at, next - at);
    if (!node || left_out.count(each) == 0) {
      result.append(comma).append(each);
      comma = ", ";
    }
    at = next + 2;
  }
  return result.append(line.substr(end));
}

}  // namespace gvp::kcc

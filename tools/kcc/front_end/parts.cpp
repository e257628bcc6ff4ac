// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/parts.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {
namespace {

using Names = std::unordered_set<std::string_view>;

// "!{!463, !464, !"llvm.loop.mustprogress"}" without the nodes that are left out.
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

// What stands at the outermost level of intermediate code: a function, or a line.
struct Piece {
  std::string_view text;
  std::string_view function;  // its name, if it is one that is defined
};

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

// Calls visit(name) for each "@name" in a text.
template <typename Visit>
void for_each_name(std::string_view text, Visit visit) {
  for (size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1))
    visit(text.substr(at + 1, text.find_first_of(" (,)*]}\n", at) - at - 1));
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

constexpr std::string_view kFile = "\t.file\t";

// A variable, a function or the declaration of one in PTX.
struct Declaration {
  std::string_view name;
  std::string_view text;
  bool promised = false;  // a function that is defined elsewhere, or further behind
};

// Of "(.param .b32 func_retval0) _Z4kepti(": "_Z4kepti".
std::string_view name_after_result(std::string_view text) {
  size_t begin = text.find_first_not_of(' ');
  if (begin != std::string_view::npos && text[begin] == '(')
    begin = text.find_first_not_of(' ', std::min(text.find(')', begin), text.size() - 1) + 1);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_first_of("( ;\n", begin) - begin);
}

// Of ".weak .shared .align 4 .b8 s[128];": "s".
std::string_view name_of_variable(std::string_view line) {
  std::string_view text = line.substr(0, line.find_first_of("[=;"));
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text.substr(text.rfind(' ') + 1);
}

struct Contents {
  std::vector<Declaration> declarations;
  std::map<std::string_view, std::string_view> files;  // by number: what stands behind it
};

// What comes behind ".address_size"; nothing if there is something else.
std::optional<Contents> contents_of(std::string_view ptx) {
  Contents contents;
  std::vector<Declaration>& found = contents.declarations;
  bool inside = false;
  bool understood = true;
  for_each_line(ptx, [&](std::string_view line) {
    if (inside) {
      std::string_view& text = found.back().text;
      text = {text.data(), text.size() + line.size()};
      found.back().promised = line == ";\n";
      inside = line != "}\n" && line != ";\n";
      return;
    }
    if (line == "\n" || begins_with(line, "//") || begins_with(line, "\t//")) return;
    if (begins_with(line, kFile)) {
      const std::string_view number = word_at(line, kFile.size());
      contents.files[number] = line.substr(kFile.size() + number.size());
      return;
    }
    // An empty one, which clang writes where there are lines.
    if (line == "\t.section\t.debug_loc\t{\t}\n") return;
    for (const std::string_view kind : {".entry ", ".func "}) {
      const size_t at = line.find(kind);
      if (at == std::string_view::npos || line[0] != '.') continue;
      found.push_back({name_after_result(line.substr(at + kind.size())), line, false});
      inside = true;
      return;
    }
    const bool variable =
        line[0] == '.' && line.size() > 2 && line.substr(line.size() - 2) == ";\n";
    understood &= variable;
    if (variable) found.push_back({name_of_variable(line), line, false});
  });
  if (!understood || inside) return std::nullopt;
  return contents;
}

// The files of all parts, each with one number.
class Files {
 public:
  // A function of a part with these files, as it says where it comes from in the whole.
  std::string renumbered(std::string_view function,
                         const std::map<std::string_view, std::string_view>& files) {
    constexpr std::string_view kPlace = "\t.loc\t";
    std::string result;
    result.reserve(function.size() + function.size() / 16);
    for_each_line(function, [&](std::string_view line) {
      const std::string_view number =
          begins_with(line, kPlace) ? word_at(line, kPlace.size()) : std::string_view{};
      const auto file = files.find(number);
      if (file == files.end()) {
        result += line;
        return;
      }
      const auto known = numbers_.emplace(file->second, numbers_.size() + 1).first;
      result.append(kPlace).append(std::to_string(known->second));
      result += line.substr(kPlace.size() + number.size());
    });
    return result;
  }

  std::string text() const {
    std::string result;
    for (const auto& [name, number] : numbers_)
      result.append(kFile).append(std::to_string(number)).append(name);
    return result;
  }

 private:
  std::map<std::string_view, size_t> numbers_;
};

// Labels and calls have the number of their function in its part.
std::string without_numbers(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    size_t kept = 1;
    for (const std::string_view mark : {"LBB", "Ltmp", "Lfunc_begin", "Lfunc_end", "callseq "})
      if (begins_with(rest, mark)) kept = mark.size();
    result += rest.substr(0, kept);
    at += kept;
    while (kept > 1 && at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0)
      ++at;
  }
  return result;
}

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

std::optional<std::string> joined(const std::vector<std::string>& parts) {
  constexpr std::string_view kLastOfHeader = ".address_size";
  std::string result;
  Files files;
  std::unordered_map<std::string_view, std::string> known, promised;
  for (const std::string& part : parts) {
    const size_t header = part.find('\n', std::min(part.find(kLastOfHeader), part.size()));
    if (header == std::string::npos) return std::nullopt;
    if (result.empty()) result = part.substr(0, header + 1);
    const auto contents = contents_of(std::string_view(part).substr(header + 1));
    if (!contents) return std::nullopt;
    for (const Declaration& each : contents->declarations) {
      std::string text = files.renumbered(each.text, contents->files);
      auto& of_kind = each.promised ? promised : known;
      const auto found = of_kind.find(each.name);
      if (found == of_kind.end()) {
        result += text;
        of_kind.emplace(each.name, std::move(text));
      } else if (without_numbers(found->second) != without_numbers(text)) {
        return std::nullopt;
      }
    }
  }
  return result + files.text();
}

}  // namespace gvp::kcc

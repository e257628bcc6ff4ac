// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/union_values.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/kcc/front_end/structure_types.h"
#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {
namespace {

constexpr std::string_view kType = " = type ";
constexpr std::string_view kStore = "  store ";
constexpr std::string_view kElement = "getelementptr ";
constexpr std::string_view kExtract = "extractvalue ";

bool is_union(std::string_view type) {
  return begins_with(type, "%union.") || begins_with(type, "%\"union.");
}

std::string_view last_word(std::string_view text) { return text.substr(text.rfind(' ') + 1); }

// The type of "%struct.S %2".
std::string_view type_of(std::string_view value) { return value.substr(0, value.rfind(' ')); }

class Unions {
 public:
  explicit Unions(const std::string& text) : types_(text) {
    const auto& all = types_.all();
    if (std::none_of(all.begin(), all.end(),
                     [this](const auto& each) { return loses(each.first); }))
      return;
    for (const std::string_view type : types_.by_value(text))
      if (loses(type) && types_.layout(type).size != 0) changed_.insert(type);
    if (!changed_.empty()) for_each_line(text, [this](std::string_view line) { look(line); });
    members_.clear();
  }

  bool empty() const { return changed_.empty(); }

  std::string line(std::string_view text) {
    if (begins_with(text, "%")) return definition(text);
    note_member(text);
    const Member* stored = stored_member(text);
    if (stored == nullptr) return std::string(text);
    // "store double %3, double* %4, align 8"
    const std::vector<std::string_view> all = listed(text.substr(kStore.size()));
    const std::string bits = bits_of(types_.members(stored->of)[stored->number]);
    std::string result(kStore);
    result.append(bits).append(" ").append(last_word(all[0])).append(", ").append(bits);
    result.append("* ").append(last_word(all[1]));
    return result.append(text.substr(static_cast<size_t>(all[1].end() - text.begin())));
  }

 private:
  // What the names of a function stand for: a member of a union, its value or its address.
  struct Member {
    std::string_view of;
    size_t number;
    bool operator==(const Member& other) const { return of == other.of && number == other.number; }
  };

  bool loses(std::string_view type) const {
    if (!is_union(type)) return false;
    const std::vector<std::string_view> members = types_.members(type);
    return std::any_of(members.begin(), members.end(),
                       [this](std::string_view member) { return is_more_than_bits(member); });
  }
  // A double, or what has one in it or a structure.
  bool is_more_than_bits(std::string_view type) const {
    if (type == "double") return true;
    if (type.empty() || type.back() == '*') return false;
    if (type[0] == '%' || type[0] == '{' || begins_with(type, "<{")) return true;
    const std::vector<std::string_view> members = types_.members(type);
    return !members.empty() && is_more_than_bits(members[0]);
  }
  // Integers in the place of a type: "[1 x i64]" of "double".
  std::string bits_of(std::string_view type) const {
    if (!is_more_than_bits(type)) return std::string(type);
    const StructureTypes::Layout layout = types_.layout(type);
    return "[" + std::to_string(layout.size / layout.alignment) + " x i" +
           std::to_string(8 * layout.alignment) + "]";
  }

  std::string definition(std::string_view text) const {
    const size_t mark = text.find(kType);
    if (mark == std::string_view::npos || changed_.count(text.substr(0, mark)) == 0)
      return std::string(text);
    const bool packed = begins_with(text.substr(mark + kType.size()), "<{");
    std::string result(text.substr(0, mark + kType.size()));
    const char* before = packed ? "<{ " : "{ ";
    for (const std::string_view member : types_.members(text.substr(0, mark))) {
      result += before;
      result += bits_of(member);
      before = ", ";
    }
    return result + (packed ? " }>\n" : " }\n");
  }

  // Unions stay of which a line has constants, or which it looks into but to store a member of what
  // a function has given, as clang does.
  void look(std::string_view line) {
    if (begins_with(line, "%")) return;
    for (auto each = changed_.begin(); each != changed_.end();) {
      const bool constant = line.find(std::string(*each) + " {") != std::string_view::npos ||
                            line.find(std::string(*each) + " <{") != std::string_view::npos;
      each = constant ? changed_.erase(each) : std::next(each);
    }
    if (note_member(line) || stored_member(line) != nullptr) return;
    for (size_t at = line.find('%'); at != std::string_view::npos; at = line.find('%', at + 1)) {
      const auto found = members_.find(std::string(name_at(line, at)));
      if (found != members_.end()) changed_.erase(found->second.of);
    }
    for (const std::string_view mark : {kElement, kExtract, std::string_view("insertvalue ")})
      for (size_t at = line.find(mark); at != std::string_view::npos; at = line.find(mark, at + 1))
        keep_path(line.substr(at + mark.size()), mark == kElement);
  }

  // "  %4 = getelementptr inbounds %union.U, %union.U* %3, i32 0, i32 0",
  // "  %5 = extractvalue %union.U %2, 0"
  bool note_member(std::string_view line) {
    if (begins_with(line, "define ")) members_.clear();
    const size_t equals = begins_with(line, "  %") ? line.find(" = ") : std::string_view::npos;
    if (equals == std::string_view::npos) return false;
    std::string_view operands = line.substr(equals + 3);
    const bool address = begins_with(operands, kElement);
    if (!address && !begins_with(operands, kExtract)) return false;
    operands.remove_prefix(address ? kElement.size() : kExtract.size());
    if (begins_with(operands, "inbounds ")) operands.remove_prefix(9);
    std::vector<std::string_view> all = listed(operands);
    while (!all.empty() && begins_with(all.back(), "!")) all.pop_back();
    if (all.size() != (address ? 4 : 2) || (address && all[2] != "i32 0")) return false;
    const std::string_view type = address ? all[0] : type_of(all[0]);
    if (changed_.count(type) == 0) return false;
    const std::string_view number = last_word(all.back());
    if (number != "0" && number != "1") return false;
    members_[std::string(line.substr(2, equals - 2))] = {type, number == "1" ? 1U : 0U};
    return true;
  }

  // What is stored whole in the same member of another union of the type.
  const Member* stored_member(std::string_view line) const {
    if (members_.empty() || !begins_with(line, kStore)) return nullptr;
    const std::vector<std::string_view> all = listed(line.substr(kStore.size()));
    if (all.size() < 2) return nullptr;
    const auto value = members_.find(std::string(last_word(all[0])));
    const auto place = members_.find(std::string(last_word(all[1])));
    const bool found = value != members_.end() && place != members_.end() &&
                       value->second == place->second && changed_.count(value->second.of) != 0;
    return found ? &value->second : nullptr;
  }

  // "inbounds %struct.S, %struct.S* %1, i32 0, i32 2", "(%struct.S, ...)", "%struct.S %2, 1, 0"
  void keep_path(std::string_view operands, bool address) {
    if (begins_with(operands, "inbounds ")) operands.remove_prefix(9);
    if (begins_with(operands, "(")) operands.remove_prefix(1);
    const std::vector<std::string_view> all = listed(operands);
    std::string_view type = address ? all[0] : type_of(all[0]);
    for (size_t i = address ? 3 : 1; i < all.size(); ++i) {
      if (all[i].empty() || all[i][0] == '!') return;
      changed_.erase(type);
      type = types_.member(type, last_word(all[i]));
    }
  }

  StructureTypes types_;
  std::set<std::string_view> changed_;
  std::map<std::string, Member> members_;  // by name
};

}  // namespace

std::string with_unions_of_integers(const std::string& text) {
  Unions unions(text);
  if (unions.empty()) return text;
  std::string result;
  result.reserve(text.size());
  for_each_line(text, [&](std::string_view line) { result += unions.line(line); });
  return result;
}

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/bit_field_units.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <vector>

#include "tools/kcc/front_end/structure_types.h"
#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {
namespace {

constexpr std::string_view kElement = "getelementptr ";
constexpr std::string_view kInbounds = "inbounds ";
constexpr std::string_view kExtract = " = extractvalue ";

// A number that takes as much memory; empty where this one can be passed, or none is that long.
std::string_view whole(std::string_view type) {
  const unsigned bits = integer_bits(type);
  if (bits > 16 && bits < 32) return "i32";
  if (bits > 32 && bits < 64) return "i64";
  if (bits > 64 && bits < 128) return "i128";
  return "";
}

// Structures with bit fields that some function takes or gives, or a structure around them.
class UnitsByValue {
 public:
  explicit UnitsByValue(const std::string& text) : types_(text) {
    const auto has_unit = [](const auto& members) {
      return std::any_of(members.begin(), members.end(),
                         [](std::string_view member) { return !whole(member).empty(); });
    };
    const auto& all = types_.all();
    if (std::none_of(all.begin(), all.end(),
                     [&](const auto& each) { return has_unit(each.second); }))
      return;
    for (const std::string_view type : types_.by_value(text))
      if (const auto found = all.find(type); found != all.end() && has_unit(found->second))
        changed_.insert(type);
  }

  bool empty() const { return changed_.empty(); }
  const StructureTypes& types() const { return types_; }
  bool has(std::string_view type) const { return changed_.count(type) != 0; }

  // What these indices lead to, if that is a unit whose structure changes; else empty.
  std::string_view unit(std::string_view type, const std::vector<std::string_view>& indices) const {
    bool changes = false;
    for (const std::string_view index : indices) {
      changes = has(type);
      type = types_.member(type, index);
    }
    return changes && !whole(type).empty() ? type : "";
  }

 private:
  StructureTypes types_;
  std::set<std::string_view> changed_;
};

// Lines with these structures' units as they are by now.  What is done with a unit stays as it is:
// its address is made one of the old type, its value cut to it.
class WholeUnits {
 public:
  explicit WholeUnits(const UnitsByValue& units) : units_(units) {}

  std::string line(std::string_view text) {
    if (begins_with(text, "%")) return definition(text);
    std::string changed = with_constants(text);
    if (!begins_with(changed, "  %")) return changed;
    const std::string_view now = changed;
    const size_t equals = now.find(" = ");
    const size_t element = now.find(kElement);
    if (element == equals + 3) return with_address(now, equals, operands_of_address(now, element));
    const size_t extract = now.find(kExtract);
    if (extract == equals) return with_value(now, equals, extract + kExtract.size());
    return changed;
  }

 private:
  std::string definition(std::string_view text) const {
    constexpr std::string_view kType = " = type ";
    const size_t mark = text.find(kType);
    if (mark == std::string_view::npos || !units_.has(text.substr(0, mark)))
      return std::string(text);
    const bool packed = text[mark + kType.size()] == '<';
    std::string result(text.substr(0, mark + kType.size()));
    const char* before = packed ? "<{ " : "{ ";
    for (const std::string_view member : units_.types().members(text.substr(0, mark))) {
      const std::string_view now = whole(member);
      result += before;
      result += now.empty() ? member : now;
      before = ", ";
    }
    return result + (packed ? " }>\n" : " }\n");
  }

  static size_t operands_of_address(std::string_view text, size_t element) {
    const size_t at = element + kElement.size();
    return begins_with(text.substr(at), kInbounds) ? at + kInbounds.size() : at;
  }
  // Of the operands of an address, from its type on: "%struct.S, %struct.S* %1, i32 0, i32 2".
  std::string_view unit_of_address(std::string_view operands) const {
    std::vector<std::string_view> all = listed(operands);
    if (all.size() < 3 || !begins_with(all[1], all[0])) return "";
    std::vector<std::string_view> indices;
    for (size_t i = 3; i < all.size() && all[i][0] == 'i'; ++i)
      indices.push_back(all[i].substr(all[i].rfind(' ') + 1));
    return units_.unit(all[0], indices);
  }
  // "*" or " addrspace(3)*".
  static std::string_view star(std::string_view operands) {
    const std::vector<std::string_view> all = listed(operands);
    const std::string_view rest = all[1].substr(all[0].size());
    return rest.substr(0, rest.find('*') + 1);
  }

  std::string renamed(std::string_view line, size_t equals, std::string& name) {
    name = "%kcc.unit." + std::to_string(count_++);
    return "  " + name + std::string(line.substr(equals));
  }
  // What stands behind the last operand.
  static std::string rest(std::string_view line) {
    const size_t mark = line.find(", !");
    return std::string(mark == std::string_view::npos ? "\n" : line.substr(mark));
  }

  std::string with_address(std::string_view line, size_t equals, size_t operands) {
    const std::string_view unit = unit_of_address(line.substr(operands));
    if (unit.empty()) return std::string(line);
    const std::string_view pointer = star(line.substr(operands));
    std::string name;
    std::string result = renamed(line, equals, name);
    result.append(line.substr(0, equals)).append(" = bitcast ").append(whole(unit));
    result.append(pointer).append(" ").append(name).append(" to ").append(unit).append(pointer);
    return result + rest(line);
  }

  std::string with_value(std::string_view line, size_t equals, size_t operands) {
    const std::vector<std::string_view> all = listed(line.substr(operands));
    std::vector<std::string_view> indices;
    for (size_t i = 1; i < all.size() && all[i][0] != '!'; ++i) indices.push_back(all[i]);
    const std::string_view unit = units_.unit(all[0].substr(0, all[0].rfind(' ')), indices);
    if (unit.empty()) return std::string(line);
    std::string name;
    std::string result = renamed(line, equals, name);
    result.append(line.substr(0, equals)).append(" = trunc ").append(whole(unit)).append(" ");
    result.append(name).append(" to ").append(unit);
    return result + rest(line);
  }

  // Addresses in expressions follow their types:
  // "i24* getelementptr inbounds (%struct.S, %struct.S* @s, i32 0, i32 2)".
  std::string with_constants(std::string_view line) const {
    std::string result(line);
    for (size_t at = result.rfind(kElement); at != std::string::npos && at != 0;
         at = result.rfind(kElement, at - 1)) {
      const size_t bracket = operands_of_address(result, at);
      if (result[bracket] != '(') continue;
      const std::string operands = result.substr(bracket + 1);
      const std::string_view unit = unit_of_address(operands);
      if (unit.empty()) continue;
      const std::string_view last = listed(operands).back();
      const auto length = static_cast<size_t>(last.data() - operands.data()) + last.size();
      const size_t end = bracket + 1 + length + 1;
      const std::string pointer(star(operands));
      std::string cast = "bitcast (";
      cast.append(whole(unit)).append(pointer).append(" ").append(result, at, end - at);
      cast.append(" to ").append(unit).append(pointer).append(")");
      result.replace(at, end - at, cast);
    }
    return result;
  }

  const UnitsByValue& units_;
  unsigned count_ = 0;
};

}  // namespace

std::string with_whole_units(const std::string& text) {
  const UnitsByValue units(text);
  if (units.empty()) return text;
  WholeUnits whole_units(units);
  std::string result;
  result.reserve(text.size());
  for_each_line(text, [&](std::string_view line) { result += whole_units.line(line); });
  return result;
}

}  // namespace gvp::kcc

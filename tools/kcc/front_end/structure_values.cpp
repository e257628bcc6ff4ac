// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/structure_values.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
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
constexpr std::string_view kByValue = " byval(";
constexpr std::string_view kAlign = " align ";
constexpr std::string_view kCopy = "@llvm.memcpy.p0i8.p0i8.i32(";
constexpr unsigned kWord = 4;

// A number that takes as much memory; empty where this one can be passed, or none is that long.
std::string_view whole(std::string_view type) {
  const unsigned bits = integer_bits(type);
  if (bits > 16 && bits < 32) return "i32";
  if (bits > 32 && bits < 64) return "i64";
  if (bits > 64 && bits < 128) return "i128";
  return "";
}

bool is_call(std::string_view line) {
  return begins_with(line, "  ") && line.find("call ") != std::string_view::npos;
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
    const std::string changed = with_constants(text);
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

// The lines of one function, with the places that its temporaries have.
class AlignedValues {
 public:
  AlignedValues(const StructureTypes& types, unsigned& count) : types_(types), count_(count) {}

  void add(std::string_view line) {
    if (is_call(line) && line.find(kByValue) != std::string_view::npos) {
      lines_.push_back(with_arguments(line));
      return;
    }
    constexpr std::string_view kPlace = " = alloca ";
    const size_t place = line.find(kPlace);
    if (begins_with(line, "  %") && place != std::string_view::npos &&
        line.find(kAlign, place) != std::string_view::npos) {
      if (first_place_ == 0) first_place_ = lines_.size();
      places_[std::string(line.substr(2, place - 2))] = lines_.size();
    }
    lines_.emplace_back(line);
  }

  std::string take() {
    std::string result;
    for (size_t i = 0; i < lines_.size(); ++i) {
      // Behind what defines the function, where there is no other.
      if (i == std::max<size_t>(first_place_, 1)) result += new_places_;
      result += lines_[i];
    }
    return result;
  }

 private:
  // "%struct.S* noundef byval(%struct.S) align 1 %5", for each such argument.
  std::string with_arguments(std::string_view line) {
    std::string result(line);
    std::string copies;
    for (size_t at = result.find(kByValue); at != std::string::npos;
         at = result.find(kByValue, at + 1)) {
      const std::string type(listed(std::string_view(result).substr(at + kByValue.size()))[0]);
      const size_t align = at + kByValue.size() + type.size() + 1;
      if (result.compare(align, kAlign.size(), kAlign) != 0) continue;
      const size_t digits = align + kAlign.size();
      const unsigned long alignment = std::strtoul(result.c_str() + digits, nullptr, 10);
      if (alignment >= kWord || types_.longest_number(type) <= alignment) continue;
      const size_t value = result.find(' ', digits) + 1;
      const std::string pointer(listed(std::string_view(result).substr(value))[0]);
      const std::string aligned = place(type, pointer, alignment, rest(line), copies);
      result.replace(digits, value + pointer.size() - digits,
                     std::to_string(kWord) + " " + aligned);
    }
    return copies + result;
  }

  static std::string rest(std::string_view line) {
    const size_t mark = line.find(", !dbg ");
    if (mark == std::string_view::npos) return "\n";
    return ", !dbg " + std::string(word_at(line, mark + 7)) + "\n";
  }

  // The temporary that is passed, aligned by now, or a copy of what clang passes without one.
  std::string place(const std::string& type, const std::string& pointer, unsigned long alignment,
                    const std::string& end, std::string& copies) {
    if (const auto found = places_.find(pointer); found != places_.end()) {
      align(lines_[found->second]);
      return pointer;
    }
    const std::string name = "%kcc.aligned." + std::to_string(count_++);
    const std::string word = std::to_string(kWord);
    new_places_.append("  ").append(name).append(" = alloca ").append(type);
    new_places_.append(", align ").append(word).append("\n");
    for (const bool from : {false, true}) {
      copies.append("  ").append(name).append(from ? ".from" : ".to").append(" = bitcast ");
      copies.append(type).append("* ").append(from ? pointer : name).append(" to i8*").append(end);
    }
    copies.append("  call void ").append(kCopy).append("i8* align ").append(word).append(" ");
    copies.append(name).append(".to, i8* align ").append(std::to_string(alignment)).append(" ");
    copies.append(name).append(".from, i32 ").append(size_of(type)).append(", i1 false)");
    copies.append(end);
    return name;
  }

  // "  %5 = alloca %struct.S, align 1"
  static void align(std::string& place) {
    const size_t digits = place.rfind(kAlign) + kAlign.size();
    if (std::strtoul(place.c_str() + digits, nullptr, 10) >= kWord) return;
    place.replace(digits, place.find_first_not_of("0123456789", digits) - digits,
                  std::to_string(kWord));
  }

  // As LLVM computes it: the address of the second of them, were the first at zero.
  static std::string size_of(const std::string& type) {
    return "ptrtoint (" + type + "* getelementptr (" + type + ", " + type +
           "* null, i32 1) to i32)";
  }

  const StructureTypes& types_;
  unsigned& count_;
  std::vector<std::string> lines_;
  std::map<std::string, size_t> places_;
  size_t first_place_ = 0;
  std::string new_places_;
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

std::string with_aligned_values(const std::string& text) {
  if (text.find(kByValue) == std::string::npos) return text;
  const StructureTypes types(text);
  std::string result;
  result.reserve(text.size());
  unsigned count = 0;
  std::optional<AlignedValues> function;
  for_each_line(text, [&](std::string_view line) {
    if (begins_with(line, "define ")) function.emplace(types, count);
    if (!function) {
      result += line;
      return;
    }
    function->add(line);
    if (!begins_with(line, "}")) return;
    result += function->take();
    function.reset();
  });
  if (count != 0 && text.find(kCopy) == std::string::npos)
    result.append("declare void ").append(kCopy).append("i8*, i8*, i32, i1 immarg)\n");
  return result;
}

}  // namespace gvp::kcc

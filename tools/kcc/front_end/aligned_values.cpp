// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/aligned_values.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/kcc/front_end/structure_types.h"
#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {
namespace {

constexpr std::string_view kByValue = " byval(";
constexpr std::string_view kAlign = " align ";
constexpr std::string_view kCopy = "@llvm.memcpy.p0i8.p0i8.i32(";
constexpr unsigned kWord = 4;

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
    std::string name = "%kcc.aligned." + std::to_string(count_++);
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

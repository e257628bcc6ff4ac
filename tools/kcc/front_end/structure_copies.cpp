// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/structure_copies.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/kcc/front_end/structure_types.h"
#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {
namespace {

constexpr std::string_view kCopy = "  call void @llvm.memcpy.p0i8.p0i8.i32(";
constexpr std::string_view kMembers = ", !tbaa.struct !";
constexpr uint32_t kWord = 4;

struct Range {
  uint32_t begin;
  uint32_t end;
};

std::optional<uint32_t> number_at(std::string_view text, size_t at) {
  uint32_t value = 0;
  const size_t begin = at;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    if (at - begin == 9) return std::nullopt;
    value = 10 * value + static_cast<uint32_t>(text[at] - '0');
  }
  if (at == begin) return std::nullopt;
  return value;
}

// "!25 = !{i64 0, i64 8, !26, i64 8, i64 4, !9}": where members begin and how long they are.
// Nothing where they lie over each other: those are unions, or fields of bits, whose bytes are not
// told.
std::vector<Range> members_in(std::string_view line) {
  constexpr std::string_view kNumber = "i64 ";
  std::vector<Range> members;
  size_t at = line.find(kNumber);
  while (at != std::string_view::npos) {
    const auto begin = number_at(line, at + kNumber.size());
    at = line.find(kNumber, at + 1);
    if (at == std::string_view::npos) return {};
    const auto size = number_at(line, at + kNumber.size());
    at = line.find(kNumber, at + 1);
    if (!begin || !size) return {};
    members.push_back({*begin, *begin + *size});
  }
  std::sort(members.begin(), members.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  for (size_t i = 1; i < members.size(); ++i)
    if (members[i].begin < members[i - 1].end) return {};
  return members;
}

// The words that these members are in.
std::vector<Range> words_of(const std::vector<Range>& members, uint32_t size) {
  std::vector<Range> words;
  for (const Range& each : members) {
    const uint32_t begin = each.begin / kWord * kWord;
    const uint32_t end = std::min((each.end + kWord - 1) / kWord * kWord, size);
    if (!words.empty() && begin <= words.back().end) {
      words.back().end = std::max(words.back().end, end);
    } else {
      words.push_back({begin, end});
    }
  }
  return words;
}

// "i8* align 16 %49": the value's text and its alignment.
struct Pointer {
  std::string_view value;
  uint32_t alignment;
};
std::optional<Pointer> pointer_in(std::string_view text) {
  constexpr std::string_view kBegin = "i8* align ";
  if (text.substr(0, kBegin.size()) != kBegin) return std::nullopt;
  const auto alignment = number_at(text, kBegin.size());
  const size_t space = text.find(' ', kBegin.size());
  if (!alignment || space == std::string_view::npos) return std::nullopt;
  return Pointer{text.substr(space + 1), *alignment};
}

// The operands of a call, from behind its "(" on; `at` goes behind its ")".
std::vector<std::string_view> operands(std::string_view line, size_t& at) {
  std::vector<std::string_view> found;
  size_t begin = at;
  for (int depth = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (depth == 0 && (c == ',' || c == ')')) {
      found.push_back(line.substr(begin, at - begin));
      begin = at + 2;
      if (c == ')') {
        ++at;
        break;
      }
    }
    if (c == ')' || c == '}' || c == ']') --depth;
  }
  return found;
}

class Copies {
 public:
  explicit Copies(const std::string& text) {
    for_each_line(text, [&](std::string_view line) {
      const bool members = line.substr(0, 1) == "!" && line.find(" = !{i64 ") != line.npos;
      if (!members) return;
      if (const auto number = number_at(line, 1)) members_[*number] = members_in(line);
    });
    for_each_line(text, [&](std::string_view line) {
      if (line.substr(0, kCopy.size()) != kCopy || !split(line)) result_ += line;
    });
  }
  std::string take() { return std::move(result_); }

 private:
  // Whether there is another text in the line's place.
  bool split(std::string_view line) {
    const size_t mark = line.rfind(kMembers);
    if (mark == std::string_view::npos) return false;
    const auto number = number_at(line, mark + kMembers.size());
    const auto members = number ? members_.find(*number) : members_.end();
    if (members == members_.end() || members->second.empty()) return false;
    size_t at = kCopy.size();
    const auto all = operands(line, at);
    if (all.size() != 4 || all[2].substr(0, 4) != "i32 " || all[3] != "i1 false") return false;
    const auto size = number_at(all[2], 4);
    const std::array pointers{pointer_in(all[0]), pointer_in(all[1])};
    if (!size || !pointers[0] || !pointers[1] || members->second.back().end > *size) return false;
    const auto words = words_of(members->second, *size);
    if (words.size() == 1 && words[0].begin == 0 && words[0].end == *size) return false;
    // What stands behind the call, without the place of its members.
    std::string rest(line.substr(at, mark - at));
    const size_t behind = line.find_first_of(",\n", mark + kMembers.size());
    rest += line.substr(std::min(behind, line.size()));
    for (const Range& range : words) {
      std::string call(kCopy);
      for (const auto& pointer : pointers) call += part(*pointer, range.begin) + ", ";
      result_ += call;
      result_ += "i32 ";
      result_ += std::to_string(range.end - range.begin);
      result_ += ", i1 false)";
      result_ += rest;
    }
    return true;
  }

  // The pointer so many bytes on, which is a value of its own.
  std::string part(const Pointer& pointer, uint32_t offset) {
    if (offset == 0)
      return "i8* align " + std::to_string(pointer.alignment) + " " + std::string(pointer.value);
    const std::string name = "%kcc.member." + std::to_string(count_++);
    result_ += "  " + name + " = getelementptr inbounds i8, i8* " + std::string(pointer.value) +
               ", i32 " + std::to_string(offset) + "\n";
    const uint32_t alignment = std::min(pointer.alignment, offset & (0u - offset));
    return "i8* align " + std::to_string(alignment) + " " + name;
  }

  std::map<uint32_t, std::vector<Range>> members_;
  std::string result_;
  unsigned count_ = 0;
};

// Whether it may be a hole: one, two or three bytes, or a piece of a structure by its name.
bool may_be_hole(std::string_view name, std::string_view type) {
  return type == "i8" || type == "i16" || type == "i24" ||
         (integer_bits(type) != 0 && name.find(".sroa.") != name.npos);
}

// "  %x = phi i8 [ undef, %1 ], [ %y, %2 ]" with zero for what is undefined; empty for other lines.
std::string defined_choice(std::string_view line) {
  constexpr std::string_view kChoice = " = phi ";
  constexpr std::string_view kUndefined = "[ undef, ";
  const size_t choice = line.find(kChoice);
  if (!begins_with(line, "  %") || choice == line.npos || line.find(kUndefined) == line.npos)
    return "";
  if (!may_be_hole(line.substr(0, choice), word_at(line, choice + kChoice.size()))) return "";
  std::string result;
  size_t from = 0;
  for (size_t at = line.find(kUndefined); at != line.npos; at = line.find(kUndefined, from)) {
    result.append(line, from, at - from).append("[ 0, ");
    from = at + kUndefined.size();
  }
  return result.append(line.substr(from));
}

// "uselistorder i8 undef, { 1, 0 }", or of zeros.
bool is_order_of_holes(std::string_view line) {
  constexpr std::string_view kOrder = "uselistorder ";
  const size_t at = line.find_first_not_of(' ');
  if (at == line.npos || !begins_with(line.substr(at), kOrder)) return false;
  const std::string_view type = word_at(line, at + kOrder.size());
  if (integer_bits(type) == 0) return false;
  const std::string_view value = word_at(line, at + kOrder.size() + type.size() + 1);
  return value == "undef" || value == "0";
}

}  // namespace

std::string without_holes(const std::string& text) { return Copies(text).take(); }

std::string with_holes_as_zero(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  bool changed = false;
  for_each_line(text, [&](std::string_view line) {
    const std::string defined = defined_choice(line);
    changed |= !defined.empty();
    // In which order undefined values and zeros are used is another one then.
    if (!is_order_of_holes(line)) result += defined.empty() ? line : defined;
  });
  return changed ? result : text;
}

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/structure_types.h"

#include <algorithm>
#include <cstdlib>

#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {
namespace {

constexpr std::string_view kType = " = type ";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \n");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \n") + 1 - begin);
}

// Behind "[3 x " and "<4 x ", where that is what the text begins with.
size_t behind_count(std::string_view type) {
  if (type.empty() || (type[0] != '[' && type[0] != '<')) return std::string_view::npos;
  const size_t digits = type.find_first_not_of("0123456789", 1);
  constexpr std::string_view kTimes = " x ";
  if (digits == 1 || digits == std::string_view::npos) return std::string_view::npos;
  if (type.substr(digits, kTimes.size()) != kTimes) return std::string_view::npos;
  return digits + kTimes.size();
}

std::vector<std::string_view> members_in(std::string_view type) {
  const size_t brace = type.find('{');
  if (brace > 1) return {};
  std::vector<std::string_view> members = listed(type.substr(brace + 1));
  if (members.size() == 1 && members[0].empty()) return {};
  return members;
}

}  // namespace

std::vector<std::string_view> listed(std::string_view text) {
  std::vector<std::string_view> found;
  size_t begin = 0;
  int depth = 0;
  bool quoted = false;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '{' || c == '[' || c == '<') ++depth;
    if ((c == ')' || c == '}' || c == ']' || c == '>') && --depth < 0) break;
    if (c != ',' || depth != 0) continue;
    found.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  found.push_back(trimmed(text.substr(begin, at - begin)));
  return found;
}

unsigned integer_bits(std::string_view type) {
  constexpr size_t kMostDigits = 6;
  if (type.size() < 2 || type.size() > kMostDigits || type[0] != 'i') return 0;
  if (type.find_first_not_of("0123456789", 1) != std::string_view::npos) return 0;
  return static_cast<unsigned>(std::strtoul(std::string(type.substr(1)).c_str(), nullptr, 10));
}

StructureTypes::StructureTypes(std::string_view text) {
  for_each_line(text, [&](std::string_view line) {
    if (!begins_with(line, "%")) return;
    const size_t mark = line.find(kType);
    if (mark == std::string_view::npos) return;
    members_[line.substr(0, mark)] = members_in(line.substr(mark + kType.size()));
  });
}

std::vector<std::string_view> StructureTypes::members(std::string_view type) const {
  const auto named = members_.find(type);
  if (named != members_.end()) return named->second;
  const size_t element = behind_count(type);
  if (element != std::string_view::npos && type.back() != '*')
    return {type.substr(element, type.size() - 1 - element)};
  if (type.empty() || type.back() == '*') return {};
  return members_in(type);
}

std::string_view StructureTypes::member(std::string_view type, std::string_view index) const {
  const std::vector<std::string_view> all = members(type);
  if (behind_count(type) != std::string_view::npos) return all.empty() ? "" : all[0];
  const auto number = static_cast<size_t>(std::strtoul(std::string(index).c_str(), nullptr, 10));
  return number < all.size() ? all[number] : "";
}

uint32_t StructureTypes::longest_number(std::string_view type) const {
  constexpr uint32_t kPointer = 4;
  constexpr unsigned kByte = 8;
  if (type == "half") return 2;
  if (type == "float") return 4;
  if (type == "double") return 8;
  if (const unsigned bits = integer_bits(type); bits != 0) return (bits + kByte - 1) / kByte;
  if (!type.empty() && type.back() == '*') return kPointer;
  uint32_t longest = 0;
  for (const std::string_view each : members(type))
    longest = std::max(longest, longest_number(each));
  return longest;
}

}  // namespace gvp::kcc

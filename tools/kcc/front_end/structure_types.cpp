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

std::string_view name_at(std::string_view text, size_t at) {
  if (text.substr(at + 1, 1) == "\"") return text.substr(at, text.find('"', at + 2) + 1 - at);
  return text.substr(at, text.find_first_of(" ,*()[]{}<>=\n", at + 1) - at);
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
    if (begins_with(line.substr(mark + kType.size()), "<{")) packed_.insert(line.substr(0, mark));
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

StructureTypes::Layout StructureTypes::layout(std::string_view type) const {
  constexpr uint32_t kPointer = 4;
  if (type.empty()) return {};
  if (type.back() == '*') return {kPointer, kPointer};
  if (type == "half") return {2, 2};
  if (type == "float") return {4, 4};
  if (type == "double") return {8, 8};
  if (const unsigned bits = integer_bits(type); bits != 0) {
    uint32_t size = 1;
    while (8 * size < bits) size *= 2;
    return {size, size};
  }
  const size_t element = behind_count(type);
  if (element == std::string_view::npos) return layout_of_members(type);
  const uint64_t count = std::strtoull(std::string(type.substr(1)).c_str(), nullptr, 10);
  Layout result = layout(members(type)[0]);
  result.size *= count;
  if (type[0] == '<') result.alignment = static_cast<uint32_t>(result.size);
  return result;
}

StructureTypes::Layout StructureTypes::layout_of_members(std::string_view type) const {
  const bool packed = packed_.count(type) != 0 || begins_with(type, "<{");
  Layout whole;
  for (const std::string_view each : members(type)) {
    const Layout member = layout(each);
    if (member.size == 0 && behind_count(each) == std::string_view::npos) return {};
    const uint32_t alignment = packed ? 1 : member.alignment;
    whole.alignment = std::max(whole.alignment, alignment);
    whole.size = (whole.size + alignment - 1) / alignment * alignment + member.size;
  }
  whole.size = (whole.size + whole.alignment - 1) / whole.alignment * whole.alignment;
  return whole;
}

std::set<std::string_view> StructureTypes::by_value(std::string_view text) const {
  std::set<std::string_view> found;
  // Names that are not those of what pointers lead to.
  const auto note = [&](std::string_view line) {
    for (size_t at = line.find('%'); at != std::string_view::npos; at = line.find('%', at + 1)) {
      const std::string_view name = name_at(line, at);
      const std::string_view behind = line.substr(at + name.size());
      if (behind.empty() || (behind[0] != ' ' && behind[0] != ')')) continue;
      if (!begins_with(behind, " addrspace(")) add_parts(name, found);
    }
  };
  for_each_line(text, [&](std::string_view line) {
    if (begins_with(line, "define ")) note(line.substr(0, line.find('@')));
    if (is_call(line)) note(line);
  });
  return found;
}

void StructureTypes::add_parts(std::string_view type, std::set<std::string_view>& found) const {
  if (!found.insert(type).second) return;
  for (const std::string_view member : members(type)) add_parts(member, found);
}

}  // namespace gvp::kcc

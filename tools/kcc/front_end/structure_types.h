// SPDX-License-Identifier: Apache-2.0
// Types in LLVM's intermediate code: which structures there are and what they are made of.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gvp::kcc {

// The texts between commas that are in no brackets or names, without spaces around: "i32 0" and
// "i32 1" of "i32 0, i32 1".  Ends where a bracket closes that none of them opened.
std::vector<std::string_view> listed(std::string_view text);

// The name that begins with a "%" or "@": "%struct.S", "%"class.A<B, C>"".
std::string_view name_at(std::string_view text, size_t at);

// The bits of "i24"; zero of any other type.
unsigned integer_bits(std::string_view type);

class StructureTypes {
 public:
  // Reads the lines "%struct.S = type { i8, i32 }" of a text that stays where it is.
  explicit StructureTypes(std::string_view text);

  // By their names ("%struct.S"), the types of their members.
  const std::map<std::string_view, std::vector<std::string_view>>& all() const { return members_; }
  // Of "%struct.S", "{ i8, i32 }", "[3 x i8]": the types that it is made of; none of a number.
  std::vector<std::string_view> members(std::string_view type) const;
  // The type of a member by its index; empty if there is none.
  std::string_view member(std::string_view type, std::string_view index) const;
  // How many bytes its longest number or pointer has, wherever in it that is.
  uint32_t longest_number(std::string_view type) const;

  // In bytes; 0 where that is not known, as of what is declared only.
  struct Layout {
    uint64_t size = 0;  // a multiple of the alignment
    uint32_t alignment = 1;
  };
  Layout layout(std::string_view type) const;

  // Types that functions of the text take or give, and those that these are made of.
  std::set<std::string_view> by_value(std::string_view text) const;

 private:
  Layout layout_of_members(std::string_view type) const;
  void add_parts(std::string_view type, std::set<std::string_view>& found) const;
  std::map<std::string_view, std::vector<std::string_view>> members_;
  std::set<std::string_view> packed_;
};

}  // namespace gvp::kcc

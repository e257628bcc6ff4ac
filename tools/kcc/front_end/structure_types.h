// SPDX-License-Identifier: Apache-2.0
// Types in LLVM's intermediate code: which structures there are and what they are made of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gvp::kcc {

// The texts between commas that are in no brackets or names, without spaces around: "i32 0" and
// "i32 1" of "i32 0, i32 1".  Ends where a bracket closes that none of them opened.
std::vector<std::string_view> listed(std::string_view text);

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

 private:
  std::map<std::string_view, std::vector<std::string_view>> members_;
};

}  // namespace gvp::kcc

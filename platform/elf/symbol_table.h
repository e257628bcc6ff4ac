// SPDX-License-Identifier: Apache-2.0
// Names for addresses: the functions and objects of a program, for messages ("main+0x10"),
// profiles and debuggers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gvp::platform {

struct Symbol {
  uint32_t address = 0;
  uint32_t size = 0;  // bytes; 0: unknown (assembler labels), reaches to the next symbol
  std::string name;
  bool is_function = false;
};

class SymbolTable {
 public:
  SymbolTable() = default;
  // Of several symbols at one address a function with a size is kept before others.
  explicit SymbolTable(std::vector<Symbol> symbols);

  // The symbol whose bytes include address; nullptr when there is none.
  const Symbol* find(uint32_t address) const;
  // The function whose bytes include address, whatever labels stand within it; otherwise as find().
  const Symbol* find_function(uint32_t address) const;
  // The first symbol of that name; nullptr when there is none.
  const Symbol* find(std::string_view name) const;
  // "name", "name+0x10", or "" where there is no symbol.
  std::string describe(uint32_t address) const;
  const std::vector<Symbol>& symbols() const { return symbols_; }  // by address

 private:
  std::vector<Symbol> symbols_;
};

}  // namespace gvp::platform

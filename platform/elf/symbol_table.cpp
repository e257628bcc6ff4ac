// SPDX-License-Identifier: Apache-2.0
#include "platform/elf/symbol_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace gvp::platform {
namespace {

bool same_address(const Symbol& a, const Symbol& b) { return a.address == b.address; }

bool in_order(const Symbol& a, const Symbol& b) {
  // What is kept of several at one address comes first.
  const auto rank = [](const Symbol& s) {
    return std::make_tuple(s.address, !s.is_function, s.size == 0);
  };
  return rank(a) < rank(b);
}

}  // namespace

SymbolTable::SymbolTable(std::vector<Symbol> symbols) : symbols_(std::move(symbols)) {
  std::stable_sort(symbols_.begin(), symbols_.end(), in_order);
  symbols_.erase(std::unique(symbols_.begin(), symbols_.end(), same_address), symbols_.end());
}

const Symbol* SymbolTable::find(uint32_t address) const {
  auto next = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                               [](uint32_t a, const Symbol& symbol) { return a < symbol.address; });
  if (next == symbols_.begin()) return nullptr;
  const Symbol& symbol = *--next;
  const bool inside = symbol.size == 0 || address - symbol.address < symbol.size;
  return inside ? &symbol : nullptr;
}

const Symbol* SymbolTable::find_function(uint32_t address) const {
  constexpr int kMostLabels = 256;
  auto next = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                               [](uint32_t a, const Symbol& symbol) { return a < symbol.address; });
  for (int i = 0; i < kMostLabels && next != symbols_.begin(); ++i) {
    const Symbol& symbol = *--next;
    if (symbol.is_function && address - symbol.address < symbol.size) return &symbol;
  }
  return find(address);
}

const Symbol* SymbolTable::find(std::string_view name) const {
  const auto found = std::find_if(symbols_.begin(), symbols_.end(),
                                  [&](const Symbol& symbol) { return symbol.name == name; });
  return found == symbols_.end() ? nullptr : &*found;
}

std::string SymbolTable::describe(uint32_t address) const {
  const Symbol* symbol = find(address);
  if (symbol == nullptr) return "";
  if (symbol->address == address) return symbol->name;
  return fmt::format("{}+{:#x}", symbol->name, address - symbol->address);
}

}  // namespace gvp::platform

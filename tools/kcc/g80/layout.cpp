// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/layout.h"

#include <algorithm>

#include "tools/kcc/g80/sm_limits.h"
#include "tools/ptx/shown_names.h"
#include "tools/ptx/split.h"

namespace gvp::kcc::g80 {
namespace {

using ptx::Space;

constexpr uint32_t kSharedLimit = 16384;    // bytes an SM has
constexpr uint32_t kConstantLimit = 65536;  // bytes of a bank
constexpr uint32_t kAddressLimit = 65536;   // bytes of the bank with the addresses of variables

uint32_t align(uint32_t address, uint32_t alignment) {
  return (address + alignment - 1) / alignment * alignment;
}

// Gives `symbol` the next free place and moves `end` behind it.
uint32_t place(const ptx::Module& module, const ptx::Symbol& symbol, uint32_t& end,
               uint32_t limit) {
  // Constants in whole words, as cubins have them.
  const uint32_t least = symbol.space == Space::kConstant ? 4 : 1;
  const uint32_t address = align(end, std::max(symbol.alignment, least));
  if (symbol.size > limit || address + symbol.size > limit) {
    module.source.fail(symbol.position,
                       "\"" + ptx::readable_name(symbol.name) + "\" does not fit: with it " +
                           std::to_string(address + symbol.size) + " bytes of ." +
                           std::string(name(symbol.space)) + " memory are needed, there are " +
                           std::to_string(limit));
  }
  end = address + static_cast<uint32_t>(symbol.size);
  return address;
}

void check_parameters(const ptx::Module& module, const ptx::Function& kernel, uint64_t words) {
  if (words <= kParameterWords) return;
  module.source.fail(
      kernel.position,
      "kernel \"" + ptx::readable_name(kernel.name) + "\" has " + std::to_string(words) +
          " words of parameters, devices have registers for " + std::to_string(kParameterWords),
      "pass the address of a structure in global memory, or put one into "
      "__constant__ memory");
}

template <typename Visitor>
void for_each_symbol(const ptx::Instruction& instruction, const Visitor& visit) {
  const auto note = [&](const ptx::Operand& operand, const auto& self) -> void {
    if (operand.is_symbol()) visit(operand.index);
    if (operand.is_memory() && operand.symbol != ptx::kNoIndex) visit(operand.symbol);
    for (const auto& element : operand.elements) self(element, self);
  };
  for (const auto& operand : instruction.operands) note(operand, note);
}

void note_used(const ptx::Function& function, std::vector<bool>& used) {
  for (const auto& instruction : function.body)
    for_each_symbol(instruction, [&](uint32_t symbol) { used[symbol] = true; });
}

// Addresses are known at run time only, and functions have none.
void refuse_addresses(const ptx::Module& module, const ptx::Function& function) {
  for (const auto& instruction : function.body) {
    for_each_symbol(instruction, [&](uint32_t index) {
      const ptx::Symbol& symbol = module.symbols[index];
      // Tables of virtual functions serve indirect calls only, which are refused where they stand;
      // objects that have them are not.
      if (symbol.addresses.empty() || symbol.name.rfind("_ZTV", 0) == 0) return;
      const std::string variable = " (\"" + ptx::readable_name(symbol.name) + "\")";
      if (symbol.addresses.front().symbol == ptx::kNoIndex) {
        ptx::fail(module, instruction,
                  "initial values that are addresses of functions are not supported" + variable,
                  "choose between the functions with if or switch");
      }
      ptx::fail(module, instruction,
                "initial values that are addresses are not supported" + variable,
                "store the address at run time");
    });
  }
}

bool in_module_memory(const ptx::Symbol& symbol, Space space) { return symbol.space == space; }

}  // namespace

Layout lay_out(const ptx::Module& module, const std::vector<ptx::Function>& functions) {
  for (const ptx::Function& each : functions) refuse_addresses(module, each);
  const ptx::Function& kernel = functions.back();
  Layout layout;
  layout.address_of.assign(module.symbols.size(), 0);
  uint64_t words = 0;
  for (const ptx::Operand& parameter : kernel.parameters) {
    if (!parameter.is_symbol()) {
      module.source.fail(parameter.position, "parameters of kernels are .param variables");
    }
    const ptx::Symbol& symbol = module.symbols[parameter.index];
    // Pointers of 64-bit PTX take one slot too: addresses have 32 bits.
    const bool pointer = module.wide_addresses && symbol.size == 8 &&
                         (symbol.type == ptx::Type::kU64 || symbol.type == ptx::Type::kB64);
    layout.address_of[parameter.index] =
        static_cast<uint32_t>(gpgpu::g80::kSharedHeaderBytes + 4 * words);
    words += pointer ? 1 : (symbol.size + 3) / 4;
  }
  check_parameters(module, kernel, words);
  layout.parameter_bytes = static_cast<uint32_t>(4 * words);
  uint32_t shared = gpgpu::g80::kSharedHeaderBytes + layout.parameter_bytes;

  std::vector<bool> used(module.symbols.size(), false);
  for (const ptx::Function& each : functions) note_used(each, used);
  uint32_t constants = 0;
  uint32_t relocations = 0;
  for (uint32_t i = 0; i < module.symbols.size(); ++i) {
    const ptx::Symbol& symbol = module.symbols[i];
    if (in_module_memory(symbol, Space::kConstant)) {
      layout.address_of[i] = place(module, symbol, constants, kConstantLimit);
    } else if (in_module_memory(symbol, Space::kGlobal)) {
      if (relocations == kAddressLimit) {
        module.source.fail(symbol.position, "more than 16384 variables in global memory",
                           "put them into arrays");
      }
      layout.address_of[i] = relocations;
      relocations += 4;
    } else if (used[i] && symbol.space == Space::kShared && symbol.size != 0) {
      layout.address_of[i] = place(module, symbol, shared, kSharedLimit);
    }
  }
  shared = align(shared, 4);
  // Dynamic shared memory begins where the static one ends, which is what the launch adds to.
  for (uint32_t i = 0; i < module.symbols.size(); ++i) {
    const ptx::Symbol& symbol = module.symbols[i];
    if (used[i] && symbol.space == Space::kShared && symbol.size == 0) {
      shared = align(shared, symbol.alignment);
    }
  }
  for (uint32_t i = 0; i < module.symbols.size(); ++i) {
    const ptx::Symbol& symbol = module.symbols[i];
    if (symbol.space == Space::kShared && symbol.size == 0) layout.address_of[i] = shared;
  }
  layout.shared_bytes = shared;
  return layout;
}

Layout lay_out_local(const ptx::Module& module, const ptx::Function& function, Layout layout,
                     uint32_t first, std::map<uint32_t, uint32_t>& passed) {
  std::vector<bool> used(module.symbols.size(), false);
  note_used(function, used);
  for (const uint32_t symbol : function.parameter_variables) used[symbol] = true;
  layout.local_bytes = first;
  for (uint32_t i = 0; i < module.symbols.size(); ++i) {
    const ptx::Symbol& symbol = module.symbols[i];
    if (!used[i] || symbol.space != Space::kLocal) continue;
    const auto known = passed.find(i);
    layout.address_of[i] = known != passed.end()
                               ? known->second
                               : place(module, symbol, layout.local_bytes, kLocalLimit);
  }
  for (const uint32_t symbol : function.parameter_variables)
    passed[symbol] = layout.address_of[symbol];
  layout.local_bytes = align(layout.local_bytes, 4);
  return layout;
}

void add_module_data(const ptx::Module& module, gpgpu::g80::Module& out) {
  uint32_t constants = 0;
  uint32_t relocations = 0;
  for (const ptx::Symbol& symbol : module.symbols) {
    const bool constant = in_module_memory(symbol, Space::kConstant);
    if (!constant && !in_module_memory(symbol, Space::kGlobal)) continue;
    if (symbol.external) {
      module.source.fail(symbol.position,
                         "\"" + ptx::readable_name(symbol.name) + "\" is defined in another file",
                         "there is no linker: define it here");
    }
    const auto size = static_cast<uint32_t>(symbol.size);
    std::vector<uint32_t> words(symbol.initial.empty() ? 0 : (size + 3) / 4);
    for (uint32_t i = 0; i < symbol.initial.size(); ++i) {
      words[i / 4] |= static_cast<uint32_t>(symbol.initial[i]) << (8 * (i % 4));
    }
    if (constant) {
      const uint32_t offset = place(module, symbol, constants, kConstantLimit);
      out.constants.push_back({symbol.name, 0, offset, size, std::move(words)});
    } else {
      out.relocations.push_back({symbol.name, 14, relocations, size, std::move(words)});
      relocations += 4;
    }
  }
}

}  // namespace gvp::kcc::g80

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/constant_memory.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "tools/ptx/shown_names.h"

namespace gvp::kcc::g80 {
namespace {

constexpr uint32_t kMostBytes = 65536;  // gpgpu.constant_bytes, at most

uint32_t end_of(uint32_t offset, uint32_t bytes) { return (offset + bytes + 3) / 4 * 4; }

// What there is none of is no part of the sum.
void add(std::string& sum, uint32_t bytes, const char* of) {
  if (bytes == 0) return;
  if (!sum.empty()) sum += " + ";
  sum += std::to_string(bytes) + " of " + of;
}

}  // namespace

void check_constant_memory(const ptx::Module& module, const ptx::Function& entry,
                           const gpgpu::g80::Module& data, const gpgpu::g80::Kernel& kernel) {
  uint32_t variables = 0;
  uint32_t literals = 0;
  uint32_t addresses = 0;
  for (const auto& each : data.constants)
    variables = std::max(variables, end_of(each.offset, each.bytes));
  for (const auto& each : kernel.constants)
    literals = std::max(literals, end_of(each.offset, each.bytes));
  for (const auto& each : data.relocations) addresses = std::max(addresses, end_of(each.offset, 4));
  const uint32_t all = variables + literals + addresses;
  if (all <= kMostBytes) return;
  std::string sum;
  add(sum, variables, "variables");
  add(sum, literals, "literals");
  add(sum, addresses, "addresses of variables in global memory");
  module.source.fail(entry.position,
                     "kernel \"" + ptx::readable_name(entry.name) + "\" needs " +
                         std::to_string(all) + " bytes of constant memory (" + sum +
                         "), devices have " + std::to_string(kMostBytes) + " at most",
                     "make __constant__ variables smaller by " + std::to_string(all - kMostBytes) +
                         " bytes, or put one of them into global memory");
}

}  // namespace gvp::kcc::g80

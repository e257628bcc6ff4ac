// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/g80/machine.h"

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr uint32_t kSharedHeaderBytes = 16;  // block and grid size and index, see sm.cpp
constexpr uint32_t kSharedGranule = 256;     // FlexGripPlus allocates in steps of this
constexpr uint32_t kMaxExtent = 65535;       // indices are 16 bits in shared memory

std::string out_of_range(const char* what, uint64_t value, uint64_t low, uint64_t high) {
  return fmt::format("{} is {}; it must be {} to {}", what, value, low, high);
}

// A description of what is impossible on any device, or empty.
std::string check_registers(const Kernel& k) {
  if (k.registers_per_thread < 1 || k.registers_per_thread > g80::kMaxRegisters)
    return out_of_range("registers per thread", k.registers_per_thread, 1, g80::kMaxRegisters);
  if (k.parameter_count > FLEXGRIP_MAX_PARAMETERS)
    return out_of_range("number of parameters", k.parameter_count, 0, FLEXGRIP_MAX_PARAMETERS);
  const struct {
    const char* name;
    uint32_t value;
    uint32_t most;
  } extents[] = {{"block x", k.block_x, 1024},
                 {"block y", k.block_y, 1024},
                 {"block z", k.block_z, 64},
                 {"grid x", k.grid_x, kMaxExtent},
                 {"grid y", k.grid_y, kMaxExtent}};
  // Thread indices share one register: 16 bits x, 10 bits y, 6 bits z.
  for (const auto& extent : extents)
    if (extent.value < 1 || extent.value > extent.most)
      return out_of_range(extent.name, extent.value, 1, extent.most);
  return "";
}

// FNV-1a, to tell kernels apart by their code.
uint32_t hash_of(const std::vector<uint32_t>& words) {
  uint32_t hash = 2166136261u;
  for (const uint32_t word : words)
    for (unsigned shift = 0; shift < 32; shift += 8)
      hash = (hash ^ (word >> shift & 0xffu)) * 16777619u;
  return hash;
}

}  // namespace

Kernel described_kernel(const ReadRegister& registers) {
  Kernel kernel;
  kernel.blocks_per_core = registers(FLEXGRIP_BLOCKS_PER_CORE);
  kernel.registers_per_thread = registers(FLEXGRIP_REGISTERS_PER_THREAD);
  kernel.shared_static_bytes = registers(FLEXGRIP_SHARED_STATIC_BYTES);
  kernel.shared_dynamic_bytes = registers(FLEXGRIP_SHARED_DYNAMIC_BYTES);
  kernel.block_x = registers(FLEXGRIP_BLOCK_X);
  kernel.block_y = registers(FLEXGRIP_BLOCK_Y);
  kernel.block_z = registers(FLEXGRIP_BLOCK_Z);
  kernel.grid_x = registers(FLEXGRIP_GRID_X);
  kernel.grid_y = registers(FLEXGRIP_GRID_Y);
  kernel.parameter_count = registers(FLEXGRIP_PARAMETER_COUNT);
  for (uint32_t i = 0; i < FLEXGRIP_MAX_PARAMETERS; ++i)
    kernel.parameters.push_back(registers(FLEXGRIP_PARAMETER(i)));
  return kernel;
}

std::string kernel_name(const ReadRegister& registers, const std::vector<uint32_t>& code) {
  std::string name;
  for (uint32_t i = 0; i < 4 * FLEXGRIP_KERNEL_NAME_WORDS; ++i) {
    const uint32_t byte = registers(FLEXGRIP_KERNEL_NAME(i / 4)) >> 8 * (i % 4) & 0xffu;
    if (byte == 0) break;
    name += byte >= ' ' && byte <= '~' ? static_cast<char>(byte) : '?';
  }
  return name.empty() ? fmt::format("code-{:08x}", hash_of(code)) : name;
}

std::string bank_problem(const ReadRegister& registers, const Configuration& configuration) {
  const uint32_t all = configuration.constant_bytes;
  for (uint32_t bank = 0; bank < FLEXGRIP_CONSTANT_BANKS; ++bank) {
    const uint32_t base = registers(FLEXGRIP_CONSTANT_BANK_BASE(bank));
    const uint32_t bytes = registers(FLEXGRIP_CONSTANT_BANK_BYTES(bank));
    if (base > all || bytes > all - base)
      return fmt::format("constant bank {} is {} bytes from {}; constant memory has {} bytes", bank,
                         bytes, base, all);
  }
  return "";
}

uint64_t Kernel::shared_bytes() const {
  const uint64_t needed = uint64_t{kSharedHeaderBytes} + 4 * uint64_t{parameter_count} +
                          shared_static_bytes + shared_dynamic_bytes;
  return (needed + kSharedGranule - 1) / kSharedGranule * kSharedGranule;
}

Admission admit(const Kernel& k, const Configuration& c) {
  std::string problem = check_registers(k);
  if (!problem.empty()) return refuse(FaultCause::kBadConfiguration, std::move(problem));
  // block_x * block_y * block_z cannot overflow: each has been checked.
  const simt::BlockNeeds needs{k.threads(), k.registers_per_thread, k.shared_bytes()};
  const simt::SmLimits limits{c.warps_per_sm,     c.threads_per_sm,      c.blocks_per_sm,
                              c.registers_per_sm, c.shared_bytes_per_sm, c.threads_per_block};
  // What is asked for counts only as far as there are blocks: one block always runs.
  return gpgpu::admit(needs, limits,
                      std::min<uint64_t>(k.blocks_per_core, uint64_t{k.grid_x} * k.grid_y));
}

}  // namespace gvp::gpgpu::flexgrip

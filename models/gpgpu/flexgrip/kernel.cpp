// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpgpu/flexgrip/flexgrip_registers.h"

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr uint32_t kSharedHeaderBytes = 16;  // block and grid size and index, see sm.cpp
constexpr uint32_t kSharedGranule = 256;     // FlexGripPlus allocates in steps of this
constexpr uint32_t kMaxRegistersPerThread = 128;
constexpr uint32_t kMaxExtent = 65535;  // indices are 16 bits in shared memory

std::string out_of_range(const char* what, uint64_t value, uint64_t low, uint64_t high) {
  return fmt::format("{} is {}; it must be {} to {}", what, value, low, high);
}

// A description of what is impossible on any device, or empty.
std::string check_registers(const Kernel& k) {
  if (k.registers_per_thread < 1 || k.registers_per_thread > kMaxRegistersPerThread)
    return out_of_range("registers per thread", k.registers_per_thread, 1, kMaxRegistersPerThread);
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

Admission refuse(uint32_t cause, std::string message) { return {cause, 0, std::move(message)}; }

Admission refuse_block(const Kernel& k, const Configuration& c, simt::Limit limit) {
  switch (limit) {
    case simt::Limit::kThreadsPerBlock:
      return refuse(FLEXGRIP_CAUSE_TOO_MANY_THREADS,
                    fmt::format("a block of {} threads; the device takes {} a block", k.threads(),
                                c.threads_per_block));
    case simt::Limit::kWarps:
      return refuse(
          FLEXGRIP_CAUSE_TOO_MANY_WARPS,
          fmt::format("a block of {} warps; an SM holds {}", k.warps_per_block(), c.warps_per_sm));
    case simt::Limit::kThreads:
      return refuse(
          FLEXGRIP_CAUSE_TOO_MANY_THREADS,
          fmt::format("a block of {} threads; an SM holds {}", k.threads(), c.threads_per_sm));
    case simt::Limit::kRegisters:
      return refuse(
          FLEXGRIP_CAUSE_TOO_MANY_REGISTERS,
          fmt::format("{} registers for each of {} threads; an SM has {} registers",
                      k.registers_per_thread, 32 * k.warps_per_block(), c.registers_per_sm));
    case simt::Limit::kSharedBytes:
      return refuse(FLEXGRIP_CAUSE_TOO_MUCH_SHARED,
                    fmt::format("a block needs {} bytes of shared memory; an SM has {}",
                                k.shared_bytes(), c.shared_bytes_per_sm));
    case simt::Limit::kNone:
    case simt::Limit::kBlocks:
      break;
  }
  return refuse(FLEXGRIP_CAUSE_BAD_CONFIGURATION, "no block fits");
}

}  // namespace

uint64_t Kernel::shared_bytes() const {
  const uint64_t needed = uint64_t{kSharedHeaderBytes} + 4 * uint64_t{parameter_count} +
                          shared_static_bytes + shared_dynamic_bytes;
  return (needed + kSharedGranule - 1) / kSharedGranule * kSharedGranule;
}

Admission admit(const Kernel& k, const Configuration& c) {
  std::string problem = check_registers(k);
  if (!problem.empty()) return refuse(FLEXGRIP_CAUSE_BAD_CONFIGURATION, std::move(problem));
  // block_x * block_y * block_z cannot overflow: each has been checked.
  if (k.shared_bytes() > c.shared_bytes_per_sm)
    return refuse_block(k, c, simt::Limit::kSharedBytes);
  const simt::BlockNeeds needs{k.threads(), k.registers_per_thread,
                               static_cast<uint32_t>(k.shared_bytes())};
  const simt::SmLimits limits{c.warps_per_sm,     c.threads_per_sm,      c.blocks_per_sm,
                              c.registers_per_sm, c.shared_bytes_per_sm, c.threads_per_block};
  const simt::Occupancy fits = simt::occupancy(needs, limits);
  if (fits.blocks == 0) return refuse_block(k, c, fits.limit);
  // What is asked for counts only as far as there are blocks: one block always runs.
  const auto wanted =
      static_cast<uint32_t>(std::min<uint64_t>(k.blocks_per_core, uint64_t{k.grid_x} * k.grid_y));
  if (wanted > fits.blocks)
    return refuse(FLEXGRIP_CAUSE_TOO_MANY_BLOCKS,
                  fmt::format("{} blocks per SM asked for; {} fit", wanted, fits.blocks));
  return {FLEXGRIP_CAUSE_NONE, wanted != 0 ? wanted : fits.blocks, ""};
}

}  // namespace gvp::gpgpu::flexgrip

// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/register_rows.h"

#include <algorithm>
#include <cmath>

#include "models/gpgpu/flexgrip/flexgrip_registers.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using device::Access;
using device::RegisterRow;

// The name is that of flexgrip_registers.h.
#define ROW(name, access, reset, meaning) \
  RegisterRow { #name, FLEXGRIP_##name, Access::access, reset, meaning }

// A counter of 64 bits.
#define COUNTER(name, meaning)                                                                   \
  RegisterRow{#name, FLEXGRIP_##name, Access::kReadOnly, 0, meaning ", low word"}, RegisterRow { \
#name "_HIGH", FLEXGRIP_##name + 4, Access::kReadOnly, 0,                                    \
        meaning ", high word as it was when the low word was read"                               \
  }

// Reset values are those of the published RTL, where it has the register.
std::vector<RegisterRow> kernel_rows(const Configuration& c) {
  return {
      ROW(BLOCKS_PER_CORE, kReadWrite, 1, "Blocks an SM runs at a time; 0: as many as fit"),
      ROW(REGISTERS_PER_THREAD, kReadWrite, 11, "Registers per thread, 1 to 128"),
      ROW(SHARED_STATIC_BYTES, kReadWrite, 16, "Static shared memory of a block, bytes"),
      ROW(PARAMETER_COUNT, kReadWrite, 0, "Words of parameters, 0 to 32"),
      ROW(SHARED_DYNAMIC_BYTES, kReadWrite, 0, "Dynamic shared memory of a block, bytes"),
      ROW(BLOCK_X, kReadWrite, 16, "Threads of a block in x"),
      ROW(BLOCK_Y, kReadWrite, 16, "Threads of a block in y"),
      ROW(BLOCK_Z, kReadWrite, 1, "Threads of a block in z"),
      ROW(GRID_X, kReadWrite, 3, "Blocks in x"),
      ROW(GRID_Y, kReadWrite, 1, "Blocks in y"),
      {"PARAMETER", FLEXGRIP_PARAMETER(0), Access::kReadWrite, 0,
       "Parameter i, which reaches the kernel at s[0x10 + 4 * i]", FLEXGRIP_MAX_PARAMETERS},
      {"CONSTANT_BANK_BASE", FLEXGRIP_CONSTANT_BANK_BASE(0), Access::kReadWrite, 0,
       "Where constant bank i begins in constant memory, bytes", FLEXGRIP_CONSTANT_BANKS,
       FLEXGRIP_CONSTANT_BANK_BASE(1) - FLEXGRIP_CONSTANT_BANK_BASE(0)},
      {"CONSTANT_BANK_BYTES", FLEXGRIP_CONSTANT_BANK_BYTES(0), Access::kReadWrite, c.constant_bytes,
       "How long constant bank i is; at reset all of constant memory", FLEXGRIP_CONSTANT_BANKS,
       FLEXGRIP_CONSTANT_BANK_BYTES(1) - FLEXGRIP_CONSTANT_BANK_BYTES(0)},
      {"KERNEL_NAME", FLEXGRIP_KERNEL_NAME(0), Access::kReadWrite, 0,
       "What messages and statistics call the kernel, four bytes each, a zero ends it",
       FLEXGRIP_KERNEL_NAME_WORDS}};
}

std::vector<RegisterRow> page_rows(const Configuration& c) {
  if (c.constant_bytes <= FLEXGRIP_CONSTANT_PAGE_BYTES) return {};
  return {ROW(CONSTANT_PAGE, kReadWrite, 0, "Which 32 KiB of constant memory are in the window")};
}

std::vector<RegisterRow> texture_rows(const Configuration& c) {
  if (!c.texture_cache.enabled) return {};
  return {{"TEXTURE_BASE", FLEXGRIP_TEXTURE_BASE(0), Access::kReadWrite, 0,
           "Where texture i begins in global memory, bytes", FLEXGRIP_TEXTURES,
           FLEXGRIP_TEXTURE_BASE(1) - FLEXGRIP_TEXTURE_BASE(0)},
          {"TEXTURE_BYTES", FLEXGRIP_TEXTURE_BYTES(0), Access::kReadWrite, 0,
           "How long texture i is, whose loads go by the texture cache; 0: there is none",
           FLEXGRIP_TEXTURES, FLEXGRIP_TEXTURE_BYTES(1) - FLEXGRIP_TEXTURE_BYTES(0)}};
}

std::vector<RegisterRow> control_rows() {
  return {
      ROW(ID, kReadOnly, FLEXGRIP_ID_VALUE, "\"FXGP\""),
      ROW(VERSION, kReadOnly, FLEXGRIP_VERSION_VALUE, "Of this map: [31:16] major, [15:0] minor"),
      ROW(CONTROL, kReadWrite, 0,
          "Bit 0 start (reads 0), bit 1 reset: stop and clear all but memories (reads 0), bit 2 "
          "interrupt enable"),
      ROW(STATUS, kReadOnly, FLEXGRIP_STATUS_IDLE,
          "Bit 0 idle, bit 1 running, bit 2 done, bit 3 error"),
      ROW(CAUSE, kReadOnly, 0, "Why the last kernel was refused or stopped; 0: it was not"),
      ROW(FAULT_PC, kReadOnly, 0, "Address of the instruction that failed"),
      ROW(FAULT_ADDRESS, kReadOnly, 0, "Address of the access that failed"),
      ROW(FAULT_WARP, kReadOnly, 0,
          "[31:24] SM, [23:16] warp slot in the SM, [15:8] block slot, [7:0] lane"),
      ROW(FAULT_BLOCK, kReadOnly, 0, "[31:16] ctaid.y, [15:0] ctaid.x"),
      ROW(INTERRUPT, kReadWrite, 0, "Bit 0: the kernel has ended; write 1 to clear")};
}

uint32_t features(const Configuration& c) {
  return (c.multiplier ? FLEXGRIP_FEATURE_MULTIPLIER : 0u) |
         (c.three_operands ? FLEXGRIP_FEATURE_THREE_OPERANDS : 0u) |
         (c.floating_point ? FLEXGRIP_FEATURE_FLOAT : 0u) |
         (c.global_memory != "bram" ? FLEXGRIP_FEATURE_GLOBAL_ON_BUS : 0u) |
         (c.texture_cache.enabled ? FLEXGRIP_FEATURE_TEXTURES : 0u);
}

std::vector<RegisterRow> capability_rows(const Configuration& c, double clock_hz) {
  return {
      ROW(CAP_SMS, kReadOnly, c.sms, "Streaming multiprocessors"),
      ROW(CAP_SPS, kReadOnly, c.sps, "Scalar processors per SM"),
      ROW(CAP_WARPS_PER_SM, kReadOnly, c.warps_per_sm, "Warps per SM"),
      ROW(CAP_BLOCKS_PER_SM, kReadOnly, c.blocks_per_sm, "Blocks per SM"),
      ROW(CAP_THREADS_PER_BLOCK, kReadOnly, c.threads_per_block, "Threads per block"),
      ROW(CAP_REGISTERS_PER_SM, kReadOnly, c.registers_per_sm, "Registers per SM"),
      ROW(CAP_SHARED_BYTES, kReadOnly, c.shared_bytes_per_sm, "Shared memory per SM, bytes"),
      ROW(CAP_STACK_DEPTH, kReadOnly, c.stack_depth, "Entries of a warp's stack"),
      ROW(CAP_FEATURES, kReadOnly, features(c),
          "Bit 0 multiplier, bit 1 three operands, bit 2 floating point, bit 3 global memory is on "
          "the bus, bit 4 textures"),
      ROW(CAP_CODE_BYTES, kReadOnly, c.code_bytes, "System (instruction) memory, bytes"),
      ROW(CAP_CONSTANT_BYTES, kReadOnly, c.constant_bytes, "Constant memory, bytes"),
      ROW(CAP_GLOBAL_BYTES, kReadOnly, c.global_memory == "bram" ? c.global_bytes : 0,
          "Global memory in block RAM, bytes; 0: it is on the bus"),
      ROW(CAP_LOCAL_BYTES, kReadOnly, c.local_bytes, "Local memory per thread, bytes"),
      ROW(CAP_CLOCK_HZ, kReadOnly, static_cast<uint32_t>(std::llround(clock_hz)),
          "Clock, Hz: what COUNT_CYCLES counts")};
}

std::vector<RegisterRow> counter_rows() {
  return {COUNTER(COUNT_CYCLES, "Clock cycles of the last or running kernel"),
          COUNTER(COUNT_WARP_INSTRUCTIONS, "Warp instructions"),
          COUNTER(COUNT_THREAD_INSTRUCTIONS, "Thread instructions"),
          COUNTER(COUNT_STALL_CYCLES,
                  "Cycles in which an SM executed blocks and issued nothing, summed over SMs"),
          COUNTER(COUNT_DIVERGENT_BRANCHES, "Divergent branches"),
          COUNTER(COUNT_MAX_STACK_DEPTH, "Most entries of a warp's stack in use")};
}

#undef ROW
#undef COUNTER

}  // namespace

std::vector<RegisterRow> register_rows(const Configuration& configuration, double clock_hz) {
  std::vector<RegisterRow> rows = kernel_rows(configuration);
  for (const std::vector<RegisterRow>& more :
       {control_rows(), page_rows(configuration), texture_rows(configuration),
        capability_rows(configuration, clock_hz), counter_rows()})
    rows.insert(rows.end(), more.begin(), more.end());
  std::sort(rows.begin(), rows.end(),
            [](const RegisterRow& a, const RegisterRow& b) { return a.offset < b.offset; });
  return rows;
}

}  // namespace gvp::gpgpu::flexgrip

// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/register_rows.h"

#include "models/gpgpu/miaow/configuration.h"
#include "models/gpgpu/miaow/miaow_registers.h"
#include "models/gpgpu/southern_islands/instruction.h"

namespace gvp::gpgpu::miaow {

using device::Access;
using device::RegisterRow;

// The name is that of miaow_registers.h.
#define ROW(name, access, meaning) \
  RegisterRow { #name, MIAOW_##name, Access::access, 0, meaning }

const std::vector<RegisterRow>& register_rows() {
  // The slave answers at every offset; where it has nothing, with 0.
  static const std::vector<RegisterRow> rows = {
      ROW(START, kReadWrite,
          "Write: start a wavefront, when idle. Read: 1 once it has ended, and idle from then on"),
      ROW(WAVE_ID, kReadWrite, "What 0x024 tells when the wavefront has ended"),
      ROW(BASE_VGPR, kReadWrite, "[9:0] first vector register of the wavefront"),
      ROW(BASE_SGPR, kReadWrite, "[8:0] first scalar register of the wavefront"),
      ROW(BASE_LDS, kReadWrite, "[15:0] first byte of its local data share"),
      ROW(WAVE_COUNT, kReadWrite, "[5:0] EXEC begins as the lowest so many lanes and one"),
      ROW(PC_START, kReadWrite, "Where the wavefront begins in instruction memory, bytes"),
      ROW(INSTRUCTION_INDEX, kReadWrite, "[9:0] word of instruction memory"),
      ROW(INSTRUCTION, kReadWrite, "That word; written when idle"),
      ROW(RESET, kReadWrite,
          "Write: bit 0 resets and holds the compute unit, 0 releases it. Read: WAVE_ID of the "
          "wavefront that has ended"),
      ROW(QUAD_COMMIT, kReadsZero, "Writes QUAD_DATA to four scalar registers, when idle"),
      ROW(QUAD_BASE, kReadWrite, "[8:0] the first of these"),
      {"QUAD_DATA", MIAOW_QUAD_DATA(0), Access::kReadWrite, 0,
       "Write: for QUAD_COMMIT. Read: the scalar registers from QUAD_BASE on, when idle", 4},
      {"UNUSED_040", 0x040, Access::kReadsZero, 0, "Nothing", 16},
      ROW(MEMORY_STATE, kWriteIgnored,
          "0 idle; a store: 1 requested, 2 accepted, 3 done; a load: 4, 5, 6"),
      ROW(STORE_DATA, kWriteIgnored,
          "The word that the compute unit stores; when idle the word of prefetch memory at "
          "PREFETCH_ADDRESS"),
      ROW(MEMORY_ADDRESS, kWriteIgnored, "Address of the request, bytes"),
      {"UNUSED_08C", 0x08C, Access::kReadsZero, 0, "Nothing", 12},
      ROW(PREFETCH_ADDRESS, kReadsZero, "Address in prefetch memory, bytes"),
      ROW(LOAD_DATA, kReadWrite,
          "Write: the word for the compute unit or prefetch memory. Read: clock cycles of the "
          "wavefront"),
      ROW(PC, kReadWrite, "Write: nothing. Read: where the wavefront is, bytes"),
      ROW(ACKNOWLEDGE, kReadsZero, "Bit 0: its rising edge accepts the request"),
      ROW(DONE, kReadsZero,
          "Bit 0: its rising edge ends the request; as long as it is 1 when idle, LOAD_DATA is "
          "written to prefetch memory"),
      ROW(VECTOR_INDEX, kReadsZero, "[9:0] vector register; forgets which lanes were written"),
      {"VECTOR_DATA", MIAOW_VECTOR_DATA(0), Access::kReadWrite, 0,
       "Write: for VECTOR_COMMIT. Read: that lane of the vector register, when idle", 64},
      ROW(VECTOR_COMMIT, kReadsZero, "Writes the lanes written to the vector register, when idle"),
      ROW(VECTOR_CLEAN, kReadsZero, "All lanes count as written, with 0"),
      ROW(VECTOR_MASK_LOW, kReadsZero, "Which of lanes 0 to 31 count as written"),
      ROW(VECTOR_MASK_HIGH, kReadsZero, "Which of lanes 32 to 63 count as written"),
      {"UNUSED_1E4", 0x1E4, Access::kReadsZero, 0, "Nothing", 7},
  };
  return rows;
}

const std::vector<RegisterRow>& queue_register_rows() {
  static const std::vector<RegisterRow> rows = {
      {"QUEUE_ID", MIAOW_QUEUE_ID, Access::kWriteIgnored, MIAOW_QUEUE_ID_VALUE,
       "Tells that there is a queue of grids"},
      {"QUEUE_UNITS", MIAOW_QUEUE_UNITS, Access::kWriteIgnored, 1, "Compute units"},
      ROW(QUEUE_CONTROL, kReadsZero,
          "1: starts a grid, when idle and no grid runs. 2: ends the one that runs; status is "
          "idle"),
      ROW(QUEUE_STATUS, kWriteIgnored, "0 idle, 1 running, 2 done, 3 refused or stopped"),
      {"QUEUE_GROUPS", MIAOW_QUEUE_GROUPS(0), Access::kReadWrite, 0,
       "Work-groups in x, y and z, up to 65535 each", 3},
      {"QUEUE_ITEMS", MIAOW_QUEUE_ITEMS(0), Access::kReadWrite, 0,
       "Work-items of a group in x, y and z, 64 times QUEUE_WAVEFRONTS in all at most", 3},
      ROW(QUEUE_PC, kReadWrite, "Where the kernel begins in instruction memory, bytes"),
      ROW(QUEUE_ARGUMENTS, kReadWrite, "Address of the arguments, which wavefronts find in s[0:1]"),
      ROW(QUEUE_GROUP_NUMBERS, kReadWrite,
          "[2:0] which numbers of the group, x, y, z, wavefronts find from s2 on"),
      ROW(QUEUE_CYCLES, kWriteIgnored, "Clock cycles of the grid"),
      ROW(QUEUE_GROUPS_DONE, kWriteIgnored, "Work-groups that have ended"),
      ROW(QUEUE_CAUSE, kWriteIgnored, "Why the grid was refused or stopped (causes.h)"),
      ROW(QUEUE_FAULT_PC, kWriteIgnored, "Where it was stopped, bytes"),
      ROW(QUEUE_FAULT_ADDRESS, kWriteIgnored, "Address of the access that stopped it"),
      ROW(QUEUE_FAULT_GROUP, kWriteIgnored, "Group that stopped it, counted from 0, x first"),
      {"QUEUE_PREFETCH_BYTES", MIAOW_QUEUE_PREFETCH_BYTES, Access::kWriteIgnored, kPrefetchBytes,
       "Prefetch memory; 0: there is none"},
      {"QUEUE_WAVEFRONTS", MIAOW_QUEUE_WAVEFRONTS, Access::kWriteIgnored, 1,
       "Wavefronts that a compute unit holds at a time"},
      {"QUEUE_VECTOR_REGISTERS", MIAOW_QUEUE_VECTOR_REGISTERS, Access::kReadWrite,
       kMostVectorRegisters, "That a wavefront of the kernel uses"},
      {"QUEUE_SCALAR_REGISTERS", MIAOW_QUEUE_SCALAR_REGISTERS, Access::kReadWrite,
       southern_islands::code::kScalarRegisters, "Likewise"},
      {"QUEUE_SHARE_BYTES", MIAOW_QUEUE_SHARE_BYTES, Access::kReadWrite, kShareBytes,
       "Local data share that a group uses"},
      {"QUEUE_NAME", MIAOW_QUEUE_NAME(0), Access::kReadWrite, 0,
       "The kernel's name, for messages and statistics: bytes in ascending order, a zero byte ends "
       "it",
       MIAOW_QUEUE_NAME_WORDS},
  };
  return rows;
}

#undef ROW

}  // namespace gvp::gpgpu::miaow

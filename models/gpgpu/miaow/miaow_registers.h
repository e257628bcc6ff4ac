/* SPDX-License-Identifier: Apache-2.0 */
/* MIAOW2.0's register map, byte offsets from the base of its AXI slave: 512 bytes of 32-bit
 * little-endian registers, aligned 32-bit accesses.  Plain C: the model and drivers both include
 * this file.
 *
 * The map is that of the AXI slave published with the first MIAOW; 0xBC is MIAOW2.0's addition,
 * whose slave is not published (what is here follows from its compute unit's port and from the
 * programs that come with it).  An offset may have one meaning when it is written and another when
 * it is read.  "Idle": no wavefront executes, and the end of the last one has been read. */
#ifndef GVP_MIAOW_REGISTERS_H
#define GVP_MIAOW_REGISTERS_H

#define MIAOW_WINDOW_BYTES 0x200u

#define MIAOW_START 0x000u      /* write: start, when idle; zeroes the cycle counter */
#define MIAOW_FINISHED 0x000u   /* read: 1 once the wavefront has ended, and idle from then on */
#define MIAOW_WAVE_ID 0x004u    /* what MIAOW_WAVE_TAG tells at the end */
#define MIAOW_BASE_VGPR 0x008u  /* [9:0] first vector register of the wavefront */
#define MIAOW_BASE_SGPR 0x00Cu  /* [8:0] first scalar register of the wavefront */
#define MIAOW_BASE_LDS 0x010u   /* [15:0] first byte of its local data share */
#define MIAOW_WAVE_COUNT 0x014u /* [5:0] EXEC begins as the lowest so many lanes and one */
#define MIAOW_PC_START 0x018u   /* bytes */
#define MIAOW_INSTRUCTION_INDEX 0x01Cu /* [9:0] word of instruction memory */
#define MIAOW_INSTRUCTION 0x020u       /* that word; written when idle */
#define MIAOW_RESET 0x024u       /* write: bit 0 resets and holds the compute unit, 0 releases */
#define MIAOW_WAVE_TAG 0x024u    /* read: of the wavefront that has ended */
#define MIAOW_QUAD_COMMIT 0x028u /* write: the four words below to scalar registers */
#define MIAOW_QUAD_BASE 0x02Cu   /* [8:0] the first of these */
#define MIAOW_QUAD_DATA(i)                                               \
  (0x030u + 4u * (i)) /* i = 0..3; read: the scalar registers, when idle \
                       */

#define MIAOW_MEMORY_STATE 0x080u /* read: MIAOW_MEMORY_* */
#define MIAOW_MEMORY_IDLE 0u
#define MIAOW_MEMORY_STORE_REQUESTED 1u /* wants an edge of MIAOW_ACKNOWLEDGE */
#define MIAOW_MEMORY_STORE_ACCEPTED 2u  /* wants an edge of MIAOW_DONE */
#define MIAOW_MEMORY_STORE_DONE 3u
#define MIAOW_MEMORY_LOAD_REQUESTED 4u
#define MIAOW_MEMORY_LOAD_ACCEPTED 5u
#define MIAOW_MEMORY_LOAD_DONE 6u
#define MIAOW_STORE_DATA 0x084u       /* read: of the compute unit; when idle of prefetch memory */
#define MIAOW_MEMORY_ADDRESS 0x088u   /* read: of the request, bytes */
#define MIAOW_PREFETCH_ADDRESS 0x0BCu /* write: [19:2] word of prefetch memory, bytes */
#define MIAOW_LOAD_DATA 0x0C0u    /* write: for the compute unit; when idle for prefetch memory */
#define MIAOW_CYCLES 0x0C0u       /* read: clock cycles of the wavefront */
#define MIAOW_WRITE_ENABLE 0x0C4u /* write: without effect in MIAOW2.0 */
#define MIAOW_PC 0x0C4u           /* read: of the wavefront, bytes */
#define MIAOW_ACKNOWLEDGE 0x0C8u  /* write: bit 0; its rising edge accepts the request */
#define MIAOW_DONE \
  0x0CCu /* write: bit 0; its rising edge ends it; 1 when idle writes prefetch memory */

#define MIAOW_VECTOR_INDEX 0x0D0u /* write: [9:0] vector register; forgets the lanes written */
#define MIAOW_VECTOR_DATA(lane) \
  (0x0D4u + 4u * (lane))              /* lane = 0..63; read: the register, when idle */
#define MIAOW_VECTOR_COMMIT 0x1D4u    /* write: the lanes written, to the vector register */
#define MIAOW_VECTOR_CLEAN 0x1D8u     /* write: all lanes count as written, with 0 */
#define MIAOW_VECTOR_MASK_LOW 0x1DCu  /* write: which of lanes 0..31 count as written */
#define MIAOW_VECTOR_MASK_HIGH 0x1E0u /* write: which of lanes 32..63 do */

/* A queue of grids, which no published slave has: from the middle of the window on. */
#define MIAOW_QUEUE_ID 0x8000u /* read: MIAOW_QUEUE_ID_VALUE */
#define MIAOW_QUEUE_ID_VALUE 0x5155454Du
#define MIAOW_QUEUE_UNITS 0x8004u   /* read: compute units */
#define MIAOW_QUEUE_CONTROL 0x8008u /* write: MIAOW_QUEUE_START or MIAOW_QUEUE_ABORT */
#define MIAOW_QUEUE_START 1u        /* the grid that the registers below describe */
#define MIAOW_QUEUE_ABORT 2u
#define MIAOW_QUEUE_STATUS 0x800Cu /* read: MIAOW_QUEUE_IDLE... */
#define MIAOW_QUEUE_IDLE 0u
#define MIAOW_QUEUE_RUNNING 1u
#define MIAOW_QUEUE_DONE 2u
#define MIAOW_QUEUE_STOPPED 3u                     /* refused or stopped: see MIAOW_QUEUE_CAUSE */
#define MIAOW_QUEUE_GROUPS(i) (0x8010u + 4u * (i)) /* i = 0..2: work-groups in x, y, z */
#define MIAOW_QUEUE_ITEMS(i) (0x801Cu + 4u * (i))  /* of a group; 64 * QUEUE_WAVEFRONTS in all */
#define MIAOW_QUEUE_PC 0x8028u            /* where the kernel begins in instruction memory, bytes */
#define MIAOW_QUEUE_ARGUMENTS 0x802Cu     /* their address, for s[0:1] */
#define MIAOW_QUEUE_GROUP_NUMBERS 0x8030u /* bits 0..2: x, y, z of the group, from s2 on */
#define MIAOW_QUEUE_CYCLES 0x8034u        /* read: clock cycles of the grid */
#define MIAOW_QUEUE_GROUPS_DONE 0x8038u   /* read */
#define MIAOW_QUEUE_CAUSE 0x803Cu         /* read: GPGPU_CAUSES (causes.h) */
#define MIAOW_QUEUE_FAULT_PC 0x8040u      /* read: bytes */
#define MIAOW_QUEUE_FAULT_ADDRESS 0x8044u /* read */
#define MIAOW_QUEUE_FAULT_GROUP 0x8048u   /* read: counted from 0, x first */
#define MIAOW_QUEUE_PREFETCH_BYTES 0x804Cu   /* read: of prefetch memory; 0: there is none */
#define MIAOW_QUEUE_WAVEFRONTS 0x8050u       /* read: that a compute unit holds at a time */
#define MIAOW_QUEUE_VECTOR_REGISTERS 0x8054u /* of a wavefront; at first 256 */
#define MIAOW_QUEUE_SCALAR_REGISTERS 0x8058u /* likewise; at first 104 */
#define MIAOW_QUEUE_SHARE_BYTES 0x805Cu      /* of a group; at first 65536 */
/* The kernel's name, for messages and statistics; it has no other effect.  Bytes in ascending
 * order, the first in bits [7:0]; a zero byte ends it where it is shorter. */
#define MIAOW_QUEUE_NAME(i) (0x8060u + 4u * (i)) /* i = 0..31 */
#define MIAOW_QUEUE_NAME_WORDS 32u
#define MIAOW_QUEUE_END 0x80E0u

#endif

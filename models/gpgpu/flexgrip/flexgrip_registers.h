/* SPDX-License-Identifier: Apache-2.0 */
/* FlexGrip's register map, byte offsets from the base of its control window (64 KiB, 32-bit
 * little-endian registers, aligned 32-bit accesses).  Plain C: the model and the firmware's
 * driver both include this file.
 *
 * Registers below 0x100 are FlexGrip's own configuration registers: configuration index i of the
 * published FlexGripPlus RTL is byte offset 4*i.  The registers from 0x100 on are this project's
 * (the thesis names control and status registers but does not publish their layout). */
#ifndef GVP_FLEXGRIP_REGISTERS_H
#define GVP_FLEXGRIP_REGISTERS_H

#include "models/gpgpu/causes.h"

/* Kernel configuration: read/write while idle; writes while running are SLVERR. */
#define FLEXGRIP_BLOCKS_PER_CORE 0x000u      /* blocks per SM; 0: the device computes the maximum */
#define FLEXGRIP_REGISTERS_PER_THREAD 0x004u /* 1..128 */
#define FLEXGRIP_SHARED_STATIC_BYTES 0x008u
#define FLEXGRIP_PARAMETER_COUNT 0x00Cu /* 32-bit words, 0..32 */
#define FLEXGRIP_SHARED_DYNAMIC_BYTES 0x010u
#define FLEXGRIP_BLOCK_X 0x014u
#define FLEXGRIP_BLOCK_Y 0x018u
#define FLEXGRIP_BLOCK_Z 0x01Cu
#define FLEXGRIP_GRID_X 0x020u
#define FLEXGRIP_GRID_Y 0x024u
#define FLEXGRIP_PARAMETER(i) (0x080u + 4u * (i)) /* i = 0..31, reach the kernel at s[0x10+4i] */
#define FLEXGRIP_MAX_PARAMETERS 32u

/* Identification and control. */
#define FLEXGRIP_ID 0x100u            /* reads FLEXGRIP_ID_VALUE */
#define FLEXGRIP_ID_VALUE 0x50475846u /* "FXGP", little-endian */
#define FLEXGRIP_VERSION 0x104u       /* [31:16] major, [15:0] minor of this map */
#define FLEXGRIP_VERSION_VALUE 0x00010002u
#define FLEXGRIP_CONTROL 0x108u
#define FLEXGRIP_CONTROL_START 0x1u            /* write 1: start; reads 0; ignored while running */
#define FLEXGRIP_CONTROL_RESET 0x2u            /* write 1: stop and clear all but memories */
#define FLEXGRIP_CONTROL_INTERRUPT_ENABLE 0x4u /* read/write */
#define FLEXGRIP_STATUS 0x10Cu                 /* read-only */
#define FLEXGRIP_STATUS_IDLE 0x1u
#define FLEXGRIP_STATUS_RUNNING 0x2u
#define FLEXGRIP_STATUS_DONE 0x4u  /* the last kernel ended without error; cleared by start */
#define FLEXGRIP_STATUS_ERROR 0x8u /* the last kernel was refused or stopped; see cause */
#define FLEXGRIP_CAUSE 0x110u      /* one of FLEXGRIP_CAUSE_*; read-only */
#define FLEXGRIP_FAULT_PC 0x114u
#define FLEXGRIP_FAULT_ADDRESS 0x118u
#define FLEXGRIP_FAULT_WARP \
  0x11Cu /* [31:24] SM, [23:16] warp slot in the SM, [15:8] block slot, [7:0] lane */
#define FLEXGRIP_FAULT_BLOCK 0x120u /* [31:16] ctaid.y, [15:0] ctaid.x */
#define FLEXGRIP_INTERRUPT 0x124u   /* bit 0: kernel ended; write 1 to clear */
#define FLEXGRIP_INTERRUPT_ENDED 0x1u

/* Causes, FLEXGRIP_CAUSE_NONE and so on: causes.h has their numbers and texts. */
enum {
#define FLEXGRIP_CAUSE_ENUMERATOR(name, enumerator, number, text) FLEXGRIP_CAUSE_##name = (number),
  GPGPU_CAUSES(FLEXGRIP_CAUSE_ENUMERATOR)
#undef FLEXGRIP_CAUSE_ENUMERATOR
};

/* Capabilities, read-only. */
#define FLEXGRIP_CAP_SMS 0x140u
#define FLEXGRIP_CAP_SPS 0x144u /* scalar processors per SM: 8, 16 or 32 */
#define FLEXGRIP_CAP_WARPS_PER_SM 0x148u
#define FLEXGRIP_CAP_BLOCKS_PER_SM 0x14Cu
#define FLEXGRIP_CAP_THREADS_PER_BLOCK 0x150u
#define FLEXGRIP_CAP_REGISTERS_PER_SM 0x154u
#define FLEXGRIP_CAP_SHARED_BYTES 0x158u /* shared memory per SM */
#define FLEXGRIP_CAP_STACK_DEPTH 0x15Cu  /* warp stack entries */
#define FLEXGRIP_CAP_FEATURES 0x160u     /* FLEXGRIP_FEATURE_* */
#define FLEXGRIP_FEATURE_MULTIPLIER 0x1u
#define FLEXGRIP_FEATURE_THREE_OPERANDS 0x2u
#define FLEXGRIP_FEATURE_FLOAT 0x4u
#define FLEXGRIP_FEATURE_GLOBAL_ON_BUS 0x8u /* global memory is the AXI address space (ddr3) */
#define FLEXGRIP_FEATURE_TEXTURES 0x10u     /* texture caches, and TEXTURE_* */
#define FLEXGRIP_CAP_CODE_BYTES 0x164u
#define FLEXGRIP_CAP_CONSTANT_BYTES 0x168u
#define FLEXGRIP_CAP_GLOBAL_BYTES 0x16Cu /* size of the global window; 0 with GLOBAL_ON_BUS */
#define FLEXGRIP_CAP_LOCAL_BYTES 0x170u  /* local memory per thread */
#define FLEXGRIP_CAP_CLOCK_HZ 0x174u     /* what COUNT_CYCLES counts; from minor version 1 on */

/* Which page of constant memory is in the window, read/write, reset 0.  There where
 * CAP_CONSTANT_BYTES is more than a page. */
#define FLEXGRIP_CONSTANT_PAGE 0x178u

/* Counters of the last or running kernel, 64 bit: low word here, high word at +4.  Read-only;
 * reading the low word latches the high word.  Stall cycles: those in which an SM executed blocks
 * and issued nothing, summed over SMs. */
#define FLEXGRIP_COUNT_CYCLES 0x180u
#define FLEXGRIP_COUNT_WARP_INSTRUCTIONS 0x188u
#define FLEXGRIP_COUNT_THREAD_INSTRUCTIONS 0x190u
#define FLEXGRIP_COUNT_STALL_CYCLES 0x198u
#define FLEXGRIP_COUNT_DIVERGENT_BRANCHES 0x1A0u
#define FLEXGRIP_COUNT_MAX_STACK_DEPTH 0x1A8u

/* Constant banks c0..c15: where each begins in constant memory and how long it is, in bytes.
 * Reset: base 0, length all of constant memory, that is, the bank number has no effect, as in the
 * published RTL. */
#define FLEXGRIP_CONSTANT_BANK_BASE(n) (0x200u + 8u * (n))
#define FLEXGRIP_CONSTANT_BANK_BYTES(n) (0x204u + 8u * (n))
#define FLEXGRIP_CONSTANT_BANKS 16u

/* The name of the kernel whose code is in code memory, for messages and statistics; it has no other
 * effect.  Bytes in ascending order, the first in bits [7:0]; a zero byte ends it where it is
 * shorter.  Reset: empty.  From minor version 2 on. */
#define FLEXGRIP_KERNEL_NAME(i) (0x280u + 4u * (i)) /* i = 0..31 */
#define FLEXGRIP_KERNEL_NAME_WORDS 32u

/* Textures: where in global memory each begins and how long it is, in bytes.  Loads of these
 * addresses go by the SM's texture cache in place of its L1 data cache.  Read/write while idle;
 * reset: base 0, length 0, which is none.  There with FEATURE_TEXTURES. */
#define FLEXGRIP_TEXTURE_BASE(n) (0x300u + 8u * (n))
#define FLEXGRIP_TEXTURE_BYTES(n) (0x304u + 8u * (n))
#define FLEXGRIP_TEXTURES 8u

/* Constant memory, byte-addressable read/write: a page of it, the first but for CONSTANT_PAGE. */
#define FLEXGRIP_CONSTANT_MEMORY 0x8000u
#define FLEXGRIP_CONSTANT_PAGE_BYTES 0x8000u

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The MicroBlaze core (UG984): special registers and the bits of them that we use.  Bit numbers
 * count from the least significant. */
#ifndef GVP_BSP_CORE_H
#define GVP_BSP_CORE_H

#include <stdint.h>

#define CORE_MSR_IE 0x002u  /* interrupts enabled */
#define CORE_MSR_C 0x004u   /* carry */
#define CORE_MSR_ICE 0x020u /* instruction cache on */
#define CORE_MSR_DZO 0x040u /* division by zero or overflow */
#define CORE_MSR_DCE 0x080u /* data cache on */
#define CORE_MSR_EE 0x100u  /* hardware exceptions enabled */
#define CORE_MSR_EIP 0x200u /* exception in progress */
#define CORE_MSR_PVR 0x400u /* processor version registers present */

#define CORE_PVR0_FULL 0x80000000u /* PVR1 to PVR12 exist too */

static inline uint32_t core_read_msr(void) {
  uint32_t value;
  __asm__ volatile("mfs %0, rmsr" : "=r"(value));
  return value;
}

/* The instruction after mts may still see the old value: hence the nop. */
static inline void core_write_msr(uint32_t value) {
  __asm__ volatile("mts rmsr, %0\n\tnop" : : "r"(value) : "memory");
}

/* Everything written before is in memory, everything read later is read later. */
static inline void core_memory_barrier(void) { __asm__ volatile("mbar 0" : : : "memory"); }

#endif

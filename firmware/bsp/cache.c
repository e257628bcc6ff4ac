/* SPDX-License-Identifier: Apache-2.0 */
#include "bsp/cache.h"

#include <stdbool.h>
#include <stdint.h>

#include "bsp/core.h"

/* PVR4 and PVR5, from the least significant bit. */
enum { kSizeShift = 16, kSizeMask = 0x1F, kLineShift = 21, kLineMask = 7, kWriteBack = 0x4000 };
enum { kHasInstructionCache = 1 << 25, kHasDataCache = 1 << 24 }; /* PVR0 */

static uint32_t data_line; /* bytes; 0: no data cache */
static bool write_back;

static uint32_t size_of(uint32_t pvr) { return 1u << (pvr >> kSizeShift & kSizeMask); }
static uint32_t line_of(uint32_t pvr) { return 4u << (pvr >> kLineShift & kLineMask); }

void cache_initialize(void) {
  uint32_t pvr0, pvr4, pvr5, enable = 0;
  data_line = 0;
  if ((core_read_msr() & CORE_MSR_PVR) == 0) return;
  __asm__ volatile("mfs %0, rpvr0" : "=r"(pvr0));
  if ((pvr0 & CORE_PVR0_FULL) == 0) return;
  if ((pvr0 & kHasInstructionCache) != 0) {
    __asm__ volatile("mfs %0, rpvr4" : "=r"(pvr4));
    for (uint32_t at = 0; at < size_of(pvr4); at += line_of(pvr4))
      __asm__ volatile("wic %0, r0" : : "r"(at));
    enable |= CORE_MSR_ICE;
  }
  if ((pvr0 & kHasDataCache) != 0) {
    __asm__ volatile("mfs %0, rpvr5" : "=r"(pvr5));
    data_line = line_of(pvr5);
    write_back = (pvr5 & kWriteBack) != 0;
    for (uint32_t at = 0; at < size_of(pvr5); at += data_line)
      __asm__ volatile("wdc %0, r0" : : "r"(at) : "memory");
    enable |= CORE_MSR_DCE;
  }
  core_write_msr(core_read_msr() | enable);
}

void cache_flush(const void* memory, size_t bytes) {
  if (data_line == 0 || !write_back) return;
  const uint32_t end = (uint32_t)memory + bytes;
  for (uint32_t at = (uint32_t)memory & ~(data_line - 1); at < end; at += data_line)
    __asm__ volatile("wdc.flush %0, r0" : : "r"(at) : "memory");
}

/* Of a write-back cache, wdc would discard whatever other line stands there, written or not;
 * wdc.clear takes only the one that is meant. */
void cache_invalidate(const void* memory, size_t bytes) {
  if (data_line == 0) return;
  const uint32_t end = (uint32_t)memory + bytes;
  for (uint32_t at = (uint32_t)memory & ~(data_line - 1); at < end; at += data_line) {
    if (write_back)
      __asm__ volatile("wdc.clear %0, r0" : : "r"(at) : "memory");
    else
      __asm__ volatile("wdc %0, r0" : : "r"(at) : "memory");
  }
}

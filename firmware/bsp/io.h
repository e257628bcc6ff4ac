/* SPDX-License-Identifier: Apache-2.0 */
/* Access to device registers, and what each compilation unit needs everywhere. */
#ifndef GVP_BSP_IO_H
#define GVP_BSP_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint32_t io_read32(uint32_t address) { return *(volatile uint32_t*)address; }

static inline void io_write32(uint32_t address, uint32_t value) {
  *(volatile uint32_t*)address = value;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The board's clocks, in Hz.  The hardware has no registers that tell them: they are those of
 * platform/memory_map.h unless whoever loads the program knows better and writes them here before
 * the start (the symbol's address is in the ELF). */
#ifndef GVP_BSP_CLOCKS_H
#define GVP_BSP_CLOCKS_H

#include <stdint.h>

struct board_clocks {
  uint32_t processor_hz;
  uint32_t timer_hz;
  uint32_t uart16550_hz; /* what its divisor divides */
};

/* volatile: read anew, because the compiler cannot see who writes here. */
extern volatile struct board_clocks board_clocks;

#endif

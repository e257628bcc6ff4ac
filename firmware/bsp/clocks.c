/* SPDX-License-Identifier: Apache-2.0 */
#include "bsp/clocks.h"

#include "platform/memory_map.h"

/* Not .bss, which the start-up code clears. */
volatile struct board_clocks board_clocks
    __attribute__((section(".data"))) = {GVP_SYSTEM_CLOCK_HZ, GVP_SYSTEM_CLOCK_HZ,
                                         GVP_SYSTEM_CLOCK_HZ};

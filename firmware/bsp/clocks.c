/* SPDX-License-Identifier: Apache-2.0 */
#include "bsp/clocks.h"

#include "platform/memory_map.h"

/* Not .bss, which the start-up code clears. */
volatile struct board_clocks board_clocks
    __attribute__((section(".data"))) = {GVP_HOST_CLOCK_HZ, GVP_TIMER_CLOCK_HZ,
                                         GVP_UART16550_CLOCK_HZ};

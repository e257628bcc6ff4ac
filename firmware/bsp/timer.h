/* SPDX-License-Identifier: Apache-2.0 */
/* AXI timer (Xilinx PG079): counter 0 is the clock, counting up from 0 for ever, its wrap-around
 * (every 42.9 s at 100 MHz) counted by interrupt; counter 1 ticks.  Time is in cycles of the
 * timer's clock, TIMER_HZ. */
#ifndef GVP_BSP_TIMER_H
#define GVP_BSP_TIMER_H

#include "bsp/clocks.h"
#include "bsp/io.h"
#include "platform/memory_map.h"

#define TIMER_HZ (board_clocks.timer_hz)

/* Registers of counter n (0, 1). */
#define TIMER_CONTROL(n) (0x10u * (n))
#define TIMER_LOAD(n) (0x10u * (n) + 4u)
#define TIMER_COUNT(n) (0x10u * (n) + 8u)

#define TIMER_CONTROL_DOWN 0x002u
#define TIMER_CONTROL_AUTO_RELOAD 0x010u
#define TIMER_CONTROL_LOAD 0x020u
#define TIMER_CONTROL_INTERRUPT_ENABLE 0x040u
#define TIMER_CONTROL_ENABLE 0x080u
#define TIMER_CONTROL_INTERRUPT 0x100u /* write 1 to clear */
#define TIMER_CONTROL_ENABLE_ALL 0x400u

static inline uint32_t timer_read(uint32_t offset) { return io_read32(GVP_TIMER_BASE + offset); }
static inline void timer_write(uint32_t offset, uint32_t value) {
  io_write32(GVP_TIMER_BASE + offset, value);
}

/* Starts the clock; needs interrupt_initialize() before. */
void timer_initialize(void);
uint64_t timer_now(void);
uint32_t timer_microseconds(uint64_t cycles);
uint64_t timer_cycles(uint32_t microseconds);
void timer_delay_us(uint32_t microseconds);

/* Calls handler from the timer interrupt every period cycles until timer_tick_stop(). */
void timer_tick_start(uint32_t period, void (*handler)(void* argument), void* argument);
void timer_tick_stop(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "bsp/timer.h"

#include "bsp/interrupt.h"

static volatile uint32_t wraps;
static void (*tick_handler)(void*);
static void* tick_argument;

/* With interrupts off: counts a wrap-around that counter 0 signals. */
static void count_wrap(void) {
  const uint32_t control = timer_read(TIMER_CONTROL(0));
  if ((control & TIMER_CONTROL_INTERRUPT) == 0) return;
  timer_write(TIMER_CONTROL(0), control); /* writes the 1 that clears it */
  ++wraps;
}

static void serve(void* unused) {
  (void)unused;
  count_wrap();
  const uint32_t control = timer_read(TIMER_CONTROL(1));
  if ((control & TIMER_CONTROL_INTERRUPT) == 0) return;
  timer_write(TIMER_CONTROL(1), control);
  if (tick_handler != NULL) tick_handler(tick_argument);
}

void timer_initialize(void) {
  const uint32_t mode = TIMER_CONTROL_AUTO_RELOAD | TIMER_CONTROL_INTERRUPT_ENABLE;
  wraps = 0;
  tick_handler = NULL;
  timer_write(TIMER_CONTROL(1), TIMER_CONTROL_INTERRUPT);
  timer_write(TIMER_CONTROL(0), TIMER_CONTROL_INTERRUPT);
  timer_write(TIMER_LOAD(0), 0);
  timer_write(TIMER_CONTROL(0), TIMER_CONTROL_LOAD);
  timer_write(TIMER_CONTROL(0), mode | TIMER_CONTROL_ENABLE);
  interrupt_attach(GVP_IRQ_TIMER, serve, NULL);
}

uint64_t timer_now(void) {
  const uint32_t state = interrupt_disable();
  uint32_t low = timer_read(TIMER_COUNT(0));
  const uint32_t before = wraps;
  count_wrap();
  if (wraps != before) low = timer_read(TIMER_COUNT(0)); /* it wrapped around the first reading */
  const uint64_t now = (uint64_t)wraps << 32 | low;
  interrupt_restore(state);
  return now;
}

uint32_t timer_microseconds(uint64_t cycles) { return (uint32_t)(cycles * 1000000u / TIMER_HZ); }

uint64_t timer_cycles(uint32_t microseconds) {
  return (uint64_t)microseconds * TIMER_HZ / 1000000u;
}

void timer_delay_us(uint32_t microseconds) {
  const uint64_t end = timer_now() + timer_cycles(microseconds);
  while (timer_now() < end) {
  }
}

void timer_tick_start(uint32_t period, void (*handler)(void* argument), void* argument) {
  timer_tick_stop();
  tick_handler = handler;
  tick_argument = argument;
  /* Counting down from n, the interrupt comes every n + 2 cycles (PG079, "Generate Mode"). */
  timer_write(TIMER_LOAD(1), period > 2 ? period - 2 : 0);
  timer_write(TIMER_CONTROL(1), TIMER_CONTROL_LOAD);
  timer_write(TIMER_CONTROL(1), TIMER_CONTROL_DOWN | TIMER_CONTROL_AUTO_RELOAD |
                                    TIMER_CONTROL_INTERRUPT_ENABLE | TIMER_CONTROL_ENABLE);
}

void timer_tick_stop(void) {
  timer_write(TIMER_CONTROL(1), TIMER_CONTROL_INTERRUPT);
  tick_handler = NULL;
}

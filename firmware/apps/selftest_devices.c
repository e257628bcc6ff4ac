/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupt controller, timer and the two UARTs, by their registers. */
#include <stdio.h>

#include "apps/check.h"
#include "bsp/console.h"
#include "bsp/interrupt.h"
#include "bsp/timer.h"
#include "bsp/uart16550.h"
#include "bsp/uartlite.h"

enum {
  kIntcIsr = 0x00,
  kIntcIpr = 0x04,
  kIntcIer = 0x08,
  kIntcIar = 0x0C,
  kIntcSie = 0x10,
  kIntcCie = 0x14,
  kIntcIvr = 0x18,
  kIntcMer = 0x1C
};

#define SECOND TIMER_HZ /* in cycles of the timer */

static uint32_t intc(uint32_t offset) { return io_read32(GVP_INTC_BASE + offset); }
static void set_intc(uint32_t offset, uint32_t value) { io_write32(GVP_INTC_BASE + offset, value); }

/* Where time follows the wall clock, as in emulators, anything may come late: checks wait up to a
 * second for what must come, and are strict about what must not. */
static bool comes(bool (*condition)(void)) {
  const uint64_t limit = timer_now() + SECOND;
  while (!condition())
    if (timer_now() > limit) return false;
  return true;
}

/* Counter 1 counts so many cycles down, once, and sets its interrupt flag. */
static void one_shot(uint32_t cycles, bool interrupt) {
  timer_write(TIMER_CONTROL(1), TIMER_CONTROL_INTERRUPT);
  timer_write(TIMER_LOAD(1), cycles);
  timer_write(TIMER_CONTROL(1), TIMER_CONTROL_LOAD);
  timer_write(TIMER_CONTROL(1), TIMER_CONTROL_DOWN | TIMER_CONTROL_ENABLE |
                                    (interrupt ? TIMER_CONTROL_INTERRUPT_ENABLE : 0));
}

static bool one_shot_done(void) {
  return (timer_read(TIMER_CONTROL(1)) & TIMER_CONTROL_INTERRUPT) != 0;
}

static void one_shot_clear(void) { timer_write(TIMER_CONTROL(1), TIMER_CONTROL_INTERRUPT); }

static uint32_t served_before;
static bool timer_is_latched(void) { return (intc(kIntcIsr) & 1u << GVP_IRQ_TIMER) != 0; }
static bool timer_was_served(void) { return interrupt_count(GVP_IRQ_TIMER) > served_before; }

void check_interrupt_controller(void) {
  const uint32_t input = 1u << GVP_IRQ_TIMER;
  check_group("interrupt controller");
  check_equal(intc(kIntcMer) & 3, 3, "MER: both enables are on");
  check((intc(kIntcIer) & input) != 0, "IER: the timer's input is enabled");
  set_intc(kIntcCie, input);
  check((intc(kIntcIer) & input) == 0, "CIE clears a bit of IER");
  const uint32_t served = interrupt_count(GVP_IRQ_TIMER);
  one_shot(100, true);
  check(comes(timer_is_latched), "ISR: a disabled input is latched");
  check((intc(kIntcIpr) & input) == 0, "IPR: but not pending");
  check_equal(interrupt_count(GVP_IRQ_TIMER), served, "and does not interrupt");
  const uint32_t state = interrupt_disable();
  set_intc(kIntcSie, input);
  check((intc(kIntcIpr) & input) != 0, "SIE: it is pending once enabled");
  check_equal(intc(kIntcIvr), GVP_IRQ_TIMER, "IVR: the lowest pending input");
  check_equal(interrupt_count(GVP_IRQ_TIMER), served, "no interrupt while the core's are off");
  served_before = served;
  interrupt_restore(state);
  check(comes(timer_was_served), "the interrupt comes when the core allows it");
  one_shot_clear();
  set_intc(kIntcIar, input);
  check_equal(intc(kIntcIpr) & input, 0, "IAR: acknowledged");
  check_equal(intc(kIntcIvr), 0xFFFFFFFF, "IVR: none pending is all ones");
  check_equal(interrupt_spurious_count(), 0, "no interrupt came that nobody asked for");
}

static volatile uint32_t ticks;
static void count_tick(void* unused) {
  (void)unused;
  ++ticks;
}

enum { kTicks = 10 };
#define PERIOD (SECOND / 1000)
static bool enough_ticks(void) { return ticks >= kTicks; }

static void check_ticks(void) {
  ticks = 0;
  const uint64_t start = timer_now();
  timer_tick_start(PERIOD, count_tick, NULL);
  check(comes(enough_ticks), "auto reload: ten ticks by interrupt");
  const uint64_t elapsed = timer_now() - start;
  check(elapsed >= (uint64_t)kTicks * PERIOD - PERIOD / 10,
        "auto reload: in no less than ten periods");
  timer_tick_stop();
  const uint32_t stopped = ticks;
  timer_delay_us(3000);
  check_equal(ticks, stopped, "no tick after the stop");
}

void check_timer(void) {
  check_group("timer");
  const uint64_t before = timer_now();
  timer_delay_us(100);
  const uint64_t elapsed = timer_now() - before;
  check(elapsed >= timer_cycles(100) && elapsed < SECOND, "the clock runs");

  one_shot_clear();
  timer_write(TIMER_LOAD(1), 0x12345678);
  check_equal(timer_read(TIMER_LOAD(1)), 0x12345678, "TLR holds what is written");
  timer_write(TIMER_CONTROL(1), TIMER_CONTROL_LOAD);
  if (timer_read(TIMER_COUNT(1)) == 0xFFFFFFFF) {
    check_skip("LOAD and stop", "this timer does not show a counter that is off");
  } else {
    check_equal(timer_read(TIMER_COUNT(1)), 0x12345678, "LOAD copies it into the counter");
    timer_write(TIMER_CONTROL(1), 0);
    timer_delay_us(5);
    check_equal(timer_read(TIMER_COUNT(1)), 0x12345678, "a counter that is off stands still");
  }
  timer_write(TIMER_CONTROL(1), TIMER_CONTROL_ENABLE);
  timer_delay_us(5);
  const uint32_t up = timer_read(TIMER_COUNT(1));
  check(up > 0x12345678 && up < 0x12345678 + SECOND, "counts up");
  timer_write(TIMER_CONTROL(1), TIMER_CONTROL_LOAD);
  timer_write(TIMER_CONTROL(1), TIMER_CONTROL_DOWN | TIMER_CONTROL_ENABLE);
  timer_delay_us(5);
  const uint32_t down = timer_read(TIMER_COUNT(1));
  check(down < 0x12345678 && down > 0x12345678 - SECOND, "counts down");

  one_shot(SECOND / 100, false);
  check(!one_shot_done(), "one shot: not at once");
  check(comes(one_shot_done), "one shot: the flag comes");
  one_shot_clear();
  check(!one_shot_done(), "writing 1 clears the flag");
  check_ticks();
}

static bool uart_received(void) {
  return (uart16550_read(UART16550_LINE_STATUS) & UART16550_LINE_STATUS_DATA_READY) != 0;
}

static void check_loopback(void) {
  uart16550_write(UART16550_MODEM_CONTROL, UART16550_MODEM_CONTROL_LOOPBACK);
  while (uart16550_receive() >= 0) { /* what was typed */
  }
  bool ok = true;
  for (uint32_t character = 0x30; character < 0x38; ++character) {
    uart16550_write(UART16550_DATA, character);
    ok &= comes(uart_received) && (uart16550_read(UART16550_DATA) & 0xFF) == character;
  }
  uart16550_flush();
  const uint32_t status = uart16550_read(UART16550_LINE_STATUS);
  uart16550_write(UART16550_MODEM_CONTROL, 0);
  check(ok, "loopback: what is sent is received");
  check((status & UART16550_LINE_STATUS_DATA_READY) == 0, "loopback: and nothing more");
}

static volatile uint32_t transmitter_interrupts;
static void serve_transmitter(void* unused) {
  (void)unused;
  /* Reading the identity of the interrupt takes it back when it is the transmitter's (1). */
  if ((uart16550_read(UART16550_INTERRUPT_IDENTITY) & 0xF) == 0x2) ++transmitter_interrupts;
  uart16550_write(UART16550_INTERRUPT_ENABLE, 0);
}

static bool transmitter_interrupted(void) { return transmitter_interrupts != 0; }

void check_uart16550(void) {
  check_group("UART 16550");
  fflush(stdout);
  console_flush();
  uart16550_write(UART16550_SCRATCH, 0xA5);
  check_equal(uart16550_read(UART16550_SCRATCH) & 0xFF, 0xA5, "scratch register");
  check_equal(uart16550_read(UART16550_INTERRUPT_IDENTITY) & 0xC0, 0xC0, "the FIFOs are on");
  uart16550_write(UART16550_LINE_CONTROL, 0x83);
  const uint32_t divisor = (uart16550_read(UART16550_DATA) & 0xFF) |
                           (uart16550_read(UART16550_INTERRUPT_ENABLE) & 0xFF) << 8;
  uart16550_write(UART16550_LINE_CONTROL, 0x03);
  check_equal(divisor, board_clocks.uart16550_hz / 16 / UART16550_BAUD, "the divisor reads back");
  fflush(stdout);
  console_flush();
  check_loopback();
  fflush(stdout);
  console_flush();
  transmitter_interrupts = 0;
  interrupt_attach(GVP_IRQ_UART16550, serve_transmitter, NULL);
  uart16550_write(UART16550_INTERRUPT_ENABLE, 0x02); /* transmitter empty: it is, now */
  comes(transmitter_interrupted);
  timer_delay_us(100); /* for one too many */
  interrupt_attach(GVP_IRQ_UART16550, NULL, NULL);
  check_equal(transmitter_interrupts, 1, "interrupt: transmitter empty");
}

static volatile uint32_t uartlite_interrupts;
static void count_uartlite(void* unused) {
  (void)unused;
  ++uartlite_interrupts;
}

static bool uartlite_interrupted(void) { return uartlite_interrupts != 0; }
static bool uartlite_sent(void) {
  return (io_read32(GVP_UARTLITE_BASE + UARTLITE_STATUS) & UARTLITE_STATUS_TRANSMIT_EMPTY) != 0;
}

void check_uartlite(void) {
  check_group("UART Lite");
  if (!uartlite_present()) {
    check_skip("UART Lite", "none here");
    return;
  }
  const uint32_t base = GVP_UARTLITE_BASE;
  check_equal(io_read32(base + UARTLITE_STATUS) & UARTLITE_STATUS_TRANSMIT_FULL, 0,
              "the transmitter has room");
  uartlite_interrupts = 0;
  interrupt_attach(GVP_IRQ_UARTLITE, count_uartlite, NULL);
  io_write32(base + UARTLITE_CONTROL, UARTLITE_CONTROL_INTERRUPT_ENABLE);
  check((io_read32(base + UARTLITE_STATUS) & UARTLITE_STATUS_INTERRUPT_ENABLED) != 0,
        "interrupts can be enabled");
  static const uint8_t text[16] = "hello, UART Lite"; /* as much as the FIFO takes */
  for (unsigned i = 0; i < sizeof text; ++i) io_write32(base + UARTLITE_TRANSMIT, text[i]);
  check((io_read32(base + UARTLITE_STATUS) & UARTLITE_STATUS_TRANSMIT_EMPTY) == 0,
        "sending takes time");
  uartlite_send('\n');
  check(comes(uartlite_sent), "everything is sent in the end");
  check(comes(uartlite_interrupted), "interrupt: transmitter empty");
  io_write32(base + UARTLITE_CONTROL, 0);
  interrupt_attach(GVP_IRQ_UARTLITE, NULL, NULL);
}

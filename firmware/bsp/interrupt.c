/* SPDX-License-Identifier: Apache-2.0 */
#include "bsp/interrupt.h"

#include "bsp/core.h"
#include "platform/memory_map.h"

/* PG099, register space. */
enum {
  kIntcStatus = 0x00,
  kIntcPending = 0x04,
  kIntcEnable = 0x08,
  kIntcAcknowledge = 0x0C,
  kIntcSetEnable = 0x10,
  kIntcClearEnable = 0x14,
  kIntcMasterEnable = 0x1C,
};
enum { kMasterEnable = 1, kHardwareEnable = 2 };

static struct {
  interrupt_handler handler;
  void* argument;
  volatile uint32_t count;
} inputs[INTERRUPT_INPUTS];
static volatile uint32_t spurious;

static uint32_t read(uint32_t offset) { return io_read32(GVP_INTC_BASE + offset); }
static void write(uint32_t offset, uint32_t value) { io_write32(GVP_INTC_BASE + offset, value); }

void interrupt_initialize(void) {
  write(kIntcMasterEnable, 0);
  write(kIntcEnable, 0);
  write(kIntcAcknowledge, 0xFFFFFFFFu);
  for (unsigned i = 0; i < INTERRUPT_INPUTS; ++i) {
    inputs[i].handler = NULL;
    inputs[i].count = 0;
  }
  spurious = 0;
  write(kIntcMasterEnable, kMasterEnable | kHardwareEnable);
}

void interrupt_attach(unsigned input, interrupt_handler handler, void* argument) {
  if (input >= INTERRUPT_INPUTS) return;
  const uint32_t state = interrupt_disable();
  inputs[input].handler = handler;
  inputs[input].argument = argument;
  if (handler != NULL) {
    write(kIntcAcknowledge, 1u << input); /* what an edge input latched before anyone listened */
    write(kIntcSetEnable, 1u << input);
  } else {
    write(kIntcClearEnable, 1u << input);
  }
  interrupt_restore(state);
}

void interrupt_enable(void) { core_write_msr(core_read_msr() | CORE_MSR_IE); }

uint32_t interrupt_disable(void) {
  const uint32_t msr = core_read_msr();
  core_write_msr(msr & ~CORE_MSR_IE);
  return msr & CORE_MSR_IE;
}

void interrupt_restore(uint32_t state) {
  if (state != 0) interrupt_enable();
}

uint32_t interrupt_count(unsigned input) {
  return input < INTERRUPT_INPUTS ? inputs[input].count : 0;
}

uint32_t interrupt_spurious_count(void) { return spurious; }

/* Called by interrupt_entry with the core's interrupts off. */
void interrupt_dispatch(void);
void interrupt_dispatch(void) {
  uint32_t pending;
  while ((pending = read(kIntcPending)) != 0) {
    const unsigned input =
        (unsigned)__builtin_ctz(pending); /* the lowest has the highest priority */
    write(kIntcAcknowledge, 1u << input);
    ++inputs[input].count;
    if (inputs[input].handler != NULL) {
      inputs[input].handler(inputs[input].argument);
    } else {
      write(kIntcClearEnable, 1u << input);
      ++spurious;
    }
  }
}

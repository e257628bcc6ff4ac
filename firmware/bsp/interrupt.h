/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts: the core's enable bit, and the AXI interrupt controller (Xilinx PG099) behind it.
 *
 * A handler may be called once more than its device asked: level and edge inputs are served by the
 * same loop (acknowledge, call, look again), and a level input is still latched after the first
 * call.  Handlers therefore look at their device's own status. */
#ifndef GVP_BSP_INTERRUPT_H
#define GVP_BSP_INTERRUPT_H

#include "bsp/io.h"

#define INTERRUPT_INPUTS 32u

typedef void (*interrupt_handler)(void* argument);

/* Finds the controller, disables all inputs and starts it.  The core's interrupts stay off. */
void interrupt_initialize(void);

/* Installs a handler and enables the input; a null handler disables it. */
void interrupt_attach(unsigned input, interrupt_handler handler, void* argument);

/* The core's interrupt enable.  disable returns what restore takes. */
void interrupt_enable(void);
uint32_t interrupt_disable(void);
void interrupt_restore(uint32_t state);

/* How often an input was served since interrupt_initialize(), and interrupts without a handler. */
uint32_t interrupt_count(unsigned input);
uint32_t interrupt_spurious_count(void);

#endif

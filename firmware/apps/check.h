/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the self-test: each prints a line, the sums come at the end. */
#ifndef GVP_APPS_CHECK_H
#define GVP_APPS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

void check_group(const char* name);
bool check(bool ok, const char* name); /* returns ok */
/* The same, with both values in the line when they differ. */
bool check_equal(uint32_t got, uint32_t expected, const char* name);
void check_skip(const char* name, const char* reason);
unsigned check_failures(void);
void check_summary(void);

/* The groups. */
void check_core(void);
void check_memory(void);
void check_exceptions(void);
void check_interrupt_controller(void);
void check_timer(void);
void check_uart16550(void);
void check_uartlite(void);
void check_gpgpu(void);        /* what the driver does */
void check_gpgpu_errors(void); /* what goes wrong, on purpose */

#endif

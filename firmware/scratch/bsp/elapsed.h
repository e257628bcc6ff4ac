/* SPDX-License-Identifier: Apache-2.0 */
/* Time since it was first asked for, on counter 1 of the AXI timer, in cycles of the timer's clock.
 * The counter wraps around after 2^32 of them (21 s at 200 MHz): who asks more rarely misses some.
 */
#ifndef GVP_SCRATCH_ELAPSED_H
#define GVP_SCRATCH_ELAPSED_H

#include <stdbool.h>
#include <stdint.h>

uint64_t bsp_elapsed(void);
bool bsp_elapsed_runs(void);
/* The program takes the counter; bsp_elapsed() stands still from now on. */
void bsp_elapsed_give_up(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* How a program starts and ends.  Interrupts and caches stay off: such programs turn on themselves
 * what they want. */
#include <stdint.h>
#include <stdlib.h>

#include "bsp/console.h"
#include "bsp/program.h"
#include "mb_interface.h"
#include "platform.h"

/* A runner writes here before the start, as into programs of the other boards. */
char program_argument_text[PROGRAM_ARGUMENT_BYTES] __attribute__((section(".data"), used)) = "";

const char* program_arguments(void) { return program_argument_text; }

int main(void);

/* Called by _start. */
void bsp_main(uint32_t r5) __attribute__((noreturn));
void bsp_main(uint32_t r5) {
  (void)r5;
  console_initialize();
  exit(main());
}

void program_stop(int code) {
  console_flush();
  microblaze_disable_interrupts();
  register int r3 __asm__("r3") = code;
  __asm__ volatile("1: bri 1b" : : "r"(r3));
  __builtin_unreachable();
}

/* A program may come with a platform.c of its own. */
__attribute__((weak)) void enable_caches(void) { microblaze_enable_dcache(); }
__attribute__((weak)) void disable_caches(void) { microblaze_disable_dcache(); }
__attribute__((weak)) void init_platform(void) { enable_caches(); }
__attribute__((weak)) void cleanup_platform(void) { disable_caches(); }

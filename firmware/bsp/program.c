/* SPDX-License-Identifier: Apache-2.0 */
#include "bsp/program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bsp/cache.h"
#include "bsp/console.h"
#include "bsp/interrupt.h"
#include "bsp/timer.h"
#include "platform/memory_map.h"

/* A runner or a debugger may write here (the symbol's address is in the ELF) before the start.
 * Not .bss, which the start-up code clears. */
char program_argument_text[PROGRAM_ARGUMENT_BYTES] __attribute__((section(".data"))) = "";

static char arguments[PROGRAM_ARGUMENT_BYTES];

int main(void);

/* r5 may point to a string; it may as well hold anything. */
static void take_arguments(uint32_t r5) {
  const char* source = program_argument_text;
  if (source[0] == '\0' && r5 >= GVP_DDR3_BASE &&
      r5 < GVP_DDR3_BASE + GVP_DDR3_SIZE - PROGRAM_ARGUMENT_BYTES)
    source = (const char*)r5;
  for (unsigned i = 0; i + 1 < PROGRAM_ARGUMENT_BYTES && source[i] != '\0'; ++i) {
    if (!isprint((unsigned char)source[i])) {
      arguments[0] = '\0'; /* not text: what was left in the register */
      return;
    }
    arguments[i] = source[i];
  }
}

const char* program_arguments(void) { return arguments; }

uint32_t program_next_number(const char** text) {
  char* end;
  const unsigned long value = strtoul(*text, &end, 10);
  if (end == *text || (*end != '\0' && !isspace((unsigned char)*end))) return 0;
  *text = end;
  return value <= UINT32_MAX ? (uint32_t)value : 0;
}

/* Called by _start. */
void bsp_main(uint32_t r5) __attribute__((noreturn));
void bsp_main(uint32_t r5) {
  cache_initialize();
  console_initialize();
  interrupt_initialize();
  timer_initialize();
  take_arguments(r5);
  interrupt_enable();
  exit(main());
}

void program_stop(int code) {
  console_flush();
  interrupt_disable();
  register int r3 __asm__("r3") = code;
  __asm__ volatile("1: bri 1b" : : "r"(r3));
  __builtin_unreachable();
}

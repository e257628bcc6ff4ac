/* SPDX-License-Identifier: Apache-2.0 */
/* Exercises every device of the board and every path of the GPGPU driver.  Exit code: how many
 * checks failed.  What the hardware at hand does not have is skipped with the reason. */
#include <stdio.h>

#include "apps/check.h"

static unsigned passed, failed, skipped;

void check_group(const char* name) { printf("%s\n", name); }

bool check(bool ok, const char* name) {
  printf("  %s  %s\n", ok ? "PASS" : "FAIL", name);
  if (ok)
    ++passed;
  else
    ++failed;
  return ok;
}

bool check_equal(uint32_t got, uint32_t expected, const char* name) {
  if (!check(got == expected, name))
    printf("        got 0x%lx, expected 0x%lx\n", (unsigned long)got, (unsigned long)expected);
  return got == expected;
}

void check_skip(const char* name, const char* reason) {
  printf("  SKIP  %s: %s\n", name, reason);
  ++skipped;
}

unsigned check_failures(void) { return failed; }

void check_summary(void) {
  printf("\nselftest: %u passed, %u failed, %u skipped\n", passed, failed, skipped);
}

int main(void) {
  check_core();
  check_memory();
  check_exceptions();
  check_interrupt_controller();
  check_timer();
  check_uart16550();
  check_uartlite();
  check_gpgpu();
  check_gpgpu_errors();
  check_summary();
  const unsigned failures = check_failures();
  return failures > 99 ? 99 : (int)failures;
}

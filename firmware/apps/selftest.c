/* SPDX-License-Identifier: Apache-2.0 */
/* Exercises every device of the board and every path of the GPGPU driver.  What the hardware at
 * hand does not have is skipped with the reason.
 *
 * Arguments: which groups of checks, by the words of the table below (default: all).
 * Exit code: how many checks failed, at most 99; 100 for an argument that is no group. */
#include <stdio.h>
#include <string.h>

#include "apps/check.h"
#include "bsp/program.h"

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

static const struct {
  const char* word;
  void (*run)(void);
} kGroups[] = {
    {"core", check_core},
    {"memory", check_memory},
    {"exceptions", check_exceptions},
    {"intc", check_interrupt_controller},
    {"timer", check_timer},
    {"uart16550", check_uart16550},
    {"uartlite", check_uartlite},
    {"gpgpu", check_gpgpu},
    {"errors", check_gpgpu_errors},
};
enum { kGroupCount = sizeof kGroups / sizeof kGroups[0], kExitNoGroup = 100 };

/* Takes the next word off *text; its length is 0 at the end. */
static const char* next_word(const char** text, size_t* length) {
  const char* word = *text + strspn(*text, " ");
  *length = strcspn(word, " ");
  *text = word + *length;
  return word;
}

/* Whether `word`, of so many characters, is among the arguments. */
static bool is_asked_for(const char* word) {
  const char* left = program_arguments();
  size_t length;
  for (const char* asked = next_word(&left, &length); length != 0;
       asked = next_word(&left, &length))
    if (strlen(word) == length && strncmp(asked, word, length) == 0) return true;
  return false;
}

/* The first argument that is no group, 0 characters if there is none. */
static const char* first_unknown(size_t* length) {
  const char* left = program_arguments();
  for (const char* asked = next_word(&left, length); *length != 0;
       asked = next_word(&left, length)) {
    bool known = false;
    for (unsigned i = 0; i < kGroupCount; ++i)
      known = known ||
              (strlen(kGroups[i].word) == *length && strncmp(asked, kGroups[i].word, *length) == 0);
    if (!known) return asked;
  }
  return "";
}

int main(void) {
  size_t length;
  const char* unknown = first_unknown(&length);
  if (length != 0) {
    printf("selftest: there is no group %.*s\n", (int)length, unknown);
    return kExitNoGroup;
  }
  const char* left = program_arguments();
  next_word(&left, &length);
  const bool all = length == 0;
  for (unsigned i = 0; i < kGroupCount; ++i)
    if (all || is_asked_for(kGroups[i].word)) kGroups[i].run();
  check_summary();
  const unsigned failures = check_failures();
  return failures > 99 ? 99 : (int)failures;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Mixed integer code for measuring how fast a MicroBlaze, or a model of one, executes: about
 * 50 million instructions, most of them in memory-light loops as compilers make them.  Checks
 * itself; uses nothing but the processor, memory and, for the result, console and timer.
 *
 * Arguments: how often to run everything (default 1).  Exit code: how many checksums are wrong. */
#include "apps/speed_programs.h"
#include "bsp/console.h"
#include "bsp/program.h"
#include "bsp/timer.h"

static void print(const char* name, uint32_t checksum, uint32_t us, int ok) {
  console_text(name);
  console_text("  ");
  console_hex(checksum);
  console_text(ok ? "  right  " : "  WRONG  ");
  console_decimal(us);
  console_text(" us\n");
}

int main(void) {
  const char* arguments = program_arguments();
  uint32_t repeats = program_next_number(&arguments);
  if (repeats == 0) repeats = 1;
  int wrong = 0;
  for (unsigned i = 0; i < kPrograms; ++i) {
    const uint64_t start = timer_now();
    int ok = 1;
    uint32_t checksum = 0;
    for (uint32_t repeat = 0; repeat < repeats; ++repeat) {
      checksum = programs[i].run(programs[i].rounds);
      ok &= checksum == programs[i].checksum;
    }
    print(programs[i].name, checksum, timer_microseconds(timer_now() - start), ok);
    wrong += !ok;
  }
  console_text(wrong == 0 ? "speed: all checksums are right\n" : "speed: checksums are WRONG\n");
  return wrong;
}

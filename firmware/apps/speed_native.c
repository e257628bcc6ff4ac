/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what speed.c must expect, from the machine it is compiled on:
 *   cc -Ifirmware firmware/apps/speed_native.c firmware/apps/speed_work.c && ./a.out */
#include <stdio.h>
#include <stdlib.h>

#include "apps/speed_programs.h"

int main(int argc, char** argv) {
  const uint32_t scale = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
  for (unsigned i = 0; i < kPrograms; ++i)
    printf("%s %u: 0x%08x\n", programs[i].name, (unsigned)(programs[i].rounds * scale),
           (unsigned)programs[i].run(programs[i].rounds * scale));
  return 0;
}

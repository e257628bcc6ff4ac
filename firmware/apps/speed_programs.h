/* SPDX-License-Identifier: Apache-2.0 */
/* How long each kernel of speed.elf runs, and what must come out (apps/speed_native.c tells). */
#ifndef GVP_APPS_SPEED_PROGRAMS_H
#define GVP_APPS_SPEED_PROGRAMS_H

#include "apps/speed_work.h"

static const struct {
  const char* name;
  uint32_t (*run)(uint32_t rounds);
  uint32_t rounds;
  uint32_t checksum;
} programs[] = {
    {"records", work_records, 40000, 0xb678973f}, {"matrix", work_matrix, 40, 0xa10a54cb},
    {"sort", work_sort, 20, 0x2767e791},          {"list", work_list, 100, 0x6f9608d4},
    {"bits", work_bits, 150, 0x4e213dbd},         {"sieve", work_sieve, 60, 0x4e10811e},
};
enum { kPrograms = sizeof programs / sizeof programs[0] };

#endif

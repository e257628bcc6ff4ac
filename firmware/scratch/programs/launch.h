/* SPDX-License-Identifier: Apache-2.0 */
/* Runs wavefronts on MIAOW2.0 as SCRATCH's MicroBlaze programs do: one at a time, registers and
 * code written word by word, memory served in between.  What kernels find: s[2:3]   TABLE, where
 * the descriptors of buffers lie from +0x180 on, 0x20 bytes each s[4:7]   descriptor of constants
 * about the launch (nothing here reads them) s[8:11]  descriptor of the arguments s12, s13 group
 *   v0, v1   what the program gives the lanes
 * The first four words of a kernel are two moves of literals to EXEC, which are patched here. */
#ifndef SCRATCH_LAUNCH_H
#define SCRATCH_LAUNCH_H

#include "xil_types.h"

enum { kLanes = 64, kBuffers = 3, kMostArguments = 16 };

/* Where the tables lie: at address 0 of prefetch memory, or of DDR3. */
enum memory { kPrefetch, kDdr3 };

struct buffer {
  u32 address; /* for the compute unit */
  u32 bytes;
};

void miaow_reset(void);
/* Writes the kernel, once for many launches. */
void miaow_load(const u32* code, u32 words);
/* Writes tables and scalar registers. */
void miaow_bind(enum memory memory, const struct buffer* buffers, u32 count, const u32* arguments,
                u32 argument_count);
/* In place of it, for kernels without buffers: s0 and s1; s2 to s15 are 0. */
void miaow_set_scalars(u32 first, u32 second);
/* lanes: how many, from 0 on; x, y: their v0, v1.  Returns 1, or 0 when more than limit cycles
 * pass.
 */
int miaow_run(u32 lanes, const u32* x, const u32* y, u32 limit);

u32 miaow_cycles(void);       /* of the last run */
u32 miaow_total_cycles(void); /* of all runs since the last load */
u32 miaow_served_words(void); /* likewise */
u32 miaow_scalar(u32 number);
u32 miaow_vector(u32 number, u32 lane);

/* Words at an address of the compute unit's. */
void miaow_write(enum memory memory, u32 address, u32 word);
u32 miaow_read(enum memory memory, u32 address);

#endif

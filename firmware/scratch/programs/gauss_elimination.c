/* SPDX-License-Identifier: Apache-2.0 */
/* Gaussian elimination of 32 equations: the compute unit eliminates, this program substitutes
 * backwards.  Data in prefetch memory; the AXI timer measures the substitution. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/gauss_multipliers_kernel.h"
#include "kernels/gauss_rows_kernel.h"
#include "launch.h"
#include "platform.h"
#include "xil_printf.h"
#include "xparameters.h"
#include "xtmrctr.h"

enum { kSize = 32, kColumns = kSize + 1, kA = 0x4000, kMultipliers = 0x8000, kLimit = 100000 };

static float a[kSize][kColumns];      /* with the right side */
static float before[kSize][kColumns]; /* before anything was eliminated */
static u32 all_cycles;
static XTmrCtr timer;

static u32 word_of(float value) {
  u32 word;
  memcpy(&word, &value, sizeof word);
  return word;
}
static float float_at(u32 address) {
  const u32 word = miaow_read(kPrefetch, address);
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}
static u32 address_of(u32 row, u32 column) { return kA + 4 * (kColumns * row + column); }

static void fill(void) {
  for (u32 i = 0; i < kSize; ++i) {
    for (u32 j = 0; j < kColumns; ++j) {
      const float value = (float)((i * 7 + j * 13) % 11) / 4 + (i == j ? 20.0f : 0.0f);
      a[i][j] = before[i][j] = value;
      miaow_write(kPrefetch, address_of(i, j), word_of(value));
    }
  }
}

static int run(u32 lanes, const u32* x, const u32* y) {
  const int ended = miaow_run(lanes, x, y, kLimit);
  all_cycles += miaow_cycles();
  return ended;
}

static int multipliers(u32 step) {
  u32 x[kLanes], y[kLanes];
  for (u32 i = 0; i < kLanes; ++i) {
    x[i] = i;
    y[i] = 0;
  }
  const struct buffer buffers[] = {{kMultipliers, 4 * kSize}, {kA, sizeof a}};
  const u32 arguments[] = {kColumns, step};
  miaow_load(gauss_multipliers_kernel, sizeof gauss_multipliers_kernel / 4);
  miaow_bind(kPrefetch, buffers, 2, arguments, 2);
  return run(kSize - 1 - step, x, y);
}

static int rows(u32 step) {
  const struct buffer buffers[] = {{kA, sizeof a}, {kMultipliers, 4 * kSize}};
  const u32 arguments[] = {4 * kColumns, step};
  miaow_load(gauss_rows_kernel, sizeof gauss_rows_kernel / 4);
  miaow_bind(kPrefetch, buffers, 2, arguments, 2);
  u32 x[kLanes], y[kLanes], lanes = 0;
  for (u32 i = step + 1; i < kSize; ++i) {
    for (u32 j = step; j < kColumns; ++j) {
      x[lanes] = j;
      y[lanes] = i;
      const int last = i == kSize - 1 && j == kColumns - 1;
      if (++lanes < kLanes && !last) continue;
      if (!run(lanes, x, y)) return 0;
      lanes = 0;
    }
  }
  return 1;
}

/* The same on this processor, operation by operation: to the last bit. */
static void eliminate(void) {
  for (int t = 0; t < kSize - 1; ++t) {
    const float reciprocal = 1.0f / a[t][t];
    for (int i = t + 1; i < kSize; ++i) {
      const float multiplier = a[i][t] * reciprocal;
      for (int j = t; j < kColumns; ++j) {
        const float product = a[t][j] * multiplier;
        a[i][j] = a[i][j] - product;
      }
    }
  }
}

int main(void) {
  init_platform();
  if (XTmrCtr_Initialize(&timer, XPAR_TMRCTR_0_DEVICE_ID) != XST_SUCCESS) {
    xil_printf("no timer\n");
    return 2;
  }
  fill();
  for (u32 step = 0; step + 1 < kSize; ++step) {
    if (!multipliers(step) || !rows(step)) {
      xil_printf("step %d does not end\n", step);
      return 2;
    }
  }
  xil_printf("Total number of cycles: %ld\n", all_cycles);

  int wrong = 0;
  eliminate();
  for (u32 i = 0; i < kSize; ++i)
    for (u32 j = i; j < kColumns; ++j)
      if (miaow_read(kPrefetch, address_of(i, j)) != word_of(a[i][j])) ++wrong;

  float solution[kSize];
  XTmrCtr_SetResetValue(&timer, 0, 0);
  XTmrCtr_Reset(&timer, 0);
  XTmrCtr_Start(&timer, 0);
  for (int i = kSize - 1; i >= 0; --i) {
    float rest = float_at(address_of((u32)i, kSize));
    for (int j = i + 1; j < kSize; ++j) rest -= float_at(address_of((u32)i, (u32)j)) * solution[j];
    solution[i] = rest / float_at(address_of((u32)i, (u32)i));
  }
  XTmrCtr_Stop(&timer, 0);
  xil_printf("time dif=%d\n", XTmrCtr_GetValue(&timer, 0));

  for (int i = 0; i < kSize; ++i) {
    float sum = 0;
    for (int j = 0; j < kSize; ++j) sum += before[i][j] * solution[j];
    if (fabsf(sum - before[i][kSize]) > 1e-4f) ++wrong;
    printf("%f%c", (double)solution[i], i % 8 == 7 ? '\n' : ' ');
  }
  xil_printf("%d wrong\n", wrong);
  cleanup_platform();
  return wrong != 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Product of two 8 x 8 matrices of floats in prefetch memory, one work-item an element. */
#include <stdio.h>
#include <string.h>

#include "kernels/matrix_float_kernel.h"
#include "launch.h"
#include "platform.h"
#include "xil_printf.h"

enum { kSize = 8, kElements = kSize * kSize, kBytes = 4 * kElements };
enum { kC = 0x1000, kA = 0x2000, kB = 0x3000, kLimit = 1000000 };

static float a[kElements], b[kElements];

static u32 word_of(float value) {
  u32 word;
  memcpy(&word, &value, sizeof word);
  return word;
}

/* In the kernel's order, so that floats are the same to the last bit. */
static float expected(int row, int column) {
  float sum = 0;
  for (int i = 0; i < kSize; ++i) {
    const float product = a[kSize * row + i] * b[kSize * i + column];
    sum = sum + product;
  }
  return sum;
}

int main(void) {
  init_platform();
  u32 x[kLanes], y[kLanes];
  for (int i = 0; i < kElements; ++i) {
    a[i] = (float)(3 * i - 50) / 8;
    b[i] = (float)(i % 7 - 2) / 3;
    x[i] = (u32)i % kSize;
    y[i] = (u32)i / kSize;
    miaow_write(kPrefetch, kA + 4 * (u32)i, word_of(a[i]));
    miaow_write(kPrefetch, kB + 4 * (u32)i, word_of(b[i]));
  }
  const struct buffer buffers[] = {{kC, kBytes}, {kA, kBytes}, {kB, kBytes}};
  const u32 arguments[] = {kSize};
  miaow_load(matrix_float_kernel, sizeof matrix_float_kernel / 4);
  miaow_bind(kPrefetch, buffers, 3, arguments, 1);
  if (!miaow_run(kLanes, x, y, kLimit)) {
    xil_printf("the kernel does not end\n");
    return 2;
  }
  xil_printf("Total number of cycles: %ld\n", miaow_cycles());
  int wrong = 0;
  for (int i = 0; i < kElements; ++i) {
    const u32 word = miaow_read(kPrefetch, kC + 4 * (u32)i);
    float value;
    memcpy(&value, &word, sizeof value);
    printf("%.3f%c", (double)value, i % kSize == kSize - 1 ? '\n' : ' ');
    if (word != word_of(expected(i / kSize, i % kSize))) ++wrong;
  }
  xil_printf("%d of %d elements wrong\n", wrong, kElements);
  cleanup_platform();
  return wrong != 0;
}

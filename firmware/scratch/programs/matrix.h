/* SPDX-License-Identifier: Apache-2.0 */
/* Product of two 8 x 8 matrices of a type `number` in prefetch memory, one work-item an element.
 * matrix_int.c and matrix_float.c define the type, its KERNEL (code), what elements are (NUMBER_A,
 * NUMBER_B of their index) and PRINT before they include this; no include guard. */
#include <stdio.h>
#include <string.h>

#include "launch.h"
#include "platform.h"
#include "xil_printf.h"

enum { kSize = 8, kElements = kSize * kSize, kBytes = 4 * kElements };
enum { kC = 0x1000, kA = 0x2000, kB = 0x3000, kLimit = 1000000 };

static number a[kElements], b[kElements];

static u32 word_of(number value) {
  u32 word;
  memcpy(&word, &value, sizeof word);
  return word;
}

/* In the kernel's order, so that floats are the same to the last bit. */
static number expected(int row, int column) {
  number sum = 0;
  for (int i = 0; i < kSize; ++i) {
    const number product = a[kSize * row + i] * b[kSize * i + column];
    sum = sum + product;
  }
  return sum;
}

int main(void) {
  init_platform();
  u32 x[kLanes], y[kLanes];
  for (int i = 0; i < kElements; ++i) {
    a[i] = NUMBER_A(i);
    b[i] = NUMBER_B(i);
    x[i] = (u32)i % kSize;
    y[i] = (u32)i / kSize;
    miaow_write(kPrefetch, kA + 4 * (u32)i, word_of(a[i]));
    miaow_write(kPrefetch, kB + 4 * (u32)i, word_of(b[i]));
  }
  const struct buffer buffers[] = {{kC, kBytes}, {kA, kBytes}, {kB, kBytes}};
  const u32 arguments[] = {kSize};
  miaow_load(KERNEL, sizeof KERNEL / 4);
  miaow_bind(kPrefetch, buffers, 3, arguments, 1);
  if (!miaow_run(kLanes, x, y, kLimit)) {
    xil_printf("the kernel does not end\n");
    return 2;
  }
  xil_printf("Total number of cycles: %ld\n", miaow_cycles());
  int wrong = 0;
  for (int i = 0; i < kElements; ++i) {
    const u32 word = miaow_read(kPrefetch, kC + 4 * (u32)i);
    number value;
    memcpy(&value, &word, sizeof value);
    PRINT(value, i % kSize == kSize - 1 ? '\n' : ' ');
    if (word != word_of(expected(i / kSize, i % kSize))) ++wrong;
  }
  xil_printf("%d of %d elements wrong\n", wrong, kElements);
  cleanup_platform();
  return wrong != 0;
}

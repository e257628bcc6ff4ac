/* SPDX-License-Identifier: Apache-2.0 */
/* Convolution of an image of rows of 64 integers, 8 of them or as many as the argument says (at
 * most 64), with 5 x 5 coefficients.  All data, tables included, are in DDR3, so that this program
 * serves every word.  A work-group is a row. */
#include <stdlib.h>

#include "kernels/convolution_kernel.h"
#include "launch.h"
#include "platform.h"
#include "xil_printf.h"

enum { kSize = 64, kRows = 64, kTaps = 5 };
enum { kWide = kSize + kTaps - 1, kHigh = kRows + kTaps - 1 };
enum { kResult = 0x10000, kImage = 0x20000, kCoefficients = 0x8000, kLimit = 10000000 };

static int image[kHigh][kWide];
static u32 rows = 8;
static int coefficients[kTaps][kTaps];

static int expected(int row, int column) {
  int sum = 0;
  for (int i = 0; i < kTaps; ++i)
    for (int j = 0; j < kTaps; ++j) sum += image[row + i][column + j] * coefficients[i][j];
  return sum;
}

static void fill(void) {
  for (int i = 0; i < (int)rows + kTaps - 1; ++i) {
    for (int j = 0; j < kWide; ++j) {
      const int inside = i >= 2 && i < (int)rows + 2 && j >= 2 && j < kSize + 2;
      image[i][j] = inside ? (i * 31 + j * 17) % 256 : 0;
      miaow_write(kDdr3, kImage + 4 * (u32)(kWide * i + j), (u32)image[i][j]);
    }
  }
  for (int i = 0; i < kTaps; ++i) {
    for (int j = 0; j < kTaps; ++j) {
      coefficients[i][j] = i == 2 && j == 2 ? 24 : -1;
      miaow_write(kDdr3, kCoefficients + 4 * (u32)(kTaps * i + j), (u32)coefficients[i][j]);
    }
  }
}

const char* program_arguments(void);

int main(void) {
  init_platform();
  const int wanted = atoi(program_arguments());
  if (wanted > 0 && wanted <= kRows) rows = (u32)wanted;
  fill();
  const struct buffer buffers[] = {{kResult, 4 * kSize * kRows},
                                   {kImage, 4 * kHigh * kWide},
                                   {kCoefficients, 4 * kTaps * kTaps}};
  const u32 arguments[] = {4 * kWide, 4 * kSize};
  miaow_load(convolution_kernel, sizeof convolution_kernel / 4);
  miaow_bind(kDdr3, buffers, 3, arguments, 2);
  int wrong = 0;
  for (u32 row = 0; row < rows; ++row) {
    u32 x[kLanes], y[kLanes];
    for (u32 lane = 0; lane < kLanes; ++lane) {
      x[lane] = lane;
      y[lane] = row;
    }
    if (!miaow_run(kLanes, x, y, kLimit)) {
      xil_printf("work-group %d does not end\n", row);
      return 2;
    }
    xil_printf("%ld,", miaow_cycles());
    for (u32 column = 0; column < kSize; ++column)
      if ((int)miaow_read(kDdr3, kResult + 4 * (kSize * row + column)) !=
          expected((int)row, (int)column))
        ++wrong;
  }
  xil_printf("\nwords served: %d\n%d of %d elements wrong\n", miaow_served_words(), wrong,
             rows * kSize);
  cleanup_platform();
  return wrong != 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* K-means: 32 points of 8 features, 5 clusters.  The compute unit finds the nearest centres, this
 * program moves them, until no point changes its cluster.  Points are in prefetch memory, with a
 * copy in DDR3. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "kernels/k_means_kernel.h"
#include "launch.h"
#include "platform.h"
#include "xil_printf.h"
#include "xparameters.h"
#include "xtmrctr.h"

enum { kPoints = 32, kFeatures = 8, kClusters = 5, kMostIterations = 50, kLimit = 1000000 };
enum { kMemberships = 0x1000, kPointsAt = 0x2000, kCentresAt = 0x4000 };

static float points[kPoints][kFeatures];
static float centres[kClusters][kFeatures];
static int memberships[kPoints];
static XTmrCtr timer;

static u32 word_of(float value) {
  u32 word;
  memcpy(&word, &value, sizeof word);
  return word;
}

static void fill(void) {
  u32 state = 1;
  for (int i = 0; i < kPoints; ++i) {
    memberships[i] = -1;
    for (int j = 0; j < kFeatures; ++j) {
      state = state * 1664525u + 1013904223u;
      points[i][j] = (float)(10 * (i % kClusters)) + (float)(state >> 24) / 64;
      const u32 at = kPointsAt + 4 * (u32)(kFeatures * i + j);
      miaow_write(kPrefetch, at, word_of(points[i][j]));
      miaow_write(kDdr3, at, word_of(points[i][j]));
    }
  }
  for (int i = 0; i < kClusters; ++i) memcpy(centres[i], points[i * 3], sizeof centres[i]);
}

static int nearest(int point) {
  float best = 3.4e38f;
  int found = 0;
  for (int i = 0; i < kClusters; ++i) {
    float distance = 0;
    for (int j = 0; j < kFeatures; ++j) {
      const float difference = points[point][j] - centres[i][j];
      const float square = difference * difference;
      distance = distance + square;
    }
    if (distance < best) {
      best = distance;
      found = i;
    }
  }
  return found;
}

static void move_centres(void) {
  for (int i = 0; i < kClusters; ++i) {
    float sum[kFeatures] = {0};
    int members = 0;
    for (int j = 0; j < kPoints; ++j) {
      if (memberships[j] != i) continue;
      ++members;
      for (int k = 0; k < kFeatures; ++k) sum[k] += points[j][k];
    }
    for (int k = 0; k < kFeatures && members != 0; ++k) centres[i][k] = sum[k] / (float)members;
  }
}

int main(void) {
  init_platform();
  if (XTmrCtr_Initialize(&timer, XPAR_TMRCTR_0_DEVICE_ID) != XST_SUCCESS) {
    xil_printf("no timer\n");
    return 2;
  }
  const clock_t begin = clock();
  fill();
  u32 lanes[kLanes], none[kLanes];
  for (u32 i = 0; i < kLanes; ++i) {
    lanes[i] = i;
    none[i] = 0;
  }
  const struct buffer buffers[] = {
      {kMemberships, 4 * kPoints}, {kPointsAt, sizeof points}, {kCentresAt, sizeof centres}};
  const u32 arguments[] = {kFeatures, kClusters, 4 * kFeatures};
  int wrong = 0, changed = 1, iterations = 0;
  while (changed != 0 && iterations < kMostIterations) {
    XTmrCtr_SetResetValue(&timer, 0, 0);
    XTmrCtr_Reset(&timer, 0);
    XTmrCtr_Start(&timer, 0);
    for (u32 i = 0; i < kClusters * kFeatures; ++i)
      miaow_write(kPrefetch, kCentresAt + 4 * i, word_of(centres[i / kFeatures][i % kFeatures]));
    miaow_load(k_means_kernel, sizeof k_means_kernel / 4);
    miaow_bind(kPrefetch, buffers, 3, arguments, 3);
    if (!miaow_run(kPoints, lanes, none, kLimit)) {
      xil_printf("iteration %d does not end\n", iterations);
      return 2;
    }
    XTmrCtr_Stop(&timer, 0);
    xil_printf("Number of cycles to completion: %ld\n", miaow_cycles());
    xil_printf("time dif=%d\n", XTmrCtr_GetValue(&timer, 0));
    changed = 0;
    for (int i = 0; i < kPoints; ++i) {
      const int membership = (int)miaow_read(kPrefetch, kMemberships + 4 * (u32)i);
      if (membership != nearest(i)) ++wrong;
      if (membership != memberships[i]) ++changed;
      memberships[i] = membership;
    }
    move_centres();
    ++iterations;
  }
  xil_printf("Took %d iterations\n", iterations);
  for (int i = 0; i < kPoints; ++i) xil_printf("%d%c", memberships[i], i % 16 == 15 ? '\n' : ' ');
  if (clock() <= begin) ++wrong;
  xil_printf("%d wrong\n", wrong);
  cleanup_platform();
  return wrong != 0 || changed != 0;
}

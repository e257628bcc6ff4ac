/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmarks that there are for one type alone. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "apps/opencl/benchmark.h"
#include "opencl/bitonic_sort.h"
#include "opencl/gaussian_elimination.h"
#include "opencl/k_means.h"
#include "opencl/pooling.h"
#include "opencl/transpose.h"

static const struct miaow_kernel transpose =
    MIAOW_KERNEL(transpose, TRANSPOSE, transpose, TRANSPOSE);
static const struct miaow_kernel bitonic_pass =
    MIAOW_KERNEL(bitonic_sort, BITONIC_SORT, bitonic_pass, BITONIC_PASS);
static const struct miaow_kernel nearest_centre =
    MIAOW_KERNEL(k_means, K_MEANS, nearest_centre, NEAREST_CENTRE);
static const struct miaow_kernel multipliers =
    MIAOW_KERNEL(gaussian_elimination, GAUSSIAN_ELIMINATION, multipliers, MULTIPLIERS);
static const struct miaow_kernel eliminate =
    MIAOW_KERNEL(gaussian_elimination, GAUSSIAN_ELIMINATION, eliminate, ELIMINATE);
static const struct miaow_kernel max_pooling =
    MIAOW_KERNEL(pooling, POOLING, max_pooling, MAX_POOLING);
static const struct miaow_kernel median_pooling =
    MIAOW_KERNEL(pooling, POOLING, median_pooling, MEDIAN_POOLING);
static const struct miaow_kernel average_pooling =
    MIAOW_KERNEL(pooling, POOLING, average_pooling, AVERAGE_POOLING);

void run_transpose(struct benchmark* b) {
  const uint32_t n = b->size, count = n * n;
  int32_t *const in = host_words(count), *const expected = host_words(count);
  const miaow_address out = device_room(b, count);
  random_integers(in, count, 7);
  for (uint32_t y = 0; y < n && b->verify; ++y)
    for (uint32_t x = 0; x < n; ++x) expected[x * n + y] = in[y * n + x];
  /* The kernel's tiles are of 8x8. */
  LAUNCH(b, &transpose, ((struct extents){n, n, 1}), ((struct extents){8, 8, 1}),
         MIAOW_POINTER(out), MIAOW_POINTER(device_words(b, in, count)), n);
  check(b, out, expected, count);
}

static int compare(const void* a, const void* b) {
  const int32_t left = *(const int32_t*)a, right = *(const int32_t*)b;
  return left < right ? -1 : left > right;
}

void run_bitonic_sort(struct benchmark* b) {
  const uint32_t count = b->size * b->size;
  uint32_t seed = 8, stages = 0;
  int32_t* const values = host_words(count);
  for (uint32_t i = 0; i < count; ++i) values[i] = (int32_t)random_word(&seed);
  const miaow_address at = device_words(b, values, count);
  while (1u << stages < count) ++stages;
  for (uint32_t stage = 0; stage < stages; ++stage)
    for (uint32_t pass = 0; pass <= stage; ++pass)
      LAUNCH(b, &bitonic_pass, ((struct extents){count / 2, 1, 1}), row(b, count / 2),
             MIAOW_POINTER(at), stage, pass);
  if (b->verify) qsort(values, count, sizeof *values, compare);
  check(b, at, values, count);
}

/* The host moves the centres; the device finds the nearest. */
enum { kClusters = 5, kFeatures = 8, kRounds = 3 };

static void nearest(int32_t* member, const float* features, const float* centres, uint32_t points) {
  for (uint32_t p = 0; p < points; ++p) {
    float best = FLT_MAX;
    for (int32_t c = 0; c < kClusters; ++c) {
      float distance = 0;
      for (uint32_t d = 0; d < kFeatures; ++d) {
        const float difference = features[d * points + p] - centres[(uint32_t)c * kFeatures + d];
        distance += difference * difference;
      }
      if (!(distance < best)) continue;
      best = distance;
      member[p] = c;
    }
  }
}

static void move(float* centres, const int32_t* member, const float* features, uint32_t points) {
  float sums[kClusters * kFeatures] = {0};
  uint32_t counts[kClusters] = {0};
  for (uint32_t p = 0; p < points; ++p) {
    const uint32_t c = (uint32_t)member[p];
    if (c >= kClusters) continue; /* what is wrong was told */
    ++counts[c];
    for (uint32_t d = 0; d < kFeatures; ++d) sums[c * kFeatures + d] += features[d * points + p];
  }
  for (uint32_t c = 0; c < kClusters; ++c)
    for (uint32_t d = 0; d < kFeatures && counts[c] != 0; ++d)
      centres[c * kFeatures + d] = sums[c * kFeatures + d] / (float)counts[c];
}

void run_k_means(struct benchmark* b) {
  const uint32_t points = b->size * b->size;
  float* const features = host_words(points * kFeatures);
  float centres[kClusters * kFeatures];
  int32_t *const expected = host_words(points), *const got = host_words(points);
  random_floats(features, points * kFeatures, 9);
  for (uint32_t c = 0; c < kClusters; ++c)
    for (uint32_t d = 0; d < kFeatures; ++d) centres[c * kFeatures + d] = features[d * points + c];
  const miaow_address member = device_room(b, points);
  const miaow_address data = device_words(b, features, points * kFeatures);
  const miaow_address centre = device_room(b, kClusters * kFeatures);
  for (unsigned round = 0; round < kRounds; ++round) {
    device_write(b, centre, centres, kClusters * kFeatures);
    LAUNCH(b, &nearest_centre, ((struct extents){points, 1, 1}), row(b, points),
           MIAOW_POINTER(member), MIAOW_POINTER(data), MIAOW_POINTER(centre), points, kClusters,
           kFeatures);
    if (b->verify) nearest(expected, features, centres, points);
    check(b, member, expected, points);
    device_read(b, got, member, points);
    move(centres, got, features, points);
  }
}

void run_gaussian_elimination(struct benchmark* b) {
  const uint32_t n = b->size, count = n * n;
  float *const a = host_words(count), *const right = host_words(n);
  random_floats(a, count, 10);
  random_floats(right, n, 11);
  for (uint32_t i = 0; i < n; ++i) a[i * n + i] += (float)n; /* no pivots needed */
  const miaow_address matrix = device_words(b, a, count), vector = device_words(b, right, n);
  const miaow_address multiplier = device_room(b, n);
  for (uint32_t t = 0; t + 1 < n; ++t) {
    LAUNCH(b, &multipliers, ((struct extents){n, 1, 1}), ((struct extents){tile(b, n).x, 1, 1}),
           MIAOW_POINTER(multiplier), MIAOW_POINTER(matrix), n, t);
    LAUNCH(b, &eliminate, ((struct extents){n, n, 1}), tile(b, n), MIAOW_POINTER(matrix),
           MIAOW_POINTER(vector), MIAOW_POINTER(multiplier), n, t);
    for (uint32_t row = t + 1; row < n && b->verify; ++row) {
      const float factor = a[row * n + t] / a[t * n + t];
      for (uint32_t column = t; column < n; ++column)
        a[row * n + column] -= factor * a[t * n + column];
      right[row] -= factor * right[t];
    }
  }
  check(b, matrix, a, count);
  check(b, vector, right, n);
}

static void sort_four(int32_t* values) {
  for (unsigned end = 3; end > 0; --end)
    for (unsigned i = 0; i < end; ++i) {
      if (values[i] <= values[i + 1]) continue;
      const int32_t larger = values[i];
      values[i] = values[i + 1];
      values[i + 1] = larger;
    }
}

/* of four values in ascending order */
static int32_t largest(const int32_t* values) { return values[3]; }
static int32_t median(const int32_t* values) { return (values[1] + values[2]) >> 1; }
static int32_t average(const int32_t* values) {
  return (values[0] + values[1] + values[2] + values[3]) >> 2;
}

static void run_pooling(struct benchmark* b, const struct miaow_kernel* kernel,
                        int32_t (*pool)(const int32_t*)) {
  const uint32_t n = b->size, half = n / 2;
  int32_t *const in = host_words(n * n), *const expected = host_words(half * half);
  const miaow_address out = device_room(b, half * half);
  random_integers(in, n * n, 12);
  for (uint32_t y = 0; y < half && b->verify; ++y)
    for (uint32_t x = 0; x < half; ++x) {
      const int32_t* const pixel = in + 2 * y * n + 2 * x;
      int32_t values[] = {pixel[0], pixel[1], pixel[n], pixel[n + 1]};
      sort_four(values);
      expected[y * half + x] = pool(values);
    }
  LAUNCH(b, kernel, ((struct extents){half, half, 1}), tile(b, half), MIAOW_POINTER(out),
         MIAOW_POINTER(device_words(b, in, n * n)), half);
  check(b, out, expected, half * half);
}
void run_max_pooling(struct benchmark* b) { run_pooling(b, &max_pooling, largest); }
void run_median_pooling(struct benchmark* b) { run_pooling(b, &median_pooling, median); }
void run_average_pooling(struct benchmark* b) { run_pooling(b, &average_pooling, average); }

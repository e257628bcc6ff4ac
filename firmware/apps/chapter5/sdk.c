/* SPDX-License-Identifier: Apache-2.0 */
/* The six of the thesis's benchmarks that are named after the CUDA SDK's, on numbers modulo 2^32.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/bench_host.h"
#include "apps/chapter5/benchmark.h"
#include "kernels/cuda/images.h"

enum { kMostThreads = 256, kTile = 16, kWideTile = 32, kRows = 8 };

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Of n numbers, a lag a thread. */
void run_autocorrelation(struct benchmark* b, bool verify, uint32_t n) {
  const uint32_t threads = least(n, kMostThreads);
  uint32_t *in = host_memory(n, 4), *out = host_memory(n, 4);
  random_words(in, n, 1);
  benchmark_begin(b, verify, &cuda_kernel_autocorrelation);
  const gpgpu_address device_in = device_memory(b, in, 4 * n);
  const gpgpu_address device_out = device_memory(b, NULL, 4 * n);
  const struct shape shape = {quotient_up(n, threads), 1, threads, 1, 0};
  LAUNCH(b, "autocorrelation", shape, device_in, device_out, n);
  device_read(b, out, device_out, 4 * n);
  add_result(b, out, 4 * n);
  if (verify) {
    uint32_t* expected = host_memory(n, 4);
    host_autocorrelation(expected, in, n);
    expect_words(b, expected, out, n);
    free(expected);
  }
  benchmark_end(b);
  free(in), free(out);
}

/* Of n numbers, 256 by 256. */
void run_bitonic_sort(struct benchmark* b, bool verify, uint32_t n) {
  const uint32_t threads = least(n, kMostThreads);
  uint32_t *in = host_memory(n, 4), *out = host_memory(n, 4);
  random_words(in, n, 2);
  benchmark_begin(b, verify, &cuda_kernel_bitonic_sort);
  const gpgpu_address data = device_memory(b, in, 4 * n);
  const struct shape shape = {n / threads, 1, threads, 1, 4 * threads};
  LAUNCH(b, "bitonic_sort", shape, data);
  device_read(b, out, data, 4 * n);
  add_result(b, out, 4 * n);
  if (verify) {
    for (uint32_t first = 0; first < n; first += threads)
      host_bitonic_sort((int32_t*)in + first, threads);
    expect_words(b, in, out, n);
  }
  benchmark_end(b);
  free(in), free(out);
}

/* Of n numbers: the long strides in global memory, then 512 numbers a block in shared memory. */
void run_fast_walsh(struct benchmark* b, bool verify, uint32_t n) {
  const uint32_t threads = least(n / 2, kMostThreads);
  const struct shape step = {n / 2 / threads, 1, threads, 1, 0};
  const struct shape block = {n / 2 / threads, 1, threads, 1, 8 * threads};
  uint32_t *in = host_memory(n, 4), *out = host_memory(n, 4);
  random_words(in, n, 3);
  benchmark_begin(b, verify, &cuda_kernel_fast_walsh);
  const gpgpu_address data = device_memory(b, in, 4 * n);
  for (uint32_t stride = n / 2; stride > threads; stride /= 2)
    LAUNCH(b, "fast_walsh_step", step, data, stride);
  LAUNCH(b, "fast_walsh", block, data);
  device_read(b, out, data, 4 * n);
  add_result(b, out, 4 * n);
  if (verify) {
    for (uint32_t stride = 1; stride < n; stride *= 2) {
      for (uint32_t i = 0; i < n; ++i) {
        if ((i & stride) != 0) continue;
        const uint32_t low = in[i], high = in[i + stride];
        in[i] = low + high;
        in[i + stride] = low - high;
      }
    }
    expect_words(b, in, out, n);
  }
  benchmark_end(b);
  free(in), free(out);
}

/* A of n x 16, B of 16 x n numbers. */
void run_matrix_multiply(struct benchmark* b, bool verify, uint32_t n) {
  const uint32_t strip = kTile * n, count = n * n;
  uint32_t *left = host_memory(strip, 4), *right = host_memory(strip, 4);
  uint32_t* out = host_memory(count, 4);
  random_words(left, strip, 4);
  random_words(right, strip, 5);
  benchmark_begin(b, verify, &cuda_kernel_matrix_multiply);
  const gpgpu_address device_left = device_memory(b, left, 4 * strip);
  const gpgpu_address device_right = device_memory(b, right, 4 * strip);
  const gpgpu_address device_out = device_memory(b, NULL, 4 * count);
  const struct shape shape = {n / kTile, n / kTile, kTile, kTile, 0};
  LAUNCH(b, "matrix_multiply_strip", shape, device_left, device_right, device_out, n);
  device_read(b, out, device_out, 4 * count);
  add_result(b, out, 4 * count);
  if (verify) {
    uint32_t* expected = host_memory(count, 4);
    for (uint32_t row = 0; row < n; ++row) {
      for (uint32_t column = 0; column < n; ++column) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < kTile; ++k) sum += left[row * kTile + k] * right[k * n + column];
        expected[row * n + column] = sum;
      }
    }
    expect_words(b, expected, out, count);
    free(expected);
  }
  benchmark_end(b);
  free(left), free(right), free(out);
}

/* Of n numbers: a partial sum a block, then the sum of those. */
void run_reduction(struct benchmark* b, bool verify, uint32_t n) {
  enum { kMostBlocks = 64, kLastThreads = 32 };
  const uint32_t threads = n < 2 * kMostThreads ? kLastThreads : kMostThreads;
  const uint32_t blocks = least(n / (2 * threads), kMostBlocks);
  uint32_t *in = host_memory(n, 4), sum = 0;
  random_words(in, n, 6);
  benchmark_begin(b, verify, &cuda_kernel_reduction);
  const gpgpu_address device_in = device_memory(b, in, 4 * n);
  const gpgpu_address partial = device_memory(b, NULL, 4 * blocks);
  const gpgpu_address device_sum = device_memory(b, NULL, 4);
  const struct shape first = {blocks, 1, threads, 1, 4 * threads};
  const struct shape second = {1, 1, kLastThreads, 1, 4 * kLastThreads};
  LAUNCH(b, "reduction", first, device_in, partial, n);
  LAUNCH(b, "reduction", second, partial, device_sum, blocks);
  device_read(b, &sum, device_sum, 4);
  add_result(b, &sum, 4);
  if (verify) {
    const uint32_t expected = host_reduction(in, n);
    expect_words(b, &expected, &sum, 1);
  }
  benchmark_end(b);
  free(in);
}

/* Of n x n numbers. */
void run_transpose(struct benchmark* b, bool verify, uint32_t n) {
  const uint32_t count = n * n;
  uint32_t *in = host_memory(count, 4), *out = host_memory(count, 4);
  random_words(in, count, 7);
  benchmark_begin(b, verify, &cuda_kernel_transpose);
  const gpgpu_address device_in = device_memory(b, in, 4 * count);
  const gpgpu_address device_out = device_memory(b, NULL, 4 * count);
  const struct shape shape = {n / kWideTile, n / kWideTile, kWideTile, kRows, 0};
  LAUNCH(b, "transpose_strided", shape, device_in, device_out, n, n);
  device_read(b, out, device_out, 4 * count);
  add_result(b, out, 4 * count);
  if (verify) {
    uint32_t* expected = host_memory(count, 4);
    host_transpose(expected, in, n);
    expect_words(b, expected, out, count);
    free(expected);
  }
  benchmark_end(b);
  free(in), free(out);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the SCRATCH paper's benchmarks have in common: memory and launches of one benchmark, data
 * that are the same in every run, comparison of results.
 *
 * The first thing that fails prints why and makes the benchmark fail; whatever comes after it on
 * the device does nothing. */
#ifndef GVP_APPS_OPENCL_BENCHMARK_H
#define GVP_APPS_OPENCL_BENCHMARK_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/miaow/miaow.h"

/* A benchmark under way. */
struct benchmark {
  uint32_t size;    /* images and matrices are size x size, as many are points and numbers */
  bool verify;      /* compare results with what the host computes */
  bool host_memory; /* all data in memory that the host serves; else as far as prefetch memory goes
                     */
  bool wide;        /* groups of 256 work-items where the kernel allows it; else of 64 */
  bool failed;      /* something on the device has; it is printed */
  bool differs;
  uint32_t launches;
  uint64_t cycles; /* of all launches, of the compute unit's clock */
  uint64_t served_words;
  uint32_t checksum; /* FNV-1a of all results' words */
};

/* The device of all benchmarks, opened. */
enum miaow_error benchmark_open(void);
const struct miaow* benchmark_device(void);

/* Frees all memory. */
void benchmark_begin(struct benchmark* b);

/* The host's own memory until the next benchmark; the program ends where there is none left. */
void* host_words(uint32_t words);

/* Device memory with a copy of these words, or for results; MIAOW_NULL if it failed. */
miaow_address device_words(struct benchmark* b, const void* data, uint32_t words);
miaow_address device_room(struct benchmark* b, uint32_t words);
void device_write(struct benchmark* b, miaow_address to, const void* data, uint32_t words);
void device_read(struct benchmark* b, void* data, miaow_address from, uint32_t words);

/* A grid of so many work-items in groups of so many, which divide them, run to its end. */
struct extents {
  uint32_t x, y, z;
};
void launch(struct benchmark* b, const struct miaow_kernel* kernel, struct extents all,
            struct extents group, const uint32_t* arguments, uint32_t words);
#define LAUNCH(b, kernel, all, group, ...)                       \
  launch(b, kernel, all, group, (const uint32_t[]){__VA_ARGS__}, \
         sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/* Groups of 8x8 (wide: 16x16), or of all of a smaller square; and of a row of as many items. */
struct extents tile(const struct benchmark* b, uint32_t side);
struct extents row(const struct benchmark* b, uint32_t items);

/* Numbers that look random and are the same every time: integers from -128 to 127, floats from -1
 * to 1.  seed: not 0. */
uint32_t random_word(uint32_t* seed);
void random_integers(int32_t* values, uint32_t count, uint32_t seed);
void random_floats(float* values, uint32_t count, uint32_t seed);

/* Reads a result, adds it to the checksum and, to be verified, compares it word by word; the first
 * that differs is printed. */
void check(struct benchmark* b, miaow_address result, const void* expected, uint32_t words);

/* integers.c, floats.c */
void run_matrix_add_integer(struct benchmark* b);
void run_matrix_add_float(struct benchmark* b);
void run_matrix_multiply_integer(struct benchmark* b);
void run_matrix_multiply_float(struct benchmark* b);
void run_convolution_integer(struct benchmark* b);
void run_convolution_float(struct benchmark* b);
void run_cnn_integer(struct benchmark* b);
void run_cnn_float(struct benchmark* b);
void run_nin_integer(struct benchmark* b);
void run_nin_float(struct benchmark* b);
/* single.c */
void run_transpose(struct benchmark* b);
void run_gaussian_elimination(struct benchmark* b);
void run_bitonic_sort(struct benchmark* b);
void run_k_means(struct benchmark* b);
void run_max_pooling(struct benchmark* b);
void run_median_pooling(struct benchmark* b);
void run_average_pooling(struct benchmark* b);

#endif

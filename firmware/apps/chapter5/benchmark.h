/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks of chapter 5 have in common: device memory and kernels of one benchmark, data
 * that are the same in every run, comparison of results.
 *
 * The first thing that fails prints why and makes the benchmark fail; whatever comes after it on
 * the device does nothing. */
#ifndef GVP_APPS_CHAPTER5_BENCHMARK_H
#define GVP_APPS_CHAPTER5_BENCHMARK_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/gpgpu.h"
#include "driver/kernel_image.h"

/* A benchmark under way. */
struct benchmark {
  bool verify; /* compare results with what the host computes */
  bool failed; /* something on the device has; it is printed */
  bool differs;
  uint32_t launches;
  uint64_t cycles;   /* of all kernels, by the device's counter */
  uint32_t checksum; /* FNV-1a of all results' words */
};

/* The device of all benchmarks, opened. */
enum gpgpu_error benchmark_open(void);
const struct gpgpu_properties* benchmark_device(void);

/* Loads the kernels. */
void benchmark_begin(struct benchmark* b, bool verify, const struct kernel_image* image);
/* Unloads them, and frees all device memory of the benchmark. */
void benchmark_end(struct benchmark* b);

/* Host memory, which free() gives back; the program ends without any. */
void* host_memory(uint32_t count, uint32_t element_bytes);

/* Device memory with a copy of these data, zeros for NULL; GPGPU_NULL if it failed. */
gpgpu_address device_memory(struct benchmark* b, const void* data, uint32_t bytes);
void device_write(struct benchmark* b, gpgpu_address to, const void* data, uint32_t bytes);
/* Into a __constant__ variable of the kernels. */
void constant_write(struct benchmark* b, const char* variable, const void* data, uint32_t bytes);
/* The device reads them by its texture caches, if it has any, until it is told otherwise. */
void texture_bind(struct benchmark* b, gpgpu_address address, uint32_t bytes);
void device_read(struct benchmark* b, void* data, gpgpu_address from, uint32_t bytes);

struct shape {
  uint32_t grid_x, grid_y, block_x, block_y;
  uint32_t dynamic_shared_bytes;
};
/* Runs a kernel to its end. */
void launch(struct benchmark* b, const char* kernel, struct shape shape, const uint32_t* parameters,
            uint32_t count);
#define LAUNCH(b, kernel, shape, ...)                       \
  launch(b, kernel, shape, (const uint32_t[]){__VA_ARGS__}, \
         sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/* A number as a kernel's parameter. */
uint32_t float_word(float value);

static inline uint32_t quotient_up(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

/* Numbers that look random and are the same every time (xorshift); seed: not 0. */
uint32_t random_word(uint32_t* seed);
float random_float(uint32_t* seed, float low, float high);
void random_words(uint32_t* words, uint32_t count, uint32_t seed);

/* Adds a result to the checksum. */
void add_result(struct benchmark* b, const void* data, uint32_t bytes);
/* Compares; the first element that differs is printed. */
void expect_words(struct benchmark* b, const uint32_t* expected, const uint32_t* got,
                  uint32_t count);
/* The same within 2e-5 of the expected value, or of 1 if that is more: a division on the device is
 * off by up to two units of the last place (docs/kcc.md), and sums of blocks round differently. */
void expect_floats(struct benchmark* b, const float* expected, const float* got, uint32_t count);

/* The benchmarks; size: as chapter5.c's table allows it. */
void run_autocorrelation(struct benchmark* b, bool verify, uint32_t size);
void run_bitonic_sort(struct benchmark* b, bool verify, uint32_t size);
void run_fast_walsh(struct benchmark* b, bool verify, uint32_t size);
void run_matrix_multiply(struct benchmark* b, bool verify, uint32_t size);
void run_reduction(struct benchmark* b, bool verify, uint32_t size);
void run_transpose(struct benchmark* b, bool verify, uint32_t size);
void run_breadth_first_search(struct benchmark* b, bool verify, uint32_t size);
void run_kmeans(struct benchmark* b, bool verify, uint32_t size);
void run_gaussian(struct benchmark* b, bool verify, uint32_t size);
void run_lu_decomposition(struct benchmark* b, bool verify, uint32_t size);
void run_srad(struct benchmark* b, bool verify, uint32_t size);

#endif

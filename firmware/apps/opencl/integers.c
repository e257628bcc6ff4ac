/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmarks of integers; weights and filters have eight fraction bits. */
#include "apps/opencl/benchmark.h"
#include "opencl/cnn_int.h"
#include "opencl/convolution_int.h"
#include "opencl/matrix_add_int.h"
#include "opencl/matrix_multiply_int.h"
#include "opencl/nin_int.h"

static const struct miaow_kernel matrix_add =
    MIAOW_KERNEL(matrix_add_int, MATRIX_ADD_INT, matrix_add, MATRIX_ADD);
static const struct miaow_kernel matrix_multiply =
    MIAOW_KERNEL(matrix_multiply_int, MATRIX_MULTIPLY_INT, matrix_multiply, MATRIX_MULTIPLY);
static const struct miaow_kernel convolve =
    MIAOW_KERNEL(convolution_int, CONVOLUTION_INT, convolve, CONVOLVE);
static const struct miaow_kernel convolutional_layer =
    MIAOW_KERNEL(cnn_int, CNN_INT, convolutional_layer, CONVOLUTIONAL_LAYER);
static const struct miaow_kernel max_pooling_layer =
    MIAOW_KERNEL(cnn_int, CNN_INT, max_pooling_layer, MAX_POOLING_LAYER);
static const struct miaow_kernel pixel_layer =
    MIAOW_KERNEL(nin_int, NIN_INT, pixel_layer, PIXEL_LAYER);
static const struct miaow_kernel row_sums = MIAOW_KERNEL(nin_int, NIN_INT, row_sums, ROW_SUMS);

typedef int32_t number;
enum { kShift = 8 };
static number sum_of(number a, number b) { return (number)((uint32_t)a + (uint32_t)b); }
static number product(number a, number b) { return (number)((uint32_t)a * (uint32_t)b); }
static number scaled(number sum) { return sum >> kShift; }
static number weight_of(number value) { return value / 2; }
static void random_numbers(number* values, uint32_t count, uint32_t seed) {
  random_integers(values, count, seed);
}

#define RUN(name) run_##name##_integer
#include "apps/opencl/matrices.h"
#include "apps/opencl/networks.h"

/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmarks of floats. */
#include "apps/opencl/benchmark.h"
#include "opencl/cnn_float.h"
#include "opencl/convolution_float.h"
#include "opencl/matrix_add_float.h"
#include "opencl/matrix_multiply_float.h"
#include "opencl/nin_float.h"

static const struct miaow_kernel matrix_add =
    MIAOW_KERNEL(matrix_add_float, MATRIX_ADD_FLOAT, matrix_add, MATRIX_ADD);
static const struct miaow_kernel matrix_multiply =
    MIAOW_KERNEL(matrix_multiply_float, MATRIX_MULTIPLY_FLOAT, matrix_multiply, MATRIX_MULTIPLY);
static const struct miaow_kernel convolve =
    MIAOW_KERNEL(convolution_float, CONVOLUTION_FLOAT, convolve, CONVOLVE);
static const struct miaow_kernel convolutional_layer =
    MIAOW_KERNEL(cnn_float, CNN_FLOAT, convolutional_layer, CONVOLUTIONAL_LAYER);
static const struct miaow_kernel max_pooling_layer =
    MIAOW_KERNEL(cnn_float, CNN_FLOAT, max_pooling_layer, MAX_POOLING_LAYER);
static const struct miaow_kernel pixel_layer =
    MIAOW_KERNEL(nin_float, NIN_FLOAT, pixel_layer, PIXEL_LAYER);
static const struct miaow_kernel row_sums = MIAOW_KERNEL(nin_float, NIN_FLOAT, row_sums, ROW_SUMS);

typedef float number;
static number sum_of(number a, number b) { return a + b; }
static number product(number a, number b) { return a * b; }
static number scaled(number sum) { return sum; }
static number weight_of(number value) { return value * 0.25f; }
static void random_numbers(number* values, uint32_t count, uint32_t seed) {
  random_floats(values, count, seed);
}

#define RUN(name) run_##name##_float
#include "apps/opencl/matrices.h"
#include "apps/opencl/networks.h"

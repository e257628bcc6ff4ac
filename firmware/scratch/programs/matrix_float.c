/* SPDX-License-Identifier: Apache-2.0 */
/* The product of matrices of floats. */
#include "kernels/matrix_float_kernel.h"

typedef float number;
#define KERNEL matrix_float_kernel
#define NUMBER_A(i) ((float)(3 * (i)-50) / 8)
#define NUMBER_B(i) ((float)((i) % 7 - 2) / 3)
#define PRINT(value, end) printf("%.3f%c", (double)(value), end)
#include "matrix.h"

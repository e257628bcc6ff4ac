/* SPDX-License-Identifier: Apache-2.0 */
/* The product of matrices of ints. */
#include "kernels/matrix_int_kernel.h"

typedef int number;
#define KERNEL matrix_int_kernel
#define NUMBER_A(i) (int)(3 * (i)-50)
#define NUMBER_B(i) (int)((i) % 7 - 2)
#define PRINT(value, end) printf("%d%c", value, end)
#include "matrix.h"

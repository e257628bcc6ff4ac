/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels, assembled and embedded as text cubins (kernels/images.S), for gpgpu_module_load().
 */
#ifndef GVP_KERNELS_IMAGES_H
#define GVP_KERNELS_IMAGES_H

#include "driver/kernel_image.h"

extern const struct kernel_image kernel_autocorrelation, kernel_bitonic_sort,
    kernel_matrix_multiply, kernel_reduction, kernel_transpose;
extern const struct kernel_image kernel_checks, kernel_faults; /* for the self-test */

#endif

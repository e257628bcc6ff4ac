/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmarks in CUDA C, compiled by kcc and embedded as text cubins (kernels/cuda/images.S),
 * for gpgpu_module_load(). */
#ifndef GVP_KERNELS_CUDA_IMAGES_H
#define GVP_KERNELS_CUDA_IMAGES_H

#include "driver/kernel_image.h"

extern const struct kernel_image cuda_kernel_autocorrelation, cuda_kernel_bitonic_sort,
    cuda_kernel_breadth_first_search, cuda_kernel_fast_walsh, cuda_kernel_gaussian,
    cuda_kernel_kmeans, cuda_kernel_lu_decomposition, cuda_kernel_matrix_multiply,
    cuda_kernel_reduction, cuda_kernel_srad, cuda_kernel_transpose;

#endif

/* SPDX-License-Identifier: Apache-2.0
 * Embeds the cubins that the build made with kcc from the .cu files beside this one. */

        .macro  kernel name
        .section .rodata.cuda_kernel_\name, "a"
        .globl  cuda_kernel_\name
        .balign 4
cuda_kernel_\name:
        .long   1f, 2f - 1f
1:      .incbin "cuda/\name\().cubin"
2:
        .endm

        kernel  autocorrelation
        kernel  bitonic_sort
        kernel  breadth_first_search
        kernel  fast_walsh
        kernel  gaussian
        kernel  kmeans
        kernel  lu_decomposition
        kernel  matrix_multiply
        kernel  reduction
        kernel  srad
        kernel  transpose

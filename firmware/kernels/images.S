/* SPDX-License-Identifier: Apache-2.0
 * Embeds the cubins that the build made from the .s files beside this one.  Each has a section of
 * its own, so that a program holds only what it uses. */

        .macro  kernel name
        .section .rodata.kernel_\name, "a"
        .globl  kernel_\name
        .balign 4
kernel_\name:
        .long   1f, 2f - 1f
1:      .incbin "\name\().cubin"
2:
        .endm

        kernel  autocorrelation
        kernel  bitonic_sort
        kernel  checks
        kernel  faults
        kernel  matrix_multiply
        kernel  reduction
        kernel  transpose

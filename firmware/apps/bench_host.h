/* SPDX-License-Identifier: Apache-2.0 */
/* The five benchmarks as plain C for the MicroBlaze: what the GPGPU is compared with, in speed and
 * in result.  Words are modulo 2^32. */
#ifndef GVP_APPS_BENCH_HOST_H
#define GVP_APPS_BENCH_HOST_H

#include <stdint.h>

void host_autocorrelation(uint32_t* out, const uint32_t* in, uint32_t n);
void host_bitonic_sort(int32_t* data, uint32_t n); /* n: a power of two */
void host_matrix_multiply(uint32_t* c, const uint32_t* a, const uint32_t* b, uint32_t n);
uint32_t host_reduction(const uint32_t* in, uint32_t n);
void host_transpose(uint32_t* out, const uint32_t* in, uint32_t n);

#endif

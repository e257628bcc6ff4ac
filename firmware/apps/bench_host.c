/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/bench_host.h"

void host_autocorrelation(uint32_t* out, const uint32_t* in, uint32_t n) {
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n - k; ++i) sum += in[i] * in[i + k];
    out[k] = sum;
  }
}

/* The same network as the kernel's. */
void host_bitonic_sort(int32_t* data, uint32_t n) {
  for (uint32_t k = 2; k <= n; k *= 2) {
    for (uint32_t j = k / 2; j > 0; j /= 2) {
      for (uint32_t i = 0; i < n; ++i) {
        const uint32_t partner = i ^ j;
        if (partner <= i) continue;
        const int32_t a = data[i], b = data[partner];
        const int upwards = (i & k) == 0;
        if (upwards ? a > b : a < b) {
          data[i] = b;
          data[partner] = a;
        }
      }
    }
  }
}

void host_matrix_multiply(uint32_t* c, const uint32_t* a, const uint32_t* b, uint32_t n) {
  for (uint32_t row = 0; row < n; ++row) {
    for (uint32_t column = 0; column < n; ++column) {
      uint32_t sum = 0;
      for (uint32_t k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
    }
  }
}

uint32_t host_reduction(const uint32_t* in, uint32_t n) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; ++i) sum += in[i];
  return sum;
}

void host_transpose(uint32_t* out, const uint32_t* in, uint32_t n) {
  for (uint32_t row = 0; row < n; ++row)
    for (uint32_t column = 0; column < n; ++column) out[column * n + row] = in[row * n + column];
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/thesis_host.h"

static void autocorrelation(int* out, const int* in, int n) {
  for (int lag = 0; lag < n; ++lag) {
    int sum = 0;
    for (int i = lag; i < n; ++i) sum += in[i - lag] * in[i];
    out[lag] = sum;
  }
}

static void bitonic_sort(int* values, int n) {
  for (int k = 2; k <= n; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      for (int i = 0; i < n; ++i) {
        const int partner = i ^ j;
        if (partner > i) {
          if ((i & k) == 0) {
            if (values[i] > values[partner]) {
              const int old = values[i];
              values[i] = values[partner];
              values[partner] = old;
            }
          } else {
            if (values[i] < values[partner]) {
              const int old = values[i];
              values[i] = values[partner];
              values[partner] = old;
            }
          }
        }
      }
    }
  }
}

static void matrix_multiply(int* c, const int* a, const int* b, int n) {
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      int sum = 0;
      for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + column];
      c[row * n + column] = sum;
    }
  }
}

static void reduction(int* values, int n) {
  for (int step = n / 2; step > 0; step /= 2)
    for (int i = 0; i < n; ++i)
      if (i < step) values[i] += values[i + step];
}

static void transpose(int* out, const int* in, int n) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) out[x * n + y] = in[y * n + x];
}

const struct thesis_host THESIS_HOST = {autocorrelation, bitonic_sort, matrix_multiply, reduction,
                                        transpose};

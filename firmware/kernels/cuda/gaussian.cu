// SPDX-License-Identifier: Apache-2.0
// Gaussian elimination: for each column, first the multipliers of the rows below, then the rows.
extern "C" __global__ void gaussian_multipliers(float* multipliers, const float* a, int n,
                                                int column) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1 - column) return;
  const int row = column + 1 + i;
  multipliers[row * n + column] = a[row * n + column] / a[column * n + column];
}

extern "C" __global__ void gaussian_rows(const float* multipliers, float* a, float* b, int n,
                                         int column) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n - column || y >= n - 1 - column) return;
  const int row = column + 1 + y;
  const float factor = multipliers[row * n + column];
  a[row * n + column + x] -= factor * a[column * n + column + x];
  if (x == 0) b[row] -= factor * b[column];
}

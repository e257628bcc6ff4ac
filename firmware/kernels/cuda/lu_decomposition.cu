// SPDX-License-Identifier: Apache-2.0
// LU decomposition in place, without pivoting: of a 16 x 16 matrix by one block in shared memory,
// and step by step for larger ones.
constexpr int kSize = 16;

extern "C" __global__ void lu_block(float* a, int pitch) {
  __shared__ float tile[kSize][kSize];
  const int self = threadIdx.x;
  for (int row = 0; row < kSize; ++row) tile[row][self] = a[row * pitch + self];
  __syncthreads();
  for (int k = 0; k < kSize - 1; ++k) {
    if (self > k) tile[self][k] /= tile[k][k];
    __syncthreads();
    if (self > k) {
      for (int column = k + 1; column < kSize; ++column) {
        tile[self][column] -= tile[self][k] * tile[k][column];
      }
    }
    __syncthreads();
  }
  for (int row = 0; row < kSize; ++row) a[row * pitch + self] = tile[row][self];
}

extern "C" __global__ void lu_column(float* a, int n, int k) {
  const int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) a[row * n + k] /= a[k * n + k];
}

extern "C" __global__ void lu_update(float* a, int n, int k) {
  const int column = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  const int row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (column < n && row < n) a[row * n + column] -= a[row * n + k] * a[k * n + column];
}

// SPDX-License-Identifier: Apache-2.0
// LU decomposition in place, without pivoting: of a 16 x 16 matrix by one block in shared memory;
// of larger ones step by step in global memory, or in blocks of 16 x 16 in shared memory.
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

// Blocks: lu_block() of a diagonal one that begins at (k, k), then this of those to its right (row
// 0 of the grid) and below it (row 1), a column or a row of 16 a thread, then lu_rest() of the
// others.
extern "C" __global__ void lu_borders(float* a, int n, int k) {
  __shared__ float diagonal[kSize][kSize];
  __shared__ float tile[kSize][kSize];
  const int self = threadIdx.x;
  const int away = k + (blockIdx.x + 1) * kSize;
  const bool right = blockIdx.y == 0;
  float* border = right ? a + k * n + away : a + away * n + k;
  for (int row = 0; row < kSize; ++row) {
    diagonal[row][self] = a[(k + row) * n + k + self];
    tile[row][self] = border[row * n + self];
  }
  __syncthreads();
  if (right) {
    for (int row = 1; row < kSize; ++row) {
      float value = tile[row][self];
      for (int i = 0; i < row; ++i) value -= diagonal[row][i] * tile[i][self];
      tile[row][self] = value;
    }
  } else {
    for (int column = 0; column < kSize; ++column) {
      float value = tile[self][column];
      for (int i = 0; i < column; ++i) value -= tile[self][i] * diagonal[i][column];
      tile[self][column] = value / diagonal[column][column];
    }
  }
  __syncthreads();
  for (int row = 0; row < kSize; ++row) border[row * n + self] = tile[row][self];
}

extern "C" __global__ void lu_rest(float* a, int n, int k) {
  __shared__ float left[kSize][kSize];
  __shared__ float above[kSize][kSize];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = k + (blockIdx.y + 1) * kSize + y;
  const int column = k + (blockIdx.x + 1) * kSize + x;
  left[y][x] = a[row * n + k + x];
  above[y][x] = a[(k + y) * n + column];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < kSize; ++i) sum += left[y][i] * above[i][x];
  a[row * n + column] -= sum;
}

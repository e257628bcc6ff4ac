// SPDX-License-Identifier: Apache-2.0
// C = A * B for n x n matrices of integers; n is a multiple of the tile.  Blocks of 16 x 16
// threads load tiles into shared memory; matrix_multiply_plain reads global memory only.
constexpr int kTile = 16;

extern "C" __global__ void matrix_multiply(const int* a, const int* b, int* c, int n) {
  __shared__ int tile_a[kTile][kTile];
  __shared__ int tile_b[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;
  int sum = 0;
  for (int first = 0; first < n; first += kTile) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void matrix_multiply_plain(const int* a, const int* b, int* c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// C = A * B for A of n x 16 and B of 16 x n numbers, an element a thread, straight from global
// memory: the thesis's kernel (figure 29), whose w is the tile.
extern "C" __global__ void matrix_multiply_strip(const int* a, const int* b, int* c, int n) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  int sum = 0;
  for (int k = 0; k < kTile; ++k) sum += a[row * kTile + k] * b[k * n + column];
  c[row * n + column] = sum;
}

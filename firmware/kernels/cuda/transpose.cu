// SPDX-License-Identifier: Apache-2.0
// Transposes a width x height matrix (multiples of 16) through tiles in shared memory; the extra
// column keeps threads of a warp off each other's banks.
constexpr int kTile = 16;

extern "C" __global__ void transpose(const int* in, int* out, int width, int height) {
  __shared__ int tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int to_x = blockIdx.y * kTile + threadIdx.x;
  const int to_y = blockIdx.x * kTile + threadIdx.y;
  out[to_y * height + to_x] = tile[threadIdx.x][threadIdx.y];
}

// The same straight from global to global memory, as the thesis has it (figure 34): blocks of 32 x
// 8 threads for tiles of 32 x 32, multiples of which the sides are.
constexpr int kWideTile = 32;
constexpr int kRows = 8;

extern "C" __global__ void transpose_strided(const int* in, int* out, int width, int height) {
  const int x = blockIdx.x * kWideTile + threadIdx.x;
  const int first = blockIdx.y * kWideTile + threadIdx.y;
  for (int y = first; y < first + kWideTile; y += kRows) out[x * height + y] = in[y * width + x];
}

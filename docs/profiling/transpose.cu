// SPDX-License-Identifier: Apache-2.0
// Out-of-place transposes of a square matrix of floats, n a multiple of 16, blocks of 16 x 16.
__global__ void transpose_naive(const float* in, float* out, int n) {
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

__global__ void transpose_staged(const float* in, float* out, int n) {
  __shared__ float tile[16 * 17];
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y * 17 + threadIdx.x] = in[y * n + x];
  __syncthreads();
  const int tx = blockIdx.y * 16 + threadIdx.x;
  const int ty = blockIdx.x * 16 + threadIdx.y;
  out[ty * n + tx] = tile[threadIdx.x * 17 + threadIdx.y];
}

// Four rows a thread, so that what a thread works out once serves four elements; blocks of 16 x 4.
__global__ void transpose_rows(const float* in, float* out, int n) {
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y * 4;
  const float* from = in + y * n + x;
  float* to = out + x * n + y;
  to[0] = from[0];
  to[1] = from[n];
  to[2] = from[2 * n];
  to[3] = from[3 * n];
}

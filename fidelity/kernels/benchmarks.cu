// SPDX-License-Identifier: Apache-2.0
// The five benchmarks of the FlexGrip thesis (section 3.5.2) as plain CUDA C: the textbook algorithm,
// nothing unrolled or rearranged by hand.  kcc stands in for NVIDIA's compiler.  firmware/kernels has
// faster ones.  With TILED, matrix multiplication and transpose go through tiles in shared memory.

extern "C" __global__ void autocorr(int* out, const int* in, int n) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int i = 0; i < n - k; ++i) sum += in[i] * in[i + k];
  out[k] = sum;
}

extern "C" __global__ void bitonic(int* out, const int* in) {
  __shared__ int values[256];
  const unsigned tid = threadIdx.x;
  values[tid] = in[tid];
  __syncthreads();
  for (unsigned k = 2; k <= blockDim.x; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      const unsigned partner = tid ^ j;
      if (partner > tid) {
        const int a = values[tid], b = values[partner];
        if ((tid & k) == 0 ? a > b : a < b) {
          values[tid] = b;
          values[partner] = a;
        }
      }
      __syncthreads();
    }
  }
  out[tid] = values[tid];
}

extern "C" __global__ void reduction(int* out, const int* in) {
  __shared__ int sums[256];
  const unsigned tid = threadIdx.x;
  sums[tid] = in[tid];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (tid < step) sums[tid] += sums[tid + step];
    __syncthreads();
  }
  if (tid == 0) *out = sums[0];
}

#ifdef TILED

extern "C" __global__ void matrixmul(int* c, const int* a, const int* b, int n) {
  __shared__ int tile_a[16][16];
  __shared__ int tile_b[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  int sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void transpose(int* out, const int* in, int n) {
  __shared__ int tile[16][16];
  const int x = blockIdx.x * 16, y = blockIdx.y * 16;
  tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * n + x + threadIdx.x];
  __syncthreads();
  out[(x + threadIdx.y) * n + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

#else

extern "C" __global__ void matrixmul(int* c, const int* a, const int* b, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

extern "C" __global__ void transpose(int* out, const int* in, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

#endif

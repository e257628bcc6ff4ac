// SPDX-License-Identifier: Apache-2.0
// The five benchmarks of the FlexGrip thesis (section 3.5.2) as CUDA C in the form its authors gave
// them: matrix multiplication and transpose as printed in the thesis (figures 29 and 34), the others
// as the programs of FlexGrip's published test bench work (see docs/fidelity.md).  kcc stands in for
// NVIDIA's compiler.  firmware/kernels has faster ones.

// A thread computes one lag.
extern "C" __global__ void autocorr(const int* in, int* out, int n) {
  const int lag = blockIdx.x * blockDim.x + threadIdx.x;
  if (lag >= n) return;
  int sum = 0;
  for (int i = lag; i < n; ++i) sum += in[i - lag] * in[i];
  __syncthreads();
  out[lag] = sum;
}

// Takes the values of each block, 1 << bits of them, through the network's stages first..last, as far
// as their steps stay within the block; through all steps when the block has all the values.  No
// multiplication, as in the thesis (table 10).
extern "C" __global__ void bitonic(int* values, unsigned bits, unsigned first, unsigned last) {
  __shared__ int sorted[256];
  const unsigned tid = threadIdx.x;
  const unsigned index = (blockIdx.x << bits) + tid;
  sorted[tid] = values[index];
  __syncthreads();
  for (unsigned k = first; k <= last; k *= 2) {
    for (unsigned j = (k < blockDim.x ? k : blockDim.x) / 2; j > 0; j /= 2) {
      const unsigned partner = tid ^ j;
      if (partner > tid) {
        if ((index & k) == 0) {
          if (sorted[tid] > sorted[partner]) {
            const int old = sorted[tid];
            sorted[tid] = sorted[partner];
            sorted[partner] = old;
          }
        } else {
          if (sorted[tid] < sorted[partner]) {
            const int old = sorted[tid];
            sorted[tid] = sorted[partner];
            sorted[partner] = old;
          }
        }
      }
      __syncthreads();
    }
  }
  values[index] = sorted[tid];
}

// One step of stage k between blocks.
extern "C" __global__ void bitonic_step(int* values, unsigned bits, unsigned k, unsigned j) {
  const unsigned index = (blockIdx.x << bits) + threadIdx.x;
  const unsigned partner = index ^ j;
  if (partner < index) return;
  const int low = values[index], high = values[partner];
  if (((index & k) == 0) == (low > high)) {
    values[index] = high;
    values[partner] = low;
  }
}

// Each block adds up twice as many values as it has threads.
extern "C" __global__ void reduction(const int* in, int* out) {
  __shared__ int sums[256];
  const unsigned tid = threadIdx.x;
  const unsigned first = blockIdx.x * (blockDim.x * 2) + tid;
  sums[tid] = in[first] + in[first + blockDim.x];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (tid < step) sums[tid] += sums[tid + step];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void matrixmul(const int* a, const int* b, int* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + column];
  c[row * n + column] = sum;
}

// 32 by 8 threads for 32 by 32 elements.
extern "C" __global__ void transpose(const int* in, int* out, int width) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[x * width + (y + j)] = in[(y + j) * width + x];
}

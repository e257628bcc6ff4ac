// SPDX-License-Identifier: Apache-2.0
// Fast Walsh-Hadamard transform of 2 * blockDim.x numbers (a power of two) by each block.
extern __shared__ int values[];

extern "C" __global__ void fast_walsh(int* data) {
  const int self = threadIdx.x;
  const int half = blockDim.x;
  int* block = data + blockIdx.x * 2 * half;
  values[self] = block[self];
  values[self + half] = block[self + half];
  for (int stride = 1; stride <= half; stride *= 2) {
    __syncthreads();
    const int low = 2 * self - (self & (stride - 1));
    const int a = values[low];
    const int b = values[low + stride];
    values[low] = a + b;
    values[low + stride] = a - b;
  }
  __syncthreads();
  block[self] = values[self];
  block[self + half] = values[self + half];
}

// One step of the transform of more numbers than a block has room for: sums and differences of
// numbers that lie `stride` apart (a power of two), a pair a thread.
extern "C" __global__ void fast_walsh_step(int* data, int stride) {
  const int self = blockIdx.x * blockDim.x + threadIdx.x;
  const int low = 2 * self - (self & (stride - 1));
  const int a = data[low];
  const int b = data[low + stride];
  data[low] = a + b;
  data[low + stride] = a - b;
}

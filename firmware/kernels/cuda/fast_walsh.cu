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

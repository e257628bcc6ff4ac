// SPDX-License-Identifier: Apache-2.0
// Bitonic sort of blockDim.x numbers (a power of two) by each block, in shared memory.
extern __shared__ int values[];

extern "C" __global__ void bitonic_sort(int* data) {
  const unsigned self = threadIdx.x;
  int* block = data + blockIdx.x * blockDim.x;
  values[self] = block[self];
  __syncthreads();
  for (unsigned size = 2; size <= blockDim.x; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned other = self ^ stride;
      if (other > self) {
        const bool ascending = (self & size) == 0;
        const int a = values[self];
        const int b = values[other];
        if ((a > b) == ascending) {
          values[self] = b;
          values[other] = a;
        }
      }
      __syncthreads();
    }
  }
  block[self] = values[self];
}

// SPDX-License-Identifier: Apache-2.0
// Sum of n integers: each block adds up what its threads have collected, by halves.
extern __shared__ int partial[];

extern "C" __global__ void reduction(const int* in, int* out, int n) {
  const unsigned self = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + self; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  partial[self] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (self < half) partial[self] += partial[self + half];
    __syncthreads();
  }
  if (self == 0) out[blockIdx.x] = partial[0];
}

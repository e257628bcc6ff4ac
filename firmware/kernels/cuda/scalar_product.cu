// SPDX-License-Identifier: Apache-2.0
// Scalar products of pairs of vectors, one pair a block.
extern __shared__ float partial[];

extern "C" __global__ void scalar_product(const float* a, const float* b, float* out, int length) {
  const int self = threadIdx.x;
  const int first = blockIdx.x * length;
  float sum = 0;
  for (int i = self; i < length; i += blockDim.x) sum += a[first + i] * b[first + i];
  partial[self] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (self < half) partial[self] += partial[self + half];
    __syncthreads();
  }
  if (self == 0) out[blockIdx.x] = partial[0];
}

// SPDX-License-Identifier: Apache-2.0
// Kernels only; saxpy.cu includes them, as programs of CUDA's early days do.
#ifndef SAXPY_KERNEL_CU
#define SAXPY_KERNEL_CU

#define BLOCK 64

texture<float, 1, cudaReadModeElementType> nobody_reads_me;
__device__ __constant__ float c_offset[BLOCK];

__global__ void saxpy(float* y, const float* x, float a, int n) {
  const unsigned int i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (i < n) y[i] = a * CUT_BANK_CHECKER(x, i) + y[i] + c_offset[threadIdx.x];
}

template <class T, unsigned int block>
__global__ static void block_sum(T* out, const T* in, unsigned int n) {
  extern __shared__ int words[];
  T* partial = (T*)words;
  const unsigned int t = threadIdx.x;
  partial[t] = t < n ? in[t] : T(0);
  __syncthreads();
#pragma unroll
  for (unsigned int half = block / 2; half > 0; half >>= 1) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}
#endif

// SPDX-License-Identifier: Apache-2.0
// Histogram of bytes in 64 bins without atomics: each of the 64 threads of a block counts in
// bins of its own (bytes, so that they fit), which are then added up.
constexpr int kBins = 64;
constexpr int kThreads = 64;

extern "C" __global__ void histogram(const unsigned char* data, int* bins, int per_thread) {
  __shared__ unsigned char counts[kBins][kThreads];
  const int self = threadIdx.x;
  for (int bin = 0; bin < kBins; ++bin) counts[bin][self] = 0;
  const unsigned char* own = data + (blockIdx.x * kThreads + self) * per_thread;
  for (int i = 0; i < per_thread; ++i) ++counts[own[i] >> 2][self];
  __syncthreads();
  int sum = 0;
  for (int thread = 0; thread < kThreads; ++thread) sum += counts[self][thread];
  bins[blockIdx.x * kBins + self] = sum;
}

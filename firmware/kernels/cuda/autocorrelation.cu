// SPDX-License-Identifier: Apache-2.0
// Autocorrelation: out[lag] = sum of in[i] * in[i + lag].  One thread a lag; threads of a warp
// leave the loop after different numbers of rounds.
extern "C" __global__ void autocorrelation(const int* in, int* out, int n) {
  const int lag = blockIdx.x * blockDim.x + threadIdx.x;
  if (lag >= n) return;
  int sum = 0;
  for (int i = 0; i < n - lag; ++i) sum += in[i] * in[i + lag];
  out[lag] = sum;
}

// SPDX-License-Identifier: Apache-2.0
// Black-Scholes prices of European options, with the usual polynomial for the normal distribution.
__device__ float normal_distribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail =
      0.39894228f * expf(-0.5f * d * d) *
      (k * (0.31938153f +
            k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(const float* price, const float* strike,
                                         const float* years, float* call, float* put,
                                         float riskless, float volatility, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    const float s = price[i];
    const float x = strike[i];
    const float t = years[i];
    const float root = sqrtf(t);
    const float d1 =
        (logf(s / x) + (riskless + 0.5f * volatility * volatility) * t) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float n1 = normal_distribution(d1);
    const float n2 = normal_distribution(d2);
    const float discount = expf(-riskless * t);
    call[i] = s * n1 - x * discount * n2;
    put[i] = x * discount * (1.0f - n2) - s * (1.0f - n1);
  }
}

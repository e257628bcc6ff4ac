// SPDX-License-Identifier: Apache-2.0
// Speckle reducing anisotropic diffusion, one iteration: the diffusion coefficient from the
// gradients, then the update.  Beyond the image its border repeats.
__device__ int clamp_index(int i, int size) { return i < 0 ? 0 : (i >= size ? size - 1 : i); }

extern "C" __global__ void srad_coefficient(const float* image, float* coefficient, int width,
                                            int height, float q0_squared) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float centre = image[y * width + x];
  const float north = image[clamp_index(y - 1, height) * width + x] - centre;
  const float south = image[clamp_index(y + 1, height) * width + x] - centre;
  const float west = image[y * width + clamp_index(x - 1, width)] - centre;
  const float east = image[y * width + clamp_index(x + 1, width)] - centre;
  const float gradient =
      (north * north + south * south + west * west + east * east) / (centre * centre);
  const float laplacian = (north + south + west + east) / centre;
  const float numerator = 0.5f * gradient - 0.0625f * laplacian * laplacian;
  const float denominator = 1.0f + 0.25f * laplacian;
  const float q_squared = numerator / (denominator * denominator);
  const float c = 1.0f / (1.0f + (q_squared - q0_squared) / (q0_squared * (1.0f + q0_squared)));
  coefficient[y * width + x] = c < 0.0f ? 0.0f : (c > 1.0f ? 1.0f : c);
}

extern "C" __global__ void srad_update(const float* image, const float* coefficient, float* out,
                                       int width, int height, float lambda) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int here = y * width + x;
  const int below = clamp_index(y + 1, height) * width + x;
  const int right = y * width + clamp_index(x + 1, width);
  const float centre = image[here];
  const float north = image[clamp_index(y - 1, height) * width + x] - centre;
  const float south = image[below] - centre;
  const float west = image[y * width + clamp_index(x - 1, width)] - centre;
  const float east = image[right] - centre;
  const float divergence =
      coefficient[here] * (north + west) + coefficient[below] * south + coefficient[right] * east;
  out[here] = centre + 0.25f * lambda * divergence;
}

// SPDX-License-Identifier: Apache-2.0
// Speckle reducing anisotropic diffusion, one iteration: the diffusion coefficient from the
// gradients, then the update.  Beyond the image its border repeats.  Blocks of 16 x 16, which take
// their part of the image and what is around it to shared memory, as the thesis says of srad
// (5.6.1).
constexpr int kSize = 16;

__device__ int clamp_index(int i, int size) { return i < 0 ? 0 : (i >= size ? size - 1 : i); }

extern "C" __global__ void srad_coefficient(const float* image, float* coefficient, int width,
                                            int height, float q0_squared) {
  __shared__ float tile[kSize + 2][kSize + 2];
  const int x = blockIdx.x * kSize + threadIdx.x;
  const int y = blockIdx.y * kSize + threadIdx.y;
  const int column = clamp_index(x, width);
  const int row = clamp_index(y, height);
  const int left = threadIdx.x + 1;
  const int top = threadIdx.y + 1;
  tile[top][left] = image[row * width + column];
  if (top == 1) tile[0][left] = image[clamp_index(y - 1, height) * width + column];
  if (top == kSize) tile[kSize + 1][left] = image[clamp_index(y + 1, height) * width + column];
  if (left == 1) tile[top][0] = image[row * width + clamp_index(x - 1, width)];
  if (left == kSize) tile[top][kSize + 1] = image[row * width + clamp_index(x + 1, width)];
  __syncthreads();
  if (x >= width || y >= height) return;
  const float centre = tile[top][left];
  const float north = tile[top - 1][left] - centre;
  const float south = tile[top + 1][left] - centre;
  const float west = tile[top][left - 1] - centre;
  const float east = tile[top][left + 1] - centre;
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
  __shared__ float tile[kSize + 2][kSize + 2];
  __shared__ float diffusion[kSize + 1][kSize + 1];
  const int x = blockIdx.x * kSize + threadIdx.x;
  const int y = blockIdx.y * kSize + threadIdx.y;
  const int column = clamp_index(x, width);
  const int row = clamp_index(y, height);
  const int left = threadIdx.x + 1;
  const int top = threadIdx.y + 1;
  tile[top][left] = image[row * width + column];
  diffusion[top - 1][left - 1] = coefficient[row * width + column];
  if (top == 1) tile[0][left] = image[clamp_index(y - 1, height) * width + column];
  if (left == 1) tile[top][0] = image[row * width + clamp_index(x - 1, width)];
  if (top == kSize) {
    const int below = clamp_index(y + 1, height) * width + column;
    tile[kSize + 1][left] = image[below];
    diffusion[kSize][left - 1] = coefficient[below];
  }
  if (left == kSize) {
    const int right = row * width + clamp_index(x + 1, width);
    tile[top][kSize + 1] = image[right];
    diffusion[top - 1][kSize] = coefficient[right];
  }
  __syncthreads();
  if (x >= width || y >= height) return;
  const float centre = tile[top][left];
  const float north = tile[top - 1][left] - centre;
  const float south = tile[top + 1][left] - centre;
  const float west = tile[top][left - 1] - centre;
  const float east = tile[top][left + 1] - centre;
  const float divergence = diffusion[top - 1][left - 1] * (north + west) +
                           diffusion[top][left - 1] * south + diffusion[top - 1][left] * east;
  out[y * width + x] = centre + 0.25f * lambda * divergence;
}

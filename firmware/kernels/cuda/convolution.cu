// SPDX-License-Identifier: Apache-2.0
// 2D convolution of integers with a mask of up to 9 x 9 in constant memory; zero beyond the image.
__constant__ int mask[81];

extern "C" __global__ void convolution(const int* in, int* out, int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  const int side = 2 * radius + 1;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      const int from_x = x + dx;
      const int from_y = y + dy;
      if (from_x < 0 || from_y < 0 || from_x >= width || from_y >= height) continue;
      sum += mask[(dy + radius) * side + dx + radius] * in[from_y * width + from_x];
    }
  }
  out[y * width + x] = sum;
}

// SPDX-License-Identifier: Apache-2.0
// A convolution of an image of T with a square filter of an odd width; a work-item a pixel.  Beyond
// the image its outermost pixels go on.  Integers have SHIFT fraction bits in the filter.
#ifndef SHIFT
#define SCALED(sum) (sum)
#else
#define SCALED(sum) ((sum) >> SHIFT)
#endif

kernel void convolve(global T* out, global const T* image, constant T* filter, int width, int height,
                     int radius) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  T sum = 0;
  for (int j = -radius; j <= radius; ++j) {
    const int row = clamp(y + j, 0, height - 1) * width;
    for (int i = -radius; i <= radius; ++i)
      sum += image[row + clamp(x + i, 0, width - 1)] * *filter++;
  }
  out[y * width + x] = SCALED(sum);
}

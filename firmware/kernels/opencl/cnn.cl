// SPDX-License-Identifier: Apache-2.0
// A layer of a convolutional network: every map of its output sums the 3x3 convolutions of all maps of
// its input, adds a bias and rectifies; then the largest of each 2x2 pixels.  Beyond a map are zeros.
// A work-item is a pixel, the third dimension the map.  Integers have SHIFT fraction bits in weights.
#ifndef SHIFT
#define SCALED(sum) (sum)
#else
#define SCALED(sum) ((sum) >> SHIFT)
#endif

kernel void convolutional_layer(global T* out, global const T* in, constant T* weights,
                                constant T* biases, int width, int height, int maps) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  const int map = get_global_id(2);
  constant T* weight = weights + map * maps * 9;
  T sum = 0;
  for (int m = 0; m < maps; ++m, in += width * height) {
    for (int j = -1; j <= 1; ++j) {
      for (int i = -1; i <= 1; ++i, ++weight) {
        const int column = x + i;
        const int row = y + j;
        const bool inside = column >= 0 && column < width && row >= 0 && row < height;
        const T pixel = in[inside ? row * width + column : 0];
        sum += inside ? pixel * *weight : (T)0;
      }
    }
  }
  out[(map * height + y) * width + x] = max((T)(SCALED(sum) + biases[map]), (T)0);
}

// width and height are those of the output.
kernel void max_pooling_layer(global T* out, global const T* in, int width, int height) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  const int map = get_global_id(2);
  global const T* pixel = in + (map * 2 * height + 2 * y) * 2 * width + 2 * x;
  out[(map * height + y) * width + x] =
      max(max(pixel[0], pixel[1]), max(pixel[2 * width], pixel[2 * width + 1]));
}

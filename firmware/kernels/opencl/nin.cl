// SPDX-License-Identifier: Apache-2.0
// Network in network: behind a convolution (cnn.cl) small networks that see one pixel of all maps.
// A work-item is a pixel, the third dimension the map.  Integers have SHIFT fraction bits in weights.
#ifndef SHIFT
#define SCALED(sum) (sum)
#else
#define SCALED(sum) ((sum) >> SHIFT)
#endif

// A layer of the small networks: every map takes `taken` maps, from `first` = its own number rounded
// down to a multiple of them: all maps, or, where connections are sparse, some.
kernel void pixel_layer(global T* out, global const T* in, constant T* weights, int pixels, int taken) {
  const int pixel = get_global_id(0);
  const int map = get_global_id(2);
  const int first = map / taken * taken;
  constant T* weight = weights + map * taken;
  T sum = 0;
  for (int m = 0; m < taken; ++m) sum += in[(first + m) * pixels + pixel] * weight[m];
  out[map * pixels + pixel] = max((T)SCALED(sum), (T)0);
}

// The sums of rows of each map, for its average; a work-item a row.
kernel void row_sums(global T* out, global const T* in, int width, int rows) {
  const int row = get_global_id(0);
  const int map = get_global_id(2);
  if (row >= rows) return;
  T sum = 0;
  for (int x = 0; x < width; ++x) sum += in[(map * rows + row) * width + x];
  out[map * rows + row] = sum;
}

// SPDX-License-Identifier: Apache-2.0
// Images of int of half the width and height: of each 2x2 pixels the largest, the median (the mean of
// the two in the middle) and the mean, both rounded down.  A work-item a pixel of the output, whose
// width this is.
#define PIXELS(in, width)                                                                    \
  global const int* pixel = (in) + 4 * (width) * get_global_id(1) + 2 * get_global_id(0);    \
  const int a = pixel[0], b = pixel[1], c = pixel[2 * (width)], d = pixel[2 * (width) + 1]

kernel void max_pooling(global int* out, global const int* in, int width) {
  PIXELS(in, width);
  out[get_global_id(1) * width + get_global_id(0)] = max(max(a, b), max(c, d));
}

kernel void median_pooling(global int* out, global const int* in, int width) {
  PIXELS(in, width);
  const int lower = max(min(a, b), min(c, d));
  const int upper = min(max(a, b), max(c, d));
  out[get_global_id(1) * width + get_global_id(0)] = (lower + upper) >> 1;
}

kernel void average_pooling(global int* out, global const int* in, int width) {
  PIXELS(in, width);
  out[get_global_id(1) * width + get_global_id(0)] = (a + b + c + d) >> 2;
}

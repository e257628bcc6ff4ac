// SPDX-License-Identifier: Apache-2.0
// A step of Gaussian elimination without pivots: the multipliers of all rows below row t, then those
// rows less the multiples of row t.
kernel void multipliers(global float* multiplier, global const float* a, int size, int t) {
  const int row = get_global_id(0);
  if (row > t && row < size) multiplier[row] = a[row * size + t] / a[t * size + t];
}

kernel void eliminate(global float* a, global float* b, global const float* multiplier, int size, int t) {
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  if (row <= t || column < t) return;
  a[row * size + column] -= multiplier[row] * a[t * size + column];
  if (column == t) b[row] -= multiplier[row] * b[t];
}

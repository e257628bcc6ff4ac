// SPDX-License-Identifier: Apache-2.0
// c = a b of square matrices of T; a work-item an element.
kernel void matrix_multiply(global T* c, global const T* a, global const T* b, int size) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  T sum = 0;
  for (int k = 0; k < size; ++k) sum += a[y * size + k] * b[k * size + x];
  c[y * size + x] = sum;
}

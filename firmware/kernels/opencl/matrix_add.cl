// SPDX-License-Identifier: Apache-2.0
// c = a + b of matrices of T; a work-item an element.
kernel void matrix_add(global T* c, global const T* a, global const T* b, int width) {
  const int i = get_global_id(1) * width + get_global_id(0);
  c[i] = a[i] + b[i];
}

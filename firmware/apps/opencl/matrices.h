/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks of matrices of a type `number`, which integers.c and floats.c define before they
 * include this; no include guard. */

static number* new_numbers(uint32_t count, uint32_t seed) {
  number* const values = host_words(count);
  random_numbers(values, count, seed);
  return values;
}

void RUN(matrix_add)(struct benchmark* b) {
  const uint32_t n = b->size, count = n * n;
  const number *x = new_numbers(count, 1), *y = new_numbers(count, 2);
  number* const expected = host_words(count);
  const miaow_address out = device_room(b, count);
  for (uint32_t i = 0; i < count && b->verify; ++i) expected[i] = sum_of(x[i], y[i]);
  LAUNCH(b, &matrix_add, ((struct extents){n, n, 1}), tile(b, n), MIAOW_POINTER(out),
         MIAOW_POINTER(device_words(b, x, count)), MIAOW_POINTER(device_words(b, y, count)), n);
  check(b, out, expected, count);
}

void RUN(matrix_multiply)(struct benchmark* b) {
  const uint32_t n = b->size, count = n * n;
  const number *x = new_numbers(count, 3), *y = new_numbers(count, 4);
  number* const expected = host_words(count);
  const miaow_address out = device_room(b, count);
  for (uint32_t row = 0; row < n && b->verify; ++row)
    for (uint32_t column = 0; column < n; ++column) {
      number sum = 0;
      for (uint32_t k = 0; k < n; ++k)
        sum = sum_of(sum, product(x[row * n + k], y[k * n + column]));
      expected[row * n + column] = sum;
    }
  LAUNCH(b, &matrix_multiply, ((struct extents){n, n, 1}), tile(b, n), MIAOW_POINTER(out),
         MIAOW_POINTER(device_words(b, x, count)), MIAOW_POINTER(device_words(b, y, count)), n);
  check(b, out, expected, count);
}

static int clamped(int value, int last) { return value < 0 ? 0 : value > last ? last : value; }

void RUN(convolution)(struct benchmark* b) {
  enum { kRadius = 2, kWidth = 2 * kRadius + 1 };
  const uint32_t n = b->size, count = n * n;
  const int last = (int)n - 1;
  const number* const image = new_numbers(count, 5);
  const number* const filter = new_numbers(kWidth * kWidth, 6);
  number* const expected = host_words(count);
  const miaow_address out = device_room(b, count);
  for (int y = 0; y <= last && b->verify; ++y)
    for (int x = 0; x <= last; ++x) {
      number sum = 0;
      for (int j = 0; j < kWidth; ++j)
        for (int i = 0; i < kWidth; ++i) {
          const int row = clamped(y + j - kRadius, last), column = clamped(x + i - kRadius, last);
          sum = sum_of(sum, product(image[row * (last + 1) + column], filter[j * kWidth + i]));
        }
      expected[y * (last + 1) + x] = scaled(sum);
    }
  LAUNCH(b, &convolve, ((struct extents){n, n, 1}), tile(b, n), MIAOW_POINTER(out),
         MIAOW_POINTER(device_words(b, image, count)),
         MIAOW_POINTER(device_words(b, filter, kWidth * kWidth)), n, n, kRadius);
  check(b, out, expected, count);
}

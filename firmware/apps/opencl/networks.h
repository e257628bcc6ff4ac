/* SPDX-License-Identifier: Apache-2.0 */
/* The two networks: three convolutional layers of 16 maps, each behind it the largest of 2x2
 * pixels; and two layers of convolution and small networks (of which the first takes 4 of 16 maps,
 * the second all), behind which each row is summed.  Filters are 3x3 (the paper does not say),
 * weights random.  For integers.c and floats.c, as matrices.h is; no include guard. */

enum { kMaps = 16, kColours = 3, kSparse = 4 };

struct images {
  number* pixels;       /* as the host has computed them */
  miaow_address device; /* where the device has them */
  uint32_t maps, size;
};

static struct images new_images(struct benchmark* b) {
  const uint32_t count = kColours * b->size * b->size;
  number* const pixels = new_numbers(count, 20);
  return (struct images){pixels, device_words(b, pixels, count), kColours, b->size};
}

/* Weights that keep values of the size they have. */
static number* new_weights(uint32_t count, uint32_t seed) {
  number* const values = new_numbers(count, seed);
  for (uint32_t i = 0; i < count; ++i) values[i] = weight_of(values[i]);
  return values;
}

static number positive(number value) { return value > 0 ? value : 0; }

/* The sum of a pixel's neighbours in all maps, weighted; beyond a map are zeros. */
static number neighbours(const struct images* in, int x, int y, const number* weight) {
  const int size = (int)in->size;
  number sum = 0;
  for (uint32_t m = 0; m < in->maps; ++m)
    for (int j = y - 1; j <= y + 1; ++j)
      for (int i = x - 1; i <= x + 1; ++i, ++weight)
        if (i >= 0 && i < size && j >= 0 && j < size)
          sum = sum_of(sum, product(in->pixels[((int)m * size + j) * size + i], *weight));
  return sum;
}

static void convolve_layer(struct benchmark* b, struct images* images, uint32_t seed) {
  const uint32_t n = images->size, weights = kMaps * images->maps * 9, count = kMaps * n * n;
  const number* const weight = new_weights(weights, seed);
  const number* const bias = new_numbers(kMaps, seed + 1);
  struct images out = {host_words(count), device_room(b, count), kMaps, n};
  for (uint32_t map = 0; map < kMaps && b->verify; ++map)
    for (uint32_t y = 0; y < n; ++y)
      for (uint32_t x = 0; x < n; ++x)
        out.pixels[(map * n + y) * n + x] = positive(
            sum_of(scaled(neighbours(images, (int)x, (int)y, weight + map * images->maps * 9)),
                   bias[map]));
  LAUNCH(b, &convolutional_layer, ((struct extents){n, n, kMaps}), tile(b, n),
         MIAOW_POINTER(out.device), MIAOW_POINTER(images->device),
         MIAOW_POINTER(device_words(b, weight, weights)),
         MIAOW_POINTER(device_words(b, bias, kMaps)), n, n, images->maps);
  *images = out;
  check(b, out.device, out.pixels, count);
}

static number larger(number a, number b) { return a > b ? a : b; }

static void pool_layer(struct benchmark* b, struct images* images) {
  const uint32_t n = images->size / 2, count = kMaps * n * n;
  struct images out = {host_words(count), device_room(b, count), kMaps, n};
  for (uint32_t row = 0; row < kMaps * n && b->verify; ++row)
    for (uint32_t x = 0; x < n; ++x) {
      const number* const p = images->pixels + (2 * row) * 2 * n + 2 * x;
      out.pixels[row * n + x] = larger(larger(p[0], p[1]), larger(p[2 * n], p[2 * n + 1]));
    }
  LAUNCH(b, &max_pooling_layer, ((struct extents){n, n, kMaps}), tile(b, n),
         MIAOW_POINTER(out.device), MIAOW_POINTER(images->device), n, n);
  *images = out;
  check(b, out.device, out.pixels, count);
}

static void each_pixel(struct benchmark* b, struct images* images, uint32_t seed, uint32_t taken) {
  const uint32_t pixels = images->size * images->size, count = kMaps * pixels;
  const number* const weight = new_weights(kMaps * taken, seed);
  struct images out = {host_words(count), device_room(b, count), kMaps, images->size};
  for (uint32_t map = 0; map < kMaps && b->verify; ++map)
    for (uint32_t p = 0; p < pixels; ++p) {
      number sum = 0;
      for (uint32_t m = 0; m < taken; ++m)
        sum = sum_of(sum, product(images->pixels[(map / taken * taken + m) * pixels + p],
                                  weight[map * taken + m]));
      out.pixels[map * pixels + p] = positive(scaled(sum));
    }
  LAUNCH(b, &pixel_layer, ((struct extents){pixels, 1, kMaps}), ((struct extents){64, 1, 1}),
         MIAOW_POINTER(out.device), MIAOW_POINTER(images->device),
         MIAOW_POINTER(device_words(b, weight, kMaps * taken)), pixels, taken);
  *images = out;
  check(b, out.device, out.pixels, count);
}

void RUN(cnn)(struct benchmark* b) {
  struct images images = new_images(b);
  for (uint32_t layer = 0; layer < 3; ++layer) {
    convolve_layer(b, &images, 21 + 2 * layer);
    pool_layer(b, &images);
  }
}

void RUN(nin)(struct benchmark* b) {
  const uint32_t n = b->size, rows = kMaps * n;
  struct images images = new_images(b);
  for (uint32_t layer = 0; layer < 2; ++layer) {
    convolve_layer(b, &images, 31 + 4 * layer);
    each_pixel(b, &images, 33 + 4 * layer, kSparse);
    each_pixel(b, &images, 34 + 4 * layer, kMaps);
  }
  number* const sums = host_words(rows);
  const miaow_address out = device_room(b, rows);
  for (uint32_t row = 0; row < rows && b->verify; ++row) {
    sums[row] = 0;
    for (uint32_t x = 0; x < n; ++x) sums[row] = sum_of(sums[row], images.pixels[row * n + x]);
  }
  const uint32_t group = n < 16 ? n : 16;
  LAUNCH(b, &row_sums, ((struct extents){n, 1, kMaps}), ((struct extents){group, 1, 1}),
         MIAOW_POINTER(out), MIAOW_POINTER(images.device), n, n);
  check(b, out, sums, rows);
}

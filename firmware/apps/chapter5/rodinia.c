/* SPDX-License-Identifier: Apache-2.0 */
/* The five of the thesis's benchmarks that are named after Rodinia's.  The host computes in single
 * precision, too. */
#include <stdlib.h>
#include <string.h>

#include "apps/chapter5/benchmark.h"
#include "kernels/cuda/images.h"

enum { kThreads = 256, kTile = 16 };

struct node {
  uint32_t first, count; /* edges */
};

/* A graph as Rodinia's generator makes them: from each node two to four edges to any others, both
 * ways, so six a node on average.  Returns how many there are. */
static uint32_t random_graph(uint32_t n, struct node* nodes, uint32_t* edges) {
  enum { kFewest = 2, kMost = 4 };
  uint32_t* from = host_memory(n, 4 * kMost);
  uint32_t* to = host_memory(n, 4 * kMost);
  uint32_t seed = 8, pairs = 0;
  memset(nodes, 0, n * sizeof *nodes);
  for (uint32_t node = 0; node < n; ++node) {
    const uint32_t degree = kFewest + random_word(&seed) % (kMost - kFewest + 1);
    for (uint32_t i = 0; i < degree; ++i, ++pairs) {
      from[pairs] = node;
      to[pairs] = random_word(&seed) % n;
      ++nodes[from[pairs]].count, ++nodes[to[pairs]].count;
    }
  }
  uint32_t end = 0;
  for (uint32_t node = 0; node < n; ++node) nodes[node].first = end += nodes[node].count;
  /* each now stands at the end of its edges, which are put in from there down */
  while (pairs-- != 0) {
    edges[--nodes[from[pairs]].first] = to[pairs];
    edges[--nodes[to[pairs]].first] = from[pairs];
  }
  free(from), free(to);
  return end;
}

/* From node 0 of a graph of n nodes. */
void run_breadth_first_search(struct benchmark* b, bool verify, uint32_t n) {
  enum { kMostEdges = 8 };
  struct node* nodes = host_memory(n, sizeof *nodes);
  uint32_t* edges = host_memory(n, 4 * kMostEdges);
  uint32_t *distance = host_memory(n, 4), *expected = host_memory(n, 4);
  uint8_t* flags = host_memory(n, 1);
  const uint32_t edge_count = random_graph(n, nodes, edges);
  for (uint32_t node = 0; node < n; ++node) expected[node] = UINT32_MAX;
  expected[0] = 0;
  memset(flags, 0, n);
  flags[0] = 1;

  benchmark_begin(b, verify, &cuda_kernel_breadth_first_search);
  const gpgpu_address device_nodes = device_memory(b, nodes, n * sizeof *nodes);
  const gpgpu_address device_edges = device_memory(b, edges, 4 * edge_count);
  const gpgpu_address frontier = device_memory(b, flags, n);
  const gpgpu_address updated = device_memory(b, NULL, n);
  const gpgpu_address visited = device_memory(b, flags, n);
  const gpgpu_address device_distance = device_memory(b, expected, 4 * n);
  const gpgpu_address device_again = device_memory(b, NULL, 4);
  const struct shape shape = {quotient_up(n, kThreads), 1, kThreads, 1, 0};
  uint32_t again;
  do {
    again = 0;
    device_write(b, device_again, &again, 4);
    LAUNCH(b, "bfs_visit", shape, device_nodes, device_edges, frontier, updated, visited,
           device_distance, n);
    LAUNCH(b, "bfs_advance", shape, frontier, updated, visited, device_again, n);
    device_read(b, &again, device_again, 4);
  } while (again != 0);
  device_read(b, distance, device_distance, 4 * n);
  add_result(b, distance, 4 * n);
  if (verify) {
    uint32_t* queue = host_memory(n, 4);
    uint32_t head = 0, tail = 0;
    queue[tail++] = 0;
    while (head != tail) {
      const uint32_t node = queue[head++];
      for (uint32_t i = nodes[node].first; i < nodes[node].first + nodes[node].count; ++i) {
        if (expected[edges[i]] != UINT32_MAX) continue;
        expected[edges[i]] = expected[node] + 1;
        queue[tail++] = edges[i];
      }
    }
    expect_words(b, expected, distance, n);
    free(queue);
  }
  benchmark_end(b);
  free(nodes), free(edges), free(distance), free(expected), free(flags);
}

/* Of n points of 34 coordinates the nearest of 5 centres (thesis 5.6.2, figure 36).  As Rodinia's
 * program the device is given point after point and turns them round first. */
void run_kmeans(struct benchmark* b, bool verify, uint32_t n) {
  enum { kClusters = 5, kDimensions = 34 };
  float* points = host_memory(n, 4 * kDimensions);
  float centres[kClusters * kDimensions];
  uint32_t* nearest = host_memory(n, 4);
  uint32_t seed = 9;
  for (uint32_t i = 0; i < n * kDimensions; ++i) points[i] = random_float(&seed, 0, 10);
  for (uint32_t i = 0; i < kClusters * kDimensions; ++i) centres[i] = random_float(&seed, 0, 10);
  benchmark_begin(b, verify, &cuda_kernel_kmeans);
  const gpgpu_address given = device_memory(b, points, 4 * kDimensions * n);
  const gpgpu_address device_points = device_memory(b, NULL, 4 * kDimensions * n);
  constant_write(b, "centres", centres, sizeof centres);
  const gpgpu_address device_nearest = device_memory(b, NULL, 4 * n);
  const struct shape shape = {quotient_up(n, kThreads), 1, kThreads, 1, 0};
  LAUNCH(b, "kmeans_turn", shape, given, device_points, n, kDimensions);
  /* As in Rodinia's program, which reads the turned points as a texture. */
  texture_bind(b, device_points, 4 * kDimensions * n);
  LAUNCH(b, "kmeans", shape, device_points, device_nearest, n, kClusters, kDimensions);
  texture_bind(b, GPGPU_NULL, 0);
  device_read(b, nearest, device_nearest, 4 * n);
  add_result(b, nearest, 4 * n);
  if (verify) {
    /* Of the nearest centre and the one that the device chose, so that two at about the same
     * distance are right. */
    float *least = host_memory(n, 4), *chosen = host_memory(n, 4);
    for (uint32_t point = 0; point < n; ++point) {
      least[point] = 3.4e38f;
      chosen[point] = -1; /* no centre: nothing is near it */
      for (uint32_t cluster = 0; cluster < kClusters; ++cluster) {
        float distance = 0;
        for (uint32_t d = 0; d < kDimensions; ++d) {
          const float difference =
              points[point * kDimensions + d] - centres[cluster * kDimensions + d];
          distance += difference * difference;
        }
        if (distance < least[point]) least[point] = distance;
        if (cluster == nearest[point]) chosen[point] = distance;
      }
    }
    expect_floats(b, least, chosen, n);
    free(least), free(chosen);
  }
  benchmark_end(b);
  free(points), free(nearest);
}

/* n x n numbers, whose diagonal is large enough for an elimination without pivots. */
static float* matrix(uint32_t n, uint32_t seed) {
  float* a = host_memory(n * n, 4);
  for (uint32_t i = 0; i < n * n; ++i) a[i] = random_float(&seed, -1, 1);
  for (uint32_t i = 0; i < n; ++i) a[i * n + i] += (float)n;
  return a;
}

/* Of n equations, to a triangle. */
void run_gaussian(struct benchmark* b, bool verify, uint32_t n) {
  float *a = matrix(n, 10), *right = host_memory(n, 4);
  float *upper = host_memory(n * n, 4), *reduced = host_memory(n, 4);
  uint32_t seed = 11;
  for (uint32_t i = 0; i < n; ++i) right[i] = random_float(&seed, -1, 1);
  benchmark_begin(b, verify, &cuda_kernel_gaussian);
  const gpgpu_address device_a = device_memory(b, a, 4 * n * n);
  const gpgpu_address device_right = device_memory(b, right, 4 * n);
  const gpgpu_address multipliers = device_memory(b, NULL, 4 * n * n);
  for (uint32_t column = 0; column + 1 < n; ++column) {
    const uint32_t below = n - 1 - column;
    const struct shape line = {quotient_up(below, kThreads), 1, kThreads, 1, 0};
    const struct shape square = {quotient_up(below + 1, kTile), quotient_up(below, kTile), kTile,
                                 kTile, 0};
    LAUNCH(b, "gaussian_multipliers", line, multipliers, device_a, n, column);
    LAUNCH(b, "gaussian_rows", square, multipliers, device_a, device_right, n, column);
  }
  device_read(b, upper, device_a, 4 * n * n);
  device_read(b, reduced, device_right, 4 * n);
  add_result(b, upper, 4 * n * n);
  add_result(b, reduced, 4 * n);
  if (verify) {
    for (uint32_t k = 0; k + 1 < n; ++k) {
      for (uint32_t row = k + 1; row < n; ++row) {
        const float factor = a[row * n + k] / a[k * n + k];
        for (uint32_t i = k; i < n; ++i) a[row * n + i] -= factor * a[k * n + i];
        right[row] -= factor * right[k];
      }
    }
    expect_floats(b, a, upper, n * n);
    expect_floats(b, right, reduced, n);
  }
  benchmark_end(b);
  free(a), free(right), free(upper), free(reduced);
}

/* Of n x n numbers, in blocks of 16 x 16. */
void run_lu_decomposition(struct benchmark* b, bool verify, uint32_t n) {
  float *a = matrix(n, 12), *result = host_memory(n * n, 4);
  benchmark_begin(b, verify, &cuda_kernel_lu_decomposition);
  const gpgpu_address device_a = device_memory(b, a, 4 * n * n);
  for (uint32_t k = 0; k < n; k += kTile) {
    const uint32_t blocks = (n - k) / kTile - 1;
    const struct shape diagonal = {1, 1, kTile, 1, 0}, borders = {blocks, 2, kTile, 1, 0};
    const struct shape rest = {blocks, blocks, kTile, kTile, 0};
    LAUNCH(b, "lu_block", diagonal, device_a + 4 * (k * n + k), n);
    if (blocks == 0) break;
    LAUNCH(b, "lu_borders", borders, device_a, n, k);
    LAUNCH(b, "lu_rest", rest, device_a, n, k);
  }
  device_read(b, result, device_a, 4 * n * n);
  add_result(b, result, 4 * n * n);
  if (verify) {
    for (uint32_t k = 0; k + 1 < n; ++k) {
      for (uint32_t row = k + 1; row < n; ++row) {
        a[row * n + k] /= a[k * n + k];
        for (uint32_t i = k + 1; i < n; ++i) a[row * n + i] -= a[row * n + k] * a[k * n + i];
      }
    }
    expect_floats(b, a, result, n * n);
  }
  benchmark_end(b);
  free(a), free(result);
}

static uint32_t within(uint32_t i, int by, uint32_t n) {
  if (by < 0) return i == 0 ? 0 : i - 1;
  return i + 1 == n ? i : i + 1;
}

/* One iteration on the host, in the terms of Yu and Acton, "Speckle reducing anisotropic
 * diffusion", IEEE Transactions on Image Processing 11 (2002), equations 31 to 36 and 58 to 61. */
static void diffuse(float* out, const float* image, float* coefficient, uint32_t n,
                    float q0_squared, float lambda) {
  for (uint32_t y = 0; y < n; ++y) {
    for (uint32_t x = 0; x < n; ++x) {
      const float centre = image[y * n + x];
      const float north = image[within(y, -1, n) * n + x] - centre;
      const float south = image[within(y, 1, n) * n + x] - centre;
      const float west = image[y * n + within(x, -1, n)] - centre;
      const float east = image[y * n + within(x, 1, n)] - centre;
      const float gradient =
          (north * north + south * south + west * west + east * east) / (centre * centre);
      const float laplacian = (north + south + west + east) / centre;
      const float numerator = 0.5f * gradient - 0.0625f * laplacian * laplacian;
      const float denominator = 1 + 0.25f * laplacian;
      const float q_squared = numerator / (denominator * denominator);
      const float c = 1 / (1 + (q_squared - q0_squared) / (q0_squared * (1 + q0_squared)));
      coefficient[y * n + x] = c < 0 ? 0 : c > 1 ? 1 : c;
    }
  }
  for (uint32_t y = 0; y < n; ++y) {
    for (uint32_t x = 0; x < n; ++x) {
      const uint32_t here = y * n + x, below = within(y, 1, n) * n + x;
      const uint32_t right = y * n + within(x, 1, n);
      const float centre = image[here];
      const float north = image[within(y, -1, n) * n + x] - centre;
      const float west = image[y * n + within(x, -1, n)] - centre;
      out[here] = centre + 0.25f * lambda *
                               (coefficient[here] * (north + west) +
                                coefficient[below] * (image[below] - centre) +
                                coefficient[right] * (image[right] - centre));
    }
  }
}

/* Of an image of n x n numbers, two iterations. */
void run_srad(struct benchmark* b, bool verify, uint32_t n) {
  enum { kIterations = 2 };
  const float lambda = 0.5f, first_q0_squared = 0.05f;
  const float decay = 0.71653131f; /* of q0 squared: exp(-2/6), q0(t) = q0 exp(-t/6) */
  const uint32_t count = n * n, bytes = 4 * count;
  float *image = host_memory(count, 4), *result = host_memory(count, 4);
  uint32_t seed = 13;
  for (uint32_t i = 0; i < count; ++i) image[i] = random_float(&seed, 0.5f, 1.5f);
  benchmark_begin(b, verify, &cuda_kernel_srad);
  gpgpu_address from = device_memory(b, image, bytes), to = device_memory(b, NULL, bytes);
  const gpgpu_address device_coefficient = device_memory(b, NULL, bytes);
  const uint32_t tiles = quotient_up(n, kTile);
  const struct shape shape = {tiles, tiles, kTile, kTile, 0};
  float q0_squared = first_q0_squared;
  for (int i = 0; i < kIterations; ++i) {
    LAUNCH(b, "srad_coefficient", shape, from, device_coefficient, n, n, float_word(q0_squared));
    LAUNCH(b, "srad_update", shape, from, device_coefficient, to, n, n, float_word(lambda));
    const gpgpu_address written = to;
    to = from;
    from = written;
    q0_squared *= decay;
  }
  device_read(b, result, from, bytes);
  add_result(b, result, bytes);
  if (verify) {
    float *coefficient = host_memory(count, 4), *next = host_memory(count, 4);
    q0_squared = first_q0_squared;
    for (int i = 0; i < kIterations; ++i) {
      diffuse(next, image, coefficient, n, q0_squared, lambda);
      memcpy(image, next, bytes);
      q0_squared *= decay;
    }
    expect_floats(b, image, result, count);
    free(coefficient), free(next);
  }
  benchmark_end(b);
  free(image), free(result);
}

// SPDX-License-Identifier: Apache-2.0
// k-means: which of `clusters` centres is nearest to each point.  Centres lie in constant memory,
// points at first one after the other, and then one dimension after the other, as in Rodinia and the
// thesis's figure 36.
__constant__ float centres[5 * 34];

extern "C" __global__ void kmeans_turn(const float* given, float* points, int count,
                                       int dimensions) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= count) return;
  for (int d = 0; d < dimensions; ++d) points[d * count + point] = given[point * dimensions + d];
}

extern "C" __global__ void kmeans(const float* points, int* membership, int count, int clusters,
                                  int dimensions) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= count) return;
  int best = -1;
  float best_distance = 3.4e38f;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    float distance = 0;
    for (int d = 0; d < dimensions; ++d) {
      const float difference = points[d * count + point] - centres[cluster * dimensions + d];
      distance += difference * difference;
    }
    if (distance < best_distance) {
      best_distance = distance;
      best = cluster;
    }
  }
  membership[point] = best;
}

// SPDX-License-Identifier: Apache-2.0
// The nearest centre of each point; a work-item a point.  Features are in columns, so that neighbours
// read neighbours.
kernel void nearest_centre(global int* member, global const float* features, constant float* centres,
                           int points, int clusters, int dimensions) {
  const int point = get_global_id(0);
  float best = FLT_MAX;
  int index = 0;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0.0f;
    for (int d = 0; d < dimensions; ++d) {
      const float difference = features[d * points + point] - centres[c * dimensions + d];
      distance += difference * difference;
    }
    if (distance < best) {
      best = distance;
      index = c;
    }
  }
  member[point] = index;
}

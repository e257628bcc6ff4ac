// SPDX-License-Identifier: Apache-2.0
// A pass of a bitonic sort: compares and exchanges pairs; a work-item a pair.
kernel void bitonic_pass(global int* values, uint stage, uint pass) {
  const uint i = get_global_id(0);
  const uint distance = 1u << (stage - pass);
  const uint left = i % distance + i / distance * 2 * distance;
  const int a = values[left];
  const int b = values[left + distance];
  const bool ascending = (i >> stage & 1) == 0;
  const int least = min(a, b);
  const int most = max(a, b);
  values[left] = ascending ? least : most;
  values[left + distance] = ascending ? most : least;
}

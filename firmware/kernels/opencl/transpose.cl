// SPDX-License-Identifier: Apache-2.0
// The transpose of a square matrix of int, in tiles of 8x8, by local memory, so that rows are read and
// written whole; a group of 8x8 work-items a tile.
#define TILE 8

kernel void transpose(global int* out, global const int* in, int size) {
  local int tile[TILE][TILE + 1];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * size + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * TILE + y) * size + get_group_id(1) * TILE + x] = tile[x][y];
}

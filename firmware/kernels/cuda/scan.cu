// SPDX-License-Identifier: Apache-2.0
// Inclusive prefix sum of blockDim.x integers by each block (Hillis and Steele, two buffers), and
// the addition of the blocks' offsets.
extern __shared__ int buffer[];

extern "C" __global__ void scan(const int* in, int* out, int* totals) {
  const int self = threadIdx.x;
  const int size = blockDim.x;
  const int index = blockIdx.x * size + self;
  int from = 0;
  buffer[self] = in[index];
  __syncthreads();
  for (int distance = 1; distance < size; distance *= 2) {
    const int to = size - from;
    int sum = buffer[from + self];
    if (self >= distance) sum += buffer[from + self - distance];
    buffer[to + self] = sum;
    from = to;
    __syncthreads();
  }
  out[index] = buffer[from + self];
  if (self == size - 1) totals[blockIdx.x] = buffer[from + self];
}

extern "C" __global__ void scan_add(int* out, const int* totals) {
  int offset = 0;
  for (int block = 0; block < blockIdx.x; ++block) offset += totals[block];
  out[blockIdx.x * blockDim.x + threadIdx.x] += offset;
}

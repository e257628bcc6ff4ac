__global__ void vector_add(const int* a, const int* b, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = a[i] + b[i];
}

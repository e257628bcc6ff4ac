// SPDX-License-Identifier: Apache-2.0
// A whole program in CUDA C: kernels and the host part that launches them and verifies their results,
// CUDA's errors among them.  It ends with 0 if all is right, else with the number of the check that
// failed.  `kcc --host-wrapper` makes C of it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call, number)                                                  \
  do {                                                                       \
    cudaError_t error = (call);                                              \
    if (error != cudaSuccess) {                                              \
      printf("check %d: %s\n", number, cudaGetErrorString(error));           \
      exit(number);                                                          \
    }                                                                        \
  } while (0)

struct Range {
  int low, high;
  unsigned char step;
};

__constant__ int weights[4];
__device__ int total_calls = 7;

__device__ int scaled(int value, float factor) { return (int)((float)value * factor); }

// out[i] = weight of i * factor * in[i], within the range
extern "C" __global__ void weigh(const int* in, int* out, int count, float factor, struct Range range,
                                 short offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int value = scaled(in[i] * weights[i & 3], factor) + range.step + offset;
  if (value < range.low) value = range.low;
  if (value > range.high) value = range.high;
  out[i] = value;
}

extern "C" __global__ void sum(int* values, int* result) {
  extern __shared__ int part[];
  part[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) result[0] = part[0] + total_calls;
}

// out = the transpose of in, both of 16x16 numbers, through a tile without bank conflicts
extern "C" __global__ void transpose(const float* in, float* out) {
  __shared__ float tile[16][17];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void nothing() {}

extern "C" __global__ void wild(int* where) { where[threadIdx.x] = 1; }

#ifndef __KCC__
static int expected(const int* in, int i, const int* w, struct Range range) {
  int value = (int)(float(in[i] * w[i & 3]) * 0.5f) + range.step - 3;
  return value < range.low ? range.low : value > range.high ? range.high : value;
}

int main(int argc, char** argv) {
  enum { kCount = 64, kBytes = kCount * sizeof(int) };
  int in[kCount], out[kCount];
  const int host_weights[4] = {1, -2, 3, 4};
  Range range = {-50, 90, 5};
  for (int i = 0; i < kCount; ++i) in[i] = 3 * i - 40;
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices), 1);
  if (devices != 1 || argc != 1 || argv[0] == nullptr) return 2;

  int *device_in, *device_out, *device_sum;
  CHECK(cudaMalloc((void**)&device_in, kBytes), 3);
  CHECK(cudaMalloc(&device_out, kBytes), 3);
  CHECK(cudaMalloc(&device_sum, sizeof(int)), 3);
  CHECK(cudaMemset(device_out, 0x55, kBytes), 4);
  CHECK(cudaMemcpy(out, device_out, kBytes, cudaMemcpyDeviceToHost), 4);
  for (int i = 0; i < kCount; ++i)
    if (out[i] != 0x55555555) return 4;
  CHECK(cudaMemcpy(device_in, in, kBytes, cudaMemcpyHostToDevice), 5);
  CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights)), 6);
  int third = 0;
  CHECK(cudaMemcpyFromSymbol(&third, weights, sizeof(int), 2 * sizeof(int)), 6);
  if (third != 3) return 6;

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start), 7);
  CHECK(cudaEventCreate(&stop), 7);
  CHECK(cudaEventRecord(start, 0), 7);
  dim3 block(16, 1), grid(kCount / 16);
  weigh<<<grid, block>>>(device_in, device_out, kCount, 0.5f, range, -3);
  CHECK(cudaGetLastError(), 8);
  CHECK(cudaEventRecord(stop, 0), 7);
  CHECK(cudaEventSynchronize(stop), 7);
  float milliseconds = -1.0f;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop), 7);
  if (milliseconds < 0.0f) return 7;
  CHECK(cudaMemcpy(out, device_out, kBytes, cudaMemcpyDeviceToHost), 9);
  int all = 0;
  for (int i = 0; i < kCount; ++i) {
    if (out[i] != expected(in, i, host_weights, range)) return 10;
    all += out[i];
  }

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream), 11);
  sum<<<1, kCount, kBytes, stream>>>(device_out, device_sum);
  CHECK(cudaStreamSynchronize(stream), 11);
  int result = 0;
  CHECK(cudaMemcpy(&result, device_sum, sizeof result, cudaMemcpyDeviceToHost), 12);
  if (result != all + 7) return 12;
  const int calls = 1000;
  CHECK(cudaMemcpyToSymbol("total_calls", &calls, sizeof calls, 0, cudaMemcpyHostToDevice), 13);
  sum<<<dim3(1, 1), dim3(kCount), kBytes>>>(device_out, device_sum);
  CHECK(cudaMemcpy(&result, device_sum, sizeof result, cudaMemcpyDeviceToHost), 13);
  if (result != all + 1000) return 13;

  enum { kSide = 16, kMatrixBytes = kSide * kSide * sizeof(float) };
  float* matrix = (float*)malloc(kMatrixBytes);
  float *device_matrix, *device_transpose;
  if (matrix == NULL) return 21;
  for (int i = 0; i < kSide * kSide; ++i) matrix[i] = 0.25f * (float)i;
  CHECK(cudaMalloc((void**)&device_matrix, kMatrixBytes), 21);
  CHECK(cudaMalloc((void**)&device_transpose, kMatrixBytes), 21);
  CHECK(cudaMemcpy(device_matrix, matrix, kMatrixBytes, cudaMemcpyHostToDevice), 21);
  transpose<<<1, dim3(kSide, kSide)>>>(device_matrix, device_transpose);
  CHECK(cudaMemcpy(matrix, device_transpose, kMatrixBytes, cudaMemcpyDeviceToHost), 21);
  for (int i = 0; i < kSide * kSide; ++i)
    if (matrix[i] != 0.25f * (float)(i % kSide * kSide + i / kSide)) return 21;
  free(matrix);
  CHECK(cudaFree(device_matrix), 21);
  CHECK(cudaFree(device_transpose), 21);

  // What must fail, and how.
  nothing<<<1, 100000>>>();
  if (cudaPeekAtLastError() != cudaErrorInvalidConfiguration) return 14;
  if (cudaGetLastError() != cudaErrorInvalidConfiguration) return 14;
  if (cudaGetLastError() != cudaSuccess) return 14;
  if (cudaMemcpyToSymbol("missing", &calls, sizeof calls) != cudaErrorInvalidSymbol) return 15;
  if (cudaMemcpy(out, device_in, kBytes + 4096, cudaMemcpyDeviceToHost) != cudaErrorInvalidValue)
    return 16;
  CHECK(cudaFree(device_in), 17);
  if (cudaFree(device_in) != cudaErrorInvalidDevicePointer) return 17;
  if (cudaSetDevice(1) != cudaErrorInvalidDevice) return 18;
  cudaGetLastError();
  nothing<<<1, 32>>>();
  CHECK(cudaThreadSynchronize(), 19);
  wild<<<1, 32>>>((int*)0x7fffff00);
  if (cudaThreadSynchronize() != cudaErrorLaunchFailure) return 22;
  if (cudaGetLastError() != cudaErrorLaunchFailure) return 22;
  CHECK(cudaThreadSynchronize(), 22);
  CHECK(cudaFree(device_out), 20);
  CHECK(cudaFree(device_sum), 20);
  CHECK(cudaEventDestroy(start), 20);
  CHECK(cudaEventDestroy(stop), 20);
  CHECK(cudaStreamDestroy(stream), 20);
  printf("all checks passed\n");
  return 0;
}
#endif

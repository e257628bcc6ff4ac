// SPDX-License-Identifier: Apache-2.0
// A program with textures: linear memory, rows with a pitch, an array; set by the host before they
// are bound.  It ends with 0, or with the number of the check that failed.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

texture<float, 1, cudaReadModeElementType> line;
static texture<float, 2> image(0, cudaFilterModePoint, cudaAddressModeClamp), unread;
texture<uchar4, 2, cudaReadModeElementType> colours;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
static __constant__ int scale = 2;
static __device__ int calls = 5;

__global__ void from_line(float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex1Dfetch(line, i) * scale + calls;
}

__global__ void from_image(float* out, int width, int height, float shift) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x < width && y < height) out[y * width + x] = tex2D(image, x + shift, y + shift);
}

__global__ void from_colours(int* out, int width) {
  const uchar4 c = tex2D(colours, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
  out[threadIdx.y * width + threadIdx.x] = c.x + c.y * 256 + c.z * 65536 + (c.w << 24);
}

#ifndef __KCC__
#define CHECK(call, number)                                        \
  do {                                                             \
    cudaError_t error = (call);                                    \
    if (error != cudaSuccess) {                                    \
      printf("check %d: %s\n", number, cudaGetErrorString(error)); \
      exit(number);                                                \
    }                                                              \
  } while (0)

enum { kWidth = 8, kHeight = 4, kCount = kWidth * kHeight };

static int check_line(float* device_out, const float* in) {
  float out[kCount];
  float* device_in;
  size_t offset = 1;
  CHECK(cudaMalloc((void**)&device_in, kCount * sizeof(float)), 1);
  CHECK(cudaMemcpy(device_in, in, kCount * sizeof(float), cudaMemcpyHostToDevice), 1);
  CHECK(cudaBindTexture(&offset, line, device_in, kCount * sizeof(float)), 2);
  if (offset != 0) return 2;
  for (int form = 0; form < 4; ++form) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    if (form == 1) CHECK(cudaBindTexture(0, line, device_in), 3);
    if (form == 2) CHECK(cudaBindTexture(0, line, device_in, format), 3);
    if (form == 3) CHECK(cudaBindTexture(0, &line, device_in, &format, 16 * sizeof(float)), 3);
    from_line<<<1, kCount>>>(device_out, kCount);
    CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost), 4);
    for (int i = 0; i < kCount; ++i) {
      const float expected = form == 3 && i >= 16 ? 5.0f : in[i] * 2 + 5;
      if (out[i] != expected) return 5;
    }
  }
  CHECK(cudaUnbindTexture(line), 6);
  from_line<<<1, kCount>>>(device_out, kCount);
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost), 6);
  if (out[3] != 5.0f) return 6;
  if (cudaBindTexture(0, line, (char*)device_in + 2, 16) != cudaErrorInvalidValue) return 7;
  cudaGetLastError();
  CHECK(cudaFree(device_in), 7);
  return 0;
}

static int check_formats() {
  const cudaChannelFormatDesc four = cudaCreateChannelDesc<ushort4>();
  const cudaChannelFormatDesc two = cudaCreateChannelDesc<float2>();
  if (four.x != 16 || four.w != 16 || four.f != cudaChannelFormatKindUnsigned) return 19;
  if (two.y != 32 || two.z != 0 || two.f != cudaChannelFormatKindFloat) return 19;
  const float4 number = make_float4(1, 2, 3, 4);
  return number.z == 3.0f && sizeof(short4) == 8 && sizeof(uchar3) == 3 ? 0 : 19;
}

static float mean_around(const float* in, int x, int y) {
  const int right = x + 1 < kWidth ? x + 1 : x, below = y + 1 < kHeight ? y + 1 : y;
  return 0.25f * (in[y * kWidth + x] + in[y * kWidth + right] + in[below * kWidth + x] +
                  in[below * kWidth + right]);
}

static int check_image(float* device_out, const float* in) {
  float out[kCount];
  float* device_in;
  size_t pitch, free_bytes, total_bytes;
  CHECK(cudaMallocPitch((void**)&device_in, &pitch, kWidth * sizeof(float), kHeight), 11);
  if (pitch < kWidth * sizeof(float)) return 11;
  CHECK(cudaMemset2D(device_in, pitch, 0xff, pitch, kHeight), 12);
  CHECK(cudaMemcpy2D(device_in, pitch, in, kWidth * sizeof(float), kWidth * sizeof(float), kHeight,
                     cudaMemcpyHostToDevice),
        12);
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes), 12);
  CHECK(cudaBindTexture2D(0, image, device_in, kWidth, kHeight, pitch), 13);
  from_image<<<1, dim3(kWidth, kHeight)>>>(device_out, kWidth, kHeight, 0.5f);
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost), 13);
  for (int i = 0; i < kCount; ++i)
    if (out[i] != in[i]) return 14;
  image.filterMode = cudaFilterModeLinear;
  image.addressMode[0] = image.addressMode[1] = cudaAddressModeClamp;
  cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  CHECK(cudaBindTexture2D(0, image, device_in, format, kWidth, kHeight, pitch), 15);
  from_image<<<1, dim3(kWidth, kHeight)>>>(device_out, kWidth, kHeight, 1.0f);
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost), 15);
  for (int i = 0; i < kCount; ++i) {
    const float difference = out[i] - mean_around(in, i % kWidth, i / kWidth);
    if (difference > 1e-4f || difference < -1e-4f) return 16;
  }
  if (cudaBindTexture2D(0, image, device_in, kWidth, kHeight, 4) != cudaErrorInvalidPitchValue)
    return 17;
  cudaGetLastError();
  CHECK(cudaBindTexture(0, unread, device_in, 64), 18);
  CHECK(cudaFree(device_in), 18);
  return 0;
}

static int check_array(int* device_out) {
  int *in, out[kCount];
  cudaArray* array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  CHECK(cudaMallocHost((void**)&in, sizeof(out)), 21);
  for (int i = 0; i < kCount; ++i) in[i] = 0x01234567 * (i + 1);
  CHECK(cudaMallocArray(&array, &format, kWidth, kHeight), 22);
  CHECK(cudaMemcpyToArray(array, 0, 0, in, sizeof(out), cudaMemcpyHostToDevice), 22);
  CHECK(cudaMemcpy2DToArray(array, 4, 1, in, 4, 4, 2, cudaMemcpyHostToDevice), 23);
  in[kWidth + 1] = in[0];
  in[2 * kWidth + 1] = in[1];
  CHECK(cudaBindTextureToArray(colours, array), 24);
  CHECK(cudaBindTextureToArray(colours, array, format), 24);
  from_colours<<<1, dim3(kWidth, kHeight)>>>(device_out, kWidth);
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost), 25);
  for (int i = 0; i < kCount; ++i)
    if (out[i] != in[i]) return 25;
  CHECK(cudaMemcpyFromArray(out, array, 8, 0, 4, cudaMemcpyDeviceToHost), 26);
  if (out[0] != in[2]) return 26;
  if (cudaBindTextureToArray(image, array) != cudaSuccess) return 27;  // as large as a float
  if (cudaBindTextureToArray(bytes, array) != cudaErrorInvalidChannelDescriptor) return 27;
  if (cudaMemcpyToArray(array, 0, 3, in, 2 * kWidth * 4, cudaMemcpyHostToDevice) !=
      cudaErrorInvalidValue)
    return 27;
  cudaGetLastError();
  CHECK(cudaFreeArray(array), 28);
  CHECK(cudaFreeHost(in), 28);
  return 0;
}

int main() {
  float in[kCount];
  void* device_out;
  for (int i = 0; i < kCount; ++i) in[i] = 1.5f * (float)i - 7;
  CHECK(cudaMalloc(&device_out, kCount * sizeof(float)), 30);
  int failed = check_line((float*)device_out, in);
  if (failed == 0) failed = check_formats();
  if (failed == 0) failed = check_image((float*)device_out, in);
  if (failed == 0) failed = check_array((int*)device_out);
  CHECK(cudaFree(device_out), 31);
  return failed;
}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the device.  Its pointers are the driver's addresses. */
#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_context.h"

enum { kPiece = 256, kPitchBytes = 256 };

static gpgpu_address address_of(const void* pointer) { return (gpgpu_address)(uintptr_t)pointer; }

cudaError_t cuda_malloc(void** pointer, size_t bytes) {
  struct gpgpu* gpu = cuda_device();
  if (gpu == NULL) return cudaErrorNoDevice;
  if (pointer == NULL) return cuda_result(cudaErrorInvalidValue);
  *pointer = NULL;
  if (bytes == 0) return cudaSuccess;
  if (bytes > UINT32_MAX) return cuda_result(cudaErrorMemoryAllocation);
  gpgpu_address address;
  const enum gpgpu_error error = gpgpu_allocate(gpu, (uint32_t)bytes, &address);
  if (error == GPGPU_OK) *pointer = (void*)(uintptr_t)address;
  return cuda_driver_result(error);
}

cudaError_t cudaFree(void* pointer) {
  struct gpgpu* gpu = cuda_device();
  if (gpu == NULL) return cudaErrorNoDevice;
  const cudaError_t before = cuda_settle();
  if (pointer == NULL || before != cudaSuccess) return before;
  if (gpgpu_free(gpu, address_of(pointer)) != GPGPU_OK)
    return cuda_result(cudaErrorInvalidDevicePointer);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind) {
  struct gpgpu* gpu = cuda_device();
  if (gpu == NULL) return cudaErrorNoDevice;
  const cudaError_t before = cuda_settle();
  if (before != cudaSuccess) return before;
  if (bytes == 0) return cudaSuccess;
  if (bytes > UINT32_MAX) return cuda_result(cudaErrorInvalidValue);
  const uint32_t count = (uint32_t)bytes;
  switch (kind) {
    case cudaMemcpyHostToHost:
      memmove(to, from, bytes);
      return cudaSuccess;
    case cudaMemcpyHostToDevice:
      return cuda_driver_result(gpgpu_copy_to_device(gpu, address_of(to), from, count));
    case cudaMemcpyDeviceToHost:
      return cuda_driver_result(gpgpu_copy_from_device(gpu, to, address_of(from), count));
    case cudaMemcpyDeviceToDevice:
      return cuda_driver_result(gpgpu_copy_on_device(gpu, address_of(to), address_of(from), count));
  }
  return cuda_result(cudaErrorInvalidMemcpyDirection);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  (void)stream;
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  struct gpgpu* gpu = cuda_device();
  if (gpu == NULL) return cudaErrorNoDevice;
  const cudaError_t before = cuda_settle();
  if (before != cudaSuccess) return before;
  unsigned char piece[kPiece];
  memset(piece, value, sizeof piece);
  for (size_t done = 0; done < bytes; done += kPiece) {
    const uint32_t count = (uint32_t)(bytes - done < kPiece ? bytes - done : kPiece);
    const enum gpgpu_error error =
        gpgpu_copy_to_device(gpu, address_of((char*)to + done), piece, count);
    if (error != GPGPU_OK) return cuda_driver_result(error);
  }
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  const struct gpgpu* gpu = cuda_device();
  if (gpu == NULL) return cudaErrorNoDevice;
  if (free_bytes == NULL || total_bytes == NULL) return cuda_result(cudaErrorInvalidValue);
  *free_bytes = gpgpu_free_bytes(gpu);
  *total_bytes = gpu->properties.global_bytes;
  return cudaSuccess;
}

cudaError_t cuda_malloc_pitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pitch == NULL) return cuda_result(cudaErrorInvalidValue);
  const uint64_t row = ((uint64_t)width + kPitchBytes - 1) / kPitchBytes * kPitchBytes;
  if (row > UINT32_MAX || (height != 0 && row > UINT32_MAX / height))
    return cuda_result(cudaErrorMemoryAllocation);
  *pitch = (size_t)row;
  return cuda_malloc(pointer, (size_t)row * height);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
  if (width > to_pitch || width > from_pitch) return cuda_result(cudaErrorInvalidPitchValue);
  for (size_t row = 0; row < height; ++row) {
    const cudaError_t error =
        cudaMemcpy((char*)to + row * to_pitch, (const char*)from + row * from_pitch, width, kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
  (void)stream;
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  if (width > pitch) return cuda_result(cudaErrorInvalidPitchValue);
  for (size_t row = 0; row < height; ++row) {
    const cudaError_t error = cudaMemset((char*)to + row * pitch, value, width);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cuda_malloc_host(void** pointer, size_t bytes, unsigned flags) {
  const unsigned known = cudaHostAllocPortable | cudaHostAllocWriteCombined;
  if (pointer == NULL || (flags & ~known) != 0) return cuda_result(cudaErrorInvalidValue);
  *pointer = malloc(bytes);
  if (*pointer == NULL && bytes != 0) return cuda_result(cudaErrorMemoryAllocation);
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void* pointer) {
  free(pointer);
  return cudaSuccess;
}

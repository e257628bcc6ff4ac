/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the device.  Its pointers are the driver's addresses. */
#include <string.h>

#include "cuda/cuda_context.h"

enum { kPiece = 256 };

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

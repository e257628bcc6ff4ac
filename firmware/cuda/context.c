/* SPDX-License-Identifier: Apache-2.0 */
/* The device, what runs on it, and errors. */
#include <stdio.h>
#include <string.h>

#include "cuda/cuda_context.h"

enum { kWarpSize = 32, kMostBlocks = 65535 };

static struct gpgpu device;
static bool opened;
static const char* running; /* the kernel under way; null: none */
static cudaError_t last_error = cudaSuccess;

cudaError_t cuda_result(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t cuda_driver_result(enum gpgpu_error error) {
  switch (error) {
    case GPGPU_OK:
      return cudaSuccess;
    case GPGPU_NOT_FOUND:
    case GPGPU_WRONG_VERSION:
      return cuda_result(cudaErrorNoDevice);
    case GPGPU_INVALID_ARGUMENT:
    case GPGPU_TOO_MANY_PARAMETERS:
      return cuda_result(cudaErrorInvalidValue);
    case GPGPU_OUT_OF_MEMORY:
      return cuda_result(cudaErrorMemoryAllocation);
    case GPGPU_BAD_IMAGE:
      return cuda_result(cudaErrorInitializationError);
    case GPGPU_NO_SUCH_FUNCTION:
      return cuda_result(cudaErrorInvalidDeviceFunction);
    case GPGPU_TOO_MANY_THREADS:
    case GPGPU_TOO_MANY_WARPS:
      return cuda_result(cudaErrorInvalidConfiguration);
    case GPGPU_TOO_MANY_REGISTERS:
    case GPGPU_TOO_MUCH_SHARED:
      return cuda_result(cudaErrorLaunchOutOfResources);
    case GPGPU_BUSY:
    case GPGPU_TIMEOUT:
      return cuda_result(cudaErrorNotReady);
    case GPGPU_FAULT:
      return cuda_result(cudaErrorLaunchFailure);
    case GPGPU_ERRORS:
      break;
  }
  return cuda_result(cudaErrorUnknown);
}

struct gpgpu* cuda_device(void) {
  if (opened) return &device;
  if (cuda_driver_result(gpgpu_open(&device)) != cudaSuccess) return NULL;
  opened = true;
  return &device;
}

void cuda_started(const char* kernel) { running = kernel; }

cudaError_t cuda_settle(void) {
  if (running == NULL) return cudaSuccess;
  const enum gpgpu_error error = gpgpu_wait(&device, 0);
  if (error == GPGPU_FAULT) {
    char text[160];
    gpgpu_describe_fault(gpgpu_last_fault(&device), text, sizeof text);
    printf("kernel \"%s\": %s\n", running, text);
  }
  running = NULL;
  return cuda_driver_result(error);
}

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == NULL) return cuda_result(cudaErrorInvalidValue);
  *count = cuda_device() == NULL ? 0 : 1;
  return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
}

cudaError_t cudaSetDevice(int number) {
  if (number != 0) return cuda_result(cudaErrorInvalidDevice);
  return cuda_device() == NULL ? cudaErrorNoDevice : cudaSuccess;
}

cudaError_t cudaGetDevice(int* number) {
  if (number == NULL) return cuda_result(cudaErrorInvalidValue);
  *number = 0;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  if (properties == NULL) return cuda_result(cudaErrorInvalidValue);
  if (number != 0) return cuda_result(cudaErrorInvalidDevice);
  const struct gpgpu* gpu = cuda_device();
  if (gpu == NULL) return cudaErrorNoDevice;
  const struct gpgpu_properties* p = &gpu->properties;
  const int threads = (int)p->threads_per_block;
  *properties = (cudaDeviceProp){
      .name = "FlexGrip",
      .totalGlobalMem = p->global_bytes,
      .sharedMemPerBlock = p->shared_bytes_per_sm,
      .totalConstMem = p->constant_bytes,
      .regsPerBlock = (int)p->registers_per_sm,
      .warpSize = kWarpSize,
      .maxThreadsPerBlock = threads,
      .maxThreadsDim = {threads, threads, threads},
      .maxGridSize = {kMostBlocks, kMostBlocks, 1},
      .clockRate = (int)(p->clock_hz / 1000),
      .major = 1,
      .minor = 0,
      .multiProcessorCount = (int)p->sms,
  };
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) { return cuda_settle(); }
cudaError_t cudaThreadSynchronize(void) { return cuda_settle(); }

cudaError_t cudaDeviceReset(void) {
  if (!opened) return cudaSuccess;
  const cudaError_t error = cuda_settle();
  cuda_forget_modules();
  gpgpu_reset(&device);
  return error;
}
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

cudaError_t cudaGetLastError(void) {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}
cudaError_t cudaPeekAtLastError(void) { return last_error; }

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInitializationError:
      return "initialization error";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    case cudaErrorLaunchOutOfResources:
      return "too many resources requested for launch";
    case cudaErrorInvalidDeviceFunction:
      return "invalid device function";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorInvalidPitchValue:
      return "invalid pitch argument";
    case cudaErrorInvalidSymbol:
      return "invalid device symbol";
    case cudaErrorInvalidDevicePointer:
      return "invalid device pointer";
    case cudaErrorInvalidChannelDescriptor:
      return "invalid channel descriptor";
    case cudaErrorInvalidMemcpyDirection:
      return "invalid copy direction for memcpy";
    case cudaErrorUnknown:
      return "unknown error";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
  }
  return "unknown error";
}

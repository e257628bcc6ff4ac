// SPDX-License-Identifier: Apache-2.0
// The names of CUDA's runtime for the host, so that host code in a source can be read.  It is
// parsed, because its launches say which templates are kernels, and then left out; nothing here
// has a body.  Names and parameters follow the CUDA Toolkit Reference Manual of version 3.2.
#pragma once

enum cudaError {
  cudaSuccess = 0,
  cudaErrorMissingConfiguration = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorLaunchFailure = 4,
  cudaErrorPriorLaunchFailure = 5,
  cudaErrorLaunchTimeout = 6,
  cudaErrorLaunchOutOfResources = 7,
  cudaErrorInvalidDeviceFunction = 8,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidDevice = 10,
  cudaErrorInvalidValue = 11,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidTexture = 18,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorUnknown = 30,
  cudaErrorInvalidResourceHandle = 33,
  cudaErrorNotReady = 34,
  cudaErrorInsufficientDriver = 35,
  cudaErrorSetOnActiveProcess = 36,
  cudaErrorNoDevice = 38,
};
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4,
};
enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
};
enum cudaComputeMode {
  cudaComputeModeDefault = 0,
  cudaComputeModeExclusive = 1,
  cudaComputeModeProhibited = 2,
};
enum {
  cudaDeviceBlockingSync = 4,
  cudaDeviceScheduleAuto = 0,
  cudaDeviceScheduleSpin = 1,
  cudaDeviceScheduleYield = 2,
  cudaDeviceMapHost = 8,
  cudaEventDefault = 0,
  cudaEventBlockingSync = 1,
  cudaEventDisableTiming = 2,
  cudaHostAllocDefault = 0,
  cudaHostAllocPortable = 1,
  cudaHostAllocMapped = 2,
  cudaHostAllocWriteCombined = 4,
  cudaArrayDefault = 0,
  cudaGraphicsRegisterFlagsNone = 0,
};
enum cudaGraphicsMapFlags {
  cudaGraphicsMapFlagsNone = 0,
  cudaGraphicsMapFlagsReadOnly = 1,
  cudaGraphicsMapFlagsWriteDiscard = 2,
};

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
struct cudaArray;
typedef struct cudaArray* cudaArray_t;
struct cudaGraphicsResource;
typedef struct cudaGraphicsResource* cudaGraphicsResource_t;

struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
  struct cudaArray* srcArray;
  struct cudaPos srcPos;
  struct cudaPitchedPtr srcPtr;
  struct cudaArray* dstArray;
  struct cudaPos dstPos;
  struct cudaPitchedPtr dstPtr;
  struct cudaExtent extent;
  enum cudaMemcpyKind kind;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
};
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory;
  int computeMode, maxTexture1D, maxTexture2D[2], maxTexture3D[3], concurrentKernels, ECCEnabled;
  int pciBusID, pciDeviceID, tccDriver, asyncEngineCount, unifiedAddressing, memoryClockRate;
  int memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor;
};

cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t);
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaGetDevice(int*);
cudaError_t cudaSetDevice(int);
cudaError_t cudaSetDeviceFlags(unsigned);
cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int);
cudaError_t cudaChooseDevice(int*, const cudaDeviceProp*);
cudaError_t cudaSetValidDevices(int*, int);
cudaError_t cudaDriverGetVersion(int*);
cudaError_t cudaRuntimeGetVersion(int*);
cudaError_t cudaMemGetInfo(size_t*, size_t*);
template <typename Function>
cudaError_t cudaFuncSetCacheConfig(Function, cudaFuncCache) {
  return cudaSuccess;
}
template <typename Function>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, Function) {
  return cudaSuccess;
}
template <typename Function>
cudaError_t cudaLaunch(Function) {
  return cudaSuccess;
}
cudaError_t cudaSetupArgument(const void*, size_t, size_t);
template <typename Type>
cudaError_t cudaSetupArgument(Type, size_t) {
  return cudaSuccess;
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaSetDoubleForDevice(double*);
cudaError_t cudaSetDoubleForHost(double*);

cudaError_t cudaMalloc(void**, size_t);
template <typename Type>
cudaError_t cudaMalloc(Type**, size_t) {
  return cudaSuccess;
}
cudaError_t cudaMallocHost(void**, size_t);
template <typename Type>
cudaError_t cudaMallocHost(Type**, size_t, unsigned = 0) {
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void**, size_t, unsigned);
template <typename Type>
cudaError_t cudaHostAlloc(Type**, size_t, unsigned) {
  return cudaSuccess;
}
template <typename Type>
cudaError_t cudaHostGetDevicePointer(Type**, void*, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaMallocPitch(void**, size_t*, size_t, size_t);
template <typename Type>
cudaError_t cudaMallocPitch(Type**, size_t*, size_t, size_t) {
  return cudaSuccess;
}
cudaError_t cudaMalloc3D(cudaPitchedPtr*, cudaExtent);
cudaError_t cudaFree(void*);
cudaError_t cudaFreeHost(void*);
cudaError_t cudaFreeArray(cudaArray*);
cudaError_t cudaMemset(void*, int, size_t);
cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemset2D(void*, size_t, int, size_t, size_t);
cudaError_t cudaMemset3D(cudaPitchedPtr, int, cudaExtent);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind,
                              cudaStream_t = 0);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms*);
cudaError_t cudaMemcpyToArray(cudaArray*, size_t, size_t, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void*, const cudaArray*, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyArrayToArray(cudaArray*, size_t, size_t, const cudaArray*, size_t, size_t,
                                   size_t, cudaMemcpyKind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpy2DToArray(cudaArray*, size_t, size_t, const void*, size_t, size_t, size_t,
                                cudaMemcpyKind);
cudaError_t cudaMemcpy2DFromArray(void*, size_t, const cudaArray*, size_t, size_t, size_t, size_t,
                                  cudaMemcpyKind);
template <typename Symbol>
cudaError_t cudaMemcpyToSymbol(const Symbol&, const void*, size_t, size_t = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice) {
  return cudaSuccess;
}
template <typename Symbol>
cudaError_t cudaMemcpyFromSymbol(void*, const Symbol&, size_t, size_t = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  return cudaSuccess;
}
template <typename Symbol>
cudaError_t cudaMemcpyToSymbolAsync(const Symbol&, const void*, size_t, size_t, cudaMemcpyKind,
                                    cudaStream_t = 0) {
  return cudaSuccess;
}
template <typename Symbol>
cudaError_t cudaMemcpyFromSymbolAsync(void*, const Symbol&, size_t, size_t, cudaMemcpyKind,
                                      cudaStream_t = 0) {
  return cudaSuccess;
}
template <typename Type, typename Symbol>
cudaError_t cudaGetSymbolAddress(Type**, const Symbol&) {
  return cudaSuccess;
}
template <typename Symbol>
cudaError_t cudaGetSymbolSize(size_t*, const Symbol&) {
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t*);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);

cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t*, cudaStream_t = 0);
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t*, cudaStream_t = 0);
cudaError_t cudaGraphicsResourceGetMappedPointer(void**, size_t*, cudaGraphicsResource_t);
template <typename Type>
cudaError_t cudaGraphicsResourceGetMappedPointer(Type**, size_t*, cudaGraphicsResource_t) {
  return cudaSuccess;
}
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t, unsigned);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t*, cudaGraphicsResource_t, unsigned,
                                                  unsigned);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t);

cudaExtent make_cudaExtent(size_t, size_t, size_t);
cudaPos make_cudaPos(size_t, size_t, size_t);
cudaPitchedPtr make_cudaPitchedPtr(void*, size_t, size_t, size_t);

cudaError_t cudaMallocArray(cudaArray**, const cudaChannelFormatDesc*, size_t, size_t = 0,
                            unsigned = 0);
cudaError_t cudaMalloc3DArray(cudaArray**, const cudaChannelFormatDesc*, cudaExtent, unsigned = 0);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc*, const cudaArray*);
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, cudaChannelFormatKind);
template <typename Type>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaChannelFormatDesc();
}
template <typename Texture>
cudaError_t cudaBindTexture(size_t*, const Texture&, const void*, const cudaChannelFormatDesc&,
                            size_t = ~0u) {
  return cudaSuccess;
}
template <typename Texture>
cudaError_t cudaBindTexture(size_t*, const Texture&, const void*, size_t = ~0u) {
  return cudaSuccess;
}
cudaError_t cudaBindTexture(size_t*, const textureReference*, const void*,
                            const cudaChannelFormatDesc*, size_t = ~0u);
template <typename Texture>
cudaError_t cudaBindTexture2D(size_t*, const Texture&, const void*, const cudaChannelFormatDesc&,
                              size_t, size_t, size_t) {
  return cudaSuccess;
}
template <typename Texture>
cudaError_t cudaBindTexture2D(size_t*, const Texture&, const void*, size_t, size_t, size_t) {
  return cudaSuccess;
}
cudaError_t cudaBindTexture2D(size_t*, const textureReference*, const void*,
                              const cudaChannelFormatDesc*, size_t, size_t, size_t);
template <typename Texture>
cudaError_t cudaBindTextureToArray(const Texture&, const cudaArray*, const cudaChannelFormatDesc&) {
  return cudaSuccess;
}
template <typename Texture>
cudaError_t cudaBindTextureToArray(const Texture&, const cudaArray*) {
  return cudaSuccess;
}
cudaError_t cudaBindTextureToArray(const textureReference*, const cudaArray*,
                                   const cudaChannelFormatDesc*);
template <typename Texture>
cudaError_t cudaUnbindTexture(const Texture&) {
  return cudaSuccess;
}
template <typename Texture>
cudaError_t cudaGetTextureAlignmentOffset(size_t*, const Texture&) {
  return cudaSuccess;
}
template <typename Texture, typename Symbol>
cudaError_t cudaGetTextureReference(Texture**, const Symbol&) {
  return cudaSuccess;
}

// Of <stdio.h>, <stdlib.h>, <string.h> and <time.h>, which nvcc includes by itself.
extern "C" {
void* malloc(size_t) noexcept;
void* calloc(size_t, size_t) noexcept;
void* realloc(void*, size_t) noexcept;
void free(void*) noexcept;
void exit(int) noexcept __attribute__((noreturn));
int rand() noexcept;
void srand(unsigned) noexcept;
int atoi(const char*) noexcept;
double atof(const char*) noexcept;
char* getenv(const char*) noexcept;
int strcmp(const char*, const char*) noexcept;
size_t strlen(const char*) noexcept;
char* strcpy(char*, const char*) noexcept;
void* memcpy(void*, const void*, size_t) noexcept;
void* memset(void*, int, size_t) noexcept;
int printf(const char*, ...);
long time(long*) noexcept;
}

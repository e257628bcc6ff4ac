/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's runtime API for programs on the board's processor, over driver/gpgpu.h: what small
 * programs of CUDA's first years use.  Names, error numbers and meanings are those of NVIDIA's CUDA
 * C Programming Guide and Reference Manual (version 3.2).  `kcc --host-wrapper` makes C of a
 * program in CUDA C, which includes this file; docs/kcc.md, "Programs with a host part".
 *
 * One device, one context.  A kernel's launch returns at once; whatever needs its results waits.
 * There is one stream: all work is done in the order in which it is given, streams and events are
 * names for points in it.  A device pointer is an address of the driver's.  Not thread safe. */
#ifndef GVP_CUDA_CUDA_RUNTIME_H
#define GVP_CUDA_CUDA_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/vector_types.h"

typedef enum cudaError {
  cudaSuccess = 0,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorLaunchFailure = 4,
  cudaErrorLaunchOutOfResources = 7,
  cudaErrorInvalidDeviceFunction = 8,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidDevice = 10,
  cudaErrorInvalidValue = 11,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidChannelDescriptor = 20,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorUnknown = 30,
  cudaErrorInvalidResourceHandle = 33,
  cudaErrorNotReady = 34,
  cudaErrorNoDevice = 38
} cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3
};

typedef struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, totalConstMem;
  int regsPerBlock, warpSize, maxThreadsPerBlock;
  int maxThreadsDim[3], maxGridSize[3];
  int clockRate; /* kHz */
  int major, minor, multiProcessorCount;
} cudaDeviceProp;

typedef struct cuda_stream* cudaStream_t; /* only 0 and what cudaStreamCreate() gives */
typedef struct cuda_event* cudaEvent_t;

/* ---- device ------------------------------------------------------------------------------- */
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device); /* 0 */
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
/* Waits for the kernel under way; its error, if it failed. */
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
/* Frees all memory and unloads all kernels. */
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadExit(void);

/* ---- errors ------------------------------------------------------------------------------- */
/* The last error of any call, which is forgotten with it (not by the second).  Of a kernel that
 * failed the place is printed when that is found out. */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorString(cudaError_t error);

/* ---- memory ------------------------------------------------------------------------------- */
cudaError_t cuda_malloc(void** pointer, size_t bytes);
#define cudaMalloc(pointer, bytes) cuda_malloc((void**)(pointer), (bytes))
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemset(void* to, int value, size_t bytes);
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);

/* Rows: width is bytes of one, pitch is bytes from one to the next. */
cudaError_t cuda_malloc_pitch(void** pointer, size_t* pitch, size_t width, size_t height);
#define cudaMallocPitch(pointer, pitch, width, height) \
  cuda_malloc_pitch((void**)(pointer), (pitch), (width), (height))
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream);
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height);

/* Memory of the host, which the device does not see. */
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocWriteCombined = 4 };
cudaError_t cuda_malloc_host(void** pointer, size_t bytes, unsigned flags);
#define cudaMallocHost(pointer, bytes) \
  cuda_malloc_host((void**)(pointer), (bytes), cudaHostAllocDefault)
#define cudaHostAlloc(pointer, bytes, flags) cuda_malloc_host((void**)(pointer), (bytes), (flags))
cudaError_t cudaFreeHost(void* pointer);

/* ---- streams and events ------------------------------------------------------------------- */
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t* event);
/* flags change nothing here */
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
/* Waits for the kernel under way: the device does not say when one ended. */
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

/* ---- what kcc --host-wrapper writes --------------------------------------------------------- */
/* The kernels of a file; loaded when first used. */
struct cuda_module {
  const char* image; /* a cubin in text form */
  size_t bytes;
  struct gpgpu_module* loaded;
  struct cuda_module* next; /* of those that are loaded */
};
enum { kCudaMostParameterWords = 64 };
struct cuda_arguments {
  uint32_t words[kCudaMostParameterWords];
  uint32_t count; /* more than there is room for: too many */
};
struct cuda_configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};
void cuda_add_argument(struct cuda_arguments* arguments, const void* value, size_t bytes);
void cuda_add_pointer(struct cuda_arguments* arguments, const volatile void* pointer);
cudaError_t cuda_launch(struct cuda_module* module, const char* kernel,
                        struct cuda_configuration configuration,
                        const struct cuda_arguments* arguments);
/* name: of a __constant__ or __device__ variable, also as a string literal */
cudaError_t cuda_copy_to_symbol(struct cuda_module* module, const char* name, const void* from,
                                size_t bytes, size_t offset, enum cudaMemcpyKind kind);
cudaError_t cuda_copy_from_symbol(struct cuda_module* module, const char* name, void* to,
                                  size_t bytes, size_t offset, enum cudaMemcpyKind kind);
cudaError_t cuda_symbol_address(struct cuda_module* module, const char* name, void** pointer);

/* C++'s constructor, defaults included: CUDA_DIM3(), CUDA_DIM3(4), CUDA_DIM3(4, 2). */
#define CUDA_DIM3(...) CUDA_DIM3_OF(, ##__VA_ARGS__, 1, 1, 1)
#define CUDA_DIM3_OF(none, first, second, third, ...) \
  ((dim3){(unsigned)(first), (unsigned)(second), (unsigned)(third)})
static inline dim3 cuda_same(dim3 size) { return size; }
static inline dim3 cuda_line(unsigned size) { return CUDA_DIM3(size); }
#define CUDA_SIZE(size) (_Generic((size), dim3 : cuda_same, default : cuda_line)(size))
/* <<<grid, block>>>, <<<grid, block, shared>>>, <<<grid, block, shared, stream>>> */
#define CUDA_CONFIGURATION(...) CUDA_CONFIGURATION_OF(__VA_ARGS__, 0, 0)
#define CUDA_CONFIGURATION_OF(grid, block, shared_bytes, stream, ...) \
  ((struct cuda_configuration){CUDA_SIZE(grid), CUDA_SIZE(block), (shared_bytes), (stream)})

/* Of the module of the file that they stand in; offset and kind may be left out. */
#define CUDA_SECOND(...) CUDA_SECOND_OF(__VA_ARGS__)
#define CUDA_SECOND_OF(first, second, ...) second
#define CUDA_THIRD(...) CUDA_THIRD_OF(__VA_ARGS__)
#define CUDA_THIRD_OF(first, second, third, ...) third
#define cudaMemcpyToSymbol(symbol, from, bytes, ...)                              \
  cuda_copy_to_symbol(                                                            \
      &cuda_module, #symbol, (from), (bytes), CUDA_SECOND(, ##__VA_ARGS__, 0, 0), \
      CUDA_THIRD(, ##__VA_ARGS__, cudaMemcpyHostToDevice, cudaMemcpyHostToDevice, 0))
#define cudaMemcpyFromSymbol(to, symbol, bytes, ...)                            \
  cuda_copy_from_symbol(                                                        \
      &cuda_module, #symbol, (to), (bytes), CUDA_SECOND(, ##__VA_ARGS__, 0, 0), \
      CUDA_THIRD(, ##__VA_ARGS__, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToHost, 0))
#define cudaGetSymbolAddress(pointer, symbol) \
  cuda_symbol_address(&cuda_module, #symbol, (void**)(pointer))

#include "cuda/texture.h"

#endif

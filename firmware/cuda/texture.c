/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays, and the descriptors of textures. */
#include <stdlib.h>

#include "cuda/cuda_context.h"

enum { kMostElements = 1 << 27 };

/* docs/kcc.md, "Textures" */
struct descriptor {
  uint32_t normalised, filter, address_mode[3], format[5];
  uint32_t address, width, height, pitch;
};

struct cudaArray {
  void* pointer; /* of the device */
  size_t width;  /* elements of a row */
  size_t height; /* rows */
  uint32_t element_bytes;
};

static size_t pitch_of(const cudaArray* array) { return array->width * array->element_bytes; }

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            enum cudaChannelFormatKind f) {
  const cudaChannelFormatDesc format = {x, y, z, w, f};
  return format;
}

cudaError_t cuda_malloc_array(cudaArray** array, const cudaChannelFormatDesc* format, size_t width,
                              size_t height) {
  if (array == NULL || format == NULL || width == 0) return cuda_result(cudaErrorInvalidValue);
  *array = NULL;
  const int bits[] = {format->x, format->y, format->z, format->w};
  uint32_t bytes = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if (bits[i] != 0 && bits[i] != 8 && bits[i] != 16 && bits[i] != 32)
      return cuda_result(cudaErrorInvalidChannelDescriptor);
    bytes += (uint32_t)bits[i] / 8;
  }
  if (bytes == 0) return cuda_result(cudaErrorInvalidChannelDescriptor);
  const size_t rows = height == 0 ? 1 : height;
  if (width > kMostElements || rows > kMostElements || (uint64_t)width * bytes > UINT32_MAX / rows)
    return cuda_result(cudaErrorMemoryAllocation);
  cudaArray* made = malloc(sizeof *made);
  if (made == NULL) return cuda_result(cudaErrorMemoryAllocation);
  made->width = width;
  made->height = rows;
  made->element_bytes = bytes;
  const cudaError_t error = cuda_malloc(&made->pointer, rows * pitch_of(made));
  if (error != cudaSuccess)
    free(made);
  else
    *array = made;
  return error;
}

cudaError_t cudaFreeArray(cudaArray* array) {
  if (array == NULL) return cudaSuccess;
  const cudaError_t error = cudaFree(array->pointer);
  free(array);
  return error;
}

/* Where a piece of an array begins, null if it is not inside. */
static char* piece_of(const cudaArray* array, size_t x, size_t y, size_t bytes) {
  if (array == NULL || y >= array->height || x >= pitch_of(array)) return NULL;
  const size_t begin = y * pitch_of(array) + x;
  return bytes <= array->height * pitch_of(array) - begin ? (char*)array->pointer + begin : NULL;
}

/* The same for rows of a width. */
static char* rows_of(const cudaArray* array, size_t x, size_t y, size_t width, size_t height) {
  if (array == NULL || y > array->height || height > array->height - y) return NULL;
  return x <= pitch_of(array) && width <= pitch_of(array) - x ? piece_of(array, x, y, width) : NULL;
}

cudaError_t cudaMemcpyToArray(cudaArray* to, size_t x, size_t y, const void* from, size_t bytes,
                              enum cudaMemcpyKind kind) {
  char* place = piece_of(to, x, y, bytes);
  if (place == NULL) return cuda_result(cudaErrorInvalidValue);
  return cudaMemcpy(place, from, bytes, kind);
}

cudaError_t cudaMemcpyFromArray(void* to, const cudaArray* from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  const char* place = piece_of(from, x, y, bytes);
  if (place == NULL) return cuda_result(cudaErrorInvalidValue);
  return cudaMemcpy(to, place, bytes, kind);
}

cudaError_t cudaMemcpy2DToArray(cudaArray* to, size_t x, size_t y, const void* from,
                                size_t from_pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind) {
  if (width == 0 || height == 0) return cudaSuccess;
  char* place = rows_of(to, x, y, width, height);
  if (place == NULL) return cuda_result(cudaErrorInvalidValue);
  return cudaMemcpy2D(place, pitch_of(to), from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, const cudaArray* from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind) {
  if (width == 0 || height == 0) return cudaSuccess;
  const char* place = rows_of(from, x, y, width, height);
  if (place == NULL) return cuda_result(cudaErrorInvalidValue);
  return cudaMemcpy2D(to, to_pitch, place, pitch_of(from), width, height, kind);
}

/* Of a texture that no kernel reads there is no descriptor. */
static cudaError_t bind(const textureReference* texture, const void* pointer, size_t width,
                        size_t height, size_t pitch) {
  const uint32_t address = (uint32_t)(uintptr_t)pointer;
  if (address % texture->element_bytes != 0 || pitch % texture->element_bytes != 0)
    return cuda_result(cudaErrorInvalidValue);
  if (cuda_device() == NULL) return cudaErrorNoDevice;
  if (!cuda_has_symbol(texture->module, texture->name))
    return texture->module->loaded == NULL ? cudaPeekAtLastError() : cudaSuccess;
  struct descriptor descriptor = {
      .normalised = texture->normalized != 0,
      .filter = texture->filterMode,
      .address = address,
      .width = (uint32_t)width,
      .height = (uint32_t)height,
      .pitch = (uint32_t)pitch,
  };
  for (unsigned i = 0; i < 3; ++i) descriptor.address_mode[i] = texture->addressMode[i];
  return cuda_copy_to_symbol(texture->module, texture->name, &descriptor, sizeof descriptor, 0,
                             cudaMemcpyHostToDevice);
}

cudaError_t cuda_bind_texture(size_t* offset, textureReference texture, const void* pointer,
                              size_t bytes) {
  if (offset != NULL) *offset = 0;
  size_t elements = bytes / texture.element_bytes;
  if (elements > kMostElements) elements = kMostElements;
  return bind(&texture, pointer, elements, 1, elements * texture.element_bytes);
}

cudaError_t cuda_bind_texture_2d(size_t* offset, textureReference texture, const void* pointer,
                                 size_t width, size_t height, size_t pitch) {
  if (offset != NULL) *offset = 0;
  if (width > kMostElements || height > kMostElements) return cuda_result(cudaErrorInvalidValue);
  if (width > pitch / texture.element_bytes) return cuda_result(cudaErrorInvalidPitchValue);
  return bind(&texture, pointer, width, height, pitch);
}

cudaError_t cuda_bind_texture_to_array(textureReference texture, const cudaArray* array) {
  if (array == NULL) return cuda_result(cudaErrorInvalidValue);
  if (array->element_bytes != texture.element_bytes)
    return cuda_result(cudaErrorInvalidChannelDescriptor);
  return bind(&texture, array->pointer, array->width, array->height, pitch_of(array));
}

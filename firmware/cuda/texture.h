/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays and textures of CUDA's runtime API, of one and two dimensions.  A texture is a descriptor
 * in constant memory that the kernels' code looks at (docs/kcc.md, "Textures"); binding writes it.
 * Included by cuda_runtime.h. */
#ifndef GVP_CUDA_TEXTURE_H
#define GVP_CUDA_TEXTURE_H

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp };
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};

typedef struct cudaChannelFormatDesc {
  int x, y, z, w; /* bits */
  enum cudaChannelFormatKind f;
} cudaChannelFormatDesc;

/* ---- arrays: elements in rows, one behind the other ------------------------------------------ */
typedef struct cudaArray cudaArray;
typedef struct cudaArray* cudaArray_t;

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            enum cudaChannelFormatKind f);
/* height: rows; 0, or left out, is one row */
cudaError_t cuda_malloc_array(cudaArray** array, const cudaChannelFormatDesc* format, size_t width,
                              size_t height);
#define cudaMallocArray(array, format, width, ...) \
  cuda_malloc_array((array), (format), (width), CUDA_SECOND(, ##__VA_ARGS__, 0))
cudaError_t cudaFreeArray(cudaArray* array);
/* From byte x of row y on; bytes may go on in the next rows. */
cudaError_t cudaMemcpyToArray(cudaArray* to, size_t x, size_t y, const void* from, size_t bytes,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, const cudaArray* from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind);
/* width: bytes of a row; from_pitch: bytes from one row to the next */
cudaError_t cudaMemcpy2DToArray(cudaArray* to, size_t x, size_t y, const void* from,
                                size_t from_pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, const cudaArray* from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);

/* ---- textures ------------------------------------------------------------------------------- */
/* The first four may be changed before it is bound. */
typedef struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc; /* not looked at: the kernels' code knows the elements */
  struct cuda_module* module;
  const char* name;       /* of the descriptor */
  uint32_t element_bytes; /* of its type */
} textureReference;

/* bytes: of linear memory; a texture has no more elements than CUDA lets it have, 2^27.
 * offset: is set to 0; may be null */
cudaError_t cuda_bind_texture(size_t* offset, textureReference texture, const void* pointer,
                              size_t bytes);
/* width: elements of a row, height: rows, pitch: bytes from one row to the next */
cudaError_t cuda_bind_texture_2d(size_t* offset, textureReference texture, const void* pointer,
                                 size_t width, size_t height, size_t pitch);
cudaError_t cuda_bind_texture_to_array(textureReference texture, const cudaArray* array);

/* The format of the elements and the bytes may be left out. */
#define cudaBindTexture(offset, texture, pointer, ...)             \
  cuda_bind_texture((offset), CUDA_TEXTURE_OF(texture), (pointer), \
                    CUDA_CALL(CUDA_BYTES_, CUDA_COUNT(, ##__VA_ARGS__))(__VA_ARGS__))
#define CUDA_BYTES_0() SIZE_MAX
#define CUDA_BYTES_1(bytes) CUDA_BYTES_OR_ALL(bytes)
#define CUDA_BYTES_2(format, bytes) ((void)(format), (bytes))
#define cudaBindTexture2D(offset, texture, pointer, ...)              \
  cuda_bind_texture_2d((offset), CUDA_TEXTURE_OF(texture), (pointer), \
                       CUDA_CALL(CUDA_ROWS_, CUDA_COUNT(, ##__VA_ARGS__))(__VA_ARGS__))
#define CUDA_ROWS_3(width, height, pitch) (width), (height), (pitch)
#define CUDA_ROWS_4(format, width, height, pitch) ((void)(format), (width)), (height), (pitch)
#define cudaBindTextureToArray(texture, array, ...) \
  (cuda_ignore(0, ##__VA_ARGS__), cuda_bind_texture_to_array(CUDA_TEXTURE_OF(texture), (array)))
#define cudaUnbindTexture(texture) cuda_bind_texture(NULL, CUDA_TEXTURE_OF(texture), NULL, 0)

/* ---- what kcc --host-wrapper writes --------------------------------------------------------- */
/* texture<type> texture_name(normalised, filter, address) */
#define CUDA_TEXTURE(texture_name, type, are_normalised, filter, address)     \
  {                                                                           \
    .normalized = (are_normalised), .filterMode = (filter),                   \
    .addressMode = {(address), (address), (address)}, .module = &cuda_module, \
    .name = #texture_name, .element_bytes = sizeof(type)                      \
  }
/* cudaCreateChannelDesc<type>() */
/* clang-format off */
#define CUDA_CHANNEL_OF(type)                               \
  _Generic((type){0},                                       \
      char: CUDA_CHANNEL(1, 8, Signed),                     \
      CUDA_CHANNELS(signed char, char, 8, Signed),          \
      CUDA_CHANNELS(unsigned char, uchar, 8, Unsigned),     \
      CUDA_CHANNELS(short, short, 16, Signed),              \
      CUDA_CHANNELS(unsigned short, ushort, 16, Unsigned),  \
      CUDA_CHANNELS(int, int, 32, Signed),                  \
      CUDA_CHANNELS(unsigned, uint, 32, Unsigned),          \
      CUDA_CHANNELS(float, float, 32, Float))
#define CUDA_CHANNELS(type, vector, bits, kind)  \
  type: CUDA_CHANNEL(1, bits, kind),             \
  vector##1: CUDA_CHANNEL(1, bits, kind),        \
  vector##2: CUDA_CHANNEL(2, bits, kind),        \
  vector##4: CUDA_CHANNEL(4, bits, kind)
/* clang-format on */
#define CUDA_CHANNEL(parts, bits, kind)                                                \
  ((cudaChannelFormatDesc){(bits), (parts) > 1 ? (bits) : 0, (parts) > 2 ? (bits) : 0, \
                           (parts) > 3 ? (bits) : 0, cudaChannelFormatKind##kind})

/* A texture may be given as it is, or by a pointer to it. */
static inline textureReference cuda_texture(textureReference texture) { return texture; }
static inline textureReference cuda_texture_at(const textureReference* texture) { return *texture; }
#define CUDA_TEXTURE_OF(texture) \
  (_Generic((texture), textureReference : cuda_texture, default : cuda_texture_at)(texture))
static inline size_t cuda_bytes(size_t bytes) { return bytes; }
static inline size_t cuda_all_bytes(cudaChannelFormatDesc format) {
  (void)format;
  return SIZE_MAX;
}
static inline size_t cuda_all_bytes_of(const cudaChannelFormatDesc* format) {
  (void)format;
  return SIZE_MAX;
}
#define CUDA_BYTES_OR_ALL(bytes) \
  (_Generic((bytes), cudaChannelFormatDesc : cuda_all_bytes,            \
            cudaChannelFormatDesc * : cuda_all_bytes_of,                \
            const cudaChannelFormatDesc* : cuda_all_bytes_of, default : cuda_bytes)(bytes))
static inline void cuda_ignore(int none, ...) { (void)none; }
#define CUDA_COUNT(...) CUDA_COUNT_OF(__VA_ARGS__, 4, 3, 2, 1, 0)
#define CUDA_COUNT_OF(none, first, second, third, fourth, count, ...) count
#define CUDA_CALL(name, count) CUDA_CALL_OF(name, count)
#define CUDA_CALL_OF(name, count) name##count

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's structures of up to four numbers, aligned as the device has them, and what makes them.
 * Included by cuda_runtime.h. */
#ifndef GVP_CUDA_VECTOR_TYPES_H
#define GVP_CUDA_VECTOR_TYPES_H

/* Those of two and four are aligned to their size, which is `bytes` for two. */
#define CUDA_VECTORS(name, type, bytes)                                                       \
  typedef struct name##1 {                                                                    \
    type x;                                                                                   \
  }                                                                                           \
  name##1;                                                                                    \
  typedef struct name##2 {                                                                    \
    type x, y;                                                                                \
  }                                                                                           \
  __attribute__((aligned(bytes))) name##2;                                                    \
  typedef struct name##3 {                                                                    \
    type x, y, z;                                                                             \
  }                                                                                           \
  name##3;                                                                                    \
  typedef struct name##4 {                                                                    \
    type x, y, z, w;                                                                          \
  }                                                                                           \
  __attribute__((aligned(2 * bytes))) name##4;                                                \
  static inline name##1 make_##name##1(type x) { return (name##1){x}; }                       \
  static inline name##2 make_##name##2(type x, type y) { return (name##2){x, y}; }            \
  static inline name##3 make_##name##3(type x, type y, type z) { return (name##3){x, y, z}; } \
  static inline name##4 make_##name##4(type x, type y, type z, type w) {                      \
    return (name##4){x, y, z, w};                                                             \
  }
CUDA_VECTORS(char, signed char, 2)
CUDA_VECTORS(uchar, unsigned char, 2)
CUDA_VECTORS(short, short, 4)
CUDA_VECTORS(ushort, unsigned short, 4)
CUDA_VECTORS(int, int, 8)
CUDA_VECTORS(uint, unsigned, 8)
CUDA_VECTORS(float, float, 8)
#undef CUDA_VECTORS

typedef struct dim3 {
  unsigned x, y, z;
} dim3;

#endif

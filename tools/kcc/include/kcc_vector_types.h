// SPDX-License-Identifier: Apache-2.0
// int2, float4 and their like (CUDA C Programming Guide, "Built-in Vector Types"): vectors of two
// and four are aligned to their size, so that they are loaded and stored at once.
#pragma once

#define KCC_VECTOR(type, name)                                                  \
  struct name##1 {                                                              \
    type x;                                                                     \
  };                                                                            \
  struct __attribute__((aligned(2 * sizeof(type)))) name##2 {                   \
    type x, y;                                                                  \
  };                                                                            \
  struct name##3 {                                                              \
    type x, y, z;                                                               \
  };                                                                            \
  struct __attribute__((aligned(4 * sizeof(type)))) name##4 {                   \
    type x, y, z, w;                                                            \
  };                                                                            \
  KCC_BOTH name##1 make_##name##1(type x) { return {x}; }                       \
  KCC_BOTH name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  KCC_BOTH name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  KCC_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

KCC_VECTOR(signed char, char)
KCC_VECTOR(unsigned char, uchar)
KCC_VECTOR(short, short)
KCC_VECTOR(unsigned short, ushort)
KCC_VECTOR(int, int)
KCC_VECTOR(float, float)
// A long has 32 bits here, a long long 64.
KCC_VECTOR(long, long)
KCC_VECTOR(unsigned long, ulong)
// uint3 stands in kcc_cuda.h, for threadIdx.
struct uint1 {
  unsigned x;
};
struct __attribute__((aligned(8))) uint2 {
  unsigned x, y;
};
struct __attribute__((aligned(16))) uint4 {
  unsigned x, y, z, w;
};
KCC_BOTH uint1 make_uint1(unsigned x) { return {x}; }
KCC_BOTH uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
KCC_BOTH uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
KCC_BOTH uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
// Nothing is aligned to more than 16 bytes.
#define KCC_VECTOR_64(type, name)                                               \
  struct name##1 {                                                              \
    type x;                                                                     \
  };                                                                            \
  struct __attribute__((aligned(16))) name##2 {                                 \
    type x, y;                                                                  \
  };                                                                            \
  struct name##3 {                                                              \
    type x, y, z;                                                               \
  };                                                                            \
  struct __attribute__((aligned(16))) name##4 {                                 \
    type x, y, z, w;                                                            \
  };                                                                            \
  KCC_BOTH name##1 make_##name##1(type x) { return {x}; }                       \
  KCC_BOTH name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  KCC_BOTH name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  KCC_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
KCC_VECTOR_64(long long, longlong)
KCC_VECTOR_64(unsigned long long, ulonglong)
KCC_VECTOR_64(double, double)
#undef KCC_VECTOR_64
#undef KCC_VECTOR

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

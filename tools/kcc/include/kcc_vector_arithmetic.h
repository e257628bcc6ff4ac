// SPDX-License-Identifier: Apache-2.0
// Arithmetic on the vector types, element by element, under the names that the headers
// cutil_math.h and helper_math.h of CUDA's samples made common.  Those headers grew over the years,
// and programs of the first ones define what they lacked: hence templates, which a function of the
// program's own with the same parameters is neither an error beside nor loses against.
#pragma once

// Programs may have macros of these names by then.
#pragma push_macro("min")
#pragma push_macro("max")
#undef min
#undef max

#define KCC_SAMPLES  \
  template <int = 0> \
  KCC_BOTH

#define KCC_OPERATOR2(op, type, vector)                                                         \
  KCC_SAMPLES vector operator op(vector a, vector b) {                                          \
    return {type(a.x op b.x), type(a.y op b.y)};                                                \
  }                                                                                             \
  KCC_SAMPLES vector operator op(vector a, type b) { return {type(a.x op b), type(a.y op b)}; } \
  KCC_SAMPLES vector operator op(type a, vector b) { return {type(a op b.x), type(a op b.y)}; } \
  KCC_SAMPLES void operator op##=(vector& a, vector b) { a = a op b; }                          \
  KCC_SAMPLES void operator op##=(vector& a, type b) { a = a op b; }
#define KCC_OPERATOR3(op, type, vector)                                \
  KCC_SAMPLES vector operator op(vector a, vector b) {                 \
    return {type(a.x op b.x), type(a.y op b.y), type(a.z op b.z)};     \
  }                                                                    \
  KCC_SAMPLES vector operator op(vector a, type b) {                   \
    return {type(a.x op b), type(a.y op b), type(a.z op b)};           \
  }                                                                    \
  KCC_SAMPLES vector operator op(type a, vector b) {                   \
    return {type(a op b.x), type(a op b.y), type(a op b.z)};           \
  }                                                                    \
  KCC_SAMPLES void operator op##=(vector& a, vector b) { a = a op b; } \
  KCC_SAMPLES void operator op##=(vector& a, type b) { a = a op b; }
#define KCC_OPERATOR4(op, type, vector)                                              \
  KCC_SAMPLES vector operator op(vector a, vector b) {                               \
    return {type(a.x op b.x), type(a.y op b.y), type(a.z op b.z), type(a.w op b.w)}; \
  }                                                                                  \
  KCC_SAMPLES vector operator op(vector a, type b) {                                 \
    return {type(a.x op b), type(a.y op b), type(a.z op b), type(a.w op b)};         \
  }                                                                                  \
  KCC_SAMPLES vector operator op(type a, vector b) {                                 \
    return {type(a op b.x), type(a op b.y), type(a op b.z), type(a op b.w)};         \
  }                                                                                  \
  KCC_SAMPLES void operator op##=(vector& a, vector b) { a = a op b; }               \
  KCC_SAMPLES void operator op##=(vector& a, type b) { a = a op b; }
#define KCC_OPERATORS(op)            \
  KCC_OPERATOR2(op, float, float2)   \
  KCC_OPERATOR3(op, float, float3)   \
  KCC_OPERATOR4(op, float, float4)   \
  KCC_OPERATOR2(op, int, int2)       \
  KCC_OPERATOR3(op, int, int3)       \
  KCC_OPERATOR4(op, int, int4)       \
  KCC_OPERATOR2(op, unsigned, uint2) \
  KCC_OPERATOR3(op, unsigned, uint3) \
  KCC_OPERATOR4(op, unsigned, uint4)
KCC_OPERATORS(+)
KCC_OPERATORS(-)
KCC_OPERATORS(*)
KCC_OPERATORS(/)
#undef KCC_OPERATORS
#undef KCC_OPERATOR2
#undef KCC_OPERATOR3
#undef KCC_OPERATOR4

// Vectors from one number, from shorter ones, and from those of integers.
KCC_SAMPLES float2 make_float2(float a) { return {a, a}; }
KCC_SAMPLES float3 make_float3(float a) { return {a, a, a}; }
KCC_SAMPLES float4 make_float4(float a) { return {a, a, a, a}; }
KCC_SAMPLES int2 make_int2(int a) { return {a, a}; }
KCC_SAMPLES int3 make_int3(int a) { return {a, a, a}; }
KCC_SAMPLES int4 make_int4(int a) { return {a, a, a, a}; }
KCC_SAMPLES uint2 make_uint2(unsigned a) { return {a, a}; }
KCC_SAMPLES uint3 make_uint3(unsigned a) { return {a, a, a}; }
KCC_SAMPLES uint4 make_uint4(unsigned a) { return {a, a, a, a}; }
KCC_SAMPLES float2 make_float2(float3 a) { return {a.x, a.y}; }
KCC_SAMPLES float2 make_float2(float4 a) { return {a.x, a.y}; }
KCC_SAMPLES float2 make_float2(int2 a) { return {float(a.x), float(a.y)}; }
KCC_SAMPLES float2 make_float2(uint2 a) { return {float(a.x), float(a.y)}; }
KCC_SAMPLES float3 make_float3(float2 a) { return {a.x, a.y, 0.0f}; }
KCC_SAMPLES float3 make_float3(float2 a, float z) { return {a.x, a.y, z}; }
KCC_SAMPLES float3 make_float3(float4 a) { return {a.x, a.y, a.z}; }
KCC_SAMPLES float3 make_float3(int3 a) { return {float(a.x), float(a.y), float(a.z)}; }
KCC_SAMPLES float3 make_float3(uint3 a) { return {float(a.x), float(a.y), float(a.z)}; }
KCC_SAMPLES float4 make_float4(float3 a) { return {a.x, a.y, a.z, 0.0f}; }
KCC_SAMPLES float4 make_float4(float3 a, float w) { return {a.x, a.y, a.z, w}; }
KCC_SAMPLES float4 make_float4(int4 a) { return {float(a.x), float(a.y), float(a.z), float(a.w)}; }
KCC_SAMPLES float4 make_float4(uint4 a) { return {float(a.x), float(a.y), float(a.z), float(a.w)}; }
KCC_SAMPLES int2 make_int2(float2 a) { return {int(a.x), int(a.y)}; }
KCC_SAMPLES int3 make_int3(float3 a) { return {int(a.x), int(a.y), int(a.z)}; }
KCC_SAMPLES int4 make_int4(float4 a) { return {int(a.x), int(a.y), int(a.z), int(a.w)}; }

KCC_SAMPLES float2 operator-(float2 a) { return {-a.x, -a.y}; }
KCC_SAMPLES float3 operator-(float3 a) { return {-a.x, -a.y, -a.z}; }
KCC_SAMPLES float4 operator-(float4 a) { return {-a.x, -a.y, -a.z, -a.w}; }
KCC_SAMPLES int2 operator-(int2 a) { return {-a.x, -a.y}; }
KCC_SAMPLES int3 operator-(int3 a) { return {-a.x, -a.y, -a.z}; }
KCC_SAMPLES int4 operator-(int4 a) { return {-a.x, -a.y, -a.z, -a.w}; }

// Functions of numbers, and of vectors element by element.
KCC_SAMPLES float lerp(float a, float b, float t) { return a + t * (b - a); }
KCC_SAMPLES float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
KCC_SAMPLES int clamp(int f, int a, int b) { return max(a, min(f, b)); }
KCC_SAMPLES unsigned clamp(unsigned f, unsigned a, unsigned b) { return max(a, min(f, b)); }

#define KCC_EACH2(name, f) \
  KCC_SAMPLES float2 name(float2 a) { return {f(a.x), f(a.y)}; }
#define KCC_EACH3(name, f) \
  KCC_SAMPLES float3 name(float3 a) { return {f(a.x), f(a.y), f(a.z)}; }
#define KCC_EACH4(name, f) \
  KCC_SAMPLES float4 name(float4 a) { return {f(a.x), f(a.y), f(a.z), f(a.w)}; }
#define KCC_EACH(name, f) KCC_EACH2(name, f) KCC_EACH3(name, f) KCC_EACH4(name, f)
KCC_SAMPLES float kcc_fraction_of(float a) { return a - floorf(a); }
KCC_SAMPLES float frac(float a) { return kcc_fraction_of(a); }
KCC_SAMPLES float fracf(float a) { return kcc_fraction_of(a); }
KCC_EACH(fabs, fabsf)
KCC_EACH(floor, floorf)
KCC_EACH(floorf, floorf)
KCC_EACH(frac, kcc_fraction_of)
KCC_EACH(fracf, kcc_fraction_of)
#undef KCC_EACH
#undef KCC_EACH2
#undef KCC_EACH3
#undef KCC_EACH4

#define KCC_PAIRS(name, f, two, three, four)                                                   \
  KCC_SAMPLES two name(two a, two b) { return {f(a.x, b.x), f(a.y, b.y)}; }                    \
  KCC_SAMPLES three name(three a, three b) { return {f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)}; } \
  KCC_SAMPLES four name(four a, four b) {                                                      \
    return {f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w)};                               \
  }
KCC_PAIRS(fminf, fminf, float2, float3, float4)
KCC_PAIRS(fmaxf, fmaxf, float2, float3, float4)
KCC_PAIRS(fmodf, fmodf, float2, float3, float4)
KCC_PAIRS(min, min, int2, int3, int4)
KCC_PAIRS(max, max, int2, int3, int4)
KCC_PAIRS(min, min, uint2, uint3, uint4)
KCC_PAIRS(max, max, uint2, uint3, uint4)
#undef KCC_PAIRS

// With the functions that are sums over the elements.
KCC_SAMPLES float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
KCC_SAMPLES float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KCC_SAMPLES float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
KCC_SAMPLES int dot(int2 a, int2 b) { return a.x * b.x + a.y * b.y; }
KCC_SAMPLES int dot(int3 a, int3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KCC_SAMPLES int dot(int4 a, int4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
#define KCC_GEOMETRY(vector)                                                               \
  KCC_SAMPLES vector lerp(vector a, vector b, float t) { return a + t * (b - a); }         \
  KCC_SAMPLES vector clamp(vector v, vector a, vector b) { return fmaxf(a, fminf(v, b)); } \
  KCC_SAMPLES vector clamp(vector v, float a, float b) {                                   \
    return clamp(v, make_##vector(a), make_##vector(b));                                   \
  }                                                                                        \
  KCC_SAMPLES float length(vector v) { return sqrtf(dot(v, v)); }                          \
  KCC_SAMPLES vector normalize(vector v) { return v * rsqrtf(dot(v, v)); }                 \
  KCC_SAMPLES vector reflect(vector i, vector n) { return i - 2.0f * n * dot(n, i); }
KCC_GEOMETRY(float2)
KCC_GEOMETRY(float3)
KCC_GEOMETRY(float4)
#undef KCC_GEOMETRY
KCC_SAMPLES float3 cross(float3 a, float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
KCC_SAMPLES float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}
#undef KCC_SAMPLES
#pragma pop_macro("min")
#pragma pop_macro("max")

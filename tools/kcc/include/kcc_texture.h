// SPDX-License-Identifier: Apache-2.0
// Texture references, in software: FlexGrip has no texture unit.  A texture is a descriptor in
// constant memory that the driver fills (docs/kcc.md, "Textures"); kcc puts variables of this type
// there.  What a fetch gives follows the CUDA C Programming Guide, appendix "Texture Fetching",
// but for the weights of linear filtering, which have the precision of a float here.
#pragma once

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode {
  cudaAddressModeWrap,
  cudaAddressModeClamp,
  cudaAddressModeMirror,
  cudaAddressModeBorder,
};
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone,
};
enum { cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3 };

struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};

// The first ten words are those of CUDA's textureReference; the last four are the driver's.
struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  unsigned kcc_address;  // of the first element, in global memory
  unsigned kcc_width;    // elements
  unsigned kcc_height;   // rows
  unsigned kcc_pitch;    // bytes from one row to the next
};

template <typename Type, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
  __host__ __device__ constexpr texture(int normalised = 0,
                                        cudaTextureFilterMode filter = cudaFilterModePoint,
                                        cudaTextureAddressMode address = cudaAddressModeClamp,
                                        cudaChannelFormatDesc format = {0, 0, 0, 0,
                                                                        cudaChannelFormatKind(0)})
      : textureReference{normalised, filter, {address, address, address}, format, 0, 0, 0, 0} {}
};

template <typename Type, cudaTextureReadMode mode>
struct texture<Type, 3, mode> : textureReference {
  unsigned kcc_depth;  // slices, which lie one behind the other
  __host__ __device__ constexpr texture(int normalised = 0,
                                        cudaTextureFilterMode filter = cudaFilterModePoint,
                                        cudaTextureAddressMode address = cudaAddressModeClamp,
                                        cudaChannelFormatDesc format = {0, 0, 0, 0,
                                                                        cudaChannelFormatKind(0)})
      : textureReference{normalised, filter, {address, address, address}, format, 0, 0, 0, 0},
        kcc_depth(0) {}
};

// An element and its parts: what a fetch reads and gives.
template <typename Type>
struct kcc_element {
  static_assert(__is_arithmetic(Type) && sizeof(Type) <= 4,
                "a texture's elements are one, two or four integers of up to 32 bits or floats");
  typedef Type part;
  enum { parts = 0 };  // it is no vector
};
#define KCC_ELEMENT(name, type) \
  template <>                   \
  struct kcc_element<name##1> { \
    typedef type part;          \
    enum { parts = 1 };         \
  };                            \
  template <>                   \
  struct kcc_element<name##2> { \
    typedef type part;          \
    enum { parts = 2 };         \
  };                            \
  template <>                   \
  struct kcc_element<name##4> { \
    typedef type part;          \
    enum { parts = 4 };         \
  };
KCC_ELEMENT(char, signed char)
KCC_ELEMENT(uchar, unsigned char)
KCC_ELEMENT(short, short)
KCC_ELEMENT(ushort, unsigned short)
KCC_ELEMENT(int, int)
KCC_ELEMENT(uint, unsigned)
KCC_ELEMENT(long, long)
KCC_ELEMENT(ulong, unsigned long)
KCC_ELEMENT(float, float)
#undef KCC_ELEMENT

// Integers as fractions: of 255 or 65535, with a sign of 127 or 32767.
KCC_DEVICE float kcc_fraction(unsigned char a) { return a * (1.0f / 255.0f); }
KCC_DEVICE float kcc_fraction(unsigned short a) { return a * (1.0f / 65535.0f); }
KCC_DEVICE float kcc_fraction(signed char a) { return fmaxf(a * (1.0f / 127.0f), -1.0f); }
KCC_DEVICE float kcc_fraction(char a) { return kcc_fraction((signed char)a); }
KCC_DEVICE float kcc_fraction(short a) { return fmaxf(a * (1.0f / 32767.0f), -1.0f); }

template <typename Type, cudaTextureReadMode mode>
struct kcc_part {
  typedef Type type;
  static __device__ __forceinline__ type of(Type a) { return a; }
};
template <typename Type>
struct kcc_part<Type, cudaReadModeNormalizedFloat> {
  typedef float type;
  static __device__ __forceinline__ type of(Type a) { return kcc_fraction(a); }
};

// Vectors of the parts that a fetch gives.
template <typename Part, int parts>
struct kcc_vector;
#define KCC_VECTOR_OF(type, name) \
  template <>                     \
  struct kcc_vector<type, 1> {    \
    typedef name##1 vector;       \
  };                              \
  template <>                     \
  struct kcc_vector<type, 2> {    \
    typedef name##2 vector;       \
  };                              \
  template <>                     \
  struct kcc_vector<type, 4> {    \
    typedef name##4 vector;       \
  };
KCC_VECTOR_OF(signed char, char)
KCC_VECTOR_OF(unsigned char, uchar)
KCC_VECTOR_OF(short, short)
KCC_VECTOR_OF(unsigned short, ushort)
KCC_VECTOR_OF(int, int)
KCC_VECTOR_OF(unsigned, uint)
KCC_VECTOR_OF(long, long)
KCC_VECTOR_OF(unsigned long, ulong)
KCC_VECTOR_OF(float, float)
#undef KCC_VECTOR_OF

// Loads, adds and scales elements of one, two or four parts.  Between elements that stay integers
// there is nothing to filter (linear filtering is for textures that give floating-point numbers),
// so that such fetches need no code for it.
template <typename Part>
struct kcc_filters {
  enum { value = 0 };
};
template <>
struct kcc_filters<float> {
  enum { value = 1 };
};
template <typename Part, cudaTextureReadMode mode, int parts>
struct kcc_access {
  typedef kcc_part<Part, mode> converter;
  enum { filters = (int)kcc_filters<typename converter::type>::value };
  typedef typename kcc_vector<typename converter::type, parts>::vector value;
  static __device__ __forceinline__ value load(unsigned address) {
    typedef const __attribute__((address_space(1))) Part* Pointer;
    Pointer from = (Pointer)address;
    value result;
    result.x = converter::of(from[0]);
    if constexpr (parts >= 2) result.y = converter::of(from[1]);
    if constexpr (parts == 4) {
      result.z = converter::of(from[2]);
      result.w = converter::of(from[3]);
    }
    return result;
  }
  static __device__ __forceinline__ value zero() { return value{}; }
  static __device__ __forceinline__ value mix(value a, value b, float weight) {
    a.x = a.x + weight * (b.x - a.x);
    if constexpr (parts >= 2) a.y = a.y + weight * (b.y - a.y);
    if constexpr (parts == 4) {
      a.z = a.z + weight * (b.z - a.z);
      a.w = a.w + weight * (b.w - a.w);
    }
    return a;
  }
};
template <typename Part, cudaTextureReadMode mode>
struct kcc_access<Part, mode, 0> {
  typedef kcc_part<Part, mode> converter;
  enum { filters = (int)kcc_filters<typename converter::type>::value };
  typedef typename converter::type value;
  static __device__ __forceinline__ value load(unsigned address) {
    typedef const __attribute__((address_space(1))) Part* Pointer;
    return converter::of(*(Pointer)address);
  }
  static __device__ __forceinline__ value zero() { return 0; }
  static __device__ __forceinline__ value mix(value a, value b, float weight) {
    return a + weight * (b - a);
  }
};
template <typename Type, cudaTextureReadMode mode>
struct kcc_fetch
    : kcc_access<typename kcc_element<Type>::part, mode, (int)kcc_element<Type>::parts> {};

KCC_DEVICE int kcc_wrapped(int index, int size, cudaTextureAddressMode mode, int normalised) {
  if (normalised && mode == cudaAddressModeWrap) {  // one step beyond either end at most
    if (index < 0) return index + size;
    return index >= size ? index - size : index;
  }
  return min(max(index, 0), size - 1);
}
// From a coordinate to elements: normalised ones are parts of the size, and wrap.
KCC_DEVICE float kcc_scaled(float at, int size, cudaTextureAddressMode mode, int normalised) {
  if (!normalised) return at;
  if (mode == cudaAddressModeWrap) at -= floorf(at);
  return at * size;
}

template <typename Type, cudaTextureReadMode mode>
__device__ __forceinline__ typename kcc_fetch<Type, mode>::value tex1Dfetch(
    const texture<Type, 1, mode>& from, int index) {
  if ((unsigned)index >= from.kcc_width) return kcc_fetch<Type, mode>::zero();
  return kcc_fetch<Type, mode>::load(from.kcc_address + index * sizeof(Type));
}

template <typename Type, cudaTextureReadMode mode>
__device__ __forceinline__ typename kcc_fetch<Type, mode>::value tex1D(
    const texture<Type, 1, mode>& from, float x) {
  typedef kcc_fetch<Type, mode> fetch;
  const int width = from.kcc_width;
  const auto at = [&](int index) __attribute__((device, always_inline)) {
    return fetch::load(from.kcc_address + sizeof(Type) * kcc_wrapped(index, width,
                                                                     from.addressMode[0],
                                                                     from.normalized));
  };
  x = kcc_scaled(x, width, from.addressMode[0], from.normalized);
  if (!fetch::filters || from.filterMode == cudaFilterModePoint) return at((int)floorf(x));
  x -= 0.5f;
  const float left = floorf(x);
  return fetch::mix(at((int)left), at((int)left + 1), x - left);
}

template <typename Type, cudaTextureReadMode mode>
__device__ __forceinline__ typename kcc_fetch<Type, mode>::value tex2D(
    const texture<Type, 2, mode>& from, float x, float y) {
  typedef kcc_fetch<Type, mode> fetch;
  const int width = from.kcc_width;
  const int height = from.kcc_height;
  const auto column = [&](int index) __attribute__((device, always_inline)) {
    return sizeof(Type) * kcc_wrapped(index, width, from.addressMode[0], from.normalized);
  };
  const auto row = [&](int index) __attribute__((device, always_inline)) {
    return from.kcc_address +
           from.kcc_pitch * kcc_wrapped(index, height, from.addressMode[1], from.normalized);
  };
  x = kcc_scaled(x, width, from.addressMode[0], from.normalized);
  y = kcc_scaled(y, height, from.addressMode[1], from.normalized);
  if (!fetch::filters || from.filterMode == cudaFilterModePoint)
    return fetch::load(row((int)floorf(y)) + column((int)floorf(x)));
  x -= 0.5f;
  y -= 0.5f;
  const float left = floorf(x);
  const float top = floorf(y);
  const unsigned first = row((int)top);
  const unsigned second = row((int)top + 1);
  const unsigned near = column((int)left);
  const unsigned far = column((int)left + 1);
  const auto above = fetch::mix(fetch::load(first + near), fetch::load(first + far), x - left);
  const auto below = fetch::mix(fetch::load(second + near), fetch::load(second + far), x - left);
  return fetch::mix(above, below, y - top);
}

template <typename Type, cudaTextureReadMode mode>
__device__ __forceinline__ typename kcc_fetch<Type, mode>::value tex3D(
    const texture<Type, 3, mode>& from, float x, float y, float z) {
  typedef kcc_fetch<Type, mode> fetch;
  const int width = from.kcc_width;
  const int height = from.kcc_height;
  const int depth = from.kcc_depth;
  const auto column = [&](int index) __attribute__((device, always_inline)) {
    return sizeof(Type) * kcc_wrapped(index, width, from.addressMode[0], from.normalized);
  };
  const auto row = [&](int index) __attribute__((device, always_inline)) {
    return from.kcc_pitch * kcc_wrapped(index, height, from.addressMode[1], from.normalized);
  };
  const auto slice = [&](int index) __attribute__((device, always_inline)) {
    return from.kcc_address + from.kcc_pitch * height *
                                  kcc_wrapped(index, depth, from.addressMode[2], from.normalized);
  };
  x = kcc_scaled(x, width, from.addressMode[0], from.normalized);
  y = kcc_scaled(y, height, from.addressMode[1], from.normalized);
  z = kcc_scaled(z, depth, from.addressMode[2], from.normalized);
  if (!fetch::filters || from.filterMode == cudaFilterModePoint)
    return fetch::load(slice((int)floorf(z)) + row((int)floorf(y)) + column((int)floorf(x)));
  x -= 0.5f;
  y -= 0.5f;
  z -= 0.5f;
  const float left = floorf(x);
  const float top = floorf(y);
  const float front = floorf(z);
  const unsigned first = row((int)top);
  const unsigned second = row((int)top + 1);
  const unsigned near = column((int)left);
  const unsigned far = column((int)left + 1);
  const auto plane = [&](unsigned begin) __attribute__((device, always_inline)) {
    const auto above =
        fetch::mix(fetch::load(begin + first + near), fetch::load(begin + first + far), x - left);
    const auto below =
        fetch::mix(fetch::load(begin + second + near), fetch::load(begin + second + far), x - left);
    return fetch::mix(above, below, y - top);
  };
  return fetch::mix(plane(slice((int)front)), plane(slice((int)front + 1)), z - front);
}

// SPDX-License-Identifier: Apache-2.0
// Layered textures, cube maps, gathers and surfaces, which compute capability 2.0 has: refused as
// those of kcc_unavailable.h are.
#pragma once

enum {
  cudaTextureType1DLayered = 0xf1,
  cudaTextureType2DLayered = 0xf2,
  cudaTextureTypeCubemap = 0x0c,
  cudaTextureTypeCubemapLayered = 0xfc
};
#define KCC_REFUSED_FETCH(name)                                                                 \
  template <typename Type, int dimensions, cudaTextureReadMode mode, typename... All>           \
  KCC_DEVICE typename kcc_fetch<Type, mode>::value name(const texture<Type, dimensions, mode>&, \
                                                        All...) {                               \
    kcc_refuse_texture_kind();                                                                  \
    return typename kcc_fetch<Type, mode>::value();                                             \
  }
KCC_REFUSED_FETCH(tex1DLayered)
KCC_REFUSED_FETCH(tex2DLayered)
KCC_REFUSED_FETCH(texCubemap)
KCC_REFUSED_FETCH(texCubemapLayered)
KCC_REFUSED_FETCH(tex2Dgather)
#undef KCC_REFUSED_FETCH

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum {
  cudaSurfaceType1D = 1,
  cudaSurfaceType2D = 2,
  cudaSurfaceType3D = 3,
  cudaSurfaceType1DLayered = 0xf1,
  cudaSurfaceType2DLayered = 0xf2,
  cudaSurfaceTypeCubemap = 0x0c,
  cudaSurfaceTypeCubemapLayered = 0xfc
};
// In a namespace, so that a program may give the name to something else.
namespace kcc_later_names {
template <typename Type, int dimensions = 1>
struct surface {};
}  // namespace kcc_later_names
using namespace kcc_later_names;

#define KCC_REFUSED_SURFACE(name)                                                                \
  template <typename Type, int dimensions, typename... All>                                      \
  KCC_DEVICE void name##write(Type, const kcc_later_names::surface<void, dimensions>&, All...) { \
    kcc_refuse_surface();                                                                        \
  }                                                                                              \
  template <typename Type, int dimensions, typename... All>                                      \
  KCC_DEVICE void name##read(Type*, const kcc_later_names::surface<void, dimensions>&, All...) { \
    kcc_refuse_surface();                                                                        \
  }                                                                                              \
  template <typename Type, int dimensions, typename... All>                                      \
  KCC_DEVICE Type name##read(const kcc_later_names::surface<void, dimensions>&, All...) {        \
    kcc_refuse_surface();                                                                        \
    return Type();                                                                               \
  }
KCC_REFUSED_SURFACE(surf1D)
KCC_REFUSED_SURFACE(surf2D)
KCC_REFUSED_SURFACE(surf3D)
KCC_REFUSED_SURFACE(surf1DLayered)
KCC_REFUSED_SURFACE(surf2DLayered)
#undef KCC_REFUSED_SURFACE

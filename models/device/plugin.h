// SPDX-License-Identifier: Apache-2.0
// How a plug-in is made: a shared object that adds device types (device_type.h) to gpgpu-vp at run
// time, by --plugin FILE.so or by `plugins = [...]` in a board.  One of its sources says
//
//   GVP_PLUGIN(register_my_types)
//
// with a function void register_my_types() that calls gvp::device::register_device_type().  What it
// uses of gpgpu-vp's libraries is gpgpu-vp's own copy: logging, TLM extensions and the table of
// types exist once.  docs/plugins.md has an example.
//
// Classes can only be shared where both sides were compiled alike.  What has to agree is the text
// GVP_PLUGIN_INTERFACE; it lies in a section of its own, where gpgpu-vp reads it before it loads
// anything.
// Not checked: options that change the layout of classes besides (-fshort-enums, -m32...).
#pragma once

#include <systemc>

#ifndef GVP_INTERFACE_VERSION
#error "link to gvp::plugin of find_package(gpgpu-vp): it says which version this is built for"
#endif

#define GVP_PLUGIN_TEXT_OF(x) #x
#define GVP_PLUGIN_TEXT(x) GVP_PLUGIN_TEXT_OF(x)

// "gpgpu-vp 0.1.0, SystemC 2.3.4, C++ 201703L, compiler ABI 1017, standard library ABI 1"
#define GVP_PLUGIN_INTERFACE \
  "gpgpu-vp " GVP_INTERFACE_VERSION ", SystemC " GVP_PLUGIN_TEXT(SC_VERSION_MAJOR) "."  \
  GVP_PLUGIN_TEXT(SC_VERSION_MINOR) "." GVP_PLUGIN_TEXT(SC_VERSION_PATCH)               \
  ", C++ " GVP_PLUGIN_TEXT(__cplusplus) ", compiler ABI " GVP_PLUGIN_TEXT(__GXX_ABI_VERSION) \
  ", standard library ABI " GVP_PLUGIN_TEXT(_GLIBCXX_USE_CXX11_ABI)

#define GVP_PLUGIN(register_types)                                                        \
  extern "C" {                                                                            \
  extern __attribute__((visibility("default"))) const char gvp_plugin_interface[];        \
  __attribute__((used, section(".gvp_plugin"))) const char gvp_plugin_interface[] =       \
      GVP_PLUGIN_INTERFACE;                                                               \
  __attribute__((visibility("default"))) void gvp_plugin_register() { register_types(); } \
  }

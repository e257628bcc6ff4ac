// SPDX-License-Identifier: Apache-2.0
// A block of tests/rtl_blocks, loaded from its plug-in; null where the build has no Verilator.
#pragma once

#include <dlfcn.h>

#include <string>

#include "models/rtl/block_interface.h"

namespace gvp::test {

inline const gvp_rtl_block* rtl_plugin(const std::string& name) {
  const std::string file = std::string(GVP_BINARY_DIR) + "/tests/rtl_blocks/" + name + ".so";
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return nullptr;
  void* const symbol = dlsym(handle, "gvp_rtl_plugin");
  return symbol == nullptr ? nullptr : reinterpret_cast<const gvp_rtl_block* (*)()>(symbol)();
}

}  // namespace gvp::test

// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/shown_names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <filesystem>

namespace gvp::ptx {

std::string readable_name(const std::string& name) {
  if (name.compare(0, 2, "_Z") != 0) return name;  // "f" would be a "float"
  int status = 0;
  char* demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (status != 0 || demangled == nullptr) return name;
  std::string result = demangled;
  std::free(demangled);
  return result;
}

std::string shown_file(const std::string& name) {
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string() + '/';
  const std::string clean = std::filesystem::path(name).lexically_normal().string();
  return !error && clean.compare(0, here.size(), here) == 0 ? clean.substr(here.size()) : clean;
}

}  // namespace gvp::ptx

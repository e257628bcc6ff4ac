// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/module.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace gvp::gpgpu::g80 {

uint32_t Kernel::static_shared_bytes() const {
  // Variables begin at a word.
  const uint32_t used = (kSharedHeaderBytes + parameter_bytes.value_or(0) + 3) & ~3u;
  return shared_bytes > used ? shared_bytes - used : 0;
}

const Kernel* Module::find(std::string_view kernel) const {
  for (const Kernel& candidate : kernels)
    if (candidate.name == kernel) return &candidate;
  return nullptr;
}

const Kernel& Module::kernel(std::string_view wanted, const std::string& file) const {
  if (kernels.empty()) throw bad_input("no kernel in this file", {file, 0, 0});
  std::vector<std::string> names;
  for (const Kernel& candidate : kernels) names.push_back(candidate.name);
  const std::string known = fmt::format("the kernels are: {}", fmt::join(names, ", "));
  if (wanted.empty()) {
    if (kernels.size() == 1) return kernels.front();
    throw bad_input("which of the kernels?", {file, 0, 0}, known);
  }
  if (const Kernel* found = find(wanted)) return *found;
  throw bad_input(fmt::format("no kernel \"{}\"", wanted), {file, 0, 0}, known);
}

}  // namespace gvp::gpgpu::g80

// SPDX-License-Identifier: Apache-2.0
// Files of CUDA C, compiled: what clang says of them goes to stderr.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/temporary_file.h"
#include "tools/kcc/front_end.h"
#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc {

inline g80::Result compiled(const std::string& file, unsigned level = 2) {
  FrontEndOptions front_end;
  front_end.optimise = level;
  g80::Options options;
  options.optimise = level;
  options.generated = true;
  return g80::compile(file, compile_cuda(file, front_end), options);
}

// The names of the kernels, in order.
inline std::vector<std::string> kernels(const g80::Result& result) {
  std::vector<std::string> names;
  for (const auto& report : result.kernels) names.push_back(report.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
// CUDA C in a file of a test's own, compiled with what clang says of it.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/end_to_end/program.h"
#include "tools/kcc/front_end.h"
#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc {

class CudaSource {
 public:
  explicit CudaSource(const std::string& text) : name_(test::temporary("host.cu")) {
    test::write(name_, text);
  }
  ~CudaSource() { std::remove(name_.c_str()); }
  CudaSource(const CudaSource&) = delete;
  CudaSource& operator=(const CudaSource&) = delete;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

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

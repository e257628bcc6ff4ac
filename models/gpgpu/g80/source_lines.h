// SPDX-License-Identifier: Apache-2.0
// The line tables of the kernels that a program may launch, found in what is loaded for it: cubins,
// and memory that has cubins in text form somewhere in it, as firmware has that embeds them.  A
// kernel is known by its code, so that a table never stands for code that it was not made for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpgpu/g80/module.h"

namespace gvp::gpgpu::g80 {

class SourceLines {
 public:
  // What is no cubin, or a damaged one, is passed over: whoever loads it says so.
  void learn(std::string_view contents);
  // Of the kernel at the beginning of these words, best one of that name; null where there is none.
  const LineTable* find(std::string_view kernel, const uint32_t* code, std::size_t words) const;

 private:
  void add(std::string_view cubin);

  std::vector<Kernel> kernels_;
};

}  // namespace gvp::gpgpu::g80

// SPDX-License-Identifier: Apache-2.0
// From PTX text to a module of G80 kernels: all of kcc behind its front end, as a library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/g80/module.h"

namespace gvp::kcc::g80 {

// A device's memory for code, at most (gpgpu.code_bytes).
inline constexpr size_t kMostCodeBytes = size_t{256} * 1024;

inline constexpr uint32_t kLargeFunction = 200;  // instructions of PTX

struct Options {
  unsigned optimise = 2;  // 0: none of the optimisations; 1, 2: all (2: also in the front end)
  // General registers a thread may have, 8 to 64; 0: as many as any block of the thesis's device
  // can have, or as __launch_bounds__ allows.
  uint32_t max_registers = 0;
  bool generated = false;      // the PTX comes from a compiler: errors point into that one's input
  bool lines = false;          // the module says which source lines its code comes from
  bool keep_going = false;     // kernels with errors are left out: Result::errors
  bool double_arrays = false;  // doubles in global and constant memory may be accessed
  // Instructions of PTX from which on functions with several calls are called, and not only those
  // that want it; smaller ones, too, where the code does not fit the device else.  0: none, unless
  // it does not fit.
  uint32_t call_from = 0;
  bool device_extensions = false;  // atomic operations and votes (gpgpu.device_extensions)
};

struct KernelReport {
  std::string name;
  uint32_t ptx_instructions = 0;  // with those of the functions that are called
  uint32_t instructions = 0;
  uint32_t short_instructions = 0;
  uint32_t registers = 0;
  uint32_t spilled = 0;
  uint32_t shared_bytes = 0;  // static
  uint32_t local_bytes = 0;
  uint32_t parameter_bytes = 0;
  uint32_t constant_bytes = 0;  // literals
};

struct Result {
  gpgpu::g80::Module module;
  std::vector<KernelReport> kernels;
  std::vector<std::string> warnings;  // "k.cu:3:5: warning: ..."
  std::vector<std::string> errors;    // of kernels that were left out
};

// file_name stands in messages.  Throws gvp::Error.
Result compile(const std::string& file_name, const std::string& ptx, const Options& options = {});

}  // namespace gvp::kcc::g80

// SPDX-License-Identifier: Apache-2.0
// What one gpgpu-run command line asks for, checked as far as it can be without the files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/gpgpu/flexgrip/configuration.h"
#include "platform/configuration/configuration.h"

namespace gvp::tools {

struct Load {
  uint32_t address;
  std::string file;
};

struct Dump {
  uint32_t address;
  uint32_t bytes;
  std::string file;
};

// A range of global memory that a kernel may touch, for --check.
struct Buffer {
  std::string name;
  uint32_t address = 0;
  uint32_t bytes = 0;
};

struct ConstantWords {
  uint32_t bank;
  uint32_t offset;  // bytes
  std::vector<uint32_t> words;
};

struct Request {
  enum class Action { kRun, kHelp, kVersion };
  Action action = Action::kRun;

  // The kernel: a cubin and a name in it, or bare code with what a cubin would say.
  std::string cubin;
  std::string kernel;
  std::string code;
  uint32_t registers = 0;
  uint32_t shared_bytes = 0;   // static, beyond header and parameters
  uint32_t dynamic_bytes = 0;  // added to either

  uint32_t grid[2] = {1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t blocks_per_sm = 0;  // 0: as many as fit
  std::vector<uint32_t> parameters;
  std::vector<ConstantWords> constants;
  std::vector<Load> loads;
  std::vector<Dump> dumps;

  platform::Configuration configuration;
  // The device that runs the kernel, as the configuration has it.
  const gpgpu::flexgrip::Configuration& gpgpu() const {
    return configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu");
  }
  std::string statistics_file;  // "": none; "-": standard output
  std::string issue_trace;      // "": none
  std::vector<std::string> log;
  uint64_t max_cycles = 0;  // 0: no limit
  std::optional<uint32_t> breakpoint;
  bool check = false;
  std::vector<Buffer> buffers;
  bool any_register = false;  // also those beyond the kernel's own, which read zero
  bool quiet = false;
};

// Throws Error (bad input).
Request parse_request(int argc, const char* const argv[]);
std::string request_help();

}  // namespace gvp::tools

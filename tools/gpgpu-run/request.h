// SPDX-License-Identifier: Apache-2.0
// What one gpgpu-run command line asks for, checked as far as it can be without the files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/device/launcher.h"
#include "platform/configuration/configuration.h"
#include "platform/trace_options.h"

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

// The launch, and what there is around it.
struct Request : device::LaunchRequest {
  enum class Action { kRun, kHelp, kVersion };
  Action action = Action::kRun;

  std::vector<Load> loads;
  std::vector<Dump> dumps;

  platform::Configuration configuration;
  std::string device;  // that runs the kernel
  const device::Instance& instance() const { return *configuration.find(device); }
  const device::DeviceType& type() const { return *configuration.board().find(device)->type; }

  std::string statistics_file;  // "": none; "-": standard output
  std::string issue_trace;      // "": none
  std::string kernel_profile;   // "": none; "-": standard output
  bool report = false;
  platform::TraceSettings trace;
  std::vector<std::string> log;
  uint64_t max_cycles = 0;  // 0: no limit
  std::optional<uint32_t> breakpoint;
  bool check = false;
  std::vector<Buffer> buffers;
  bool quiet = false;
};

// Throws Error (bad input).
Request parse_request(int argc, const char* const argv[]);
std::string request_help();

}  // namespace gvp::tools

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
#include "tools/gpgpu-run/option_texts.h"

namespace gvp::tools {

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

// SPDX-License-Identifier: Apache-2.0
// What a command line of gpgpu-run --device miaow asks for: a kernel for Southern Islands on a
// compute unit alone, without a board.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/miaow/configuration.h"
#include "tools/gpgpu-run/option_texts.h"

namespace gvp::tools {

struct MiaowRequest {
  enum class Action { kRun, kHelp, kVersion };
  Action action = Action::kRun;

  std::string file;               // with the kernel
  bool is_object = false;         // else assembly or words
  std::string kernel;             // its name or label; "": the only one, or where the code begins
  uint32_t vector_registers = 0;  // of code
  uint32_t share_bytes = 0;       // likewise
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::array<uint32_t, 3> local{1, 1, 1};
  Texts parameters;
  std::vector<Load> loads;
  std::vector<Dump> dumps;
  std::vector<Buffer> buffers;
  uint64_t memory_bytes = 0;
  bool approximately_timed = false;
  gpgpu::miaow::Configuration configuration;
  std::string trimmed_file;     // instructions that the device has; "": all
  std::string statistics_file;  // "": none; "-": standard output
  std::string kernel_profile;   // likewise
  uint64_t max_cycles = 0;
  bool check = false;
  bool quiet = false;
};

// Whether a command line names this device.
bool names_miaow(int argc, const char* const argv[]);
// Throws Error (bad input).
MiaowRequest parse_miaow_request(int argc, const char* const argv[]);
std::string miaow_help();

}  // namespace gvp::tools

// SPDX-License-Identifier: Apache-2.0
// What one gvp-cosim command line asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/configuration/configuration.h"

namespace gvp::cosim {

struct Request {
  enum class Action { kRun, kHelp, kVersion };
  Action action = Action::kRun;

  uint32_t seed = 1;   // of the first run; the next ones count on
  uint64_t count = 0;  // 0: no limit
  double seconds = 0;  // 0: no limit
  std::string output = ".";
  std::string replay;  // a file that has what is done, instead of what is random; "": none
  bool shrink = true;
  bool quiet = false;

  platform::Configuration configuration;
  std::string device;
  std::string comparison;  // "gpgpu=at,rtl,cycles"
  std::string models;      // "at,rtl"
  bool cycles = false;
  bool loosely_timed = false;  // one of the two
  // What makes the same board, of gpgpu-run, too: options but for what is compared.
  std::vector<std::string> board_options;
};

// Throws Error (bad input).
Request parse_request(int argc, const char* const argv[]);
std::string request_help();

}  // namespace gvp::cosim

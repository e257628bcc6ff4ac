// SPDX-License-Identifier: Apache-2.0
// What Verilator's runtime is compiled with (VL_PRINTF and the VL_USER_ functions): what RTL prints
// is kept for whoever asks, and what would end the program throws.
#pragma once

#include <unistd.h>

#include <string>

namespace gvp::rtl {

// Text that has been printed and not yet fetched.
std::string& verilated_output();
void verilated_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Another file in the folder for each call of this process, whatever block it is for.
inline std::string coverage_file(const std::string& folder) {
  static unsigned number = 0;
  return folder + '/' + std::to_string(getpid()) + '-' + std::to_string(number++) + ".dat";
}

}  // namespace gvp::rtl

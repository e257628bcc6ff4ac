// SPDX-License-Identifier: Apache-2.0
// What clang's preprocessor is told: the user's words, and what the device's kind makes of them.
#pragma once

#include <string>
#include <vector>

#include "tools/kcc/front_end.h"

namespace gvp::kcc {

// __CUDA_ARCH__ is that of the device, 100 or with extensions 120, unless the user says otherwise.
// Throws gvp::Error where what he says is no number.
std::vector<std::string> clang_arguments(const FrontEndOptions& options);

}  // namespace gvp::kcc

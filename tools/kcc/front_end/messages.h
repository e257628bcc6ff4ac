// SPDX-License-Identifier: Apache-2.0
// What users see of clang.
#pragma once

#include <string>

namespace gvp::kcc {

// Writes what clang says to stderr, without the target it thinks it compiles for.
void show(std::string messages);

// Throws gvp::Error: clang's messages have been shown.
[[noreturn]] void refused(const std::string& file);

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
// Functions that kcc's headers declare and nobody defines (include/kcc_unavailable.h): what the
// machine lacks.  The sentence with which a kernel that calls one is refused.
#pragma once

#include <string>

namespace gvp::kcc::g80 {

struct Refusal {
  std::string what;
  std::string remedy;
};

// By the name of the function; nullptr if it is none of these.
const Refusal* refusal_of(const std::string& function);

}  // namespace gvp::kcc::g80

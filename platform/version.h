// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gvp::platform {

std::string version();       // "0.1.0"
std::string version_text();  // for --version, with SystemC's and TLM's

}  // namespace gvp::platform

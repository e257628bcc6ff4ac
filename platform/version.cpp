// SPDX-License-Identifier: Apache-2.0
#include "platform/version.h"

#include <fmt/format.h>

#include <systemc>
#include <tlm>

namespace gvp::platform {

std::string version() { return GVP_VERSION; }

std::string version_text() {
  return fmt::format("gpgpu-vp {}\nSystemC {}, TLM {}\n", version(), sc_core::sc_release(),
                     tlm::tlm_release());
}

}  // namespace gvp::platform

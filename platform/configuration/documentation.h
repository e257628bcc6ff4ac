// SPDX-License-Identifier: Apache-2.0
// docs/configuration.md, made from the key table.
#pragma once

#include <string>

namespace gvp::platform {

std::string configuration_page();  // Markdown

}  // namespace gvp::platform

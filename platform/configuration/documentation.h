// SPDX-License-Identifier: Apache-2.0
// docs/configuration.md, made from the key table.
#pragma once

#include <string>

#include "platform/configuration/configuration.h"

namespace gvp::platform {

std::string configuration_page(const Configuration& configuration);  // Markdown

}  // namespace gvp::platform

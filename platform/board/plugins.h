// SPDX-License-Identifier: Apache-2.0
// Plug-ins: shared objects that add device types at run time, in C++ (models/device/plugin.h) or
// as blocks of RTL, in plain C (models/rtl/block_interface.h).
#pragma once

#include <string>
#include <vector>

#include "models/base/error.h"

namespace gvp::platform {

// Loads a plug-in and registers its device types; one that has been loaded already is left alone.
// Throws Error (bad input) for a file that is no plug-in, that was built for another version,
// compiler or SystemC, that cannot be loaded, or whose types have names that others have.
void load_plugin(const std::string& path);
// One that a file names, relative to that file's folder; errors name the place in it.
void load_plugin(const std::string& path, const SourceLocation& named_at);
// Those that have been loaded, by their full paths.
const std::vector<std::string>& loaded_plugins();

}  // namespace gvp::platform

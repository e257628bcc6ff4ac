// SPDX-License-Identifier: Apache-2.0
// What the log has already told the user, so that a program's last line does not say it again.
#pragma once

#include <string>

namespace gvp {

// How many errors a module has written so far; those that --log keeps back do not count.
int logged_errors(const std::string& module);

}  // namespace gvp

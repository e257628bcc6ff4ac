// SPDX-License-Identifier: Apache-2.0
// PTX of large files, of which clang has generated a part at a time.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gvp::kcc {

// One PTX of those of the parts.  Nothing where parts disagree on what both have.
std::optional<std::string> joined(const std::vector<std::string>& parts);

// The kernels that are named first, each with the code of the one behind it, which the text has; in
// this order, behind all else.  The text itself where each is its own or none is named; nothing
// where it has lines or lacks one.
std::optional<std::string> with_copies(
    const std::string& ptx, const std::vector<std::pair<std::string, std::string>>& kernels);

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the candidate that differs least from a mistyped name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gvp {

// Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other.
unsigned edit_distance(std::string_view from, std::string_view to);

// The candidate nearest to name, the first of equals; empty when none is near enough to be what
// was meant (more than a third of the name would have to change, at least two characters).
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace gvp

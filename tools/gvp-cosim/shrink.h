// SPDX-License-Identifier: Apache-2.0
// Makes a scenario that shows a difference smaller, as long as a difference is there: accesses,
// instructions, launch, data (A. Zeller, R. Hildebrandt, "Simplifying and Isolating
// Failure-Inducing Input", 2002: delta debugging).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tools/gvp-cosim/scenario.h"

namespace gvp::cosim {

using Differs = std::function<bool(const Scenario&)>;

// differs(scenario) has to hold.  Asks at most so many times.
Scenario shrink(Scenario scenario, const Differs& differs, unsigned most_questions = 3000);

// Leaves out what can be left out of `count` things: keep[i] says whether thing i is there.
// 1-minimal as long as still_differs() answers the same to the same question.
std::vector<bool> minimal_subset(
    size_t count, const std::function<bool(const std::vector<bool>&)>& still_differs);

}  // namespace gvp::cosim

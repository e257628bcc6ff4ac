// SPDX-License-Identifier: Apache-2.0
// What random programs compute, by the host's compiler.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/tools/kcc/programs/random_program.h"

namespace gvp::kcc {

// What is compared of the memory of each program, after it.  They are compiled together, and run
// with several orders of their threads: throws std::runtime_error where these disagree (a race: the
// generator is at fault), and where the compiler fails.
std::vector<std::vector<uint8_t>> host_results(const std::vector<RandomProgram>& programs);

}  // namespace gvp::kcc

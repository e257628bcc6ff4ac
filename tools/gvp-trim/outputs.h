// SPDX-License-Identifier: Apache-2.0
// What gvp-trim writes.
#pragma once

#include <string>

#include "tools/gvp-trim/estimates.h"
#include "tools/gvp-trim/needs.h"

namespace gvp::trim {

std::string report(const Needs& needs, bool with_fits);
std::string to_json(const Needs& needs);
// The instructions, as gpgpu-run --device miaow --trimmed reads them.
std::string to_instruction_list(const Needs& needs);
// What the published Trimming-Tool reads: a listing as AMD's CodeXL writes it (columns: address,
// opcode, operands, cycles, functional unit, hexadecimal code).
std::string to_listing_file(const Needs& needs);

}  // namespace gvp::trim

// SPDX-License-Identifier: Apache-2.0
// One kernel on the approximately timed model and on the RTL, and what differs.  Both begin with
// the same memories; the RTL is driven through its control window.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fidelity/microbenchmarks.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/kernel.h"
#include "tests/models/gpgpu/flexgrip/rtl/flexgrip_rtl.h"
#include "tools/gvp-cosim/random_instructions.h"

namespace gvp::test {

// What the RTL of this tree has, with little local memory, and global memory that is small enough
// to compare.
struct Shape {
  unsigned sms, sps;
};
gpgpu::flexgrip::Configuration rtl_configuration(Shape shape);

using cosim::Kind;
using cosim::kWordsAt;
using cosim::listing_of;
using cosim::random_instructions;
using cosim::special_functions;
using cosim::Subject;

// A kernel of three blocks of 48 threads, from assembly.
Subject subject_of(const std::string& source);

// The same stimulus to both; the first thing that differs, or "".  The RTL is one of this shape.
// What other SMs have done when one of several fails is not compared.
enum class Before { kReset, kNothing };  // what happens to the RTL before it
std::string first_mismatch(const gpgpu::flexgrip::Configuration& configuration,
                           const Subject& subject, FlexGripRtl& rtl,
                           Before before = Before::kReset);

// Ties the inputs that a configuration is, and resets.
void configure(const gpgpu::flexgrip::Configuration& configuration, FlexGripRtl& rtl);

}  // namespace gvp::test

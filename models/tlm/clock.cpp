// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/clock.h"

#include <fmt/format.h>

#include <cmath>

#include "models/base/error.h"

namespace gvp::kit {

Clock::Clock(double hz, const char* what) {
  if (!(hz >= 1 && hz <= 1e12))
    throw bad_input(fmt::format("{} of {} Hz", what, hz), {}, "clocks are 1 Hz to 1e12 Hz");
  if (sc_core::sc_time(1, sc_core::SC_PS).value() != 1)
    throw bad_input(fmt::format("{} with a time resolution of {}", what,
                                sc_core::sc_get_time_resolution().to_string()),
                    {}, "these models need SystemC's default resolution, 1 ps");
  period_ = static_cast<uint64_t>(std::llround(1e12 / hz));
}

}  // namespace gvp::kit

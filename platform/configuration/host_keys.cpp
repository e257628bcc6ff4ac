// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/rows.h"

namespace gvp::platform::rows {

std::vector<Key> host_keys() {
  return {
      {"host.model", [](Configuration& c) -> Field { return &c.models.host; }, model_name(), "",
       "Variant of the MicroBlaze: loosely timed, approximately timed, or RTL"},
      {"host.clock_hz", [](Configuration& c) -> Field { return &c.host.clock_hz; }, range(1e6, 1e9),
       "Hz", "Clock of the MicroBlaze"},
      {"host.lmb_size", [](Configuration& c) -> Field { return &c.host.lmb_size; },
       power_of_two(4096, 1 << 20), "bytes", "Size of the local memory"},
  };
}

}  // namespace gvp::platform::rows

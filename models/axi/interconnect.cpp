// SPDX-License-Identifier: Apache-2.0
#include "models/axi/interconnect.h"

#include <fmt/format.h>

#include "models/axi/at_interconnect.h"
#include "models/axi/lt_interconnect.h"
#include "models/base/error.h"

namespace gvp::axi {

std::unique_ptr<Interconnect> make_interconnect(const sc_core::sc_module_name& name,
                                                const std::string& model,
                                                const InterconnectConfiguration& configuration) {
  if (!(configuration.clock_hz > 0)) throw bad_input("the AXI clock must be above 0 Hz");
  if (configuration.data_bytes == 0 ||
      (configuration.data_bytes & (configuration.data_bytes - 1)) != 0)
    throw bad_input(fmt::format("an AXI data beat must have bytes, a power of two, not {}",
                                configuration.data_bytes));
  if (model == "lt") return std::make_unique<LtInterconnect>(name, configuration);
  if (model == "at") return std::make_unique<AtInterconnect>(name, configuration);
  throw bad_input(fmt::format("this build has no AXI interconnect model \"{}\"", model), {},
                  "models are lt, at");
}

}  // namespace gvp::axi

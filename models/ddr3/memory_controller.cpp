// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/memory_controller.h"

#include <fmt/format.h>

#include "models/base/error.h"
#include "models/ddr3/at_memory.h"
#include "models/ddr3/lt_memory.h"

namespace gvp::ddr3 {

std::unique_ptr<MemoryController> make_memory_controller(const sc_core::sc_module_name& name,
                                                         const std::string& model,
                                                         const Configuration& configuration) {
  if (model == "lt") return std::make_unique<LtMemory>(name, configuration);
  if (model == "at") return std::make_unique<AtMemory>(name, configuration);
  throw bad_input(fmt::format("there is no DDR3 model \"{}\" here", model), {},
                  "models are lt, at");
}

}  // namespace gvp::ddr3

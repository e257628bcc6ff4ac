// SPDX-License-Identifier: Apache-2.0
#include "models/base/error.h"
#include "models/host/at_processor.h"
#include "models/host/host.h"
#include "models/host/lt_processor.h"

namespace gvp::host {

std::unique_ptr<Host> make_host(const sc_core::sc_module_name& name, const std::string& model,
                                const Configuration& configuration) {
  Configuration resolved = configuration;
  if (resolved.cache_model == "auto")
    resolved.cache_model = model == "lt" ? "always-hit" : "contents";
  if (model == "lt") return std::make_unique<LtProcessor>(name, resolved);
  if (model == "at") return std::make_unique<AtProcessor>(name, resolved);
  throw bad_input("this build has no host model \"" + model + "\"", {},
                  "host.model is \"lt\" or \"at\"");
}

}  // namespace gvp::host

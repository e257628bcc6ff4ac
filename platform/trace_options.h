// SPDX-License-Identifier: Apache-2.0
// What is to be recorded of a run (docs/tracing.md), and the options that say so: --trace and
// --trace-ring, the same for every program that builds a board.  No SystemC.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstddef>
#include <vector>

#include "platform/configuration/configuration.h"
#include "trace/filter.h"

namespace gvp::platform {

struct TraceSettings {
  std::vector<trace::Specification> files;
  size_t ring = 0;  // the latest transactions to keep; 0: none
  bool any() const { return !files.empty() || ring != 0; }
};

void add_trace_options(boost::program_options::options_description& options);
// The platform file's, then the command line's.  Throws Error (bad input).
TraceSettings trace_settings(const boost::program_options::variables_map& values,
                             const Configuration& configuration);

}  // namespace gvp::platform

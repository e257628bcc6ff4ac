// SPDX-License-Identifier: Apache-2.0
// What FlexGrip's RTL (rtl/flexgrip) has in common with its models, as SystemVerilog packages made
// from the models' own tables: the decoder of the instruction set (operations.def), the register
// map and the causes of faults (register_rows.h, causes.h), the costs of the pipeline
// (PipelineTiming's defaults).  The packages are committed; a test holds them against these.
#pragma once

#include <string>
#include <vector>

namespace gvp::tools {

struct Package {
  std::string file;  // in rtl/flexgrip
  std::string text;
};

// All of them.
std::vector<Package> flexgrip_packages();

}  // namespace gvp::tools

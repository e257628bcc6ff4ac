// SPDX-License-Identifier: Apache-2.0
// A build without Verilator has no FST writer.
#include "trace/wave_file.h"

namespace gvp::trace {

std::unique_ptr<WaveFile> make_fst_file(const std::string&) { return nullptr; }

}  // namespace gvp::trace

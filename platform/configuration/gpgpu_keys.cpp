// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/rows.h"

namespace gvp::platform::rows {
namespace {

bool is_gpgpu_model(const std::string& text) {
  return text == "none" || model_name().accepts(text);
}

}  // namespace

std::vector<Key> gpgpu_keys() {
  return {
      {"gpgpu.model", [](Configuration& c) -> Field { return &c.models.gpgpu; },
       text_form(is_gpgpu_model, "lt, at, rtl[:NAME] or none"), "",
       "Variant of the GPGPU: loosely timed, approximately timed, RTL, or a board without one"},
      {"gpgpu.sms", [](Configuration& c) -> Field { return &c.gpgpu.sms; }, range(1, 64), "",
       "Streaming multiprocessors (SM)"},
      {"gpgpu.sps", [](Configuration& c) -> Field { return &c.gpgpu.sps; },
       one_of({"8", "16", "32"}), "", "Scalar processors (SP) per SM"},
      {"gpgpu.clock_hz", [](Configuration& c) -> Field { return &c.gpgpu.clock_hz; },
       range(1e6, 1e9), "Hz", "Clock of the GPGPU"},
      {"gpgpu.warps_per_sm", [](Configuration& c) -> Field { return &c.gpgpu.warps_per_sm; },
       range(1, 256), "", "Warp slots of an SM (thesis table 5: 24)"},
      {"gpgpu.threads_per_sm", [](Configuration& c) -> Field { return &c.gpgpu.threads_per_sm; },
       range(32, 8192), "", "Threads an SM can hold (thesis table 5: 768)"},
      {"gpgpu.blocks_per_sm", [](Configuration& c) -> Field { return &c.gpgpu.blocks_per_sm; },
       range(1, 256), "", "Block slots of an SM (thesis table 5: 8)"},
      {"gpgpu.threads_per_block",
       [](Configuration& c) -> Field { return &c.gpgpu.threads_per_block; }, range(1, 1024), "",
       "Largest block (thesis table 5: 256)"},
      {"gpgpu.registers_per_sm",
       [](Configuration& c) -> Field { return &c.gpgpu.registers_per_sm; }, range(32, 1 << 20), "",
       "32-bit registers of an SM (thesis table 5: 8192)"},
      {"gpgpu.shared_bytes_per_sm",
       [](Configuration& c) -> Field { return &c.gpgpu.shared_bytes_per_sm; }, range(256, 65536),
       "bytes", "Shared memory of an SM (thesis table 5: 16384)"},
      {"gpgpu.local_bytes", [](Configuration& c) -> Field { return &c.gpgpu.local_bytes; },
       range(0, 65536), "bytes", "Local memory of a thread"},
      {"gpgpu.stack_depth", [](Configuration& c) -> Field { return &c.gpgpu.stack_depth; },
       range(0, 64), "entries", "Warp stack; 0 is a device without divergence (thesis 4.1.1: 32)"},
      {"gpgpu.multiplier", [](Configuration& c) -> Field { return &c.gpgpu.multiplier; },
       anything(), "", "Multiplier present (thesis 4.1)"},
      {"gpgpu.three_operands", [](Configuration& c) -> Field { return &c.gpgpu.three_operands; },
       anything(), "", "Third operand present: multiply-add and the like (thesis 4.1)"},
      {"gpgpu.floating_point", [](Configuration& c) -> Field { return &c.gpgpu.floating_point; },
       anything(), "", "Floating-point and special-function units present"},
      {"gpgpu.first_path", [](Configuration& c) -> Field { return &c.gpgpu.first_path; },
       one_of({"taken", "not-taken"}), "",
       "Which side of a divergent branch runs first: taken (the RTL) or not-taken (the thesis)"},
      {"gpgpu.fmad", [](Configuration& c) -> Field { return &c.gpgpu.fmad; },
       one_of({"truncate", "ieee"}), "",
       "FMAD rounds the product before the addition (ieee, the RTL) or chops it (truncate, sm_10 "
       "hardware)"},
      {"gpgpu.denormals", [](Configuration& c) -> Field { return &c.gpgpu.denormals; },
       one_of({"flush", "keep"}), "",
       "Denormal operands and results of floating point become zero, or not"},
      {"gpgpu.partial_warps", [](Configuration& c) -> Field { return &c.gpgpu.partial_warps; },
       one_of({"masked", "full"}), "",
       "Lanes without a thread in the last warp of a block: masked, or full: they run, too, and do "
       "as thread 0 does (the RTL)"},
      {"gpgpu.code_bytes", [](Configuration& c) -> Field { return &c.gpgpu.code_bytes; },
       multiple_of(8, 1024, 262144), "bytes", "System memory, where kernels' code lies"},
      {"gpgpu.constant_bytes", [](Configuration& c) -> Field { return &c.gpgpu.constant_bytes; },
       multiple_of(4, 256, 32768), "bytes", "Constant memory"},
      {"gpgpu.global_memory", [](Configuration& c) -> Field { return &c.gpgpu.global_memory; },
       one_of({"bram", "ddr3"}), "",
       "Where global memory is: bram, a block RAM of the GPGPU's own that the host reaches "
       "through a window (thesis 3), or ddr3, the GPGPU being a master on the bus (thesis 5)"},
      {"gpgpu.global_bytes", [](Configuration& c) -> Field { return &c.gpgpu.global_bytes; },
       multiple_of(4096, 4096, 32 << 20), "bytes", "Size of that block RAM"},
      {"gpgpu.global_addresses",
       [](Configuration& c) -> Field { return &c.gpgpu.global_addresses; },
       one_of({"checked", "wrap"}), "",
       "Misaligned addresses and such beyond that block RAM: checked stops the kernel, wrap "
       "accesses byte by byte modulo the size (FlexGripPlus)"},
  };
}

}  // namespace gvp::platform::rows

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/report.h"

#include <fmt/format.h>

#include "models/gpgpu/simt/occupancy.h"
#include "tools/kcc/g80/sm_limits.h"

namespace gvp::kcc::g80 {
namespace {

namespace simt = gpgpu::simt;

constexpr simt::SmLimits kThesisLimits{kSmWarps,     kSmThreads,     kSmBlocks,
                                       kSmRegisters, kSmSharedBytes, kThreadsPerBlock};

const char* name_of(simt::Limit limit) {
  switch (limit) {
    case simt::Limit::kThreadsPerBlock:
      return "threads per block";
    case simt::Limit::kWarps:
      return "warps";
    case simt::Limit::kThreads:
      return "threads";
    case simt::Limit::kRegisters:
      return "registers";
    case simt::Limit::kSharedBytes:
      return "shared memory";
    case simt::Limit::kBlocks:
      return "blocks";
    case simt::Limit::kNone:
      break;
  }
  return "nothing";
}

std::string occupancy_of(const KernelReport& kernel) {
  std::string text = "  occupancy of an SM (24 warps) by threads per block:";
  for (const uint32_t threads : {32U, 64U, 128U, 256U}) {
    const simt::Occupancy found =
        simt::occupancy({threads, kernel.registers, kernel.shared_bytes}, kThesisLimits);
    const uint32_t warps = found.blocks * simt::warps_of(threads);
    text += fmt::format(" {}: {}% ({})", threads, 100 * warps / kThesisLimits.warps,
                        name_of(found.limit));
  }
  return text + "\n";
}

}  // namespace

std::string describe(const Result& result) {
  std::string text;
  for (const KernelReport& kernel : result.kernels) {
    text += fmt::format(
        "{}: {} registers; bytes: {} shared ({} of them parameters), {} local, {} of literals\n"
        "  {} instructions ({} of them short) from {} of PTX",
        kernel.name, kernel.registers, kernel.shared_bytes, kernel.parameter_bytes,
        kernel.local_bytes, kernel.constant_bytes, kernel.instructions, kernel.short_instructions,
        kernel.ptx_instructions);
    if (kernel.spilled != 0) text += fmt::format(", {} values spilled", kernel.spilled);
    text += "\n" + occupancy_of(kernel);
  }
  return text;
}

}  // namespace gvp::kcc::g80

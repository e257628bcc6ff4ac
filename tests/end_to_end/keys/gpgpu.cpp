// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/keys/probes.h"

namespace gvp::test {
namespace {

// Settings of gpgpu.* that `everything` shows, beside all of gpgpu.timing.*
const Values kGpgpuValues = {
    {"gpgpu.model", "lt"},
    {"gpgpu.sms", "2"},
    {"gpgpu.sps", "16"},
    {"gpgpu.clock_hz", "50e6"},
    {"gpgpu.warps_per_sm", "4"},
    {"gpgpu.threads_per_sm", "128"},
    {"gpgpu.blocks_per_sm", "1"},
    {"gpgpu.threads_per_block", "32"},
    {"gpgpu.registers_per_sm", "1280"},
    {"gpgpu.shared_bytes_per_sm", "512"},
    {"gpgpu.shared_banks", "compute-2.x"},
    {"gpgpu.local_bytes", "0"},
    {"gpgpu.stack_depth", "0"},
    {"gpgpu.multiplier", "false"},
    {"gpgpu.three_operands", "false"},
    {"gpgpu.floating_point", "false"},
    {"gpgpu.first_path", "not-taken"},
    {"gpgpu.global_memory", "ddr3"},
};

const Values kArithmeticValues = {
    {"gpgpu.fmad", "truncate"},
    {"gpgpu.denormals", "keep"},
};

}  // namespace

Probe kernel(const std::string& path, const Options& more) {
  return {"gpgpu-run",
          Options{"--cubin", path, "--grid", "5", "--block", "64", "--blocks-per-sm", "3",
                  "--timing", "at", "--param", "1", "--set", "gpgpu.null_page=false"} +
              more};
}

void add_gpgpu(Probes& probes, const KeyKernels& kernels) {
  probes.add(kGpgpuValues, kernel(kernels.everything));
  probes.add(kArithmeticValues, kernel(kernels.arithmetic, {"--dump", "0x100:8=-"}));
  probes.add({{"gpgpu.device_extensions", "true"}}, kernel(kernels.extensions));
  probes["gpgpu.partial_warps"] = {"full",
                                   {"gpgpu-run",
                                    {"--cubin", kernels.everything, "--grid", "1", "--block", "40",
                                     "--timing", "at", "--param", "1"}}};
  probes["gpgpu.code_bytes"] = {"1024", kernel(kernels.large)};
  probes["gpgpu.constant_bytes"] = {"256", kernel(kernels.large)};
  probes["gpgpu.global_bytes"] = {"4096", kernel(kernels.large, {"--dump", "0x1000:4=-"})};
  probes["gpgpu.null_page"] = {"true", kernel(kernels.everything)};
  probes["gpgpu.global_addresses"] = {"wrap", kernel(kernels.misaligned)};
}

}  // namespace gvp::test

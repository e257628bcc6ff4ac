// SPDX-License-Identifier: Apache-2.0
#include "fidelity/kernel_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fidelity/command.h"
#include "fidelity/report.h"
#include "fidelity/thesis_tables.h"
#include "models/base/error.h"

namespace gvp::fidelity {
namespace {

void write_words(const std::string& path, const Words& words) {
  write_file(path, std::string(reinterpret_cast<const char*>(words.data()), words.size() * 4));
}

Words read_words(const std::string& path, size_t count) {
  Words words(count);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(count * 4));
  if (!file) throw model_error("cannot read what gpgpu-run has written", path);
  return words;
}

}  // namespace

CompiledKernels::CompiledKernels(const Tools& tools, const KernelSetting& setting)
    : tools_(tools), setting_(setting), cubin_(tools.work + "/benchmarks.cubin") {
  output_of({tools.folder + "/kcc", setting.level, tools.source, "-o", cubin_});
}

KernelRun CompiledKernels::run(const std::string& benchmark, uint32_t size, Device device) const {
  const Workload work = workload_of(benchmark, size, setting_.blocks);
  const std::string a = tools_.work + "/a.bin", b = tools_.work + "/b.bin",
                    out = tools_.work + "/out.bin";
  write_words(a, work.a);
  std::vector<std::string> memory = {"--load", fmt::format("{:#x}={}", kInputA, a)};
  if (!work.b.empty()) {
    write_words(b, work.b);
    memory.insert(memory.end(), {"--load", fmt::format("{:#x}={}", kInputB, b)});
  }
  memory.insert(memory.end(),
                {"--dump", fmt::format("{:#x}:{}={}", work.result, work.expected.size() * 4, out)});
  KernelRun sum;
  for (const Launch& each : work.launches) {
    const KernelRun one = launch(each, device, memory);
    sum.cycles += one.cycles;
    sum.stack_depth = std::max(sum.stack_depth, one.stack_depth);
    if (&each == &work.launches.front() && work.launches.size() > 1)
      memory.insert(memory.end(), {"--load", fmt::format("{:#x}={}", work.result, out)});
  }
  if (read_words(out, work.expected.size()) != work.expected)
    throw model_error(fmt::format("wrong result of {} {}", benchmark, size));
  return sum;
}

bool CompiledKernels::multiplies(const std::string& benchmark) const {
  for (const Launch& each : workload_of(benchmark, kSizes.back(), setting_.blocks).launches) {
    const std::string code =
        output_of({tools_.folder + "/g80dis", "--plain", "--kernel", each.kernel, cubin_});
    for (const char* mnemonic : {"IMUL", "IMAD", "FMUL", "FMAD"})
      if (code.find(mnemonic) != std::string::npos) return true;
  }
  return false;
}

KernelRun CompiledKernels::launch(const Launch& launch, Device device,
                                  const std::vector<std::string>& memory) const {
  std::vector<std::string> command = {tools_.folder + "/gpgpu-run",
                                      "--quiet",
                                      "--config",
                                      tools_.configs + '/' + setting_.config,
                                      "--cubin",
                                      cubin_,
                                      "--kernel",
                                      launch.kernel,
                                      "--grid",
                                      launch.grid,
                                      "--block",
                                      launch.block,
                                      "--timing",
                                      "at",
                                      "--sms",
                                      std::to_string(device.sms),
                                      "--sps",
                                      std::to_string(device.sps),
                                      "--stats",
                                      "-"};
  for (const std::string& change : setting_.changes)
    command.insert(command.end(), {"--set", change});
  for (const uint32_t word : launch.parameters)
    command.insert(command.end(), {"--param", std::to_string(word)});
  command.insert(command.end(), memory.begin(), memory.end());
  const auto statistics = nlohmann::json::parse(output_of(command), nullptr, false);
  if (statistics.is_discarded())
    throw model_error("gpgpu-run's statistics of " + launch.kernel + " are no JSON");
  const auto& kernel = statistics.at("gpgpu").at("kernels").at(0);
  return {kernel.at("cycles").get<uint64_t>(), kernel.at("max_stack_depth").get<unsigned>()};
}

}  // namespace gvp::fidelity

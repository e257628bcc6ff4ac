// SPDX-License-Identifier: Apache-2.0
#include "fidelity/kernel_runs.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "fidelity/command.h"
#include "fidelity/report.h"
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
  const Launch launch = launch_of(benchmark, size, setting_.blocks);
  const std::string a = tools_.work + "/a.bin", b = tools_.work + "/b.bin",
                    out = tools_.work + "/out.bin";
  std::vector<std::string> command = {tools_.folder + "/gpgpu-run",
                                      "--quiet",
                                      "--config",
                                      tools_.configs + '/' + setting_.config,
                                      "--cubin",
                                      cubin_,
                                      "--kernel",
                                      benchmark,
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
  write_words(a, launch.a);
  command.insert(command.end(), {"--load", fmt::format("{:#x}={}", kInputA, a)});
  if (!launch.b.empty()) {
    write_words(b, launch.b);
    command.insert(command.end(), {"--load", fmt::format("{:#x}={}", kInputB, b)});
  }
  for (const uint32_t word : launch.parameters)
    command.insert(command.end(), {"--param", std::to_string(word)});
  if (!launch.expected.empty())
    command.insert(command.end(), {"--dump", fmt::format("{:#x}:{}={}", launch.result,
                                                         launch.expected.size() * 4, out)});
  const auto statistics = nlohmann::json::parse(output_of(command), nullptr, false);
  if (statistics.is_discarded())
    throw model_error("gpgpu-run's statistics of " + benchmark + " are no JSON");
  if (!launch.expected.empty() && read_words(out, launch.expected.size()) != launch.expected)
    throw model_error(fmt::format("wrong result of {} {}", benchmark, size));
  const auto& kernel = statistics.at("gpgpu").at("kernels").at(0);
  return {kernel.at("cycles").get<uint64_t>(), kernel.at("max_stack_depth").get<unsigned>()};
}

}  // namespace gvp::fidelity

// SPDX-License-Identifier: Apache-2.0
#include "fidelity/platform_runs.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <memory>
#include <sstream>
#include <utility>

#include "models/base/error.h"

namespace gvp::fidelity {
namespace {

// As the firmware prints them, and as the thesis's tables abbreviate them.
constexpr std::pair<const char*, const char*> kNames[] = {
    {"autocorrelation", "autocorr"},
    {"bitonic sort", "bitonic"},
    {"matrix multiplication", "matrixmul"},
    {"parallel reduction", "reduction"},
    {"transpose", "transpose"},
};

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + '\'';
}

std::string output_of(const std::string& command) {
  const auto close = [](std::FILE* pipe) { return pclose(pipe); };
  std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
  if (pipe == nullptr) throw model_error("cannot start " + command);
  std::string output;
  std::array<char, 4096> buffer;
  while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    output.append(buffer.data(), count);
  const int status = pclose(pipe.release());
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw model_error("failed: " + command, {}, "its output was:\n" + output);
  return output;
}

}  // namespace

std::vector<Measurement> parse_table(const std::string& output) {
  std::vector<Measurement> measurements;
  std::istringstream lines(output);
  std::string line;
  while (std::getline(lines, line)) {
    for (const auto& [printed, name] : kNames) {
      if (line.rfind(std::string(printed) + ' ', 0) != 0) continue;
      std::istringstream cells(line.substr(std::string(printed).size()));
      Measurement m;
      std::string size, host_ms, device_ms, ratio, copies_ms, verdict;
      cells >> size >> m.host_cycles >> host_ms >> m.device_cycles >> device_ms >> ratio >>
          copies_ms >> verdict;
      if (!cells) throw model_error("cannot read the benchmark's line: " + line);
      m.benchmark = name;
      m.size = static_cast<uint32_t>(std::stoul(size));
      m.verified = verdict == "verified";
      measurements.push_back(m);
    }
  }
  return measurements;
}

std::vector<Measurement> run_benchmarks(const Platform& platform,
                                        const std::vector<std::string>& options,
                                        const std::vector<uint32_t>& sizes) {
  std::string command = quoted(platform.gpgpu_vp) + " --quiet --progress never";
  for (const std::string& option : options) command += ' ' + quoted(option);
  std::string arguments;
  for (const uint32_t size : sizes) arguments += std::to_string(size) + ' ';
  command += " --arguments " + quoted(arguments) + ' ' + quoted(platform.firmware);
  std::vector<Measurement> measurements = parse_table(output_of(command + " 2>&1"));
  if (measurements.size() != sizes.size() * std::size(kNames))
    throw model_error("the benchmark firmware has not printed a line for each benchmark and size",
                      {}, command);
  for (const Measurement& m : measurements)
    if (!m.verified)
      throw model_error("wrong result of " + m.benchmark + ' ' + std::to_string(m.size), {},
                        command);
  return measurements;
}

}  // namespace gvp::fidelity

// SPDX-License-Identifier: Apache-2.0
// Measures whole runs of gpgpu-vp: start-up to the first console character, memory, and the
// speed of host and GPGPU on given firmware.  usage: bench-end-to-end [FIRMWARE.elf ...]
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

constexpr int kStarts = 21;  // runs of which start-up is the median

struct Run {
  double first_character_s = 0;  // from fork() to the first character on standard output
  double wall_s = 0;
  double cpu_s = 0;
  double peak_mib = 0;
  int exit_code = -1;
};

double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

[[noreturn]] void become(const std::vector<std::string>& arguments, int output) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  execv(argv[0], argv.data());
  _exit(127);
}

Run measure(const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  Run run;
  const double start = now();
  const pid_t process = fork();
  if (process == 0) become(arguments, ends[1]);
  close(ends[1]);
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
    if (run.first_character_s == 0) run.first_character_s = now() - start;
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(process, &status, 0, &usage);
  run.wall_s = now() - start;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  run.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  run.peak_mib = static_cast<double>(usage.ru_maxrss) / 1024;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

void report_start_up(const std::string& program, const std::string& hello) {
  std::vector<double> times;
  double peak = 0;
  for (int i = 0; i < kStarts; ++i) {
    const Run run = measure({program, "--quiet", hello});
    if (run.exit_code != 0) {
      fmt::print("hello.elf failed with exit code {}\n", run.exit_code);
      return;
    }
    times.push_back(run.first_character_s);
    peak = std::max(peak, run.peak_mib);
  }
  std::sort(times.begin(), times.end());
  fmt::print("start-up to first character: {:.1f} ms (median of {}; best {:.1f}, worst {:.1f})\n",
             times[times.size() / 2] * 1e3, kStarts, times.front() * 1e3, times.back() * 1e3);
  fmt::print("peak memory of hello.elf:    {:.1f} MiB\n\n", peak);
}

// GPGPU: thread instructions per CPU-second of the whole process, host part included.
void report_firmware(const std::string& program, const std::string& firmware,
                     const std::vector<std::string>& options, const std::string& name) {
  const std::string statistics = "/tmp/gvp-bench-" + std::to_string(getpid()) + ".json";
  std::vector<std::string> arguments{program, "--quiet", "--stats", statistics};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(firmware);
  const Run run = measure(arguments);
  nlohmann::json json;
  std::ifstream(statistics) >> json;
  std::remove(statistics.c_str());
  double threads = 0;
  for (const auto& kernel : json["gpgpu"]["kernels"])
    threads += kernel["thread_instructions"].get<double>();
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.1f} | {:.1f} | {:.2f} | {:.1f} |\n", name,
             run.exit_code, run.wall_s, run.cpu_s, json["host"]["instructions"].get<double>() / 1e6,
             json["host"]["instructions"].get<double>() / 1e6 / run.cpu_s,
             threads / run.cpu_s / 1e6, run.peak_mib);
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::string program = std::string(GVP_BINARY_DIR) + "/bin/gpgpu-vp";
  const std::string prebuilt = std::string(GVP_SOURCE_DIR) + "/firmware/prebuilt/";
  report_start_up(program, prebuilt + "hello.elf");
  std::vector<std::string> firmware(argv + 1, argv + argc);
  const bool all = firmware.empty();
  if (all) firmware.push_back(prebuilt + "bench.elf");
  fmt::print(
      "| run | exit | wall s | CPU s | host M instr. | host MIPS (per CPU-s) | GPGPU M thread "
      "instr. per CPU-s | peak MiB |\n|---|---|---|---|---|---|---|---|\n");
  for (const std::string& elf : firmware) {
    const std::string name = elf.substr(elf.rfind('/') + 1);
    report_firmware(program, elf, {}, name + ", 1 SM, 8 SP");
    report_firmware(program, elf, {"--set", "gpgpu.sms=2", "--set", "gpgpu.sps=32"},
                    name + ", 2 SM, 32 SP");
    report_firmware(program, elf, {"--set", "gpgpu.global_memory=ddr3"}, name + ", ddr3");
  }
  if (!all) return 0;
  const std::vector<std::string> largest{"--arguments", "256"};
  report_firmware(program, firmware[0], largest, "bench.elf 256, 1 SM, 8 SP");
  report_firmware(program, firmware[0],
                  {"--arguments", "256", "--model", "gpgpu=at", "--set", "gpgpu.sps=32"},
                  "bench.elf 256, 1 SM, 32 SP, GPGPU approximately timed");
  return 0;
}

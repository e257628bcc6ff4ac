// SPDX-License-Identifier: Apache-2.0
// Measures whole runs of gpgpu-vp: start-up to the first console character, memory, and the
// speed of host and GPGPU on given firmware.
// usage: bench-end-to-end [--benchmark_out=FILE.json] [FIRMWARE.elf ...]
// The file is as Google Benchmark's; --benchmark_out_format is taken, there is only one.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
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

nlohmann::ordered_json results = nlohmann::ordered_json::array();

// A directory of this process's own, gone with it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    path_ = (std::filesystem::temp_directory_path() / "gvp-bench-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::string file(const char* name) const { return path_ + '/' + name; }

 private:
  std::string path_;
};

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
  results.push_back({{"name", "start_up"}, {"s", times[times.size() / 2]}, {"peak_mib", peak}});
  fmt::print("peak memory of hello.elf:    {:.1f} MiB\n\n", peak);
}

// GPGPU: thread instructions per CPU-second of the whole process, host part included.
void report_firmware(const std::string& program, const std::string& firmware,
                     const std::vector<std::string>& options, const std::string& name,
                     const std::string& key) {
  const TemporaryDirectory directory;
  const std::string statistics = directory.file("statistics.json");
  std::vector<std::string> arguments{program, "--quiet", "--stats", statistics};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(firmware);
  const Run run = measure(arguments);
  if (run.exit_code != 0) {
    fmt::print("{} failed with exit code {}\n", name, run.exit_code);
    return;
  }
  nlohmann::json json;
  std::ifstream(statistics) >> json;
  double threads = 0;
  for (const auto& kernel : json["gpgpu"]["kernels"])
    threads += kernel["thread_instructions"].get<double>();
  const double host = json["host"]["instructions"].get<double>();
  if (!key.empty())
    results.push_back({{"name", key},
                       {"s", run.cpu_s},
                       {"peak_mib", run.peak_mib},
                       {"host_instructions", host / run.cpu_s},
                       {"thread_instructions", threads / run.cpu_s}});
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.1f} | {:.1f} | {:.2f} | {:.1f} |\n", name,
             run.exit_code, run.wall_s, run.cpu_s, host / 1e6, host / 1e6 / run.cpu_s,
             threads / run.cpu_s / 1e6, run.peak_mib);
}

// Words of memory that SCRATCH's host serves its compute unit, per CPU-second: a program that does
// almost nothing else, start-up subtracted.
void report_memory_service(const std::string& program, const std::string& prebuilt) {
  const TemporaryDirectory directory;
  const std::string statistics = directory.file("statistics.json");
  const auto run = [&](const std::string& rows) {
    return measure({program, "--quiet", "--board", "scratch", "--stats", statistics, "--arguments",
                    rows, prebuilt + "scratch_convolution.elf"});
  };
  const auto words = [&] {
    nlohmann::json json;
    std::ifstream(statistics) >> json;
    double sum = 0;
    for (const auto& kernel : json["gpgpu"]["kernels"]) sum += kernel["host_words"].get<double>();
    return sum;
  };
  const Run few = run("1");
  const double few_words = words();
  const Run many = run("64");
  if (few.exit_code != 0 || many.exit_code != 0) {
    fmt::print("scratch_convolution.elf failed\n");
    return;
  }
  const double rate = (words() - few_words) / (many.cpu_s - few.cpu_s);
  results.push_back({{"name", "memory_service"}, {"words", rate}});
  fmt::print("\nSCRATCH, memory served by the host: {:.2f} M words per CPU-s\n", rate / 1e6);
}

void run_default(const std::string& program, const std::string& elf) {
  const auto set = [](const char* key_value) {
    return std::vector<std::string>{"--set", key_value};
  };
  report_firmware(program, elf, {}, "bench.elf, 1 SM, 8 SP", "bench");
  report_firmware(program, elf, {"--set", "gpgpu.sms=2", "--set", "gpgpu.sps=32"},
                  "bench.elf, 2 SM, 32 SP", "bench_large");
  report_firmware(program, elf, set("gpgpu.global_memory=ddr3"), "bench.elf, ddr3", "bench_ddr3");
  report_firmware(program, elf, {"--model", "gpgpu=at"}, "bench.elf, GPGPU approximately timed",
                  "bench_gpgpu_at");
  report_firmware(program, elf, {"--model", "axi=at", "--model", "ddr3=at"},
                  "bench.elf, AXI and DDR3 approximately timed", "bench_bus_at");
  report_firmware(program, elf, {"--timing", "at"}, "bench.elf, all approximately timed",
                  "bench_at");
  report_firmware(program, elf, {"--arguments", "256"}, "bench.elf 256, 1 SM, 8 SP", "bench_256");
  report_firmware(program, elf,
                  {"--arguments", "256", "--model", "gpgpu=at", "--set", "gpgpu.sps=32"},
                  "bench.elf 256, 1 SM, 32 SP, GPGPU approximately timed", "bench_256_gpgpu_at");
}

// The thesis's chapter 5, approximately timed: lanes that ask one by one, behind a mesh.
void run_hierarchies(const std::string& program, const std::string& sources) {
  const auto run = [&](const std::vector<std::string>& keys, const std::string& name,
                       const std::string& key) {
    std::vector<std::string> options{"-c", sources + "/platform/configs/flexgrip_chapter5.toml"};
    options.insert(options.end(), {"--model", "gpgpu=at", "--arguments",
                                   "unverified ac 512 fwt 4096 mm 128 tp 512 lud 64"});
    for (const std::string& each : keys) options.insert(options.end(), {"--set", each});
    report_firmware(program, sources + "/firmware/prebuilt/chapter5.elf", options,
                    "chapter5.elf, " + name, key);
  };
  run({}, "no cache", "hierarchy_none");
  run({"gpgpu.l1.enabled=true"}, "L1", "hierarchy_l1");
  run({"gpgpu.sms=2"}, "2 SM, no cache", "hierarchy_2sm");
  run({"gpgpu.sms=2", "gpgpu.l1.enabled=true", "gpgpu.l2.enabled=true"}, "2 SM, L1 and L2",
      "hierarchy_2sm_l1_l2");
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::string program = std::string(GVP_BINARY_DIR) + "/bin/gpgpu-vp";
  const std::string prebuilt = std::string(GVP_SOURCE_DIR) + "/firmware/prebuilt/";
  const std::string out = "--benchmark_out=";
  std::string output;
  std::vector<std::string> firmware;
  for (const std::string& argument : std::vector<std::string>(argv + 1, argv + argc)) {
    if (argument.rfind(out, 0) == 0)
      output = argument.substr(out.size());
    else if (argument != "--benchmark_out_format=json")
      firmware.push_back(argument);
  }
  report_start_up(program, prebuilt + "hello.elf");
  fmt::print(
      "| run | exit | wall s | CPU s | host M instr. | host MIPS (per CPU-s) | GPGPU M thread "
      "instr. per CPU-s | peak MiB |\n|---|---|---|---|---|---|---|---|\n");
  if (firmware.empty()) {
    run_default(program, prebuilt + "bench.elf");
    run_hierarchies(program, GVP_SOURCE_DIR);
    report_memory_service(program, prebuilt);
  }
  for (const std::string& elf : firmware)
    report_firmware(program, elf, {}, elf.substr(elf.rfind('/') + 1), "");
  if (output.empty()) return 0;
  std::ofstream stream(output);
  stream << nlohmann::ordered_json{{"benchmarks", results}}.dump(2) << '\n';
  stream.close();
  if (!stream) {
    fmt::print(stderr, "bench-end-to-end: cannot write {}\n", output);
    return 1;
  }
  return 0;
}

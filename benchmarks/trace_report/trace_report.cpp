// SPDX-License-Identifier: Apache-2.0
// Measures trace-report on a made-up trace of ten million transactions: processor time, memory,
// size of the page.  The trace, about a gigabyte, goes into the directory for temporary files.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/tools/trace-report/synthetic_trace.h"

namespace {

constexpr uint64_t kRecords = 10000000;

// The resources of a program that is run to its end; wall_s: its time.
rusage run(const std::string& program, const std::string& trace, const std::string& page,
           double& wall_s) {
  const auto begin = std::chrono::steady_clock::now();
  const pid_t process = fork();
  if (process == 0) {
    execl(program.c_str(), program.c_str(), trace.c_str(), "-o", page.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(process, &status, 0, &usage);
  wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(program + " failed on " + trace);
  return usage;
}

void ten_million(benchmark::State& state) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("bench_trace_report_{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string trace = (folder / "trace.db").string(), page = (folder / "page.html").string();
  gvp::test::TraceOptions options;
  options.records = kRecords;
  options.launches = 50;
  const uint64_t records = gvp::test::write_trace(trace, options).records;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  for (auto _ : state) {
    double wall_s = 0;
    const rusage usage = run(GVP_BINARY_DIR "/bin/trace-report", trace, page, wall_s);
    state.SetIterationTime(seconds(usage.ru_utime) + seconds(usage.ru_stime));
    state.counters["s"] = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    state.counters["wall_s"] = wall_s;
    state.counters["peak_mib"] = static_cast<double>(usage.ru_maxrss) / 1024;
    state.counters["records"] = static_cast<double>(records);
    state.counters["trace_bytes"] = static_cast<double>(std::filesystem::file_size(trace));
    state.counters["page_bytes"] = static_cast<double>(std::filesystem::file_size(page));
  }
  std::filesystem::remove_all(folder);
}
BENCHMARK(ten_million)->UseManualTime()->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace

BENCHMARK_MAIN();

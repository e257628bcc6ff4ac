// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/trace-report/report.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <fstream>

#include "models/base/error.h"
#include "tools/trace-report/run.h"

namespace gvp::test {

using nlohmann::json;

void TraceReport::SetUp() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  folder_ = std::filesystem::temp_directory_path() /
            fmt::format("trace_report_{}_{}", test->name(), getpid());
  std::filesystem::create_directories(folder_);
}

std::string TraceReport::write(const std::string& name, const std::string& contents) const {
  std::ofstream(path(name), std::ios::binary) << contents;
  return path(name);
}

void TraceReport::change(const std::string& trace, const std::string& statement) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(trace.c_str(), &database), SQLITE_OK);
  char* why = nullptr;
  EXPECT_EQ(sqlite3_exec(database, statement.c_str(), nullptr, nullptr, &why), SQLITE_OK) << why;
  sqlite3_close(database);
}

json analyse(const std::vector<std::string>& files, const std::string& kernel) {
  return trace_report::analyse_run(files, trace_report::parse_kernel_choice(kernel));
}

std::string error_of(const std::vector<std::string>& files, const std::string& kernel) {
  try {
    analyse(files, kernel);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "no error";
}

json statistics() {
  return {{"tool", "gpgpu-vp"},
          {"version", "0.1.0"},
          {"firmware", "bench.elf"},
          {"sim_time_ns", 1000.0},
          {"exit_code", 0},
          {"end", "exit"},
          {"config",
           {{"axi", {{"clock_hz", 100e6}, {"gpgpu", {{"data_bytes", 8}, {"clock_hz", 0.0}}}}},
            {"gpgpu",
             {{"model", "at"},
              {"sms", 2},
              {"sps", 8},
              {"clock_hz", 100e6},
              {"global_memory", "ddr3"}}}}},
          {"gpgpu",
           {{"kernels",
             {{{"name", "transpose"},
               {"cycles", 1000},
               {"warp_instructions", 100},
               {"thread_instructions", 3200},
               {"stall_cycles", 40},
               {"divergent_branches", 1},
               {"configuration_cycles", 70},
               {"stalls", {{"fetch", 5}, {"read", 30}}}},
              {{"name", "transpose"},
               {"cycles", 3000},
               {"warp_instructions", 100},
               {"thread_instructions", 3200},
               {"stall_cycles", 40},
               {"divergent_branches", 1}}}}}},
          {"host",
           {{"cycles", 900},
            {"instructions", 500},
            {"idle_cycles", 100},
            {"stall_cycles", {{"branch", 300}}}}},
          {"axi",
           {{"initiators",
             {{"host_data",
               {{"reads", 7},
                {"writes", 2},
                {"bytes_read", 28},
                {"bytes_written", 8},
                {"errors", 1},
                {"latency_ns", {{"mean", 90.5}, {"p99", 120.0}}}}},
              {"host_instruction", {{"reads", 0}, {"writes", 0}}}}},
            {"regions", {{"ddr3", {{"reads", 7}, {"writes", 2}}}}}}},
          {"ddr3", {{"reads", 5}, {"row_hits", 3}, {"row_misses", 1}, {"row_conflicts", 1}}}};
}

}  // namespace gvp::test

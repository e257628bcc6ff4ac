// SPDX-License-Identifier: Apache-2.0
// gpgpu-run: runs one kernel on a GPGPU of a board, without a host.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <systemc>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/base/logged_errors.h"
#include "models/base/standard_streams.h"
#include "models/device/launcher.h"
#include "models/gpgpu/fault.h"
#include "models/gpgpu/flexgrip/flexgrip.h"
#include "models/gpgpu/flexgrip/launcher.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/rtl/model_name.h"
#include "models/tlm/clock.h"
#include "platform/instruction_profile_file.h"
#include "platform/interruption.h"
#include "platform/report.h"
#include "platform/statistics.h"
#include "platform/systemc_reports.h"
#include "tools/console.h"
#include "tools/gpgpu-run/bench.h"
#include "tools/gpgpu-run/breakpoint.h"
#include "tools/gpgpu-run/checker.h"
#include "tools/gpgpu-run/image.h"
#include "tools/gpgpu-run/issue_trace.h"
#include "tools/gpgpu-run/miaow_request.h"
#include "tools/gpgpu-run/miaow_run.h"
#include "tools/gpgpu-run/request.h"
#include "tools/simulator.h"

namespace {

using namespace gvp::tools;

// The signal that ended the run; 0: none.
int interrupted() { return gvp::platform::Interruption::signal(); }

// What to do about a kernel that the device refuses.
std::string remedy_for(const std::string& cause) {
  std::string remedy = "the message above has the numbers; --set changes the device";
  if (cause == gvp::gpgpu::text_of(gvp::gpgpu::FaultCause::kTooManyRegisters))
    remedy += ", kcc --max-registers the kernel";
  return remedy;
}

// The last line a user reads; what the log above it says is not said again.
void report_failure(const std::string& kernel, const Request& request, const Result& result) {
  if (interrupted() != 0 || result.out_of_time) {
    std::cerr << fmt::format(
        "gpgpu-run: {}: stopped {}\n", kernel,
        interrupted() != 0 ? fmt::format("by signal {}", interrupted())
                           : fmt::format("after {} cycles (--max-cycles)", request.max_cycles));
    return;
  }
  if (result.is_refused)
    throw gvp::bad_input(
        fmt::format("{}: the device refuses this kernel: {}", kernel, result.cause), {},
        remedy_for(result.cause));
  if (gvp::logged_errors("gpgpu") == 0)
    throw gvp::model_error(fmt::format("{}: {}", kernel, result.cause), result.place);
  std::cerr << fmt::format("gpgpu-run: {}: stopped by a fault\n", kernel);
}

void write_summary(const std::string& kernel, const Request& request, const Result& result) {
  const gvp::kit::Clock clock(gvp::platform::clock_of(request.configuration, request.instance()));
  const double microseconds = clock.at(result.cycles).to_seconds() * 1e6;
  std::cerr << fmt::format(
      "{}: grid {}x{}, block {}x{}x{}: {} cycles ({:.2f} us), {} warp instructions, {} thread "
      "instructions\n",
      kernel, request.grid[0], request.grid[1], request.block[0], request.block[1],
      request.block[2], result.cycles, microseconds, result.warp_instructions,
      result.thread_instructions);
}

nlohmann::ordered_json all_statistics(const Request& request,
                                      const gvp::platform::Platform& platform, int exit_code,
                                      double wall_seconds) {
  nlohmann::ordered_json all{
      {"tool", "gpgpu-run"},
      {"version", GVP_VERSION},
      {"config", gvp::platform::configuration_json(request.configuration)},
      {"sim_time_ns", sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS)},
      {"wall_s", wall_seconds},
      {"exit_code", exit_code}};
  all.update(platform.statistics());
  return all;
}

void write_reports(const Request& request, const gvp::platform::Platform& platform,
                   const nlohmann::ordered_json& statistics) {
  if (request.report) std::cerr << gvp::platform::report_text(statistics);
  if (!request.statistics_file.empty())
    gvp::platform::write_statistics(statistics, request.statistics_file);
  if (!request.kernel_profile.empty())
    gvp::platform::write_instruction_profiles(platform.gpgpus(), request.kernel_profile);
}

// Tells what --check has found.
void report_findings(const std::string& kernel, const std::vector<std::string>& findings) {
  for (const std::string& finding : findings) std::cerr << "check: " << finding << '\n';
  std::cerr << fmt::format("gpgpu-run: {}: check found {} problem{}\n", kernel, findings.size(),
                           findings.size() == 1 ? "" : "s");
}

int exit_code_of(const Result& result, bool at_breakpoint, bool findings) {
  constexpr int kSignalled = 128;  // as shells have it
  if (interrupted() != 0) return kSignalled + interrupted();
  if (at_breakpoint || result.out_of_time) return static_cast<int>(gvp::ExitCode::kLimitReached);
  if (result.is_refused) return static_cast<int>(gvp::ExitCode::kBadInput);
  return static_cast<int>(findings || !result.done ? gvp::ExitCode::kModelError
                                                   : gvp::ExitCode::kSuccess);
}

// What looks at instructions knows one instruction set.
const gvp::gpgpu::flexgrip::FlexGripLauncher& require_g80(const Request& request,
                                                          const gvp::device::Launcher& launcher) {
  if (gvp::rtl::is_rtl(request.instance().model))
    throw gvp::bad_input(
        fmt::format("--check and --break look at the instructions of a model, and {} is RTL",
                    request.device),
        {"command line"}, "choose --model at, which takes the same cycles");
  const auto* g80 = dynamic_cast<const gvp::gpgpu::flexgrip::FlexGripLauncher*>(&launcher);
  if (g80 != nullptr) return *g80;
  throw gvp::bad_input(fmt::format("{} is a {}: --check and --break know FlexGrip's instructions",
                                   request.device, request.type().name),
                       {"command line"});
}

// A breakpoint that no warp can reach is a slip of the pen.
void require_instruction_at(uint32_t pc, const gvp::gpgpu::flexgrip::FlexGripLauncher& launcher) {
  const std::vector<uint32_t>& code = launcher.code();
  uint32_t before = 0;
  for (const auto& line : gvp::gpgpu::g80::disassemble(code.data(), code.size())) {
    if (line.address == pc) return;
    if (line.address < pc) before = line.address;
  }
  throw gvp::bad_input(
      fmt::format("--break {:#x}: no instruction of {} begins there", pc, launcher.kernel()), {},
      fmt::format("the one before begins at {:#x}", before));
}

// What a kernel may touch, if the user says so: also the variables of its own module.
std::vector<Buffer> checked_buffers(const Request& request, const gvp::device::Launcher& launcher) {
  std::vector<Buffer> buffers = request.buffers;
  if (buffers.empty()) return buffers;
  for (const gvp::device::Variable& variable : launcher.variables())
    buffers.push_back({variable.name, variable.address, variable.bytes});
  return buffers;
}

Result run_interruptibly(Bench& bench) {
  const gvp::platform::Interruption running(nullptr, &bench.platform().gpgpus());
  return bench.run();
}

// A run that breaks the bus protocol has failed, whatever the kernel did.
void fail_on_violations(uint64_t violations) {
  if (violations == 0) return;
  throw gvp::model_error(fmt::format("{} violation{} of the AXI protocol, see the log", violations,
                                     violations == 1 ? "" : "s"));
}

int run_kernel(const Request& request) {
  gvp::survive_broken_pipes();
  const gvp::platform::Interruption interruption;
  for (const std::string& log : request.log) gvp::Log::configure(log);
  gvp::platform::route_systemc_reports();
  const auto launcher = request.type().make_launcher(
      request.instance(), request,
      gvp::platform::reached_memories(request.configuration, request.instance()));
  const std::string& kernel = launcher->kernel();
  if (request.check) require_g80(request, *launcher);
  if (request.breakpoint)
    require_instruction_at(*request.breakpoint, require_g80(request, *launcher));
  gvp::platform::Stopwatch stopwatch;
  Bench bench("bench", request, *launcher);
  std::optional<IssueTrace> trace;
  if (!request.issue_trace.empty()) bench.device().observe(trace.emplace(request.issue_trace));
  Checker checker(checked_buffers(request, *launcher));
  if (request.check) gvp::gpgpu::flexgrip::observe_warps(bench.device(), checker);
  std::optional<Breakpoint> breakpoint;
  if (request.breakpoint)
    gvp::gpgpu::flexgrip::observe_warps(
        bench.device(),
        breakpoint.emplace(*request.breakpoint, [&bench] { bench.request_stop(); }));
  if (!request.kernel_profile.empty())
    gvp::platform::start_instruction_profiles(bench.platform().gpgpus());
  stopwatch.simulation_starts();
  const Result result = run_interruptibly(bench);
  stopwatch.simulation_ends();
  if (trace) trace->close();
  if (breakpoint && breakpoint->hit()) std::cout << breakpoint->state();
  if (breakpoint && !breakpoint->hit())
    std::cerr << fmt::format("gpgpu-run: no warp has reached the breakpoint at {:#x}\n",
                             *request.breakpoint);
  // What a failed kernel has left in memory is worth seeing too.
  for (const Dump& dump : request.dumps)
    write_image(dump.file, bench.read_global(dump.address, dump.bytes, dump.file));
  const bool at_breakpoint = breakpoint && breakpoint->hit();
  const uint64_t violations = bench.platform().protocol_violations();
  const int code = exit_code_of(result, at_breakpoint,
                                violations != 0 || (request.check && !checker.findings().empty()));
  write_reports(request, bench.platform(),
                all_statistics(request, bench.platform(), code, stopwatch.result().seconds));
  bench.end_traces(code == static_cast<int>(gvp::ExitCode::kModelError));
  if (request.check) report_findings(kernel, checker.findings());
  if (at_breakpoint) return code;
  if (!result.done) report_failure(kernel, request, result);
  fail_on_violations(violations);
  if (result.done && !request.quiet) write_summary(kernel, request, result);
  return code;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (names_miaow(argc, argv))
    return gvp::tools::run_simulator("gpgpu-run", argc, argv, parse_miaow_request, miaow_help,
                                     run_on_miaow);
  return gvp::tools::run_simulator("gpgpu-run", argc, argv, parse_request, request_help,
                                   run_kernel);
}

int main(int argc, char* argv[]) { return gvp::tools::elaborate_and_simulate(argc, argv); }

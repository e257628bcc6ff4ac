// SPDX-License-Identifier: Apache-2.0
// gpgpu-run: runs one kernel on the FlexGrip model, without a host.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <systemc>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/base/standard_streams.h"
#include "models/gpgpu/flexgrip/flexgrip.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/tlm/clock.h"
#include "platform/interruption.h"
#include "platform/statistics.h"
#include "platform/systemc_reports.h"
#include "tools/console.h"
#include "tools/gpgpu-run/bench.h"
#include "tools/gpgpu-run/breakpoint.h"
#include "tools/gpgpu-run/checker.h"
#include "tools/gpgpu-run/image.h"
#include "tools/gpgpu-run/issue_trace.h"
#include "tools/gpgpu-run/request.h"

namespace {

using namespace gvp::tools;

gvp::gpgpu::Device* device_to_stop = nullptr;

// The signal that ended the run; 0: none.
int interrupted() { return gvp::platform::Interruption::signal(); }

// The device has logged the details; this is the last line a user reads.
void report_failure(const KernelImage& image, const Request& request, const Result& result) {
  if (interrupted() != 0 || result.out_of_time) {
    std::cerr << fmt::format(
        "gpgpu-run: {}: stopped {}\n", image.name,
        interrupted() != 0 ? fmt::format("by signal {}", interrupted())
                           : fmt::format("after {} cycles (--max-cycles)", request.max_cycles));
    return;
  }
  if (result.cause < FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION)
    throw gvp::bad_input(fmt::format("{}: the device refuses this kernel: {}", image.name,
                                     gpgpu_cause_text(result.cause)),
                         {}, "the message above has the numbers; --set changes the device");
  throw gvp::model_error(
      fmt::format("{}: {}", image.name, gpgpu_cause_text(result.cause)),
      fmt::format("pc {:#06x}, block ({}, {}), SM {} warp {} lane {}, address {:#010x}",
                  result.fault_pc, result.fault_block & 0xffffu, result.fault_block >> 16,
                  result.fault_warp >> 24, result.fault_warp >> 16 & 0xffu,
                  result.fault_warp & 0xffu, result.fault_address));
}

void write_summary(const KernelImage& image, const Request& request, const Result& result) {
  const gvp::kit::Clock clock(request.gpgpu().clock_hz);
  const double microseconds = clock.at(result.cycles).to_seconds() * 1e6;
  std::cerr << fmt::format(
      "{}: grid {}x{}, block {}x{}x{}: {} cycles ({:.2f} us), {} warp instructions, {} thread "
      "instructions\n",
      image.name, request.grid[0], request.grid[1], request.block[0], request.block[1],
      request.block[2], result.cycles, microseconds, result.warp_instructions,
      result.thread_instructions);
}

nlohmann::ordered_json all_statistics(const Request& request, const Bench& bench, int exit_code,
                                      double wall_seconds) {
  nlohmann::ordered_json all{
      {"tool", "gpgpu-run"},
      {"version", GVP_VERSION},
      {"config", gvp::platform::configuration_json(request.configuration)},
      {"sim_time_ns", sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS)},
      {"wall_s", wall_seconds},
      {"exit_code", exit_code}};
  all.update(bench.statistics());
  return all;
}

// Tells what --check has found.
void report_findings(const KernelImage& image, const std::vector<std::string>& findings) {
  for (const std::string& finding : findings) std::cerr << "check: " << finding << '\n';
  std::cerr << fmt::format("gpgpu-run: {}: check found {} problem{}\n", image.name, findings.size(),
                           findings.size() == 1 ? "" : "s");
}

int exit_code_of(const Result& result, bool at_breakpoint, bool findings) {
  constexpr int kSignalled = 128;  // as shells have it
  if (interrupted() != 0) return kSignalled + interrupted();
  if (at_breakpoint || result.out_of_time) return static_cast<int>(gvp::ExitCode::kLimitReached);
  if (result.done)
    return static_cast<int>(findings ? gvp::ExitCode::kModelError : gvp::ExitCode::kSuccess);
  const bool refused = result.cause < FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION;
  return static_cast<int>(refused ? gvp::ExitCode::kBadInput : gvp::ExitCode::kModelError);
}

// A breakpoint that no warp can reach is a slip of the pen.
void require_instruction_at(uint32_t pc, const KernelImage& image) {
  uint32_t before = 0;
  for (const auto& line : gvp::gpgpu::g80::disassemble(image.code.data(), image.code.size())) {
    if (line.address == pc) return;
    if (line.address < pc) before = line.address;
  }
  throw gvp::bad_input(
      fmt::format("--break {:#x}: no instruction of {} begins there", pc, image.name), {},
      fmt::format("the one before begins at {:#x}", before));
}

// What a kernel may touch, if the user says so: also the variables of its own module.
std::vector<Buffer> checked_buffers(const Request& request, const KernelImage& image) {
  std::vector<Buffer> buffers = request.buffers;
  if (buffers.empty()) return buffers;
  for (const Preload& variable : image.globals)
    buffers.push_back({variable.name, variable.address, variable.bytes});
  return buffers;
}

int run_kernel(const Request& request) {
  gvp::survive_broken_pipes();
  const gvp::platform::Interruption interruption;
  for (const std::string& log : request.log) gvp::Log::configure(log);
  gvp::platform::route_systemc_reports();
  const KernelImage image = make_kernel_image(request);
  std::optional<IssueTrace> trace;
  if (!request.issue_trace.empty()) trace.emplace(request.issue_trace);
  Checker checker(checked_buffers(request, image));
  std::optional<Breakpoint> breakpoint;
  if (request.breakpoint) {
    require_instruction_at(*request.breakpoint, image);
    breakpoint.emplace(*request.breakpoint, [] { device_to_stop->request_stop(); });
  }
  gvp::platform::Stopwatch stopwatch;
  Bench bench("bench", request, image);
  if (trace) bench.device().observe(*trace);
  if (request.check) gvp::gpgpu::flexgrip::observe_warps(bench.device(), checker);
  if (breakpoint) gvp::gpgpu::flexgrip::observe_warps(bench.device(), *breakpoint);
  device_to_stop = &bench.device();
  stopwatch.simulation_starts();
  const Result result = [&] {
    const std::vector<gvp::gpgpu::Device*> devices{&bench.device()};
    const gvp::platform::Interruption running(nullptr, &devices);
    return bench.run();
  }();
  stopwatch.simulation_ends();
  device_to_stop = nullptr;
  if (trace) trace->close();
  if (breakpoint && breakpoint->hit()) std::cout << breakpoint->state();
  if (breakpoint && !breakpoint->hit())
    std::cerr << fmt::format("gpgpu-run: no warp has reached the breakpoint at {:#x}\n",
                             *request.breakpoint);
  // What a failed kernel has left in memory is worth seeing too.
  for (const Dump& dump : request.dumps)
    write_image(dump.file, bench.read_global(dump.address, dump.bytes, dump.file));
  const bool at_breakpoint = breakpoint && breakpoint->hit();
  const int code =
      exit_code_of(result, at_breakpoint, request.check && !checker.findings().empty());
  if (!request.statistics_file.empty())
    gvp::platform::write_statistics(
        all_statistics(request, bench, code, stopwatch.result().seconds), request.statistics_file);
  if (request.check) report_findings(image, checker.findings());
  if (at_breakpoint) return code;
  if (!result.done) report_failure(image, request, result);
  if (result.done && !request.quiet) write_summary(image, request, result);
  return code;
}

int run(int argc, char** argv) {
  const Request request = parse_request(argc, argv);
  if (request.action == Request::Action::kHelp) {
    std::cout << request_help();
    return 0;
  }
  if (request.action == Request::Action::kVersion) {
    std::cout << "gpgpu-run " GVP_VERSION "\n";
    return 0;
  }
  return run_kernel(request);
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  return run_guarded("gpgpu-run", [&] { return run(argc, argv); });
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
#include "platform/session.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <systemc>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/base/log.h"
#include "models/base/standard_streams.h"
#include "models/compare/comparison.h"
#include "models/rtl/scheduler.h"
#include "platform/configuration/documentation.h"
#include "platform/configuration/keys.h"
#include "platform/configuration/toml.h"
#include "platform/generate/generate.h"
#include "platform/instruction_profile_file.h"
#include "platform/interruption.h"
#include "platform/interval_statistics.h"
#include "platform/platform.h"
#include "platform/progress.h"
#include "platform/report.h"
#include "platform/run_control.h"
#include "platform/serial/stdio_line.h"
#include "platform/statistics.h"
#include "platform/summary.h"
#include "platform/systemc_reports.h"
#include "platform/tracing.h"
#include "platform/version.h"

namespace gvp::platform {
namespace {

void to_stderr(const std::string& text) { write_standard_error(text); }
// Failures come out in require_standard_output().
void to_stdout(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// Of the terminal that summary and log go to, if it is one.
size_t stderr_columns() {
  constexpr size_t kUsual = 80;
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsual;
}

// Log lines, the console and the progress line share the terminal: whoever writes hides the
// progress line first.
class Screen {
 public:
  Screen(const CommandLine& line, Platform& platform) : platform_(platform) {
    const bool wanted = line.progress == Toggle::kAlways ||
                        (line.progress == Toggle::kAuto && isatty(STDERR_FILENO) == 1);
    const bool terminal = isatty(STDERR_FILENO) == 1;
    if (wanted)
      progress_.emplace(
          to_stderr, [this] { return consoles_at_line_start(); }, terminal,
          terminal ? Progress::kRedraw : Progress::kPlainLine);
    for (const auto& serial : platform_.serial_lines())
      serial->set_before_output([this] { hide_progress(); });
    Log::set_sink([this](LogLevel, const std::string& text) { show_log_line(text); });
  }
  ~Screen() {
    hide_progress();
    Log::set_sink({});
    for (const auto& serial : platform_.serial_lines()) serial->set_before_output({});
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void between_slices() {
    platform_.poll_serial_lines();
    if (progress_) progress_->update(platform_.host(), platform_.gpgpus(), platform_.bus_busy_ps());
  }
  void hide_progress() {
    if (progress_) progress_->hide();
  }

 private:
  bool consoles_at_line_start() const {
    for (const auto& serial : platform_.serial_lines())
      if (!serial->at_line_start()) return false;
    return true;
  }

  // Where the guest's console is at the same terminal, a log line takes the place of a line that
  // the guest has not ended, and that line is shown again below.  What the guest has said of it
  // since is still to come.  Elsewhere each stream has its own order: what was said before comes
  // before.
  void show_log_line(const std::string& text) {
    const bool shared = isatty(STDERR_FILENO) == 1 && isatty(StdioLine::output()) == 1;
    if (!shared) platform_.poll_serial_lines();
    hide_progress();
    SerialLine* begun = nullptr;
    for (const auto& serial : platform_.serial_lines())
      if (shared && !serial->line_shown().empty()) begun = serial.get();
    if (begun == nullptr) return to_stderr(text + '\n');
    to_stderr((can_erase(begun->line_shown()) ? "\r\x1b[K" : "\n") + text + '\n');
    begun->show_line_again();
  }

  // A line that is plain, in one row of a terminal that knows how.
  static bool can_erase(std::string_view line) {
    const char* terminal = std::getenv("TERM");
    return terminal != nullptr && std::strcmp(terminal, "dumb") != 0 &&
           line.size() < stderr_columns() &&
           std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
  }

  Platform& platform_;
  std::optional<Progress> progress_;
};

void check_endianness(const ElfFile& firmware, const Configuration& configuration) {
  const device::Instance* processor = configuration.processor();  // there: see the command line
  if (firmware.big_endian == processor->as<host::Configuration>().big_endian) return;
  throw bad_input(
      fmt::format("a {}-endian program, but the host is {}-endian",
                  firmware.big_endian ? "big" : "little", firmware.big_endian ? "little" : "big"),
      {firmware.name},
      fmt::format("use --set {}.big_endian={}, or build it for {}", processor->name,
                  firmware.big_endian, firmware.big_endian ? "microblazeel" : "microblaze"));
}

bool stderr_has_colours() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr && terminal != nullptr &&
         std::strcmp(terminal, "dumb") != 0;
}

void report(const CommandLine& line, const Outcome& outcome, const Platform& platform,
            const WallClock& wall) {
  if (!outcome.message.empty()) to_stderr(fmt::format("gpgpu-vp: {}\n", outcome.message));
  const auto statistics =
      run_statistics(line.configuration, line.firmware, outcome, platform.statistics(), wall);
  if (!line.quiet)
    to_stderr(summary_text(statistics, outcome, stderr_has_colours(), stderr_columns()));
  if (line.report) to_stderr(report_text(statistics));
  if (!line.statistics_file.empty()) write_statistics(statistics, line.statistics_file);
}

// Before any of them is opened: nothing is read and written at once, nothing written twice.
// waves: those of several devices, once they are known.
void check_files(const CommandLine& line, const std::vector<std::string>& waves = {}) {
  std::vector<FileUse> inputs{{"standard input", "-"}, {"the firmware", line.firmware}};
  if (!line.configuration_file.empty()) inputs.push_back({"--config", line.configuration_file});
  for (const LoadedFile& file : line.files) inputs.push_back({"--load", file.path});
  std::vector<FileUse> outputs;
  if (!line.statistics_file.empty()) outputs.push_back({"--stats", line.statistics_file});
  if (!line.kernel_profile_file.empty())
    outputs.push_back({"--kernel-profile", line.kernel_profile_file});
  if (!line.interval.file.empty()) outputs.push_back({"--stats-interval", line.interval.file});
  if (!line.profile_file.empty()) outputs.push_back({"--profile", line.profile_file});
  if (!line.waves.file.empty() && waves.empty()) outputs.push_back({"--wave", line.waves.file});
  for (const std::string& each : waves) outputs.push_back({"--wave", each});
  if (!line.profile_file.empty() && line.profile_file != "-")
    outputs.push_back({"the table of --profile", line.profile_file + ".txt"});
  for (const trace::Specification& each : line.trace.files)
    outputs.push_back({"--trace", each.file});
  constexpr std::string_view kFile = "file:";
  Configuration configuration = line.configuration;
  for (const Key& key : configuration.keys()) {
    const Field field = key.field(configuration);
    std::string* const* text = std::get_if<std::string*>(&field);
    if (text == nullptr) continue;
    const std::string& value = **text;
    if (key.leaf() == "device") inputs.push_back({key.name, value});  // of a DDR3 memory
    if (key.leaf() == "line" && value.compare(0, kFile.size(), kFile) == 0)
      outputs.push_back({key.name, value.substr(kFile.size())});
  }
  check_file_uses(inputs, outputs);
}

// After hours of simulation is too late to learn of a slip of the pen.
void check_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  errno = 0;
  if (!std::ofstream(path, std::ios::binary | std::ios::app))
    throw bad_input(std::string("cannot write: ") + std::strerror(errno), {path});
}

// What the guest said and nobody will ever read makes the run fail.
void require_serial_output(const Platform& platform) {
  for (const auto& serial : platform.serial_lines())
    if (const std::string loss = serial->loss(); !loss.empty())
      throw bad_input("cannot write what the firmware said", {loss});
}

void require_standard_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout.flush())
    throw bad_input("cannot write to standard output");
}

// What the second models of comparisons have not done yet.
void end_comparisons(const Platform& platform) {
  const sc_core::sc_time slice(10, sc_core::SC_US);
  for (compare::Comparison* comparison : platform.comparisons())
    while (!comparison->is_level()) {
      comparison->hurry();
      start_simulation(slice);
    }
}

// The shell's prompt and the summary begin on a line of their own.
void end_console_line(const Platform& platform) {
  if (isatty(StdioLine::output()) != 1) return;
  for (const auto& serial : platform.serial_lines())
    if (!serial->at_line_start())
      StdioLine::output() == STDERR_FILENO ? to_stderr("\n") : to_stdout("\n");
  std::fflush(stdout);
}

// The ring is for runs that went wrong.
void end_trace(const Outcome& outcome, Tracing& tracing) {
  const bool wrong = outcome.exit_code == static_cast<int>(ExitCode::kModelError);
  if (wrong) tracing.recorder().dump_ring("the run ended");
  tracing.close();
}

int fail(const std::string& message, ExitCode code) {
  to_stderr(fmt::format("gpgpu-vp: {}\n", message));
  return static_cast<int>(code);
}

int act(const CommandLine& line) {
  switch (line.action) {
    case Action::kRun:
      return run_session(line);
    case Action::kHelp:
      to_stdout(help_text());
      break;
    case Action::kVersion:
      to_stdout(version_text());
      break;
    case Action::kDumpConfiguration:
      to_stdout(write_toml(line.configuration));
      break;
    case Action::kDumpHeader:
      to_stdout(c_header(line.configuration));
      break;
    case Action::kDumpDeviceTree:
      to_stdout(device_tree(line.configuration));
      break;
    case Action::kDumpMemoryMap:
      to_stdout(memory_map_tables(line.configuration));
      break;
    case Action::kListDevices:
      to_stdout(device_type_list(line.device_type));
      break;
    case Action::kDumpRegisters:
      to_stdout(register_page());
      break;
    case Action::kListBoards:
      to_stdout(board_list());
      break;
    case Action::kHelpConfiguration:
      to_stdout(configuration_page(line.configuration));
      break;
  }
  return static_cast<int>(ExitCode::kSuccess);
}

// A run that breaks the bus protocol has failed, whatever the firmware says.
void fail_on_violations(uint64_t violations, Outcome& outcome) {
  if (violations == 0) return;
  if (!outcome.message.empty()) outcome.message += "\ngpgpu-vp: ";
  outcome.message += fmt::format(
      "{} violation{} of the AXI protocol, see the log (else the end: {}, exit code {})",
      violations, violations == 1 ? "" : "s", to_string(outcome.end), outcome.exit_code);
  outcome.end = End::kProtocolViolation;
  outcome.exit_code = static_cast<int>(ExitCode::kModelError);
}

}  // namespace

int run_session(const CommandLine& line) {
  Stopwatch stopwatch;
  const Interruption interruption;
  route_systemc_reports();
  for (const std::string& specification : line.log) Log::configure(specification);
  check_files(line);
  const ElfFile firmware = read_elf(line.firmware);
  check_endianness(firmware, line.configuration);
  for (const std::string& file :
       {line.statistics_file, line.profile_file, line.kernel_profile_file, line.interval.file})
    if (file == "-") StdioLine::leave_standard_output();
  std::optional<Tracing> tracing;
  if (line.trace.any()) tracing.emplace(line.trace);
  Platform platform("platform", line.configuration, line.limits.instructions,
                    tracing ? &*tracing : nullptr, HostRole::kRuns, line.seed);
  platform.load(firmware);
  if (tracing)
    tracing->check_functions([&](const std::string& name) {
      return firmware.symbols.find(std::string_view(name)) != nullptr;
    });
  if (!line.arguments.empty()) platform.pass_arguments(firmware, line.arguments);
  for (const Reset& reset : line.resets) platform.reset_at(reset.line, reset.time_ps);
  for (const LoadedFile& file : line.files) platform.load_file(firmware, file.where, file.path);

  if (!line.waves.file.empty())
    check_files(line, platform.wave_files(line.waves.file, line.waves.device));
  check_writable(line.statistics_file);
  check_writable(line.profile_file);
  check_writable(line.kernel_profile_file);
  if (!line.waves.file.empty()) {
    platform.open_waves(line.waves.file, line.waves.device);
    rtl::Scheduler::show_waves(line.waves.from_ps, line.waves.to_ps);
  }
  if (!line.profile_file.empty()) platform.host().start_profile();
  if (!line.kernel_profile_file.empty()) start_instruction_profiles(platform.gpgpus());
  std::optional<IntervalStatistics> intervals;
  if (line.interval.time_ps != 0) intervals.emplace(line.interval.file);
  if (line.gdb_port)
    to_stderr(fmt::format("gpgpu-vp: waiting for GDB: target remote 127.0.0.1:{}\n",
                          platform.attach_debugger(*line.gdb_port)));

  for (const auto& serial : platform.serial_lines()) serial->await_client();
  std::optional<Screen> screen;
  screen.emplace(line, platform);
  stopwatch.simulation_starts();
  Outcome outcome =
      RunControl(platform.host(), platform.gpgpus(), line.limits,
                 [&] {
                   screen->between_slices();
                   if (tracing) tracing->flush();
                 },
                 {line.interval.time_ps, [&] { intervals->append(platform.statistics()); }})
          .run();
  if (outcome.end == End::kExit) end_comparisons(platform);
  if (tracing) tracing->end_pins();
  platform.flush_serial_lines();
  fail_on_violations(platform.protocol_violations(), outcome);
  stopwatch.simulation_ends();
  screen.reset();
  end_console_line(platform);
  report(line, outcome, platform, stopwatch.result());
  if (!line.profile_file.empty()) platform.host().write_profile(line.profile_file);
  if (!line.kernel_profile_file.empty())
    write_instruction_profiles(platform.gpgpus(), line.kernel_profile_file);
  if (intervals) intervals->close();
  if (tracing) end_trace(outcome, *tracing);
  require_serial_output(platform);
  return outcome.exit_code;
}

int run_program(int argc, const char* const argv[]) {
  occupy_standard_descriptors();
  survive_broken_pipes();
  try {
    const int exit_code = act(parse_command_line(argc, argv));
    require_standard_output();
    return exit_code;
  } catch (const Error& error) {
    return fail(error.what(), error.code());
  } catch (const sc_core::sc_report& report) {
    return fail(fmt::format("SystemC: {}", report.what()), ExitCode::kModelError);
  } catch (const std::exception& error) {
    return fail(error.what(), ExitCode::kModelError);
  }
}

}  // namespace gvp::platform

// SPDX-License-Identifier: Apache-2.0
// The command line of gpgpu-vp: options, help, and the effective configuration that follows from
// defaults, platform file, --set and the explicit options, in this order.  No SystemC.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/configuration/configuration.h"
#include "platform/trace_options.h"

namespace gvp::platform {

enum class Action {
  kRun,
  kHelp,
  kVersion,
  kDumpConfiguration,
  kHelpConfiguration,
  kDumpHeader,
  kDumpDeviceTree,
  kDumpMemoryMap,
  kDumpRegisters,
  kListDevices,
  kListBoards
};
enum class Toggle { kAuto, kAlways, kNever };

struct Limits {
  uint64_t time_ps = 0;       // simulated time; 0: none
  uint64_t instructions = 0;  // of the host; 0: none
};

// Statistics while it runs.
struct StatisticsInterval {
  uint64_t time_ps = 0;  // 0: none
  std::string file;      // "-": standard output
};

// A reset line of the board that is to be pulled.
struct Reset {
  std::string line;
  uint64_t time_ps;
};

// A file that is put into memory after the firmware.
struct LoadedFile {
  std::string where;  // an address, or the name of an array of the firmware
  std::string path;
};

// Waveforms of the inside of RTL.
struct WaveSettings {
  std::string file;    // "": none
  std::string device;  // "": all that are RTL
  uint64_t from_ps = 0, to_ps = ~uint64_t{0};
};

struct CommandLine {
  Action action = Action::kRun;
  std::string firmware;
  std::string arguments;  // text the firmware is given
  std::vector<LoadedFile> files;
  Configuration configuration;
  std::string configuration_file;  // "" for the built-in defaults
  std::string device_type;         // of --list-devices; "": all
  Limits limits;
  std::vector<Reset> resets;
  std::optional<uint16_t> gdb_port;  // 0: any free one
  uint32_t seed = 0;                 // of what RTL does not initialise; 0: zeros
  WaveSettings waves;
  std::string profile_file;         // "": none
  std::string statistics_file;      // "": none; "-": standard output
  std::string kernel_profile_file;  // likewise
  StatisticsInterval interval;
  bool report = false;
  TraceSettings trace;
  std::vector<std::string> log;  // as Log::configure takes it
  bool quiet = false;
  Toggle progress = Toggle::kAuto;
};

// FILE.fst[:DEVICE][:FROM-TO].  Throws Error (bad input).
WaveSettings parse_waves(const std::string& text);

// Throws Error (bad input).
CommandLine parse_command_line(int argc, const char* const argv[]);
std::string help_text();

// "10ms", "1.5 s", "250us", "40ns" in picoseconds; throws Error (bad input) naming the option.
uint64_t parse_time(const std::string& text, const std::string& option);

}  // namespace gvp::platform

// SPDX-License-Identifier: Apache-2.0
#include "platform/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cctype>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <utility>

#include "models/base/error.h"
#include "models/device/value_text.h"
#include "platform/board_options.h"
#include "platform/configuration/keys.h"

namespace gvp::platform {
namespace {

namespace po = boost::program_options;
using Texts = std::vector<std::string>;

constexpr const char* kUsage = R"(usage: gpgpu-vp [options] FIRMWARE.elf

Runs MicroBlaze firmware on a virtual ML605 board with a FlexGrip soft GPGPU.
)";

constexpr const char* kExamples = R"(
Examples:
  gpgpu-vp firmware/prebuilt/bench.elf
  gpgpu-vp --set gpgpu.sps=32 --stats out.json firmware/prebuilt/bench.elf
  gpgpu-vp -c platform/configs/flexgripplus.toml --dump-config > mine.toml
  gpgpu-vp --uart tcp:5555 --max-time 2s firmware/prebuilt/selftest.elf
  gpgpu-vp --load kernel_file=k.cubin --arguments "k 2 64 zeros:128:d" \
           firmware/prebuilt/run.elf

The run ends when the firmware branches to itself with interrupts off; register
r3 is then the exit code.  Exit codes: 0..123 the firmware's own, 124 a limit
was reached, 125 error of the simulator or a model, or axi.check=true found a
violation of the bus protocol, or --compare a difference, 126 bad input or
configuration or output that cannot be written, 129, 130, 131 and 143 stopped by
SIGHUP, SIGINT, SIGQUIT and SIGTERM.
)";

constexpr unsigned kColumns = 80;

struct Groups {
  po::options_description platform{"Platform", kColumns};
  po::options_description run{"Run", kColumns};
  po::options_description output{"Output", kColumns};
  po::options_description information{"Information", kColumns};
  po::options_description hidden;

  Groups() {
    add_board_options(platform, "ml605");
    platform.add_options()("quantum", po::value<std::string>()->value_name("NS"),
                           "how far loosely timed models may run ahead, in nanoseconds")(
        "uart", po::value<std::string>()->value_name("LINE"),
        "console: stdio, tcp:PORT[,wait], file:PATH or none");
    run.add_options()("arguments", po::value<std::string>()->value_name("TEXT"),
                      "words for the firmware, such as bench.elf's sizes: \"32 256\"")(
        "load", po::value<Texts>()->value_name("WHERE=FILE")->composing(),
        "put a file into memory: at an address, or into an array of the firmware's "
        "(docs/firmware.md); repeatable")("max-time", po::value<std::string>()->value_name("T"),
                                          "end after this simulated time: 500us, 10ms, 2s...")(
        "max-instructions", po::value<std::string>()->value_name("N"),
        "end after this many instructions of the host")(
        "reset", po::value<Texts>()->value_name("LINE@T")->composing(),
        "pull a reset line of the board at this simulated time, such as system@2ms; repeatable")(
        "seed", po::value<std::string>()->value_name("N"),
        "initial values of what RTL does not initialise: random ones by this seed; default 0, all "
        "zero")("gdb", po::value<std::string>()->value_name("PORT"),
                "wait for GDB on 127.0.0.1:PORT before the first instruction; 0 picks a free port");
    output.add_options()(
        "stats", po::value<std::string>()->value_name("FILE.json|FILE.csv"),
        "write statistics at the end; \"-\" for standard output (the console is then standard "
        "error)")("stats-interval", po::value<std::string>()->value_name("T:FILE.jsonl"),
                  "append statistics, one JSON object a line, whenever so much simulated time has "
                  "passed: 10ms:live.jsonl")(
        "report", "tables at the end: kernels' cycles and traffic, ports, memory banks")(
        "kernel-profile", po::value<std::string>()->value_name("FILE|FILE.csv"),
        "write what each instruction of each kernel did and cost; \"-\" for standard output")(
        "profile", po::value<std::string>()->value_name("FILE"),
        "write the firmware's call stacks, folded for flame graphs, and FILE.txt with a table; "
        "\"-\": the stacks to standard output")(
        "wave", po::value<std::string>()->value_name("FILE.fst[:DEVICE][:FROM-TO]"),
        "write waveforms of the devices that are RTL, or of one, all the time or from FROM to TO; "
        "of "
        "several as FILE.DEVICE.fst")(
        "log", po::value<Texts>()->value_name("LEVEL[:MODULE]|MODULE")->composing(),
        "off, error, warning (default), info, debug or trace; a module alone, such as warp, is all "
        "it can say; repeatable")("quiet,q", "no summary at the end")(
        "progress", po::value<std::string>()->value_name("auto|always|never"),
        "line with simulated time, speed, kernels and the bus; auto: on a terminal; always, and "
        "none: a line every few seconds");
    add_trace_options(output);
    information.add_options()("dump-config",
                              "print the effective configuration as a platform file")(
        "help-config", "print all configuration keys and what they mean")(
        "dump-header", "print the board as a C header, for firmware")(
        "dump-device-tree", "print the board as device tree source, for dtc")(
        "dump-memory-map", "print the board's memory map and interrupts as Markdown")(
        "list-boards", "print the built-in boards")(
        "list-devices",
        "print the types of devices that a board can have, with their keys; --list-devices TYPE: "
        "one "
        "of them, with its registers")("dump-registers",
                                       "print the registers of all types of devices as Markdown")(
        "version", "print versions")("help,h", "print this text");
    hidden.add_options()("firmware", po::value<Texts>());
  }
};

po::variables_map parse(int argc, const char* const argv[]) {
  const Groups groups;
  po::options_description all;
  all.add(groups.platform).add(groups.run).add(groups.output).add(groups.information);
  all.add(groups.hidden);
  po::positional_options_description positional;
  positional.add("firmware", -1);
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  po::variables_map map;
  try {
    po::store(
        po::command_line_parser(argc, argv).options(all).positional(positional).style(style).run(),
        map);
    po::notify(map);
  } catch (const po::error& error) {
    throw bad_input(error.what(), {"command line"}, "gpgpu-vp --help lists the options");
  }
  return map;
}

uint32_t parse_seed(const std::string& text) {
  constexpr uint64_t kLargest = 0x7fffffff;  // as Verilator takes it
  const bool digits = !text.empty() && text.size() <= 10 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || std::stoull(text) > kLargest)
    throw bad_input(fmt::format("\"{}\" is not a seed", text), {"--seed"},
                    fmt::format("a whole number from 0 to {}", kLargest));
  return static_cast<uint32_t>(std::stoull(text));
}

// A file to write: "" would silently be none.
std::string output_of(const po::variables_map& map, const char* option) {
  std::string path = text_of(map, option);
  if (map.count(option) != 0 && path.empty())
    throw bad_input("the name of the file to write is empty", {std::string("--") + option},
                    "give a name, or \"-\" for standard output");
  return path;
}

uint16_t parse_port(const std::string& text, const std::string& option) {
  const bool digits = !text.empty() && text.size() <= 5 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || std::stoul(text) > 65535)
    throw bad_input(fmt::format("\"{}\" is not a port", text), {option}, "0 to 65535");
  return static_cast<uint16_t>(std::stoul(text));
}

LoadedFile parse_load(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw bad_input(fmt::format("\"{}\" names no place and file", text), {"--load"},
                    "write --load ADDRESS=FILE or --load ARRAY=FILE");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// The line of the board's first UART.
std::string console_key(const Configuration& configuration) {
  for (const Key& key : configuration.keys())
    if (key.leaf() == "line") return key.name;
  throw bad_input(fmt::format("board {} has no UART", configuration.board().name), {"--uart"});
}

Configuration effective_configuration(const po::variables_map& map) {
  Configuration configuration = begin_configuration(map, "ml605");
  apply_settings(map, configuration);
  apply_timing(map, configuration);
  apply_models(map, configuration);
  apply_comparisons(map, configuration);
  if (map.count("quantum") != 0)
    set_key(configuration, "quantum_ns", device::parse_value(text_of(map, "quantum")), "--quantum");
  if (map.count("uart") != 0)
    set_key(configuration, console_key(configuration), text_of(map, "uart"), "--uart");
  return configuration;
}

Toggle parse_toggle(const std::string& text) {
  if (text == "auto") return Toggle::kAuto;
  if (text == "always") return Toggle::kAlways;
  if (text == "never") return Toggle::kNever;
  throw bad_input(fmt::format("unknown choice \"{}\"", text), {"--progress"},
                  "auto, always or never");
}

Action action_of(const po::variables_map& map) {
  if (map.count("help") != 0) return Action::kHelp;
  if (map.count("version") != 0) return Action::kVersion;
  if (map.count("help-config") != 0) return Action::kHelpConfiguration;
  constexpr std::pair<const char*, Action> kOthers[] = {
      {"dump-config", Action::kDumpConfiguration},   {"dump-header", Action::kDumpHeader},
      {"dump-device-tree", Action::kDumpDeviceTree}, {"dump-memory-map", Action::kDumpMemoryMap},
      {"list-boards", Action::kListBoards},          {"list-devices", Action::kListDevices},
      {"dump-registers", Action::kDumpRegisters}};
  for (const auto& [option, action] : kOthers)
    if (map.count(option) != 0) return action;
  return Action::kRun;
}

// LINE@T
Reset reset_of(const Configuration& configuration, const std::string& text) {
  const size_t at = text.find('@');
  if (at == std::string::npos || at == 0)
    throw bad_input(fmt::format("\"{}\" names no reset line and time", text), {"--reset"},
                    "write --reset LINE@TIME, such as system@2ms");
  Reset reset{text.substr(0, at), parse_time(text.substr(at + 1), "--reset")};
  const Board& board = configuration.board();
  if (board.find_reset(reset.line) != nullptr) return reset;
  std::string known;
  for (const BoardReset& each : board.resets) known += (known.empty() ? "" : ", ") + each.name;
  throw bad_input(fmt::format("board {} has no reset line \"{}\"", board.name, reset.line),
                  {"--reset"},
                  known.empty() ? "it has none: see docs/boards.md" : "lines: " + known);
}

// T:FILE
StatisticsInterval interval_of(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
    throw bad_input(fmt::format("\"{}\" names no time and file", text), {"--stats-interval"},
                    "write --stats-interval TIME:FILE, such as 10ms:live.jsonl");
  StatisticsInterval interval{parse_time(text.substr(0, colon), "--stats-interval"),
                              text.substr(colon + 1)};
  if (interval.time_ps == 0)
    throw bad_input("an interval of no time", {"--stats-interval"}, "such as 10ms:live.jsonl");
  return interval;
}

// --list-devices takes the place of a firmware's name.
std::string device_type_of(const po::variables_map& map) {
  const Texts names = texts_of(map, "firmware");
  if (names.size() > 1)
    throw bad_input("one type at a time", {"--list-devices"}, "or none, for all of them");
  return names.empty() ? "" : names.front();
}

// There is nothing here that could run firmware on a board without a host.
void require_processor(const Configuration& configuration) {
  if (configuration.processor() != nullptr) return;
  const Board& board = configuration.board();
  throw bad_input(
      fmt::format("board {} has no host processor, which would run firmware", board.name),
      {board.source},
      fmt::format("gpgpu-run --board {} runs a kernel on it; or add a device of type "
                  "microblaze",
                  board.source));
}

std::string firmware_of(const po::variables_map& map, const Configuration& configuration) {
  require_processor(configuration);
  const Texts files = texts_of(map, "firmware");
  if (files.empty())
    throw bad_input("no firmware given", {"command line"},
                    "gpgpu-vp [options] FIRMWARE.elf, such as firmware/prebuilt/bench.elf");
  if (files.size() > 1)
    throw bad_input(fmt::format("one firmware file is enough, \"{}\" is a second", files[1]),
                    {"command line"});
  return files.front();
}

}  // namespace

WaveSettings parse_waves(const std::string& text) {
  constexpr const char* kHow = "such as waves.fst, waves.fst:timer, waves.fst:1ms-2ms";
  WaveSettings waves;
  const std::string end = ".fst";
  const size_t more = text.find(end + ':');
  waves.file = text.substr(0, more == std::string::npos ? more : more + end.size());
  if (waves.file == "-")
    throw bad_input("waveforms cannot go to standard output", {"--wave"},
                    "give the name of a file");
  if (more == std::string::npos) return waves;
  // "file.fst:" has an empty part, too
  std::istringstream parts(text.substr(more + end.size() + 1) + (text.back() == ':' ? ":" : ""));
  bool window = false;
  for (std::string part; std::getline(parts, part, ':');) {
    const bool is_window = !part.empty() && std::isdigit(static_cast<unsigned char>(part[0])) != 0;
    const size_t dash = part.find('-');
    if (part.empty() || window || (!is_window && !waves.device.empty()) ||
        (is_window && dash == std::string::npos))
      throw bad_input(fmt::format("\"{}\" is no device and no FROM-TO", part), {"--wave"}, kHow);
    if (is_window) {
      waves.from_ps = parse_time(part.substr(0, dash), "--wave");
      waves.to_ps = parse_time(part.substr(dash + 1), "--wave");
      window = true;
      if (waves.from_ps >= waves.to_ps)
        throw bad_input(fmt::format("{} ends before it begins", part), {"--wave"}, kHow);
    } else {
      waves.device = part;
    }
  }
  return waves;
}

CommandLine parse_command_line(int argc, const char* const argv[]) {
  const po::variables_map map = parse(argc, argv);
  CommandLine line;
  line.action = action_of(map);
  if (line.action == Action::kHelp || line.action == Action::kVersion) return line;
  line.configuration = effective_configuration(map);
  line.configuration_file = text_of(map, "config");
  if (line.action == Action::kListDevices) line.device_type = device_type_of(map);
  if (line.action != Action::kRun) return line;
  // First: without its value it takes the firmware for that.
  if (map.count("progress") != 0) line.progress = parse_toggle(text_of(map, "progress"));
  line.firmware = firmware_of(map, line.configuration);
  line.arguments = text_of(map, "arguments");
  for (const std::string& text : texts_of(map, "load")) line.files.push_back(parse_load(text));
  if (map.count("max-time") != 0)
    line.limits.time_ps = parse_time(text_of(map, "max-time"), "--max-time");
  if (map.count("max-instructions") != 0)
    line.limits.instructions = parse_count(text_of(map, "max-instructions"), "--max-instructions");
  for (const std::string& reset : texts_of(map, "reset"))
    line.resets.push_back(reset_of(line.configuration, reset));
  if (map.count("gdb") != 0) line.gdb_port = parse_port(text_of(map, "gdb"), "--gdb");
  if (map.count("seed") != 0) line.seed = parse_seed(text_of(map, "seed"));
  line.waves = parse_waves(output_of(map, "wave"));
  line.profile_file = output_of(map, "profile");
  line.statistics_file = output_of(map, "stats");
  line.kernel_profile_file = output_of(map, "kernel-profile");
  line.report = map.count("report") != 0;
  if (map.count("stats-interval") != 0) line.interval = interval_of(text_of(map, "stats-interval"));
  line.trace = trace_settings(map, line.configuration);
  line.log = texts_of(map, "log");
  line.quiet = map.count("quiet") != 0;
  return line;
}

std::string help_text() {
  const Groups groups;
  std::ostringstream text;
  text << kUsage << '\n'
       << groups.platform << '\n'
       << groups.run << '\n'
       << groups.output << '\n'
       << groups.information << kExamples;
  // Boost writes "-c [ --config ]"; everybody else "-c, --config".
  static const std::regex kShort(R"((-\w) \[ (--[\w-]+) \]( \S+)?)");
  return std::regex_replace(text.str(), kShort, "$1, $2$3   ");
}

uint64_t parse_time(const std::string& text, const std::string& option) {
  struct Unit {
    const char* name;
    double picoseconds;
  };
  constexpr Unit kUnits[] = {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}};
  constexpr double kLongest = 1e18;  // ps; SystemC counts to 2^64 ps, about 213 days
  const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const size_t unit_at = std::min(text.find_first_not_of(' ', digits), text.size());
  for (const Unit& unit : kUnits) {
    if (text.substr(unit_at) != unit.name || digits == 0) continue;
    char* end = nullptr;
    const std::string number = text.substr(0, digits);
    const double picoseconds = std::strtod(number.c_str(), &end) * unit.picoseconds;
    if (*end != '\0' || picoseconds < 1) break;
    if (picoseconds > kLongest)
      throw bad_input(fmt::format("{} is longer than simulated time can be", text), {option},
                      "at most 1000000s");
    return static_cast<uint64_t>(picoseconds);
  }
  throw bad_input(fmt::format("\"{}\" is not a time", text), {option},
                  "a positive number with ps, ns, us, ms or s, such as 10ms");
}

}  // namespace gvp::platform

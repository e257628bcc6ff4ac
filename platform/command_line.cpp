// SPDX-License-Identifier: Apache-2.0
#include "platform/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <utility>

#include "models/base/error.h"
#include "models/device/value_text.h"
#include "platform/board/plugins.h"
#include "platform/configuration/keys.h"
#include "platform/configuration/toml.h"

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
  gpgpu-vp --set gpgpu.sps=32 --set gpgpu.sms=2 --stats out.json firmware/prebuilt/bench.elf
  gpgpu-vp -c platform/configs/flexgripplus.toml --dump-config > mine.toml
  gpgpu-vp --uart tcp:5555 --max-time 2s firmware/prebuilt/selftest.elf
  gpgpu-vp --load kernel_file=k.cubin --arguments "k 2 64 zeros:128:d" firmware/prebuilt/run.elf

The run ends when the firmware branches to itself with interrupts off; register r3 is then the
exit code.  Exit codes: 0..123 the firmware's own, 124 a limit was reached, 125 error of the
simulator or a model, or axi.check=true found a violation of the bus protocol, 126 bad input or
configuration or output that cannot be written, 129, 130, 131 and 143 stopped by SIGHUP, SIGINT,
SIGQUIT and SIGTERM.
)";

constexpr unsigned kColumns = 100;

struct Groups {
  po::options_description platform{"Platform", kColumns};
  po::options_description run{"Run", kColumns};
  po::options_description output{"Output", kColumns};
  po::options_description information{"Information", kColumns};
  po::options_description hidden;

  Groups() {
    platform.add_options()("board", po::value<std::string>()->value_name("NAME|FILE.toml"),
                           "the board: a built-in one (--list-boards) or a file; default ml605")(
        "plugin", po::value<Texts>()->value_name("FILE.so")->composing(),
        "device types of somebody else's (docs/plugins.md); repeatable")(
        "config,c", po::value<std::string>()->value_name("FILE.toml"),
        "platform file; defaults are built in")(
        "set", po::value<Texts>()->value_name("KEY=VALUE")->composing(),
        "override one configuration key; repeatable")(
        "timing", po::value<std::string>()->value_name("lt|at"),
        "loosely or approximately timed models, for all blocks")(
        "model", po::value<Texts>()->value_name("BLOCK=lt|at|rtl[:NAME]")->composing(),
        "variant of one device of the board, such as gpgpu=at; repeatable")(
        "quantum", po::value<std::string>()->value_name("NS"),
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
        "gdb", po::value<std::string>()->value_name("PORT"),
        "wait for GDB on 127.0.0.1:PORT before the first instruction; 0 picks a free port");
    output.add_options()(
        "stats", po::value<std::string>()->value_name("FILE.json"),
        "write statistics at the end; \"-\" for standard output (the console is then standard "
        "error)")(
        "profile", po::value<std::string>()->value_name("FILE"),
        "write the firmware's call stacks, folded for flame graphs, and FILE.txt with a table; "
        "\"-\": the stacks to standard output")(
        "trace", po::value<Texts>()->value_name("FILE[:FILTER]")->composing(),
        "record transactions, kernels and more in a .pftrace, .csv, .txt or .db (docs/tracing.md); "
        "repeatable")("trace-ring", po::value<std::string>()->value_name("N"),
                      "keep the latest N transactions, and show them when a run goes wrong")(
        "log", po::value<Texts>()->value_name("LEVEL[:MODULE]|MODULE")->composing(),
        "off, error, warning (default), info, debug or trace; a module alone, such as warp, is all "
        "it can say; repeatable")("quiet,q", "no summary at the end")(
        "progress", po::value<std::string>()->value_name("auto|always|never"),
        "line with simulated time, speed and kernels; auto: on a terminal");
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
    hidden.add_options()("firmware", po::value<Texts>())("seed", po::value<std::string>());
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

void refuse_unavailable(const po::variables_map& map) {
  if (map.count("seed") != 0)
    throw bad_input("--seed is not available in this version", {"command line"},
                    "gpgpu-vp --help lists what is");
}

std::string text_of(const po::variables_map& map, const char* option) {
  return map.count(option) != 0 ? map[option].as<std::string>() : std::string();
}

Texts texts_of(const po::variables_map& map, const char* option) {
  return map.count(option) != 0 ? map[option].as<Texts>() : Texts();
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

uint64_t parse_count(const std::string& text, const std::string& option) {
  const bool digits = !text.empty() && text.size() <= 18 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || std::stoull(text) == 0)
    throw bad_input(fmt::format("\"{}\" is not a count", text), {option},
                    "a whole number from 1 to 999999999999999999");
  return std::stoull(text);
}

LoadedFile parse_load(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw bad_input(fmt::format("\"{}\" names no place and file", text), {"--load"},
                    "write --load ADDRESS=FILE or --load ARRAY=FILE");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void set_key(Configuration& configuration, const std::string& key, const Value& value,
             const std::string& option) {
  const Key* found = find_key(configuration, key);
  if (found == nullptr) refuse_unknown_key(configuration, key, {option});
  assign(configuration, *found, value, {option});
}

std::string blocks(const Configuration& configuration) {
  std::string text;
  for (const device::Instance& device : configuration.devices)
    if (!device.model.empty()) text += (text.empty() ? "" : ", ") + device.name;
  return text;
}

void apply_model(Configuration& configuration, const std::string& choice) {
  const size_t equals = choice.find('=');
  const std::string block = choice.substr(0, equals);
  if (equals == std::string::npos || find_key(configuration, block + ".model") == nullptr)
    throw bad_input(fmt::format("\"{}\" names no block and variant", choice), {"--model"},
                    fmt::format("write --model BLOCK=VARIANT; blocks are {}; variants lt, at, "
                                "rtl[:NAME]",
                                blocks(configuration)));
  set_key(configuration, block + ".model", choice.substr(equals + 1), "--model");
}

// The line of the board's first UART.
std::string console_key(const Configuration& configuration) {
  for (const Key& key : configuration.keys())
    if (key.leaf() == "line") return key.name;
  throw bad_input(fmt::format("board {} has no UART", configuration.board().name), {"--uart"});
}

Configuration effective_configuration(const po::variables_map& map) {
  for (const std::string& plugin : texts_of(map, "plugin")) load_plugin(plugin);
  const bool chosen = map.count("board") != 0;
  Configuration configuration =
      chosen ? Configuration(load_board(text_of(map, "board"))) : Configuration();
  if (map.count("config") != 0)
    read_file(configuration, text_of(map, "config"),
              chosen ? BoardChoice::kKeep : BoardChoice::kFromFile);
  for (const std::string& assignment : texts_of(map, "set")) assign(configuration, assignment);
  if (map.count("timing") != 0) {
    const std::string timing = text_of(map, "timing");
    if (timing != "lt" && timing != "at")
      throw bad_input(fmt::format("unknown timing \"{}\"", timing), {"--timing"}, "lt or at");
    for (const device::Instance& device : configuration.devices)
      if (!device.model.empty()) set_key(configuration, device.name + ".model", timing, "--timing");
  }
  for (const std::string& choice : texts_of(map, "model")) apply_model(configuration, choice);
  if (map.count("quantum") != 0)
    set_key(configuration, "quantum_ns", device::parse_value(text_of(map, "quantum")), "--quantum");
  if (map.count("uart") != 0)
    set_key(configuration, console_key(configuration), text_of(map, "uart"), "--uart");
  return configuration;
}

// The platform file's, then the command line's.
TraceSettings trace_settings(const po::variables_map& map, const Configuration& configuration) {
  constexpr uint64_t kLargestRing = 10000000;
  TraceSettings settings;
  for (const TraceText& each : configuration.traces)
    settings.files.push_back(trace::parse_specification(each.text, each.where));
  for (const std::string& text : texts_of(map, "trace"))
    settings.files.push_back(trace::parse_specification(text, {"--trace", 1, 1}));
  if (map.count("trace-ring") == 0) return settings;
  const uint64_t ring = parse_count(text_of(map, "trace-ring"), "--trace-ring");
  if (ring > kLargestRing)
    throw bad_input(fmt::format("{} transactions are too many to keep", ring), {"--trace-ring"},
                    fmt::format("at most {}", kLargestRing));
  settings.ring = ring;
  return settings;
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

// --list-devices takes the place of a firmware's name.
std::string device_type_of(const po::variables_map& map) {
  const Texts names = texts_of(map, "firmware");
  if (names.size() > 1)
    throw bad_input("one type at a time", {"--list-devices"}, "or none, for all of them");
  return names.empty() ? "" : names.front();
}

std::string firmware_of(const po::variables_map& map) {
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

CommandLine parse_command_line(int argc, const char* const argv[]) {
  const po::variables_map map = parse(argc, argv);
  CommandLine line;
  line.action = action_of(map);
  if (line.action == Action::kHelp || line.action == Action::kVersion) return line;
  refuse_unavailable(map);
  line.configuration = effective_configuration(map);
  line.configuration_file = text_of(map, "config");
  if (line.action == Action::kListDevices) line.device_type = device_type_of(map);
  if (line.action != Action::kRun) return line;
  line.firmware = firmware_of(map);
  line.arguments = text_of(map, "arguments");
  for (const std::string& text : texts_of(map, "load")) line.files.push_back(parse_load(text));
  if (map.count("max-time") != 0)
    line.limits.time_ps = parse_time(text_of(map, "max-time"), "--max-time");
  if (map.count("max-instructions") != 0)
    line.limits.instructions = parse_count(text_of(map, "max-instructions"), "--max-instructions");
  for (const std::string& reset : texts_of(map, "reset"))
    line.resets.push_back(reset_of(line.configuration, reset));
  if (map.count("gdb") != 0) line.gdb_port = parse_port(text_of(map, "gdb"), "--gdb");
  line.profile_file = output_of(map, "profile");
  line.statistics_file = output_of(map, "stats");
  line.trace = trace_settings(map, line.configuration);
  line.log = texts_of(map, "log");
  line.quiet = map.count("quiet") != 0;
  if (map.count("progress") != 0) line.progress = parse_toggle(text_of(map, "progress"));
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

// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cstring>
#include <limits>
#include <sstream>
#include <utility>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "platform/board_options.h"
#include "platform/configuration/keys.h"
#include "tools/console.h"
#include "tools/gpgpu-run/option_texts.h"

namespace gvp::tools {
namespace {

namespace po = boost::program_options;

// Long enough for any kernel of the papers, short enough that an endless one ends within seconds.
constexpr uint64_t kDefaultMaxCycles = 10'000'000'000;

constexpr const char* kDefaultBoard = "gpgpu_only";

constexpr const char* kUsage =
    R"(usage: gpgpu-run (--cubin FILE [--kernel NAME] | --code FILE.hex --regs N)
                 --grid X[,Y] --block X[,Y[,Z]] [options]

Runs one kernel on a GPGPU of a board, without a host processor: the host of a
board that has one is left out, and kernels are launched from its place on the
bus.  Memory is zero at first.
Kernels for Southern Islands: gpgpu-run --device miaow --help.
Exit code: 0 the kernel ended, 124 limit or breakpoint reached, 125 the kernel
was stopped by a fault, or --check, --compare or the protocol checkers
(axi.check=true) found something, 126 bad input or a kernel that this device
cannot run, 129, 130, 131 and 143 stopped by SIGHUP, SIGINT, SIGQUIT and
SIGTERM.

  gpgpu-run --code add.hex --regs 8 --grid 4 --block 64 --param 0x1000
            --dump 0x1000:256=-
  gpgpu-run --cubin mm.cubin --kernel matmul --grid 4,4 --block 16,16 --sms 2
            --set gpgpu.sps=32 --load 0x10000=a.bin --param 0x10000
            --dump 0x30000:4096=c.hex --stats -
)";

// A word, or a float such as 1.5f, whose bits it stands for.
uint32_t parameter(const std::string& text) {
  const std::string remedy = "write a 32-bit word: 42, -1, 0x1000, or a float: 1.5f";
  if (text.size() > 1 && text.back() == 'f' && text.find('x') == std::string::npos) {
    try {
      size_t used = 0;
      const float value = std::stof(text, &used);
      if (used != text.size() - 1) throw wrong("param", text, remedy);
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      return bits;
    } catch (const std::logic_error&) {
      throw wrong("param", text, remedy);
    }
  }
  return number(text, "param", text, remedy);
}

device::ConstantWords constant(const std::string& text) {
  const std::string remedy = "write BANK:OFFSET=WORD[,WORD...], such as 1:0x10=42,7";
  const auto [place, words] = halves(text, '=', "const", text, remedy);
  const auto [bank, offset] = halves(place, ':', "const", text, remedy);
  device::ConstantWords result{
      count(bank, "const", text, remedy), count(offset, "const", text, remedy), {}};
  if (result.bank > 15 || result.offset % 4 != 0)
    throw wrong("const", text, "banks are 0 to 15, offsets multiples of 4");
  for (const std::string& word : split(words, ','))
    result.words.push_back(number(word, "const", text, remedy));
  return result;
}

// warp is a module that has one level.
std::string log_option(const std::string& text) {
  if (text.compare(0, 5, "warp:") == 0)
    throw wrong("log", text, "warp is all there is to say: write --log warp");
  return text;
}

po::options_description description() {
  po::options_description options("Options", 80);
  const auto texts = [] { return po::value<Texts>()->composing(); };
  options.add_options()("help,h", "show this text")("version", "show the version")(
      "cubin", po::value<std::string>()->value_name("FILE"),
      "cubin with the kernel (text or ELF), or its assembly, FILE.s or FILE.asm")(
      "kernel,k", po::value<std::string>()->value_name("NAME"),
      "its name; not needed if the cubin has only one")(
      "code", po::value<std::string>()->value_name("FILE.hex"),
      "bare code, one 32-bit word per line")("regs", po::value<std::string>()->value_name("N"),
                                             "with --code: registers per thread")(
      "shared", po::value<std::string>()->value_name("BYTES"),
      "with --code: bytes of static shared memory beyond header and parameters")(
      "dynamic-shared", po::value<std::string>()->value_name("BYTES"),
      "bytes of dynamic shared memory")("grid", po::value<std::string>()->value_name("X[,Y]"),
                                        "blocks, X[,Y]")(
      "block", po::value<std::string>()->value_name("X[,Y[,Z]]"), "threads per block, X[,Y[,Z]]")(
      "param,p", texts()->value_name("WORD"),
      "next kernel parameter: a word (42, -1, 0x1000) or a float (1.5f)")(
      "const", texts()->value_name("BANK:OFFSET=WORD,..."),
      "words of constant memory, BANK:OFFSET=WORD[,WORD...]")(
      "load", texts()->value_name("ADDRESS=FILE"),
      "put a file into global memory before: words if it ends in .hex, else bytes")(
      "dump", texts()->value_name("ADDRESS:BYTES=FILE"),
      "write global memory to a file after: words if it ends in .hex or is -, else bytes")(
      "sms", po::value<std::string>()->value_name("N"),
      "streaming multiprocessors (key sms of the device)")(
      "sps", po::value<std::string>()->value_name("N"),
      "scalar processors per SM: 8, 16 or 32 (key sps)")(
      "blocks-per-sm", po::value<std::string>()->value_name("N"),
      "blocks an SM runs at a time; 0: as many as fit")(
      "device", po::value<std::string>()->value_name("NAME"),
      "the device of the board that runs the kernel; default: the first that can")(
      "issue-trace", po::value<std::string>()->value_name("FILE.csv"),
      "write what each instruction did when to FILE.csv (at only)")(
      "stats", po::value<std::string>()->value_name("FILE.json|FILE.csv"),
      "statistics as JSON, or as a table; - for standard output")(
      "report", "tables at the end: where the kernel's cycles went, its traffic, ports, banks")(
      "kernel-profile", po::value<std::string>()->value_name("FILE|FILE.csv"),
      "write what each instruction did and cost; - for standard output")(
      "max-cycles", po::value<std::string>()->value_name("N"),
      "end with exit code 124 after so many GPGPU cycles (default: 10000000000); 0: never")(
      "log", texts()->value_name("LEVEL[:MODULE]"),
      "LEVEL[:MODULE] of messages, such as debug:gpgpu; warp: every instruction of every warp")(
      "break", po::value<std::string>()->value_name("PC"),
      "show the first warp that is about to execute at this PC, then end")(
      "check",
      "report races, uninitialised reads, accesses outside of buffers, divergent barriers")(
      "any-register", "run kernels that use more registers than they declare; those read zero")(
      "buffer", texts()->value_name("NAME=ADDRESS:BYTES"),
      "global memory the kernel may touch, NAME=ADDRESS:BYTES, for --check")("quiet,q",
                                                                             "no summary line");
  platform::add_board_options(options, kDefaultBoard);
  platform::add_trace_options(options);
  return options;
}

void take(const po::variables_map& values, const char* option, std::string& into) {
  if (values.count(option) != 0) into = values[option].as<std::string>();
}

void take(const po::variables_map& values, const char* option, uint32_t& into) {
  std::string text;
  take(values, option, text);
  if (values.count(option) != 0) into = count(text, option, text, "write a whole number from 0 on");
}

void take_cycles(const po::variables_map& values, uint64_t& into) {
  std::string text;
  take(values, "max-cycles", text);
  into = kDefaultMaxCycles;
  if (values.count("max-cycles") == 0) return;
  into = cycles(text);
}

// What has an effect on a whole board may have none here.  A platform file may have it; on the
// command line it would be a mistake.
void refuse_without_effect(const platform::Configuration& configuration,
                           const std::string& setting) {
  const std::string key = setting.substr(0, setting.find('='));
  const std::string name = key.substr(0, key.find('.'));
  const platform::Board& board = configuration.board();
  const SourceLocation where{"--set " + setting};
  const bool whole_board = key.find('.') == std::string::npos;
  const platform::BoardDevice* device = board.find(name);
  if (!whole_board && device == nullptr && platform::default_board()->find(name) != nullptr)
    throw bad_input(fmt::format("board {} has neither host nor peripherals", board.name), where,
                    "another one may have: --board");
  if (device == nullptr) return;
  if (device->type->is_processor)
    throw bad_input("gpgpu-run leaves the host out", where,
                    "keys of the other devices have an effect here");
  if (key == name + ".line")
    throw bad_input("gpgpu-run has no host, and so nobody who would say something on a serial line",
                    where, "keys of the other devices have an effect here");
}

// What runs the kernel.
std::string device_of(const po::variables_map& values,
                      const platform::Configuration& configuration) {
  const platform::Board& board = configuration.board();
  std::string known;
  for (const platform::BoardDevice& device : board.devices)
    if (device.type->make_launcher) known += (known.empty() ? "" : ", ") + device.name;
  if (known.empty())
    throw bad_input(fmt::format("gpgpu-run finds nothing to run a kernel on board {}", board.name),
                    {board.source}, "it needs a device that runs kernels, such as a flexgrip");
  std::string wanted = platform::text_of(values, "device");
  if (wanted.empty()) return known.substr(0, known.find(','));
  const platform::BoardDevice* device = board.find(wanted);
  if (device != nullptr && device->type->make_launcher) return wanted;
  throw bad_input(
      device == nullptr
          ? fmt::format("board {} has no device \"{}\"", board.name, wanted)
          : fmt::format("{} is a {}, which runs no kernels", wanted, device->type->name),
      {"--device"}, "those that do: " + known);
}

// Whoever names a range that begins in the null page means memory.
bool names_null_page(const Request& request) {
  const auto below = [](const auto& range) {
    return range.address < gpgpu::flexgrip::kNullPageBytes;
  };
  return std::any_of(request.loads.begin(), request.loads.end(), below) ||
         std::any_of(request.dumps.begin(), request.dumps.end(), below) ||
         std::any_of(request.buffers.begin(), request.buffers.end(), below);
}

void set_configuration(const po::variables_map& values, Request& request) {
  platform::Configuration& configuration = request.configuration;
  // A device whose kernels may not touch the null page, unless the user says that it is memory.
  const bool is_memory = names_null_page(request);
  configuration =
      platform::begin_configuration(values, kDefaultBoard, [&](platform::Configuration& usual) {
        for (const device::Instance& device : usual.devices)
          if (const std::string key = device.name + ".null_page";
              is_memory && platform::find_key(usual, key) != nullptr)
            assign(usual, key + "=false");
      });
  request.device = device_of(values, configuration);
  platform::apply_timing(values, configuration);
  for (const std::string& choice : platform::texts_of(values, "model"))
    if (const auto* host = configuration.processor();
        host != nullptr && choice.rfind(host->name + '=', 0) == 0)
      throw bad_input("gpgpu-run leaves the host out", {"--model " + choice});
  platform::apply_models(values, configuration, request.device);
  platform::apply_comparisons(values, configuration);
  for (const char* option : {"sms", "sps"})
    if (values.count(option) != 0)
      assign(configuration,
             fmt::format("{}.{}={}", request.device, option, values[option].as<std::string>()));
  for (const std::string& setting : platform::texts_of(values, "set"))
    refuse_without_effect(configuration, setting);
  platform::apply_settings(values, configuration);
  if (configuration.model(request.device) == "none")
    throw bad_input(
        fmt::format("{}.model is none: there is nothing to run a kernel", request.device),
        {"command line"}, fmt::format("--set {}.model=lt", request.device));
  request.trace = platform::trace_settings(values, configuration);
  take(values, "issue-trace", request.issue_trace);
  if (!request.issue_trace.empty() && configuration.model(request.device) != "at")
    throw bad_input("only the cycle-accurate model knows when instructions pass the stages",
                    {"command line"}, "--issue-trace needs --timing at");
}

// Nothing is read and written at once, nothing written twice.  But memory may be loaded from a file
// and dumped to it again: a kernel that works in place.
void check_files(const po::variables_map& values, const Request& request) {
  std::vector<FileUse> inputs{{"standard input", "-"}};
  for (const char* option : {"config", "cubin", "code"})
    if (values.count(option) != 0)
      inputs.push_back({fmt::format("--{}", option), values[option].as<std::string>()});
  std::vector<FileUse> outputs;
  for (const char* option : {"stats", "issue-trace", "kernel-profile"})
    if (values.count(option) != 0)
      outputs.push_back({fmt::format("--{}", option), values[option].as<std::string>()});
  for (const trace::Specification& each : request.trace.files)
    outputs.push_back({"--trace", each.file});
  bool dumped = false;  // any number of dumps to standard output are one text
  for (const Dump& dump : request.dumps) {
    if (dump.file == "-" && std::exchange(dumped, true)) continue;
    outputs.push_back({"--dump", dump.file});
  }
  check_file_uses(inputs, outputs);
}

void check_kernel(const po::variables_map& values, const Request& request) {
  const bool bare = values.count("code") != 0;
  if (bare == (values.count("cubin") != 0))
    throw bad_input(bare ? "--cubin and --code are two kernels" : "no kernel to run",
                    {"command line"},
                    "give --cubin FILE [--kernel NAME] or --code FILE.hex --regs N");
  if (bare && values.count("regs") == 0)
    throw bad_input("--code needs --regs", {"command line"},
                    "say how many registers each thread has, such as --regs 16");
  for (const char* option : {"regs", "shared"})
    if (!bare && values.count(option) != 0)
      throw bad_input(fmt::format("--{} is for --code; a cubin says it itself", option),
                      {"command line"});
  if (bare && !request.kernel.empty())
    throw bad_input("--kernel is for --cubin; bare code has no name", {"command line"});
  for (const char* option : {"grid", "block"})
    if (values.count(option) == 0)
      throw bad_input(fmt::format("--{} is missing", option), {"command line"},
                      "say how many blocks (--grid X[,Y]) of how many threads (--block X[,Y[,Z]])");
}

}  // namespace

std::string request_help() {
  std::ostringstream text;
  text << kUsage << '\n' << description();
  return text.str();
}

Request parse_request(int argc, const char* const argv[]) {
  const po::variables_map values = tools::parsed(argc, argv, description());
  Request request;
  if (values.count("help") != 0) request.action = Request::Action::kHelp;
  if (values.count("version") != 0) request.action = Request::Action::kVersion;
  if (request.action != Request::Action::kRun) return request;
  request.is_bare = values.count("code") != 0;
  take(values, request.is_bare ? "code" : "cubin", request.file);
  take(values, "kernel", request.kernel);
  check_kernel(values, request);
  take(values, "regs", request.registers);
  take(values, "shared", request.shared_bytes);
  take(values, "dynamic-shared", request.dynamic_bytes);
  take(values, "blocks-per-sm", request.blocks_per_sm);
  take(values, "stats", request.statistics_file);
  take(values, "kernel-profile", request.kernel_profile);
  request.report = values.count("report") != 0;
  take_cycles(values, request.max_cycles);
  request.quiet = values.count("quiet") != 0;
  extents(values["grid"].as<std::string>(), "grid", request.grid);
  extents(values["block"].as<std::string>(), "block", request.block);
  for (const std::string& text : platform::texts_of(values, "param"))
    request.parameters.push_back(parameter(text));
  for (const std::string& text : platform::texts_of(values, "const"))
    request.constants.push_back(constant(text));
  for (const std::string& text : platform::texts_of(values, "load"))
    request.loads.push_back(load(text));
  for (const std::string& text : platform::texts_of(values, "dump"))
    request.dumps.push_back(dump(text));
  for (const std::string& text : platform::texts_of(values, "log"))
    request.log.push_back(log_option(text));
  request.check = values.count("check") != 0;
  request.any_register = values.count("any-register") != 0;
  request.buffers = buffers(platform::texts_of(values, "buffer"));
  if (!request.buffers.empty() && !request.check)
    throw bad_input("--buffer is for --check", {"command line"}, "add --check");
  if (values.count("break") != 0) {
    const auto text = values["break"].as<std::string>();
    request.breakpoint = count(text, "break", text, "write an address in the code, such as 0x48");
  }
  set_configuration(values, request);
  check_files(values, request);
  return request;
}

}  // namespace gvp::tools

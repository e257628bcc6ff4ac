// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstring>
#include <limits>
#include <sstream>
#include <utility>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "platform/configuration/keys.h"
#include "platform/configuration/toml.h"

namespace gvp::tools {
namespace {

namespace po = boost::program_options;
using Texts = std::vector<std::string>;

// Long enough for any kernel of the papers, short enough that an endless one ends within seconds.
constexpr uint64_t kDefaultMaxCycles = 10'000'000'000;

constexpr const char* kUsage =
    R"(usage: gpgpu-run (--cubin FILE [--kernel NAME] | --code FILE.hex --regs N)
                 --grid X[,Y] --block X[,Y[,Z]] [options]

Runs one kernel on the FlexGrip model, without a host processor.  Memory is zero at first.
Exit code: 0 the kernel ended, 124 limit or breakpoint reached, 125 the kernel was stopped by a
fault or --check found something, 126 bad input or a kernel that this device cannot run, 129, 130,
131 and 143 stopped by SIGHUP, SIGINT, SIGQUIT and SIGTERM.

  gpgpu-run --code add.hex --regs 8 --grid 4 --block 64 --param 0x1000 --dump 0x1000:256=-
  gpgpu-run --cubin mm.cubin --kernel matmul --grid 4,4 --block 16,16 --sms 2 --set gpgpu.sps=32
            --load 0x10000=a.bin --param 0x10000 --dump 0x30000:4096=c.hex --stats -
)";

Error wrong(const std::string& option, const std::string& text, const std::string& remedy) {
  return bad_input(fmt::format("--{} {}: cannot read this", option, text), {"command line"},
                   remedy);
}

// A 32-bit number: decimal, 0x, or negative.  Stops at the end of text or at one of `ends`.
uint32_t number(const std::string& text, const std::string& option, const std::string& whole,
                const std::string& remedy) {
  const bool negative = !text.empty() && text[0] == '-';
  const std::string digits = text.substr(negative ? 1 : 0);
  size_t used = 0;
  uint64_t value = 0;
  try {
    const bool hexadecimal = digits.rfind("0x", 0) == 0 || digits.rfind("0X", 0) == 0;
    value = std::stoull(digits, &used, hexadecimal ? 16 : 10);
  } catch (const std::exception&) {
    throw wrong(option, whole, remedy);
  }
  const uint64_t most = negative ? uint64_t{1} << 31 : std::numeric_limits<uint32_t>::max();
  if (used != digits.size() || digits[0] == '-' || digits[0] == '+' || value > most)
    throw wrong(option, whole, remedy);
  return negative ? 0u - static_cast<uint32_t>(value) : static_cast<uint32_t>(value);
}

// The same, but a size or an address: not negative.
uint32_t count(const std::string& text, const std::string& option, const std::string& whole,
               const std::string& remedy) {
  if (text.rfind('-', 0) == 0) throw wrong(option, whole, remedy);
  return number(text, option, whole, remedy);
}

Texts split(const std::string& text, char separator) {
  Texts parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  if (!text.empty() && text.back() == separator) parts.emplace_back();
  return parts;
}

// Splits at the first occurrence; throws where there is none.
std::pair<std::string, std::string> halves(const std::string& text, char separator,
                                           const std::string& option, const std::string& whole,
                                           const std::string& remedy) {
  const size_t at = text.find(separator);
  if (at == std::string::npos || at + 1 == text.size()) throw wrong(option, whole, remedy);
  return {text.substr(0, at), text.substr(at + 1)};
}

// "X[,Y[,Z]]", missing ones are 1.
void extents(const std::string& text, const char* option, uint32_t* out, size_t most) {
  const std::string remedy = most == 2 ? "write X or X,Y" : "write X, X,Y or X,Y,Z";
  const Texts parts = split(text, ',');
  if (parts.empty() || parts.size() > most) throw wrong(option, text, remedy);
  for (size_t i = 0; i < parts.size(); ++i) out[i] = count(parts[i], option, text, remedy);
}

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

ConstantWords constant(const std::string& text) {
  const std::string remedy = "write BANK:OFFSET=WORD[,WORD...], such as 1:0x10=42,7";
  const auto [place, words] = halves(text, '=', "const", text, remedy);
  const auto [bank, offset] = halves(place, ':', "const", text, remedy);
  ConstantWords result{
      count(bank, "const", text, remedy), count(offset, "const", text, remedy), {}};
  if (result.bank > 15 || result.offset % 4 != 0)
    throw wrong("const", text, "banks are 0 to 15, offsets multiples of 4");
  for (const std::string& word : split(words, ','))
    result.words.push_back(number(word, "const", text, remedy));
  return result;
}

Load load(const std::string& text) {
  const std::string remedy = "write ADDRESS=FILE.bin or ADDRESS=FILE.hex";
  const auto [address, file] = halves(text, '=', "load", text, remedy);
  return {count(address, "load", text, remedy), file};
}

Dump dump(const std::string& text) {
  const std::string remedy = "write ADDRESS:BYTES=FILE.bin, =FILE.hex or =-";
  const auto [range, file] = halves(text, '=', "dump", text, remedy);
  const auto [address, bytes] = halves(range, ':', "dump", text, remedy);
  return {count(address, "dump", text, remedy), count(bytes, "dump", text, remedy), file};
}

Buffer buffer(const std::string& text) {
  const std::string remedy = "write NAME=ADDRESS:BYTES, such as a=0x1000:256";
  const auto [name, range] = halves(text, '=', "buffer", text, remedy);
  const auto [address, bytes] = halves(range, ':', "buffer", text, remedy);
  Buffer result{name, count(address, "buffer", text, remedy), count(bytes, "buffer", text, remedy)};
  if (name.empty() || result.bytes == 0) throw wrong("buffer", text, remedy);
  if (uint64_t{result.address} + result.bytes > uint64_t{1} << 32)
    throw wrong("buffer", text, "addresses have 32 bits: it must end at 0x100000000 at most");
  return result;
}

std::vector<Buffer> buffers(const Texts& texts) {
  std::vector<Buffer> result;
  for (const std::string& text : texts) {
    Buffer next = buffer(text);
    const bool twice = std::any_of(result.begin(), result.end(),
                                   [&](const Buffer& known) { return known.name == next.name; });
    if (twice) throw wrong("buffer", text, "there is a buffer of this name: give it another");
    result.push_back(std::move(next));
  }
  return result;
}

// warp is a module that has one level.
std::string log_option(const std::string& text) {
  if (text.compare(0, 5, "warp:") == 0)
    throw wrong("log", text, "warp is all there is to say: write --log warp");
  return text;
}

po::options_description description() {
  po::options_description options("Options", 100);
  const auto texts = [] { return po::value<Texts>()->composing(); };
  options.add_options()("help,h", "show this text")("version", "show the version")(
      "cubin", po::value<std::string>()->value_name("FILE"), "cubin with the kernel (text or ELF)")(
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
      "sms", po::value<std::string>()->value_name("N"), "streaming multiprocessors (gpgpu.sms)")(
      "sps", po::value<std::string>()->value_name("N"),
      "scalar processors per SM: 8, 16 or 32 (gpgpu.sps)")(
      "blocks-per-sm", po::value<std::string>()->value_name("N"),
      "blocks an SM runs at a time; 0: as many as fit")(
      "timing", po::value<std::string>()->value_name("lt|at"), "lt or at")(
      "model", texts()->value_name("MODEL"),
      "model of the GPGPU: lt, at, rtl[:NAME]; or BLOCK=MODEL for gpgpu, axi, ddr3")(
      "config,c", po::value<std::string>()->value_name("FILE.toml"), "platform file")(
      "set", texts()->value_name("KEY=VALUE"), "override a key of it, KEY=VALUE; repeatable")(
      "issue-trace", po::value<std::string>()->value_name("FILE.csv"),
      "write what each instruction did when to FILE.csv (at only)")(
      "stats", po::value<std::string>()->value_name("FILE.json"),
      "statistics as JSON; - for standard output")(
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
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != text.npos)
    throw wrong("max-cycles", text, "write a whole number of up to 18 digits");
  into = std::stoull(text);
}

Texts all_of(const po::variables_map& values, const char* option) {
  return values.count(option) != 0 ? values[option].as<Texts>() : Texts{};
}

void set_models(const po::variables_map& values, platform::Configuration& configuration) {
  const auto choose = [&](const std::string& block, const std::string& model) {
    assign(configuration, block + ".model=\"" + model + '"');
  };
  if (values.count("timing") != 0) {
    const auto timing = values["timing"].as<std::string>();
    if (timing != "lt" && timing != "at") throw wrong("timing", timing, "write lt or at");
    for (const char* block : {"gpgpu", "axi", "ddr3"}) choose(block, timing);
  }
  for (const std::string& model : all_of(values, "model")) {
    const size_t equals = model.find('=');
    const std::string block = equals == std::string::npos ? "gpgpu" : model.substr(0, equals);
    if (block != "gpgpu" && block != "axi" && block != "ddr3")
      throw wrong("model", model, "blocks are gpgpu, axi, ddr3");
    choose(block, equals == std::string::npos ? model : model.substr(equals + 1));
  }
}

// A platform file may describe a whole board; on the command line such a key would be a mistake.
void refuse_absent_block(const std::string& setting) {
  for (const char* block : {"host.", "uart16550.", "uartlite.", "axi.host_", "axi.check"})
    if (setting.rfind(block, 0) == 0)
      throw bad_input("gpgpu-run has neither host nor UARTs nor protocol checkers",
                      {"--set " + setting}, "the keys of gpgpu, axi and ddr3 have an effect here");
}

// The part of a board that this runner builds: a FlexGrip and a DDR3 memory on one bus.
void require_devices(const platform::Configuration& configuration) {
  const platform::Board& board = configuration.board();
  const auto is = [&](const char* name, const char* type) {
    const platform::BoardDevice* device = board.find(name);
    return device != nullptr && device->type->name == type;
  };
  const platform::Bus* bus = configuration.find_bus("axi");
  if (is("gpgpu", "flexgrip") && is("ddr3", "ddr3") && bus != nullptr &&
      bus->find("gpgpu", "", true) != nullptr && bus->find("ddr3", "", false) != nullptr)
    return;
  throw bad_input(fmt::format("gpgpu-run finds nothing to run a kernel on board {}", board.name),
                  {board.source},
                  "it needs a flexgrip called gpgpu and a ddr3 called ddr3 on a bus called axi");
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
  const bool is_memory = names_null_page(request);
  if (is_memory) assign(configuration, "gpgpu.null_page=false");
  const std::string usual_board = configuration.board().name;
  if (values.count("config") != 0)
    platform::read_file(configuration, values["config"].as<std::string>());
  require_devices(configuration);
  // A file that names a board has begun with that board's own configuration.
  if (is_memory && configuration.board().name != usual_board)
    assign(configuration, "gpgpu.null_page=false");
  set_models(values, configuration);
  for (const char* option : {"sms", "sps"})
    if (values.count(option) != 0)
      assign(configuration, fmt::format("gpgpu.{}={}", option, values[option].as<std::string>()));
  for (const std::string& setting : all_of(values, "set")) {
    assign(configuration, setting);
    refuse_absent_block(setting);
  }
  take(values, "issue-trace", request.issue_trace);
  if (!request.issue_trace.empty() && configuration.model("gpgpu") != "at")
    throw bad_input("only the cycle-accurate model knows when instructions pass the stages",
                    {"command line"}, "--issue-trace needs --timing at");
}

// A device has registers for so many words and no more.
void check_parameter_count(const Request& request) {
  if (request.parameters.size() <= FLEXGRIP_MAX_PARAMETERS) return;
  throw bad_input(fmt::format("{} words of parameters, the device has registers for {}",
                              request.parameters.size(), FLEXGRIP_MAX_PARAMETERS),
                  {"--param"}, "pass the address of a structure in global memory instead");
}

// Nothing is read and written at once, nothing written twice.  But memory may be loaded from a file
// and dumped to it again: a kernel that works in place.
void check_files(const po::variables_map& values, const Request& request) {
  std::vector<FileUse> inputs{{"standard input", "-"}};
  for (const char* option : {"config", "cubin", "code"})
    if (values.count(option) != 0)
      inputs.push_back({fmt::format("--{}", option), values[option].as<std::string>()});
  std::vector<FileUse> outputs;
  for (const char* option : {"stats", "issue-trace"})
    if (values.count(option) != 0)
      outputs.push_back({fmt::format("--{}", option), values[option].as<std::string>()});
  bool dumped = false;  // any number of dumps to standard output are one text
  for (const Dump& dump : request.dumps) {
    if (dump.file == "-" && std::exchange(dumped, true)) continue;
    outputs.push_back({"--dump", dump.file});
  }
  check_file_uses(inputs, outputs);
}

void check_kernel(const po::variables_map& values, const Request& request) {
  const bool bare = !request.code.empty();
  if (bare == !request.cubin.empty())
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
  po::variables_map values;
  po::store(po::command_line_parser(argc, argv)
                .options(description())
                .positional({})
                .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
                .run(),
            values);
  po::notify(values);
  Request request;
  if (values.count("help") != 0) request.action = Request::Action::kHelp;
  if (values.count("version") != 0) request.action = Request::Action::kVersion;
  if (request.action != Request::Action::kRun) return request;
  take(values, "cubin", request.cubin);
  take(values, "kernel", request.kernel);
  take(values, "code", request.code);
  check_kernel(values, request);
  take(values, "regs", request.registers);
  take(values, "shared", request.shared_bytes);
  take(values, "dynamic-shared", request.dynamic_bytes);
  take(values, "blocks-per-sm", request.blocks_per_sm);
  take(values, "stats", request.statistics_file);
  take_cycles(values, request.max_cycles);
  request.quiet = values.count("quiet") != 0;
  extents(values["grid"].as<std::string>(), "grid", request.grid, 2);
  extents(values["block"].as<std::string>(), "block", request.block, 3);
  for (const std::string& text : all_of(values, "param"))
    request.parameters.push_back(parameter(text));
  check_parameter_count(request);
  for (const std::string& text : all_of(values, "const"))
    request.constants.push_back(constant(text));
  for (const std::string& text : all_of(values, "load")) request.loads.push_back(load(text));
  for (const std::string& text : all_of(values, "dump")) request.dumps.push_back(dump(text));
  for (const std::string& text : all_of(values, "log")) request.log.push_back(log_option(text));
  request.check = values.count("check") != 0;
  request.any_register = values.count("any-register") != 0;
  request.buffers = buffers(all_of(values, "buffer"));
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

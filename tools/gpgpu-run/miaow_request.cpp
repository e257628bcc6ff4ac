// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/miaow_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <boost/program_options.hpp>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/device/key.h"
#include "models/gpgpu/miaow/grid/global_memory.h"
#include "models/gpgpu/miaow/grid/grid.h"
#include "models/gpgpu/miaow/keys.h"
#include "models/gpgpu/southern_islands/wavefront.h"
#include "tools/console.h"

namespace gvp::tools {
namespace {

namespace po = boost::program_options;
namespace miaow = gpgpu::miaow;

constexpr uint64_t kDefaultMaxCycles = 10'000'000'000;  // as for other devices
constexpr uint32_t kDefaultMemoryBytes = 64u << 20;
constexpr uint32_t kMostMemoryBytes = 1u << 30;
constexpr uint32_t kMostVectorRegisters = 256;

constexpr const char* kUsage =
    R"(usage: gpgpu-run --device miaow
                 (--object FILE.o [--kernel NAME] | --code FILE --regs N)
                 --grid X[,Y[,Z]] --block X[,Y[,Z]] [options]

Runs a kernel for Southern Islands, compiled by oclc or assembled by sias, on
MIAOW's compute unit, all work-groups of a grid one after the other
(docs/gpgpu-run.md).  There is no board: memory is zeros from address 0 on, of
which the first 4096 bytes are none, unless an option names them.
Exit code: 0 the kernel ended, 124 limit reached, 125 the kernel was stopped by
a fault or --check found something, 126 bad input or a kernel that this device
cannot run.

  oclc add.cl
  gpgpu-run --device miaow --object add.o --grid 4 --block 64
            --load 0x1000=a.bin --load 0x2000=b.bin
            --param 0x3000 --param 0x1000 --param 0x2000 --dump 0x3000:1024=-
)";

po::options_description description() {
  po::options_description options("Options", 80);
  const auto texts = [](const char* name) {
    return po::value<Texts>()->composing()->value_name(name);
  };
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  options.add_options()("help,h", "show this text")("version", "show the version")(
      "device", text("NAME"), "miaow")("object", text("FILE.o"), "object with the kernel, of oclc")(
      "kernel,k", text("NAME"), "its name; not needed if the object has only one")(
      "code", text("FILE.s|FILE.hex"),
      "bare code: assembly, or one 32-bit word a line; --kernel is a label")(
      "regs", text("N"), "with --code: vector registers, 1 to 256")(
      "shared", text("BYTES"), "with --code: local data share of a work-group")(
      "grid", text("X[,Y[,Z]]"), "work-groups")("block", text("X[,Y[,Z]]"),
                                                "work-items of a group")(
      "param,p", texts("VALUE"),
      "next argument: an address, the bytes of a local pointer, a number, or numbers of a vector "
      "(1,2,3,4); where the object does not tell types: @ADDRESS, local:BYTES, a word, a float "
      "1.5f")("load", texts("ADDRESS=FILE"),
              "put a file into memory before: words if it ends in .hex, else bytes")(
      "dump", texts("ADDRESS:BYTES=FILE"),
      "write memory to a file after: words if it ends in .hex or is -, else bytes")(
      "memory", text("BYTES"), "size of memory; default: 67108864")(
      "timing", text("lt|at"), "loosely (the default) or approximately timed")(
      "set", texts("miaow.KEY=VALUE"),
      "a key of the device, such as miaow.timing.float_add_beat=5")(
      "trimmed", text("FILE"),
      "the instructions that the device has, of gvp-trim; others are faults")(
      "stats", text("FILE.json"), "statistics as JSON; - for standard output")(
      "kernel-profile", text("FILE.csv"),
      "how often each instruction was executed; - for standard output")(
      "max-cycles", text("N"),
      "end with exit code 124 after so many cycles (default: 10000000000); 0: never")(
      "check",
      "report races in memory, accesses outside of buffers, barriers that are not reached")(
      "buffer", texts("NAME=ADDRESS:BYTES"), "memory the kernel may touch, for --check")(
      "quiet,q", "no summary");
  return options;
}

// Options of other devices, and why they have no meaning here.
void refuse_others(int argc, const char* const argv[]) {
  constexpr std::array<std::pair<const char*, const char*>, 17> kOthers = {
      {{"cubin", "cubins have code of G80: name an object with --object"},
       {"const", "constant memory is global memory here: use --load"},
       {"dynamic-shared", "give the bytes of a local argument with --param"},
       {"sms", "there is one compute unit"},
       {"sps", "units have 16 lanes"},
       {"blocks-per-sm", "a compute unit has one work-group at a time"},
       {"any-register", "kernels have the registers that they declare"},
       {"issue-trace", "it tells of FlexGrip's pipeline"},
       {"break", "it shows FlexGrip's warps"},
       {"report", "there is no board: --stats and --kernel-profile tell what ran"},
       {"board", "there is no board"},
       {"config", "there is no board: use --set"},
       {"model", "there is no board: use --timing"},
       {"plugin", "there is no board"},
       {"trace", "there is no bus"},
       {"compare", "there is no RTL of it here"},
       {"log", "faults name the work-item, --kernel-profile counts instructions"}}};
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word.substr(0, 2) != "--") continue;
    word =
        word.substr(2, word.find('=') == std::string_view::npos ? word.npos : word.find('=') - 2);
    for (const auto& [name, reason] : kOthers)
      if (word == name)
        throw bad_input(fmt::format("--{} has no meaning for miaow", name), {"command line"},
                        reason);
  }
}

std::string text_of(const po::variables_map& values, const char* option) {
  return values.count(option) != 0 ? values[option].as<std::string>() : std::string();
}
Texts texts_of(const po::variables_map& values, const char* option) {
  return values.count(option) != 0 ? values[option].as<Texts>() : Texts();
}
uint32_t size_of(const po::variables_map& values, const char* option, uint32_t usual,
                 uint32_t least, uint32_t most) {
  if (values.count(option) == 0) return usual;
  const std::string text = text_of(values, option);
  const std::string remedy = fmt::format("write a number from {} to {}", least, most);
  const uint32_t value = count(text, option, text, remedy);
  if (value < least || value > most) throw wrong(option, text, remedy);
  return value;
}

device::Value value_of(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  char* end = nullptr;
  const long long whole = std::strtoll(text.c_str(), &end, 0);
  if (!text.empty() && *end == '\0') return int64_t{whole};
  const double real = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0') return real;
  return text;
}

void set_key(miaow::Configuration& configuration, const std::string& setting) {
  const auto [name, value] =
      halves(setting, '=', "set", setting, "write miaow.KEY=VALUE, such as miaow.timing.scalar=7");
  constexpr std::string_view kInstance = "miaow.";
  for (const device::Key& key : miaow::keys()) {
    if (name != std::string(kInstance) + key.name) continue;
    if (key.name.rfind("timing.", 0) != 0 && key.name != "clock_hz" && key.name != "check_buffers")
      throw bad_input(fmt::format("--set {}: has no effect here", setting), {"command line"},
                      "a board may have such a device: gpgpu-vp --board scratch");
    std::any settings = configuration;
    device::assign(key.field(settings), key.allowed, name, value_of(value), {"--set " + setting});
    configuration = std::any_cast<miaow::Configuration>(settings);
    return;
  }
  throw bad_input(
      fmt::format("--set {}: no such key", setting), {"command line"},
      "keys are miaow.clock_hz, miaow.check_buffers and miaow.timing.* (docs/miaow.md)");
}

void check_sizes(const std::array<uint32_t, 3>& groups, const std::array<uint32_t, 3>& local) {
  uint64_t items = 1;
  uint64_t count = 1;
  for (unsigned i = 0; i < 3; ++i) {
    if (groups[i] == 0 || local[i] == 0)
      throw bad_input("a grid and a group have at least one in each dimension", {"command line"});
    items = std::min<uint64_t>(items * local[i], UINT32_MAX);
    count = std::min<uint64_t>(count * groups[i], uint64_t{UINT32_MAX} + 1);
    if (uint64_t{groups[i]} * local[i] > UINT32_MAX)
      throw bad_input("more than 2^32-1 work-items in a dimension", {"command line"});
  }
  constexpr uint64_t kMost = miaow::kMostGroupWavefronts * gpgpu::southern_islands::kWavefrontLanes;
  if (items > kMost)
    throw bad_input(
        fmt::format("--block: {} work-items; a compute unit has room for {}, {} wavefronts of 64",
                    items, kMost, miaow::kMostGroupWavefronts),
        {"command line"});
  if (count > UINT32_MAX) throw bad_input("--grid: more than 2^32-1 work-groups", {"command line"});
}

void check_kernel(const po::variables_map& values) {
  const bool bare = values.count("code") != 0;
  if (bare == (values.count("object") != 0))
    throw bad_input(bare ? "--object and --code are two kernels" : "no kernel to run",
                    {"command line"},
                    "give --object FILE.o [--kernel NAME] or --code FILE.s --regs N");
  if (bare && values.count("regs") == 0)
    throw bad_input("--code needs --regs", {"command line"},
                    "say how many vector registers it uses");
  for (const char* option : {"regs", "shared"})
    if (!bare && values.count(option) != 0)
      throw bad_input(fmt::format("--{} is for --code; an object says it itself", option),
                      {"command line"});
  for (const char* option : {"grid", "block"})
    if (values.count(option) == 0)
      throw bad_input(
          fmt::format("--{} is missing", option), {"command line"},
          "say how many work-groups (--grid X[,Y[,Z]]) of how many work-items (--block X[,Y[,Z]])");
}

void check_files(const MiaowRequest& request) {
  std::vector<FileUse> outputs;
  if (!request.statistics_file.empty()) outputs.push_back({"--stats", request.statistics_file});
  if (!request.kernel_profile.empty())
    outputs.push_back({"--kernel-profile", request.kernel_profile});
  bool dumped = false;  // any number of dumps to standard output are one text
  for (const Dump& dump : request.dumps) {
    if (dump.file == "-" && dumped) continue;
    dumped = dumped || dump.file == "-";
    outputs.push_back({"--dump", dump.file});
  }
  std::vector<FileUse> inputs{{"the kernel", request.file}};
  if (!request.trimmed_file.empty()) inputs.push_back({"--trimmed", request.trimmed_file});
  check_file_uses(inputs, outputs);
}

}  // namespace

bool names_miaow(int argc, const char* const argv[]) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--device=miaow") return true;
    if (word == "--device" && i + 1 < argc && std::string_view(argv[i + 1]) == "miaow") return true;
  }
  return false;
}

std::string miaow_help() {
  std::ostringstream text;
  text << kUsage << '\n' << description();
  return text.str();
}

MiaowRequest parse_miaow_request(int argc, const char* const argv[]) {
  refuse_others(argc, argv);
  const po::variables_map values = tools::parsed(argc, argv, description());
  MiaowRequest request;
  if (values.count("help") != 0) request.action = MiaowRequest::Action::kHelp;
  if (values.count("version") != 0) request.action = MiaowRequest::Action::kVersion;
  if (request.action != MiaowRequest::Action::kRun) return request;
  check_kernel(values);
  request.is_object = values.count("object") != 0;
  request.file = text_of(values, request.is_object ? "object" : "code");
  request.kernel = text_of(values, "kernel");
  request.vector_registers = size_of(values, "regs", 0, 1, kMostVectorRegisters);
  request.share_bytes = size_of(values, "shared", 0, 0, miaow::kShareBytes);
  extents(text_of(values, "grid"), "grid", request.groups);
  extents(text_of(values, "block"), "block", request.local);
  check_sizes(request.groups, request.local);
  request.parameters = texts_of(values, "param");
  for (const std::string& each : texts_of(values, "load")) request.loads.push_back(load(each));
  for (const std::string& each : texts_of(values, "dump")) request.dumps.push_back(dump(each));
  request.buffers = buffers(texts_of(values, "buffer"));
  request.check = values.count("check") != 0;
  if (!request.buffers.empty() && !request.check)
    throw bad_input("--buffer is for --check", {"command line"}, "add --check");
  request.memory_bytes =
      size_of(values, "memory", kDefaultMemoryBytes, miaow::kNullPageBytes, kMostMemoryBytes);
  if (values.count("timing") != 0) {
    const std::string timing = text_of(values, "timing");
    if (timing != "lt" && timing != "at") throw wrong("timing", timing, "write lt or at");
    request.approximately_timed = timing == "at";
  }
  for (const std::string& each : texts_of(values, "set")) set_key(request.configuration, each);
  request.trimmed_file = text_of(values, "trimmed");
  request.statistics_file = text_of(values, "stats");
  request.kernel_profile = text_of(values, "kernel-profile");
  request.max_cycles =
      values.count("max-cycles") != 0 ? cycles(text_of(values, "max-cycles")) : kDefaultMaxCycles;
  request.quiet = values.count("quiet") != 0;
  check_files(request);
  return request;
}

}  // namespace gvp::tools

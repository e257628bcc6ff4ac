// SPDX-License-Identifier: Apache-2.0
// kcc: compiles CUDA C or PTX to a cubin for G80 (sm_10).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/listing.h"
#include "tools/console.h"
#include "tools/kcc/choice.h"
#include "tools/kcc/front_end.h"
#include "tools/kcc/g80/compiler.h"
#include "tools/kcc/g80/report.h"
#include "tools/kcc/host_wrapper.h"
#include "tools/kcc/nvcc_options.h"

namespace {

namespace po = boost::program_options;
namespace g80 = gvp::gpgpu::g80;

constexpr int kKernelsLeftOut = 1;  // exit code

constexpr const char* kHelp =
    "usage: kcc [options] FILE.cu|FILE.ptx\n\n"
    "Compiles CUDA C (through clang) or PTX to a cubin for G80 (sm_10): docs/kcc.md.\n"
    "Writes FILE.cubin into the current directory unless told otherwise; \"-\" is\n"
    "standard output.  Functions that are __noinline__ are called, others inlined.\n"
    "Options of nvcc that have a meaning here are taken, too.  Exit code 0, 1 when\n"
    "--keep-going left kernels out, or 126 when the input or the command line is at\n"
    "fault.\n\n";

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The name of a file in the current directory, whatever the folder of `file` is.
std::string local_name(const std::string& file, const std::string& suffix) {
  return std::filesystem::path(file).filename().replace_extension(suffix).string();
}

po::options_description all_options() {
  po::options_description options = gvp::tools::common_options();
  options.add_options()("output,o", po::value<std::string>()->value_name("FILE"), "file to write")(
      "optimise,O", po::value<unsigned>()->value_name("N")->default_value(2), "0, 1 or 2")(
      "emit", po::value<std::string>()->value_name("WHAT")->default_value("cubin"),
      "cubin, ptx or sass; ptx-file: ptx to FILE.ptx")(
      "format", po::value<std::string>()->value_name("FORMAT")->default_value("text"),
      "of the cubin: text or elf")(
      "max-registers", po::value<uint32_t>()->value_name("N"),
      "registers a thread may have, 8 to 64; what does not fit goes to local memory; default: 32, "
      "which every block of 256 threads can have, or by __launch_bounds__")(
      "verbose,v", "print resources, instruction counts and occupancy")(
      "host-wrapper",
      "write FILE.host.c: the host part of FILE.cu as C for firmware/cuda, with the kernels in it")(
      "lineinfo,g", "tell in the cubin which source lines the code comes from; also -lineinfo")(
      "include,I", po::value<std::vector<std::string>>()->value_name("DIRECTORY")->composing(),
      "folder of headers")("define,D",
                           po::value<std::vector<std::string>>()->value_name("MACRO")->composing(),
                           "macro, as NAME or NAME=VALUE")(
      "undefine,U", po::value<std::vector<std::string>>()->value_name("MACRO")->composing(),
      "forget a macro")("pre-include",
                        po::value<std::vector<std::string>>()->value_name("FILE")->composing(),
                        "header to include before the source")(
      "use-fast-math", "divide and take roots as fast as the machine can")(
      "keep-going",
      "leave out kernels with errors and compile the others; exit code 1 if there are such")(
      "device-extensions",
      "allow atomic operations and votes, for devices that are configured with "
      "them "
      "(gpgpu.device_extensions)")(
      "demote-double-arrays",
      "let kernels load and store doubles in global and constant memory, where they keep their 8 "
      "bytes");
  return options;
}

// Of sources of other languages none is PTX.
bool is_cuda(const std::string& input, bool said) {
  if (said || ends_with(input, ".cu")) return true;
  for (const char* other : {".cuh", ".c", ".cc", ".cpp", ".cxx", ".C", ".h", ".hpp"})
    if (ends_with(input, other))
      throw gvp::bad_input(std::string("a file that ends in ") + other + " is no PTX", {input},
                           "-x cu compiles it as CUDA C");
  return false;
}

// Clang is given the file's name and would read a device for ever.
void check_cuda_source(const std::string& input) {
  constexpr uintmax_t kMostBytes = 64u << 20;
  if (input == "-") throw gvp::bad_input("CUDA C is read from a file, not from standard input", {});
  std::error_code error;
  const auto status = std::filesystem::status(input, error);
  if (!std::filesystem::exists(status))
    throw gvp::bad_input("cannot open: " + error.message(), {input});
  if (!std::filesystem::is_regular_file(status))
    throw gvp::bad_input("CUDA C is read from a regular file", {input}, "this is another thing");
  if (std::filesystem::file_size(input, error) > kMostBytes)
    throw gvp::bad_input("is longer than CUDA C can be: 64 MiB", {input});
}

gvp::kcc::FrontEndResult read_ptx(const std::string& input, const po::variables_map& values,
                                  bool cuda, unsigned optimise, bool separate_functions = false) {
  if (!cuda) {
    gvp::kcc::FrontEndResult given;
    given.ptx = gvp::tools::read_input(input);
    return given;
  }
  check_cuda_source(input);
  gvp::kcc::FrontEndOptions options;
  options.optimise = optimise;
  options.separate_functions = separate_functions;
  options.fast_math = values.count("use-fast-math") != 0;
  options.keep_going = values.count("keep-going") != 0;
  options.verbose = values.count("verbose") != 0;
  options.device_extensions = values.count("device-extensions") != 0;
  const auto emit = values["emit"].as<std::string>();
  options.in_parts = emit == "cubin" || emit == "sass";
  options.both_ways = options.in_parts;
  options.lines = values.count("lineinfo") != 0;
  const auto pass_on = [&](const char* option, const char* prefix) {
    if (values.count(option) == 0) return;
    for (const auto& value : values[option].as<std::vector<std::string>>()) {
      options.arguments.push_back(prefix + value);
    }
  };
  pass_on("include", "-I");
  pass_on("define", "-D");
  pass_on("undefine", "-U");
  pass_on("pre-include", "-include");
  return gvp::kcc::compile_cuda_file(input, options);
}

// A kernel that no device has room for; nullptr if there is none.
const g80::Kernel* too_large(const g80::Module& module) {
  for (const g80::Kernel& kernel : module.kernels)
    if (4 * kernel.code.size() > gvp::kcc::g80::kMostCodeBytes) return &kernel;
  return nullptr;
}

// Where nothing is left, that may be why.
void tell_what_is_left_out(const std::vector<std::string>& all) {
  constexpr size_t kMost = 10;
  for (size_t i = 0; i < std::min(all.size(), kMost); ++i)
    std::cerr << "  not understood and left out: " << all[i] << '\n';
  if (all.size() > kMost)
    std::cerr << fmt::format("  and {} more places (-v lists all)\n", all.size() - kMost);
}

// An option that would change nothing is a misunderstanding.
void refuse_idle_options(const std::string& input, bool cuda, const std::string& emit,
                         const po::variables_map& values) {
  if (emit != "cubin" && !values["format"].defaulted())
    throw gvp::bad_input("--format is for cubins", {}, "leave it out with --emit " + emit);
  if (values.count("host-wrapper") != 0 &&
      (!cuda || !values["emit"].defaulted() || !values["format"].defaulted()))
    throw gvp::bad_input("--host-wrapper makes C of CUDA C", {}, "leave out --emit and --format");
  if (emit == "ptx" && values.count("lineinfo") != 0)
    throw gvp::bad_input("-g is for cubins", {}, "PTX made from CUDA C always has its lines");
  if (emit == "ptx" && values.count("verbose") != 0)
    throw gvp::bad_input("-v has nothing to tell of PTX", {}, "leave out --emit ptx");
  if (cuda) return;
  if (emit == "ptx")
    throw gvp::bad_input("--emit ptx is for CUDA C", {}, input + " is PTX already");
  for (const char* option : {"include", "define", "undefine", "pre-include", "use-fast-math"}) {
    if (values.count(option) != 0)
      throw gvp::bad_input(std::string("--") + option + " is for CUDA C", {},
                           input + " is taken for PTX");
  }
}

int run(int argc, char** argv) {
  gvp::kcc::NvccOptions line = gvp::kcc::from_nvcc({argv + 1, argv + argc});
  std::vector<char*> words{argv[0]};
  for (std::string& word : line.words) words.push_back(word.data());
  const auto parsed = gvp::tools::parse_command_line(static_cast<int>(words.size()), words.data(),
                                                     "kcc", kHelp, all_options());
  if (!parsed) return 0;
  const po::variables_map& values = *parsed;
  if (values.count("input") == 0) {
    throw gvp::bad_input("no file to compile", {}, "kcc FILE.cu; --help explains");
  }
  const auto input = values["input"].as<std::string>();
  if (input.empty()) throw gvp::bad_input("the name of the file is empty");
  const bool cuda = is_cuda(input, line.cuda);
  auto emit = values["emit"].as<std::string>();
  const bool ptx_file = emit == "ptx-file";
  if (ptx_file) emit = "ptx";
  const auto format = values["format"].as<std::string>();
  gvp::kcc::g80::Options compiler;
  compiler.optimise = values["optimise"].as<unsigned>();
  if (compiler.optimise > 2) throw gvp::bad_input("-O takes 0, 1 or 2");
  if (values.count("max-registers") != 0) {
    compiler.max_registers = values["max-registers"].as<uint32_t>();
    if (compiler.max_registers < 8 || compiler.max_registers > 64)
      throw gvp::bad_input("--max-registers takes 8 to 64");
  }
  if (emit != "cubin" && emit != "ptx" && emit != "sass") {
    throw gvp::bad_input("--emit takes cubin, ptx or sass");
  }
  if (format != "text" && format != "elf") throw gvp::bad_input("--format takes text or elf");
  refuse_idle_options(input, cuda, emit, values);
  compiler.generated = cuda;
  compiler.lines = values.count("lineinfo") != 0;

  compiler.keep_going = values.count("keep-going") != 0;
  compiler.device_extensions = values.count("device-extensions") != 0;
  const std::string targets = gvp::kcc::target_warning(line.targets, compiler.device_extensions);
  if (!targets.empty()) std::cerr << "kcc: warning: " << targets << '\n';
  compiler.double_arrays = values.count("demote-double-arrays") != 0;

  const bool host_part = values.count("host-wrapper") != 0;
  std::string output = host_part         ? local_name(input, ".host.c")
                       : emit == "cubin" ? local_name(input, ".cubin")
                       : ptx_file        ? local_name(input, ".ptx")
                                         : "-";
  if (values.count("output") != 0) output = values["output"].as<std::string>();
  gvp::check_file_uses({{"the input", input}}, {{"-o", output}});
  gvp::kcc::FrontEndResult front = read_ptx(input, values, cuda, compiler.optimise);
  if (emit == "ptx") {
    gvp::tools::write_output(output, front.ptx);
    return front.refused_kernels.empty() ? 0 : kKernelsLeftOut;
  }
  gvp::kcc::g80::Result result = gvp::kcc::compile(input, front, compiler);
  const g80::Kernel* large = too_large(result.module);
  if (large != nullptr && compiler.generated) {
    // What clang has inlined cannot be called; at level 0 it is what clang has not.
    const bool separate = compiler.optimise > 0;
    std::cerr << fmt::format(
        "kcc: warning: kernel \"{}\" would take {} bytes of code, for which no device has room: "
        "{}\n",
        large->name, 4 * large->code.size(),
        separate ? "clang inlines no functions of this file"
                 : "clang inlines functions of this file in spite of -O0");
    front = read_ptx(input, values, cuda, separate ? compiler.optimise : 1, separate);
    if (separate) compiler.call_from = gvp::kcc::g80::kLargeFunction;
    result = gvp::kcc::compile(input, front, compiler);
    large = too_large(result.module);
  }
  if (large != nullptr)
    throw gvp::bad_input(
        fmt::format("kernel \"{}\" takes {} bytes of code, devices have room for {}", large->name,
                    4 * large->code.size(), gvp::kcc::g80::kMostCodeBytes),
        {input}, "split it");
  for (const std::string& warning : result.warnings) std::cerr << warning << '\n';
  if (result.kernels.empty() && values.count("verbose") == 0) tell_what_is_left_out(front.left_out);
  for (const std::string& error : result.errors) std::cerr << "kcc: error: " << error << '\n';
  std::string contents;
  if (host_part) {
    contents = gvp::kcc::host_wrapper(input, gvp::tools::read_input(input),
                                      g80::to_text_cubin(result.module));
  } else if (emit == "sass") {
    contents = g80::to_listing(result.module);
  } else if (format == "elf") {
    const auto bytes = g80::to_elf_cubin(result.module);
    contents.assign(bytes.begin(), bytes.end());
  } else {
    contents = g80::to_text_cubin(result.module);
  }
  gvp::tools::write_output(output, contents);
  if (values.count("verbose") != 0) std::cerr << gvp::kcc::g80::describe(result);
  if (front.refused_kernels.empty() && result.errors.empty()) return 0;
  std::cerr << fmt::format(
      "kcc: {} of {} kernels have errors and are left out\n",
      front.refused_kernels.size() + result.errors.size(),
      front.refused_kernels.size() + result.errors.size() + result.kernels.size());
  return kKernelsLeftOut;
}

}  // namespace

int main(int argc, char** argv) {
  return gvp::tools::run_guarded("kcc", [&] { return run(argc, argv); });
}

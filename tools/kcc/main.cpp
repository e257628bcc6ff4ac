// SPDX-License-Identifier: Apache-2.0
// kcc: compiles CUDA C or PTX to a cubin for G80 (sm_10).
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/listing.h"
#include "tools/console.h"
#include "tools/kcc/front_end.h"
#include "tools/kcc/g80/compiler.h"
#include "tools/kcc/g80/report.h"
#include "tools/kcc/host_wrapper.h"

namespace {

namespace po = boost::program_options;
namespace g80 = gvp::gpgpu::g80;

constexpr const char* kHelp =
    "usage: kcc [options] FILE.cu|FILE.ptx\n\n"
    "Compiles CUDA C (through clang) or PTX to a cubin for G80 (sm_10): docs/kcc.md.  Writes\n"
    "FILE.cubin into the current directory unless told otherwise; \"-\" is standard output.  Calls "
    "are inlined.  Exit code "
    "0,\n"
    "or 126 when the input or the command line is at fault.\n\n";

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
      "cubin, ptx or sass")("format",
                            po::value<std::string>()->value_name("FORMAT")->default_value("text"),
                            "of the cubin: text or elf")(
      "max-registers", po::value<uint32_t>()->value_name("N")->default_value(64),
      "registers a thread may have, 8 to 64; what does not fit goes to local memory")(
      "verbose,v", "print resources, instruction counts and occupancy")(
      "host-wrapper",
      "write FILE.host.c: the host part of FILE.cu as C for firmware/cuda, with the kernels in it")(
      "lineinfo,g", "tell in the cubin which source lines the code comes from; also -lineinfo")(
      "include,I", po::value<std::vector<std::string>>()->value_name("DIRECTORY")->composing(),
      "folder of headers")("define,D",
                           po::value<std::vector<std::string>>()->value_name("MACRO")->composing(),
                           "macro, as NAME or NAME=VALUE");
  return options;
}

// Clang is given the file's name and would read a device for ever.
void check_cuda_source(const std::string& input) {
  constexpr uintmax_t kMostBytes = 64u << 20;
  std::error_code error;
  const auto status = std::filesystem::status(input, error);
  if (!std::filesystem::exists(status)) return;  // clang says so
  if (!std::filesystem::is_regular_file(status))
    throw gvp::bad_input("CUDA C is read from a regular file", {input}, "this is another thing");
  if (std::filesystem::file_size(input, error) > kMostBytes)
    throw gvp::bad_input("is longer than CUDA C can be: 64 MiB", {input});
}

std::string read_ptx(const std::string& input, const po::variables_map& values, unsigned optimise) {
  if (!ends_with(input, ".cu")) return gvp::tools::read_input(input);
  check_cuda_source(input);
  gvp::kcc::FrontEndOptions options;
  options.optimise = optimise;
  const auto pass_on = [&](const char* option, const char* prefix) {
    if (values.count(option) == 0) return;
    for (const auto& value : values[option].as<std::vector<std::string>>()) {
      options.arguments.push_back(prefix + value);
    }
  };
  pass_on("include", "-I");
  pass_on("define", "-D");
  return gvp::kcc::compile_cuda(input, options);
}

// An option that would change nothing is a misunderstanding.
void refuse_idle_options(const std::string& input, const po::variables_map& values) {
  const auto emit = values["emit"].as<std::string>();
  if (emit != "cubin" && !values["format"].defaulted())
    throw gvp::bad_input("--format is for cubins", {}, "leave it out with --emit " + emit);
  if (values.count("host-wrapper") != 0 &&
      (!ends_with(input, ".cu") || !values["emit"].defaulted() || !values["format"].defaulted()))
    throw gvp::bad_input("--host-wrapper makes C of CUDA C", {}, "leave out --emit and --format");
  if (emit == "ptx" && values.count("lineinfo") != 0)
    throw gvp::bad_input("-g is for cubins", {}, "PTX made from CUDA C always has its lines");
  if (emit == "ptx" && values.count("verbose") != 0)
    throw gvp::bad_input("-v has nothing to tell of PTX", {}, "leave out --emit ptx");
  if (ends_with(input, ".cu")) return;
  if (emit == "ptx")
    throw gvp::bad_input("--emit ptx is for CUDA C", {}, input + " is PTX already");
  if (values.count("include") + values.count("define") != 0)
    throw gvp::bad_input("-I and -D are for CUDA C", {}, input + " is taken for PTX");
}

int run(int argc, char** argv) {
  // nvcc's word for it, one dash and several letters
  static std::string line_information = "--lineinfo";
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "-lineinfo") argv[i] = line_information.data();
  const auto parsed = gvp::tools::parse_command_line(argc, argv, "kcc", kHelp, all_options());
  if (!parsed) return 0;
  const po::variables_map& values = *parsed;
  if (values.count("input") == 0) {
    throw gvp::bad_input("no file to compile", {}, "kcc FILE.cu; --help explains");
  }
  const auto input = values["input"].as<std::string>();
  const auto emit = values["emit"].as<std::string>();
  const auto format = values["format"].as<std::string>();
  gvp::kcc::g80::Options compiler;
  compiler.optimise = values["optimise"].as<unsigned>();
  compiler.max_registers = values["max-registers"].as<uint32_t>();
  if (compiler.optimise > 2) throw gvp::bad_input("-O takes 0, 1 or 2");
  if (compiler.max_registers < 8 || compiler.max_registers > 64) {
    throw gvp::bad_input("--max-registers takes 8 to 64");
  }
  if (emit != "cubin" && emit != "ptx" && emit != "sass") {
    throw gvp::bad_input("--emit takes cubin, ptx or sass");
  }
  if (format != "text" && format != "elf") throw gvp::bad_input("--format takes text or elf");
  refuse_idle_options(input, values);
  compiler.generated = ends_with(input, ".cu");
  compiler.lines = values.count("lineinfo") != 0;

  const bool host_part = values.count("host-wrapper") != 0;
  std::string output = host_part         ? local_name(input, ".host.c")
                       : emit == "cubin" ? local_name(input, ".cubin")
                                         : "-";
  if (values.count("output") != 0) output = values["output"].as<std::string>();
  gvp::check_file_uses({{"the input", input}}, {{"-o", output}});
  const std::string ptx = read_ptx(input, values, compiler.optimise);
  if (emit == "ptx") {
    gvp::tools::write_output(output, ptx);
    return 0;
  }
  const gvp::kcc::g80::Result result = gvp::kcc::g80::compile(input, ptx, compiler);
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
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return gvp::tools::run_guarded("kcc", [&] { return run(argc, argv); });
}

// SPDX-License-Identifier: Apache-2.0
// oclc: compiles OpenCL C to an object for Southern Islands.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/gpgpu/southern_islands/code_object.h"
#include "tools/console.h"
#include "tools/oclc/c_header.h"
#include "tools/oclc/compiler.h"

namespace {

namespace po = boost::program_options;
namespace si = gvp::gpgpu::southern_islands;
using Texts = std::vector<std::string>;

constexpr const char* kHelp =
    "usage: oclc [options] FILE.cl\n\n"
    "Compiles OpenCL C 1.2 to an object for AMD's Southern Islands, which MIAOW\n"
    "executes: docs/oclc.md.  clang 14 and libclc do the work (Debian: clang-14,\n"
    "libclc-14).  Writes FILE.o into the current directory unless told otherwise;\n"
    "\"-\" is standard input or output.  OpenCL's build options (-cl-mad-enable,\n"
    "-cl-fast-relaxed-math...), -w and -W... go to clang.  Exit code 0, or 126 when\n"
    "the input or the command line is at fault.\n\n";

po::options_description all_options() {
  po::options_description options = gvp::tools::common_options();
  const auto texts = [](const char* name) {
    return po::value<Texts>()->value_name(name)->composing();
  };
  options.add_options()("output,o", po::value<std::string>()->value_name("FILE"), "file to write")(
      "optimise,O", po::value<std::string>()->value_name("N")->default_value("2"), "1, 2, 3 or s")(
      "emit", po::value<std::string>()->value_name("WHAT"),
      "object (the default), assembly, header (C, for firmware), hex (the code's words, one a "
      "line)")("compile,c", "write an object: the default")("assembly,S",
                                                            "write assembly: --emit assembly")(
      "name", po::value<std::string>()->value_name("NAME"),
      "with --emit header: what its names begin with; default: from FILE")(
      "save-temps", "keep FILE.ll and FILE.s beside the output; also -save-temps")(
      "verbose,v", "print what each kernel needs and its arguments")(
      "include,I", texts("DIRECTORY"), "folder of headers")("define,D", texts("MACRO"),
                                                            "macro, as NAME or NAME=VALUE")(
      "undefine,U", texts("MACRO"), "forget a macro")("pre-include", texts("FILE"),
                                                      "header to include before the source");
  return options;
}

bool begins(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

// Takes the words that are clang's out of a command line.
Texts take_clangs(Texts& words) {
  Texts clangs;
  Texts others;
  for (const std::string& word : words) {
    if (word == "-save-temps") {
      others.emplace_back("--save-temps");
    } else if (word == "-cl-opt-disable") {
      throw gvp::bad_input(
          "-cl-opt-disable: without optimisation kernels call functions and keep "
          "variables in private memory, which is not modelled",
          {"command line"}, "-O1 is the least");
    } else if (begins(word, "-cl-") || begins(word, "-W") || word == "-w") {
      clangs.push_back(word);
    } else {
      others.push_back(word);
    }
  }
  words = std::move(others);
  return clangs;
}

void check_level(const std::string& level) {
  if (level == "0")
    throw gvp::bad_input(
        "-O0: without optimisation kernels call functions and keep variables in private memory, "
        "which is not modelled",
        {"command line"}, "-O1 is the least");
  for (const char* known : {"1", "2", "3", "s"})
    if (level == known) return;
  throw gvp::bad_input("-O takes 1, 2, 3 or s, not " + level, {"command line"});
}

std::string kind_of(const po::variables_map& values) {
  const bool assembly = values.count("assembly") != 0;
  std::string kind = values.count("emit") != 0 ? values["emit"].as<std::string>()
                     : assembly                ? "assembly"
                                               : "object";
  const std::array<std::string, 4> known{"object", "assembly", "header", "hex"};
  if (std::find(known.begin(), known.end(), kind) == known.end())
    throw gvp::bad_input(fmt::format("--emit {}: no such thing", kind), {"command line"},
                         "object, assembly, header or hex");
  if ((assembly && kind != "assembly") || (values.count("compile") != 0 && kind != "object"))
    throw gvp::bad_input("-c, -S and --emit say different things", {"command line"});
  if (values.count("name") != 0 && kind != "header")
    throw gvp::bad_input("--name is for --emit header", {"command line"});
  return kind;
}

std::string describe(const si::CodeObject& object) {
  std::string text;
  for (const si::ObjectKernel& kernel : object.kernels) {
    text += fmt::format(
        "{}: {} bytes of code, {} vector registers, {} scalar registers, {} bytes of "
        "local memory\n",
        kernel.name, kernel.bytes, kernel.vector_registers, kernel.scalar_registers,
        kernel.share_bytes);
    if (!kernel.arguments) continue;
    for (const si::KernelArgument& argument : kernel.arguments->arguments)
      text += argument.offset == 0
                  ? fmt::format("  {} {}: cannot be passed\n", argument.type, argument.name)
                  : fmt::format("  {} {} at {}\n", argument.type, argument.name, argument.offset);
  }
  return text;
}

std::string contents_of(const std::string& kind, const gvp::oclc::Compiled& compiled,
                        const std::string& input, const std::string& name) {
  if (kind == "object") return compiled.object;
  if (kind == "assembly") return compiled.assembly;
  const si::CodeObject object = si::read_code_object(compiled.object, input);
  if (!object.relocations.empty())
    throw gvp::bad_input(
        fmt::format("kernels with tables, which code alone cannot hold (--emit {})", kind),
        {input, 0, 0},
        "pass tables as arguments; log(), pow() and cbrt() have some: "
        "native_log() and native_powr() have none");
  if (kind == "header")
    return gvp::oclc::to_c_header(object, name, std::filesystem::path(input).filename().string());
  std::string text;
  for (const si::ObjectKernel& kernel : object.kernels)
    text += fmt::format("# {} at {:#x}\n", kernel.name, kernel.entry);
  for (const uint32_t word : object.code) text += fmt::format("{:#010x}\n", word);
  return text;
}

int run(int argc, char** argv) {
  Texts words(argv + 1, argv + argc);
  gvp::oclc::Options compiler;
  compiler.arguments = take_clangs(words);
  std::vector<char*> line{argv[0]};
  for (std::string& word : words) line.push_back(word.data());
  const auto parsed = gvp::tools::parse_command_line(static_cast<int>(line.size()), line.data(),
                                                     "oclc", kHelp, all_options());
  if (!parsed) return 0;
  const po::variables_map& values = *parsed;
  if (values.count("input") == 0)
    throw gvp::bad_input("no file to compile", {}, "oclc FILE.cl; --help explains");
  const auto input = values["input"].as<std::string>();
  compiler.optimise = values["optimise"].as<std::string>();
  check_level(compiler.optimise);
  const std::string kind = kind_of(values);
  const auto pass_on = [&](const char* option, const char* prefix) {
    if (values.count(option) == 0) return;
    for (const auto& value : values[option].as<Texts>())
      compiler.arguments.push_back(prefix + value);
  };
  pass_on("include", "-I");
  pass_on("define", "-D");
  pass_on("undefine", "-U");
  pass_on("pre-include", "-include");

  const auto local = [&](const char* suffix) {
    return std::filesystem::path(input).filename().replace_extension(suffix).string();
  };
  const char* suffix = kind == "object"     ? ".o"
                       : kind == "assembly" ? ".s"
                       : kind == "hex"      ? ".hex"
                                            : ".h";
  std::string output = input == "-" ? "-" : local(suffix);
  if (values.count("output") != 0) output = values["output"].as<std::string>();
  std::vector<gvp::FileUse> outputs{{"-o", output}};
  const bool save = values.count("save-temps") != 0;
  if (save) {
    if (input == "-" || output == "-")
      throw gvp::bad_input("--save-temps needs an input and an output that are files",
                           {"command line"});
    outputs.push_back(
        {"--save-temps", std::filesystem::path(output).replace_extension(".ll").string()});
    if (kind != "assembly")
      outputs.push_back(
          {"--save-temps", std::filesystem::path(output).replace_extension(".s").string()});
  }
  gvp::check_file_uses({{"the input", input}}, outputs);
  const std::string source = gvp::tools::read_input(input);
  const gvp::oclc::Compiled compiled = gvp::oclc::compile(input, source, compiler);
  const std::string name = values.count("name") != 0
                               ? gvp::oclc::identifier_of(values["name"].as<std::string>())
                               : gvp::oclc::identifier_of(input == "-" ? "kernels" : input);
  gvp::tools::write_output(output, contents_of(kind, compiled, input, name));
  for (std::size_t i = 1; i < outputs.size(); ++i)
    gvp::tools::write_output(outputs[i].path, i == 1 ? compiled.intermediate : compiled.assembly);
  if (values.count("verbose") != 0)
    std::cerr << describe(si::read_code_object(compiled.object, input));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return gvp::tools::run_guarded("oclc", [&] { return run(argc, argv); });
}

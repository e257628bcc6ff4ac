// SPDX-License-Identifier: Apache-2.0
// g80as: assembles sm_10 text to a cubin or a .hex file.
#include <fmt/format.h>

#include <iostream>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/cubin.h"
#include "tools/console.h"

namespace {

namespace po = boost::program_options;
using namespace gvp::gpgpu;

constexpr const char* kHelp =
    "usage: g80as [options] FILE.s\n\n"
    "Assembles kernels for G80 (sm_10): the text that cuobjdump prints, with labels and\n"
    "directives (docs/g80.md).  Writes FILE.cubin unless told otherwise; \"-\" is standard\n"
    "input or output.  Exit code 0, or 126 when the input or the command line is at fault.\n\n";

std::string default_output(const std::string& input, const std::string& format) {
  if (input == "-") return "-";
  const std::size_t slash = input.find_last_of('/');
  const std::size_t dot = input.find_last_of('.');
  const bool suffix = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
  return (suffix ? input.substr(0, dot) : input) + (format == "hex" ? ".hex" : ".cubin");
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string to_hex(const g80::Module& module, const std::string& name, const std::string& file) {
  const g80::Kernel& kernel = module.kernel(name, file);
  return fmt::format("# {}: {} registers, {} bytes of shared memory\n{}", kernel.name,
                     kernel.registers, kernel.shared_bytes, g80::to_hex(kernel.code));
}

int run(int argc, char** argv) {
  po::options_description options = gvp::tools::common_options();
  options.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                        "file to write; its suffix .hex chooses the format")(
      "kernel,k", po::value<std::string>()->value_name("NAME")->default_value(""),
      "with --format hex: which kernel, if there are several")(
      "format", po::value<std::string>()->value_name("FORMAT"),
      "text (cubin, default), elf (cubin) or hex");
  const auto parsed = gvp::tools::parse_command_line(argc, argv, "g80as", kHelp, options);
  if (!parsed) return 0;
  const po::variables_map& values = *parsed;
  if (values.count("input") == 0)
    throw gvp::bad_input("no file to assemble", {}, "g80as FILE.s; --help explains");
  const auto input = values["input"].as<std::string>();
  std::string output = values.count("output") != 0 ? values["output"].as<std::string>() : "";
  std::string format = values.count("format") != 0 ? values["format"].as<std::string>()
                       : ends_with(output, ".hex") ? "hex"
                                                   : "text";
  if (format != "text" && format != "elf" && format != "hex")
    throw gvp::bad_input(fmt::format("unknown format \"{}\"", format), {}, "text, elf or hex");
  if (format != "hex" && !values["kernel"].defaulted())
    throw gvp::bad_input("--kernel is for --format hex", {}, "a cubin takes all kernels");
  if (values.count("output") == 0) output = default_output(input, format);
  gvp::check_file_uses({{"the input", input}}, {{"-o", output}});

  std::vector<std::string> warnings;
  const g80::Module module = g80::assemble(gvp::tools::read_input(input), input, &warnings);
  for (const std::string& warning : warnings) std::cerr << "g80as: warning: " << warning << '\n';
  std::string contents;
  if (format == "elf") {
    const auto bytes = g80::to_elf_cubin(module);
    contents.assign(bytes.begin(), bytes.end());
  } else {
    contents = format == "hex" ? to_hex(module, values["kernel"].as<std::string>(), input)
                               : g80::to_text_cubin(module);
  }
  gvp::tools::write_output(output, contents);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return gvp::tools::run_guarded("g80as", [&] { return run(argc, argv); });
}

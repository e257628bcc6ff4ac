// SPDX-License-Identifier: Apache-2.0
// sias: assembles Southern Islands text to a .hex file.
#include <fmt/format.h>

#include <string>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/base/hex_words.h"
#include "models/gpgpu/southern_islands/assembler.h"
#include "models/gpgpu/southern_islands/disassembler.h"
#include "tools/console.h"

namespace {

namespace po = boost::program_options;
namespace si = gvp::gpgpu::southern_islands;

constexpr const char* kHelp =
    "usage: sias [options] FILE.s\n\n"
    "Assembles AMD Southern Islands code in LLVM's syntax: what clang -S\n"
    "-mcpu=tahiti writes and llvm-mc reads (docs/southern-islands.md).  Writes the\n"
    "words of .text to FILE.hex unless told otherwise; \"-\" is standard input or\n"
    "output.  Exit code 0, or 126 when the input or the command line is at fault.\n\n";

std::string default_output(const std::string& input) {
  if (input == "-") return "-";
  const std::size_t slash = input.find_last_of('/');
  const std::size_t dot = input.find_last_of('.');
  const bool suffix = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
  return (suffix ? input.substr(0, dot) : input) + ".hex";
}

// Where the labels are stands in comments: a .hex file has no symbols.
std::string to_hex(const si::Assembly& assembly) {
  std::string text;
  for (const si::Label& label : assembly.labels)
    text += fmt::format("# {} at {:#x}\n", label.name, label.offset);
  return text + gvp::to_hex(assembly.words);
}

int run(int argc, char** argv) {
  po::options_description options = gvp::tools::common_options();
  options.add_options()("output,o", po::value<std::string>()->value_name("FILE"), "file to write")(
      "listing,l", "write a listing (addresses, words, text) instead of words");
  const auto parsed = gvp::tools::parse_command_line(argc, argv, "sias", kHelp, options);
  if (!parsed) return 0;
  const po::variables_map& values = *parsed;
  if (values.count("input") == 0)
    throw gvp::bad_input("no file to assemble", {}, "sias FILE.s; --help explains");
  const auto input = values["input"].as<std::string>();
  const bool listing = values.count("listing") != 0;
  const std::string output = values.count("output") != 0 ? values["output"].as<std::string>()
                             : listing                   ? "-"
                                                         : default_output(input);
  gvp::check_file_uses({{"the input", input}}, {{"-o", output}});
  const si::Assembly assembly = si::assemble(gvp::tools::read_input(input), input);
  gvp::tools::write_output(output, listing ? si::to_listing(assembly.words) : to_hex(assembly));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return gvp::tools::run_guarded("sias", [&] { return run(argc, argv); });
}

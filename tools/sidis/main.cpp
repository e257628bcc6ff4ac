// SPDX-License-Identifier: Apache-2.0
// sidis: disassembles .hex files to text that sias reads again.
#include <iostream>
#include <string>

#include "models/base/error.h"
#include "models/base/hex_words.h"
#include "models/gpgpu/southern_islands/disassembler.h"
#include "tools/console.h"

namespace {

namespace po = boost::program_options;
namespace si = gvp::gpgpu::southern_islands;

constexpr const char* kHelp =
    "usage: sidis [options] FILE.hex\n\n"
    "Disassembles AMD Southern Islands code, which LLVM can assemble and not\n"
    "disassemble, in LLVM's syntax.  Address and words stand in comments, targets of\n"
    "branches get labels, and what is no instruction becomes .long; the output\n"
    "assembles to the same words with sias.  \"-\" is standard input.  Exit code 0, 1\n"
    "when --check finds words that are no instructions, or 126 when the input or the\n"
    "command line is at fault.\n\n";

int run(int argc, char** argv) {
  po::options_description options = gvp::tools::common_options();
  options.add_options()("plain", "instructions and labels only: no addresses and words")(
      "encodings", "print the table of the instruction set and exit")(
      "check", "report words that are no instructions; exit code 1 if there are any");
  const auto parsed = gvp::tools::parse_command_line(argc, argv, "sidis", kHelp, options);
  if (!parsed) return 0;
  const po::variables_map& values = *parsed;
  if (values.count("encodings") != 0) {
    std::cout << si::encodings_as_markdown();
    return 0;
  }
  if (values.count("input") == 0)
    throw gvp::bad_input("no file to disassemble", {}, "sidis FILE.hex; --help explains");
  const auto input = values["input"].as<std::string>();
  const std::vector<uint32_t> words = gvp::parse_hex(gvp::tools::read_input(input), input);
  if (words.empty()) throw gvp::bad_input("no words in this file", {input, 0, 0});
  if (values.count("check") == 0) {
    si::ListingOptions listing;
    listing.plain = values.count("plain") != 0;
    std::cout << si::to_listing(words, listing);
    return 0;
  }
  const std::string report = si::list_problems(words, input);
  std::cout << report;
  return report.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return gvp::tools::run_guarded("sidis", [&] { return run(argc, argv); });
}

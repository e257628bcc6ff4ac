// SPDX-License-Identifier: Apache-2.0
// g80dis: disassembles cubins and .hex files to text that g80as reads again.
#include <fmt/format.h>

#include <iostream>
#include <string>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/listing.h"
#include "tools/console.h"

namespace {

namespace po = boost::program_options;
using namespace gvp::gpgpu;

constexpr const char* kHelp =
    "usage: g80dis [options] FILE.cubin|FILE.hex\n\n"
    "Disassembles G80 (sm_10) code in the words of cuobjdump.  Address and words stand in\n"
    "comments; the output assembles to the same words with g80as; \"-\" is standard input.  Exit\n"
    "code 0, 1 when --check finds words that are no sm_10 instructions, or 126 when the input or "
    "the\n"
    "command line is at fault.\n\n";

// A .hex file begins with a comment or a word of digits, a text cubin with a name.
bool is_hex(const std::string& contents) {
  const std::size_t start = contents.find_first_not_of(" \t\r\n");
  if (start == std::string::npos || contents[start] == '#') return true;
  const std::size_t end = contents.find_first_not_of("xX0123456789abcdefABCDEF", start);
  return end == std::string::npos ||
         (end > start && contents.find_first_of(" \t\r\n,#", end) == end);
}

g80::Module load(const std::string& path) {
  const std::string contents = gvp::tools::read_input(path);
  if (!is_hex(contents)) return g80::parse_cubin(contents, path);
  g80::Module module;
  g80::Kernel kernel;
  kernel.name = "kernel";
  kernel.code = g80::parse_hex(contents, path);
  if (kernel.code.empty()) throw gvp::bad_input("no words in this file", {path, 0, 0});
  module.kernels.push_back(std::move(kernel));
  return module;
}

int run(int argc, char** argv) {
  po::options_description options = gvp::tools::common_options();
  options.add_options()("kernel,k", po::value<std::string>()->value_name("NAME"),
                        "only the kernel of this name")(
      "list,l", "list the kernels and what they need, without code")(
      "plain", "instructions only: no addresses, words and directives")(
      "encodings", "print the table of the instruction set and exit")(
      "check", "report words that cannot be executed; exit code 1 if there are any");
  const auto parsed = gvp::tools::parse_command_line(argc, argv, "g80dis", kHelp, options);
  if (!parsed) return 0;
  const po::variables_map& values = *parsed;
  if (values.count("encodings") != 0) {
    std::cout << g80::encodings_as_markdown();
    return 0;
  }
  if (values.count("input") == 0)
    throw gvp::bad_input("no file to disassemble", {}, "g80dis FILE; --help explains");
  const auto input = values["input"].as<std::string>();
  g80::Module module = load(input);
  if (values.count("kernel") != 0)
    module.kernels = {module.kernel(values["kernel"].as<std::string>(), input)};
  g80::ListingOptions listing;
  listing.colours = gvp::tools::stdout_has_colours();
  listing.plain = values.count("plain") != 0;
  const bool check = values.count("check") != 0;
  if (values.count("list") != 0) {
    std::cout << g80::list_kernels(module);
  } else if (!check) {
    std::cout << g80::to_listing(module, listing);
  }
  if (!check) return 0;
  const std::string report = g80::list_problems(module);
  std::cout << report;
  return report.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return gvp::tools::run_guarded("g80dis", [&] { return run(argc, argv); });
}

// SPDX-License-Identifier: Apache-2.0
// gvp-rtl: makes plug-ins of blocks of RTL.
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <filesystem>
#include <iostream>
#include <string>

#include "models/base/error.h"
#include "tools/console.h"
#include "tools/gvp-rtl/build.h"
#include "tools/gvp-rtl/roles.h"
#include "tools/gvp-rtl/source.h"

namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;
using namespace gvp::tools;

constexpr const char* kHelp =
    "usage: gvp-rtl build [options] BLOCK.toml\n"
    "       gvp-rtl wrap [options] NAME\n\n"
    "build: compiles a block of RTL (Verilog, SystemVerilog; VHDL with GHDL) with Verilator to a\n"
    "plug-in that gpgpu-vp --plugin loads (docs/rtl-blocks.md), and says what its ports are.\n"
    "wrap: only the C++ source around what Verilator has made of the block NAME.\n"
    "Exit code 0, or 126 when RTL, description or command line are at fault.\n\n";

int build(const po::variables_map& values, const std::string& file) {
  const rtl::Description description = rtl::read_description(file);
  rtl::BuildOptions options;
  options.output = values["output"].as<std::string>();
  options.directory = values["work"].as<std::string>();
  options.depfile = values["depfile"].as<std::string>();
  options.program = fs::read_symlink("/proc/self/exe").string();
  const rtl::Built built = rtl::build(description, options);
  std::cerr << built.warnings;
  std::cout << fmt::format("{}: RTL block {}, {}\n{}", built.output, description.name,
                           built.compiled_with, rtl::roles_text(built.pins));
  return 0;
}

int wrap(const po::variables_map& values, const std::string& name) {
  rtl::Verilated block;
  block.name = name;
  block.directory = values["verilated"].as<std::string>();
  block.compiled_with = values["compiled-with"].as<std::string>();
  if (block.directory.empty())
    throw gvp::bad_input("wrap needs to know where Verilator's sources are", {},
                         "--verilated DIRECTORY");
  std::vector<rtl::Pin> pins = rtl::read_pins(rtl::header_of(block), name);
  rtl::assign_clocks(pins, {}, name);
  const std::string output = values["output"].as<std::string>();
  write_output(output.empty() ? name + ".cpp" : output, rtl::source_text(block, pins));
  return 0;
}

int run(int argc, char** argv) {
  po::options_description options = common_options();
  options.add_options()("output,o",
                        po::value<std::string>()->value_name("FILE")->default_value("", "NAME.so"),
                        "the plug-in, or wrap's source")(
      "work", po::value<std::string>()->value_name("DIRECTORY")->default_value("", "FILE.build"),
      "for what is made on the way")(
      "depfile", po::value<std::string>()->value_name("FILE")->default_value("", "none"),
      "build: a list of all that the plug-in depends on, for make and ninja")(
      "verilated", po::value<std::string>()->value_name("DIRECTORY")->default_value("", "none"),
      "wrap: where Verilator's sources are")(
      "compiled-with", po::value<std::string>()->value_name("TEXT")->default_value("Verilator"),
      "wrap: what the block says of its compiler");
  po::options_description all;
  all.add(options).add_options()("command", po::value<std::string>())("input",
                                                                      po::value<std::string>());
  po::positional_options_description positional;
  positional.add("command", 1).add("input", 1);
  const po::variables_map values = parsed(argc, argv, all, positional);
  if (values.count("help") != 0) {
    std::cout << kHelp << options;
    return 0;
  }
  if (values.count("version") != 0) {
    std::cout << "gvp-rtl " GVP_VERSION "\n";
    return 0;
  }
  const std::string command =
      values.count("command") != 0 ? values["command"].as<std::string>() : "";
  if (command != "build" && command != "wrap")
    throw gvp::bad_input(
        command.empty() ? "nothing to do" : fmt::format("unknown command \"{}\"", command), {},
        "gvp-rtl build BLOCK.toml; --help explains");
  if (values.count("input") == 0)
    throw gvp::bad_input(fmt::format("{} what?", command), {},
                         "gvp-rtl build BLOCK.toml; --help explains");
  const auto input = values["input"].as<std::string>();
  return command == "build" ? build(values, input) : wrap(values, input);
}

}  // namespace

int main(int argc, char** argv) {
  return run_guarded("gvp-rtl", [&] { return run(argc, argv); });
}

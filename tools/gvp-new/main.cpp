// SPDX-License-Identifier: Apache-2.0
// gvp-new: a firmware project of one's own, that builds, runs and debugs.
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <filesystem>
#include <iostream>
#include <string>

#include "models/base/error.h"
#include "tools/console.h"
#include "tools/gvp-new/project.h"

namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

constexpr const char* kHelp =
    "usage: gvp-new [options] DIRECTORY\n\n"
    "Makes a firmware project with a kernel: CMake files and presets, main.c, vector_add.cu, and\n"
    "what VS Code needs to debug it (docs/firmware.md).  Exit code 0, or 126 when the command\n"
    "line is at fault.\n\n";

int run(int argc, char** argv) {
  po::options_description options = gvp::tools::common_options();
  options.add_options()(
      "name", po::value<std::string>()->value_name("NAME")->default_value("", "DIRECTORY's"),
      "of the program")("sdk", po::value<std::string>()->value_name("DIRECTORY"),
                        "the SDK, if not the one installed with this program");
  const auto parsed = gvp::tools::parse_command_line(argc, argv, "gvp-new", kHelp, options);
  if (!parsed) return 0;
  const po::variables_map& values = *parsed;
  if (values.count("input") == 0 || values["input"].as<std::string>().empty())
    throw gvp::bad_input("no directory to make", {}, "gvp-new my_app; --help explains");

  const fs::path program = fs::read_symlink("/proc/self/exe");
  gvp::tools::Project project;
  project.directory = values["input"].as<std::string>();
  project.name = values["name"].as<std::string>();
  project.sdk = values.count("sdk") != 0 ? fs::path(values["sdk"].as<std::string>())
                                         : gvp::tools::sdk_of(program);
  project.programs = program.parent_path();
  const std::string name = gvp::tools::make_project(project);
  std::cout << fmt::format(
      "{}: made in {}\n"
      "  cd {}\n"
      "  cmake --preset release && cmake --build --preset release --target run\n",
      name, project.directory.string(), project.directory.string());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return gvp::tools::run_guarded("gvp-new", [&] { return run(argc, argv); });
}

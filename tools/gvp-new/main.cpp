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
  po::options_description options("Options");
  options.add_options()("help,h", "show this text")("version", "show the version")(
      "name", po::value<std::string>()->value_name("NAME")->default_value("", "DIRECTORY's"),
      "of the program")("sdk", po::value<std::string>()->value_name("DIRECTORY"),
                        "the SDK, if not the one installed with this program");
  po::options_description all;
  all.add(options).add_options()("directory", po::value<std::string>());
  po::positional_options_description positional;
  positional.add("directory", 1);
  po::variables_map values;
  po::store(po::command_line_parser(argc, argv).options(all).positional(positional).run(), values);
  po::notify(values);
  if (values.count("help") != 0) {
    std::cout << kHelp << options;
    return 0;
  }
  if (values.count("version") != 0) {
    std::cout << "gvp-new " GVP_VERSION "\n";
    return 0;
  }
  if (values.count("directory") == 0 || values["directory"].as<std::string>().empty())
    throw gvp::bad_input("no directory to make", {}, "gvp-new my_app; --help explains");

  const fs::path program = fs::read_symlink("/proc/self/exe");
  gvp::tools::Project project;
  project.directory = values["directory"].as<std::string>();
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

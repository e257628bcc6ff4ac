// SPDX-License-Identifier: Apache-2.0
#include "tools/console.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/base/standard_streams.h"

namespace gvp::tools {

namespace po = boost::program_options;

namespace {

constexpr FileKind kInput{"what this program reads", 64u << 20};

bool has_colours(int descriptor) {
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) != 0 && std::getenv("NO_COLOR") == nullptr && terminal != nullptr &&
         std::strcmp(terminal, "dumb") != 0;
}

int report(std::string_view name, const std::string& what, ExitCode code) {
  const bool colours = stderr_has_colours();
  write_standard_error(std::string(name) + ": " + (colours ? "\033[1;31m" : "") +
                       "error: " + (colours ? "\033[0m" : "") + what + '\n');
  return static_cast<int>(code);
}

}  // namespace

int run_guarded(std::string_view name, const std::function<int()>& body) {
  occupy_standard_descriptors();
  try {
    const int code = body();
    std::cout.flush();
    if (!std::cout) return report(name, "cannot write to standard output", ExitCode::kBadInput);
    return code;
  } catch (const Error& error) {
    return report(name, error.what(), error.code());
  } catch (const boost::program_options::error& error) {
    return report(name, std::string(error.what()) + " (--help lists the options)",
                  ExitCode::kBadInput);
  } catch (const std::exception& error) {
    return report(name, error.what(), ExitCode::kModelError);
  }
}

po::options_description common_options() {
  po::options_description options("Options");
  options.add_options()("help,h", "show this text")("version", "show the version");
  return options;
}

po::variables_map parsed(int argc, const char* const argv[], const po::options_description& options,
                         const po::positional_options_description& positional) {
  po::variables_map values;
  po::store(po::command_line_parser(argc, argv)
                .options(options)
                .positional(positional)
                .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
                .run(),
            values);
  po::notify(values);
  return values;
}

std::optional<po::variables_map> parse_command_line(int argc, char** argv, std::string_view name,
                                                    std::string_view help,
                                                    const po::options_description& options,
                                                    bool many) {
  po::options_description all;
  all.add(options);
  if (many)
    all.add_options()("input", po::value<std::vector<std::string>>());
  else
    all.add_options()("input", po::value<std::string>());
  po::positional_options_description positional;
  positional.add("input", many ? -1 : 1);
  po::variables_map values = parsed(argc, argv, all, positional);
  if (values.count("help") != 0) {
    std::cout << help << options;
    return std::nullopt;
  }
  if (values.count("version") != 0) {
    std::cout << name << " " GVP_VERSION "\n";
    return std::nullopt;
  }
  return values;
}

bool stdout_has_colours() { return has_colours(STDOUT_FILENO); }
bool stderr_has_colours() { return has_colours(STDERR_FILENO); }

std::string read_input(const std::string& path) { return read_whole_file(path, kInput); }

void write_output(const std::string& path, std::string_view contents) {
  if (path == "-") {
    std::cout.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    return;
  }
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  stream.close();
  if (!stream) throw bad_input(std::string("cannot write: ") + std::strerror(errno), {path, 0, 0});
}

}  // namespace gvp::tools

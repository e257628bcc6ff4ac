// SPDX-License-Identifier: Apache-2.0
#include "tools/console.h"

#include <unistd.h>

#include <boost/program_options/errors.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/base/standard_streams.h"

namespace gvp::tools {
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

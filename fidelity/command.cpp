// SPDX-License-Identifier: Apache-2.0
#include "fidelity/command.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <memory>

#include "models/base/error.h"

namespace gvp::fidelity {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + '\'';
}

}  // namespace

std::string output_of(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += quoted(word) + ' ';
  const auto close = [](std::FILE* pipe) { return pclose(pipe); };
  std::unique_ptr<std::FILE, decltype(close)> pipe(popen(line.c_str(), "r"), close);
  if (pipe == nullptr) throw model_error("cannot start " + line);
  std::string output;
  std::array<char, 4096> buffer;
  while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    output.append(buffer.data(), count);
  const int status = pclose(pipe.release());
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw model_error("failed: " + line, {}, "its output was:\n" + output);
  return output;
}

}  // namespace gvp::fidelity

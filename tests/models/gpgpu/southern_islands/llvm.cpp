// SPDX-License-Identifier: Apache-2.0
#include "tests/models/gpgpu/southern_islands/llvm.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "tests/support/temporary_file.h"

namespace gvp::test {
namespace {

// "[0x01,0x02,0x03,0x04]" as words; labels that are not resolved stand as letters.
std::vector<uint32_t> words_of(const std::string& bytes) {
  std::vector<uint32_t> words;
  unsigned count = 0;
  for (std::size_t at = bytes.find("0x"); at != std::string::npos; at = bytes.find("0x", at + 2)) {
    if (count % 4 == 0) words.push_back(0);
    words.back() |= static_cast<uint32_t>(std::stoul(bytes.substr(at + 2, 2), nullptr, 16))
                    << 8 * (count % 4);
    ++count;
  }
  return words;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::string output_of(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 1 << 16> buffer;
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
    text.append(buffer.data(), n);
  pclose(pipe);
  return text;
}

std::vector<LlvmLine> assemble_with_llvm(const std::vector<std::string>& instructions) {
  // A label before each tells which instruction a line of output belongs to.
  std::string source;
  for (std::size_t i = 0; i < instructions.size(); ++i)
    source += "line_" + std::to_string(i) + ":\n" + instructions[i] + "\n";
  const TemporaryFile file("llvm.s", source);
  std::istringstream output(
      output_of("llvm-mc-14 -arch=amdgcn -mcpu=tahiti -show-encoding " + file.path() + " 2>&1"));
  std::vector<LlvmLine> lines(instructions.size());
  std::size_t at = 0;
  for (std::string line; std::getline(output, line);) {
    if (line.substr(0, 5) == "line_") {
      at = std::stoul(line.substr(5));
      continue;
    }
    const std::size_t encoding = line.find("; encoding: ");
    if (encoding == std::string::npos || at >= lines.size()) continue;
    lines[at] = {trimmed(line.substr(0, encoding)), words_of(line.substr(encoding))};
  }
  return lines;
}

}  // namespace gvp::test

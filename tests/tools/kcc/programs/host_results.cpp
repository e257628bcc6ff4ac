// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/kcc/programs/host_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "tests/end_to_end/program.h"

namespace gvp::kcc {
namespace {

constexpr unsigned kOrders = 2;

std::string host_text(const std::vector<RandomProgram>& programs) {
  std::string text =
      "#include \"tests/tools/kcc/programs/cuda_on_host.h\"\n"
      "static unsigned char* memory;\n";
  for (const RandomProgram& program : programs) {
    text += program.text();
    text += fmt::format("void call{}() {{\n  {};\n}}\n", program.seed, program.call);
  }
  size_t most = 0;
  for (const RandomProgram& program : programs) most = std::max(most, program.memory.size());
  text += fmt::format(
      "alignas(16) static unsigned char bytes[{}];\n"
      "int main(int, char** arguments) {{\n"
      "  host::random_state = 2463534242u + atoi(arguments[2]);\n"
      "  FILE* file = fopen(arguments[1], \"r+b\");\n  memory = bytes;\n  long at = 0;\n",
      most);
  for (const RandomProgram& program : programs) {
    text += fmt::format(
        "  fseek(file, at, SEEK_SET);\n"
        "  if (fread(memory, 1, {0}, file) != {0}) return 1;\n"
        "  host::launch({1}, {2}, {3}, call{4});\n  fseek(file, at, SEEK_SET);\n"
        "  if (fwrite(memory, 1, {0}, file) != {0}) return 1;\n  at += {0};\n",
        program.memory.size(), program.grid, program.threads, program.columns, program.seed);
  }
  return text + "  return fclose(file);\n}\n";
}

void command(const std::string& text) {
  const int status = std::system(text.c_str());
  if (status != 0) throw std::runtime_error(fmt::format("{}: status {}", text, status));
}

// What is compared of the memory of each, which lie one behind the other.
std::vector<std::vector<uint8_t>> split(const std::string& all,
                                        const std::vector<RandomProgram>& programs) {
  std::vector<std::vector<uint8_t>> results;
  size_t at = 0;
  for (const RandomProgram& program : programs) {
    const std::string bytes = all.substr(at, program.compared);
    results.emplace_back(bytes.begin(), bytes.end());
    at += program.memory.size();
  }
  return results;
}

}  // namespace

std::vector<std::vector<uint8_t>> host_results(const std::vector<RandomProgram>& programs) {
  const std::string source = test::temporary("reference.cpp");
  const std::string executable = test::temporary("reference");
  const std::string memory = test::temporary("reference.bin");
  test::write(source, host_text(programs));
  // What is left undefined in CUDA C is left undefined here, too; the generator avoids it.  Not
  // optimised: the programs run for less time than optimising takes.
  const char* compiler = std::getenv("GVP_RANDOM_HOST");
  command(fmt::format("{} -std=c++17 -O0 -w -ffp-contract=off -I{} -o {} {}",
                      compiler == nullptr ? "g++" : compiler, GVP_SOURCE_DIR, executable, source));
  std::string before;
  for (const RandomProgram& program : programs)
    before.append(program.memory.begin(), program.memory.end());
  std::vector<std::vector<uint8_t>> results;
  for (unsigned order = 0; order < kOrders; ++order) {
    test::write(memory, before);
    command(fmt::format("{} {} {}", executable, memory, order));
    const auto found = split(test::read(memory), programs);
    if (order != 0 && found != results)
      throw std::runtime_error("the results depend on the order of the threads: " + source);
    results = found;
  }
  for (const std::string& file : {source, executable, memory}) std::remove(file.c_str());
  return results;
}

}  // namespace gvp::kcc

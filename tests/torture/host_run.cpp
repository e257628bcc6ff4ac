// SPDX-License-Identifier: Apache-2.0
// host-run [--engine interpreter|jit] [--jit-threshold N] [--fpu N] [--max-cycles N] [--output]
// [--speed] FILE.elf ...: runs each executable on the processor core and prints one line for it:
// "pass FILE", or "FAIL FILE: why".  A program passes when it ends with a branch to itself and exit
// code 0.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/base/log.h"
#include "tests/support/guest/guest_machine.h"

namespace {

struct Options {
  gvp::host::Configuration configuration;
  uint64_t max_cycles = 4000000000;
  bool show_output = false;
  bool show_speed = false;
  std::vector<std::string> files;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--fpu" && i + 1 < argc) {
      options.configuration.use_fpu = static_cast<unsigned>(std::atoi(argv[++i]));
    } else if (argument == "--engine" && i + 1 < argc) {
      options.configuration.engine = argv[++i];
    } else if (argument == "--jit-threshold" && i + 1 < argc) {
      options.configuration.jit_threshold = static_cast<uint32_t>(std::atoi(argv[++i]));
    } else if (argument == "--max-cycles" && i + 1 < argc) {
      options.max_cycles = std::strtoull(argv[++i], nullptr, 0);
    } else if (argument == "--output") {
      options.show_output = true;
    } else if (argument == "--speed") {
      options.show_speed = true;
    } else {
      options.files.push_back(argument);
    }
  }
  return options;
}

// Empty: passed.
std::string run_one(const Options& options, const std::string& path) {
  try {
    const gvp::platform::ElfFile file = gvp::platform::read_elf(path);
    gvp::test::GuestMachine machine(options.configuration);
    machine.load(file);
    const auto start = std::clock();
    const auto result = machine.run(options.max_cycles);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (options.show_output) fmt::print("{}", machine.bus.output);
    if (options.show_speed)
      fmt::print("{} instructions in {:.3f} CPU seconds: {:.0f} MIPS\n", result.instructions,
                 seconds, static_cast<double>(result.instructions) / seconds * 1e-6);
    if (!result.finished) return result.error;
    return result.exit_code == 0 ? "" : fmt::format("exit code {}", result.exit_code);
  } catch (const gvp::Error& error) {
    return error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  gvp::Log::configure("error");
  // Whole lines, even where several of these write into one file.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  int failed = 0;
  for (const std::string& path : options.files) {
    const std::string problem = run_one(options, path);
    if (!problem.empty()) ++failed;
    fmt::print("{} {}{}\n", problem.empty() ? "pass" : "FAIL", path,
               problem.empty() ? "" : ": " + problem);
  }
  return failed == 0 ? 0 : 1;
}

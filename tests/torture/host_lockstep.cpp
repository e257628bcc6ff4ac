// SPDX-License-Identifier: Apache-2.0
// host-lockstep [--fpu N] FILE.elf ...: runs each executable on the processor core and on QEMU side
// by side, compares all registers at functions' entries and at the end, and prints one line for
// it: "pass FILE: N comparisons", or "FAIL FILE: what differs".  The programs are those of
// tests/torture: they use no devices.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "models/base/log.h"
#include "tests/support/lockstep/lockstep.h"

int main(int argc, char** argv) {
  gvp::Log::configure("error");
  // Whole lines, even where several of these write into one file.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  gvp::host::Configuration configuration = gvp::test::Lockstep::machine();
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--fpu" && i + 1 < argc) {
      configuration.use_fpu = static_cast<unsigned>(std::atoi(argv[++i]));
    } else {
      files.push_back(argument);
    }
  }
  if (!gvp::test::Qemu::available()) {
    fmt::print(stderr, "host-lockstep: no {} (Debian package qemu-system-misc)\n",
               gvp::test::Qemu::kProgram);
    return 77;
  }
  constexpr uint32_t kRamBytes = 64u << 20;
  // One pair for all: what a program leaves in memory is the same on both sides.
  std::unique_ptr<gvp::test::Lockstep> pair;
  bool failed = false;
  for (const std::string& path : files) {
    std::string wrong;
    uint64_t comparisons = 0;
    try {
      if (!pair)
        pair = std::make_unique<gvp::test::Lockstep>(configuration, std::vector<std::string>{},
                                                     kRamBytes);
      const auto outcome = pair->run_program(gvp::platform::read_elf(path));
      wrong = outcome.difference;
      comparisons = outcome.comparisons;
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    if (!wrong.empty()) pair.reset();
    failed = failed || !wrong.empty();
    fmt::print("{} {}: {}\n", wrong.empty() ? "pass" : "FAIL", path,
               wrong.empty() ? fmt::format("{} comparisons", comparisons) : wrong);
  }
  return failed ? 1 : 0;
}

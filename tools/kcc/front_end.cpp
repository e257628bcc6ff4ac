// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "models/base/error.h"

namespace gvp::kcc {
namespace {

namespace fs = std::filesystem;

constexpr int kNotFound = 127;  // exit status of a child that could not run the program

fs::path header_folder() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (error) throw model_error("cannot find the folder of this executable", "", error.message());
  for (fs::path base = executable.parent_path(); base.has_relative_path();
       base = base.parent_path()) {
    for (const char* folder : {"share/gpgpu-vp/kcc", "tools/kcc/include"}) {
      if (fs::exists(base / folder / "kcc_cuda.h")) return base / folder;
    }
  }
  throw bad_input("kcc_cuda.h is not beside " + executable.string(), {},
                  "run kcc from the build or install tree");
}

std::vector<std::string> command(const std::string& clang, const std::string& file,
                                 const FrontEndOptions& options) {
  // -m32: 32-bit addresses, as the machine has.  sm_20: the oldest target clang knows.
  // -nostdlibinc: the host's library has no place in a kernel.
  // -replexitval=never: the sum of a loop stays a loop; its closed form takes 64-bit products.
  std::vector<std::string> words{clang,
                                 "-x",
                                 "cuda",
                                 "--cuda-device-only",
                                 "--cuda-gpu-arch=sm_20",
                                 "-nocudainc",
                                 "-nocudalib",
                                 "-nostdlibinc",
                                 "-m32",
                                 "-Wno-unknown-cuda-version",
                                 "-fno-unroll-loops",
                                 "-fno-vectorize",
                                 "-fno-slp-vectorize",
                                 "-ffp-contract=off",
                                 "-mllvm",
                                 "-replexitval=never",
                                 "-gline-tables-only",
                                 "-S",
                                 "-o",
                                 "-"};
  // There are no generic addresses, so variables must not stay in memory as they do at -O0.
  words.push_back(options.optimise >= 2 ? "-O2" : "-O1");
  if (options.optimise == 0) words.push_back("-fno-inline");
  words.push_back("-I" + header_folder().string());
  words.push_back("-include");
  words.push_back("kcc_cuda.h");
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  words.push_back(file);
  return words;
}

struct Outcome {
  int status = 0;
  std::string output;
};

Outcome run(std::vector<std::string> words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) throw model_error("pipe", "", std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) throw model_error("fork", "", std::strerror(errno));
  if (child == 0) {
    dup2(pipe_ends[1], STDOUT_FILENO);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    execvp(arguments[0], arguments.data());
    _exit(kNotFound);
  }
  close(pipe_ends[1]);
  Outcome outcome;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = read(pipe_ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    outcome.output.append(buffer.data(), static_cast<size_t>(count));
  }
  close(pipe_ends[0]);
  while (waitpid(child, &outcome.status, 0) < 0 && errno == EINTR) {
  }
  return outcome;
}

}  // namespace

std::string compile_cuda(const std::string& file, const FrontEndOptions& options) {
  const char* chosen = std::getenv("KCC_CLANG");
  std::vector<std::string> candidates{"clang-14", "clang"};
  if (chosen != nullptr && *chosen != '\0') candidates = {chosen};
  for (const std::string& clang : candidates) {
    const Outcome outcome = run(command(clang, file, options));
    if (WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == kNotFound) continue;
    if (!WIFEXITED(outcome.status) || WEXITSTATUS(outcome.status) != 0) {
      throw bad_input("clang refuses this file", {file}, "its messages are above");
    }
    return outcome.output;
  }
  throw bad_input("cannot run clang to compile CUDA C", {file},
                  "install clang-14, or name a clang in KCC_CLANG; PTX needs none");
}

}  // namespace gvp::kcc

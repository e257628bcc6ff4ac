// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/error.h"
#include "tools/kcc/intermediate_code.h"

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

// CUDA C to LLVM's intermediate code, nothing optimised yet.
std::vector<std::string> parse_command(const std::string& file, const FrontEndOptions& options) {
  // -m32: 32-bit addresses, as the machine has.  sm_20: the oldest target clang knows.
  // -nostdlibinc: the host's library has no place in a kernel.
  std::vector<std::string> words{"-x",
                                 "cuda",
                                 "--cuda-device-only",
                                 "--cuda-gpu-arch=sm_20",
                                 "-nocudainc",
                                 "-nocudalib",
                                 "-nostdlibinc",
                                 "-m32",
                                 "-Wno-unknown-cuda-version",
                                 "-ffp-contract=off",
                                 "-gline-tables-only",
                                 "-emit-llvm",
                                 "-Xclang",
                                 "-disable-llvm-passes",
                                 "-S",
                                 "-o",
                                 "-"};
  if (isatty(STDERR_FILENO) != 0) words.emplace_back("-fcolor-diagnostics");
  words.push_back("-I" + header_folder().string());
  words.push_back("-include");
  words.push_back("kcc_cuda.h");
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  words.push_back(file);
  return words;
}

// From there to PTX.
std::vector<std::string> generate_command() {
  // -replexitval=never: the sum of a loop stays a loop; its closed form takes 64-bit products.
  return {"-x",
          "ir",
          "--target=nvptx-nvidia-cuda",
          "-Xclang",
          "-target-cpu",
          "-Xclang",
          "sm_20",
          "-fno-unroll-loops",
          "-fno-vectorize",
          "-fno-slp-vectorize",
          "-mllvm",
          "-replexitval=never",
          "-S",
          "-o",
          "-",
          "-"};
}

// What both steps are told.  There are no generic addresses, so variables must not stay in memory
// as they do at -O0.
void add_level(std::vector<std::string>& words, unsigned optimise) {
  words.emplace_back(optimise >= 2 ? "-O2" : "-O1");
  if (optimise == 0) words.emplace_back("-fno-inline");
}

// A file in memory, for what a child reads and writes: no pipe can fill up.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& contents = "") : descriptor_(memfd_create("kcc", 0)) {
    if (descriptor_ < 0) throw model_error("memfd_create", "", std::strerror(errno));
    for (size_t done = 0; done < contents.size();) {
      const ssize_t count = write(descriptor_, contents.data() + done, contents.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw model_error("write", "", std::strerror(errno));
      done += static_cast<size_t>(count);
    }
    lseek(descriptor_, 0, SEEK_SET);
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::string contents() const {
    std::string text;
    lseek(descriptor_, 0, SEEK_SET);
    std::array<char, 65536> buffer{};
    for (;;) {
      const ssize_t count = read(descriptor_, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return text;
      text.append(buffer.data(), static_cast<size_t>(count));
    }
  }

 private:
  int descriptor_;
};

struct Outcome {
  int status = 0;
  std::string output;
  std::string messages;
  bool found() const { return !WIFEXITED(status) || WEXITSTATUS(status) != kNotFound; }
  bool good() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
};

Outcome run(const std::string& program, std::vector<std::string> words, const std::string& input) {
  words.insert(words.begin(), program);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const MemoryFile in(input);
  const MemoryFile out;
  const MemoryFile messages;
  const pid_t child = fork();
  if (child < 0) throw model_error("fork", "", std::strerror(errno));
  if (child == 0) {
    dup2(in.descriptor(), STDIN_FILENO);
    dup2(out.descriptor(), STDOUT_FILENO);
    dup2(messages.descriptor(), STDERR_FILENO);
    execvp(arguments[0], arguments.data());
    _exit(kNotFound);
  }
  Outcome outcome;
  while (waitpid(child, &outcome.status, 0) < 0 && errno == EINTR) {
  }
  outcome.output = out.contents();
  outcome.messages = messages.contents();
  return outcome;
}

// What clang says, without the target it thinks it compiles for.
void show(std::string messages) {
  constexpr std::string_view kTarget = " when compiling for sm_20";
  for (size_t at = messages.find(kTarget); at != std::string::npos; at = messages.find(kTarget, at))
    messages.erase(at, kTarget.size());
  std::cerr << messages;
}

[[noreturn]] void refused(const std::string& file) {
  throw bad_input("clang refuses this file", {file}, "its messages are above");
}

}  // namespace

std::string compile_cuda(const std::string& file, const FrontEndOptions& options) {
  const char* chosen = std::getenv("KCC_CLANG");
  std::vector<std::string> candidates{"clang-14", "clang"};
  if (chosen != nullptr && *chosen != '\0') candidates = {chosen};
  for (const std::string& clang : candidates) {
    std::vector<std::string> parse = parse_command(file, options);
    add_level(parse, options.optimise);
    const Outcome parsed = run(clang, std::move(parse), "");
    if (!parsed.found()) continue;
    show(parsed.messages);
    if (!parsed.good()) refused(file);
    std::vector<std::string> generate = generate_command();
    add_level(generate, options.optimise);
    const std::string code =
        without_lines_of_headers(with_shared_variables(parsed.output), header_folder().string());
    const Outcome generated = run(clang, std::move(generate), code);
    show(generated.messages);
    if (!generated.good()) refused(file);
    return generated.output;
  }
  throw bad_input("cannot run clang to compile CUDA C", {file},
                  "install clang-14, or name a clang in KCC_CLANG; PTX needs none");
}

}  // namespace gvp::kcc

// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/child_process.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "models/base/error.h"

namespace gvp::kcc {
namespace {

constexpr int kNotFound = 127;  // exit status of a child that could not run the program

}  // namespace

MemoryFile::MemoryFile(const std::string& contents) : descriptor_(memfd_create("kcc", 0)) {
  if (descriptor_ < 0) throw model_error("memfd_create", "", std::strerror(errno));
  for (size_t done = 0; done < contents.size();) {
    const ssize_t count = write(descriptor_, contents.data() + done, contents.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw model_error("write", "", std::strerror(errno));
    done += static_cast<size_t>(count);
  }
  lseek(descriptor_, 0, SEEK_SET);
}

MemoryFile::~MemoryFile() { close(descriptor_); }

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

std::string MemoryFile::contents() const {
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

bool Outcome::found() const { return !WIFEXITED(status) || WEXITSTATUS(status) != kNotFound; }
bool Outcome::good() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

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

}  // namespace gvp::kcc

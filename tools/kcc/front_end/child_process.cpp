// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/child_process.h"

#include <spawn.h>
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

// What a child has for its input, its output and its messages.
class Streams {
 public:
  Streams(int input, int output, int messages) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, messages, STDERR_FILENO);
  }
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

bool is_missing(int error) { return error == ENOENT || error == EACCES || error == ENOTDIR; }

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
  const Streams streams(in.descriptor(), out.descriptor(), messages.descriptor());
  Outcome outcome;
  pid_t child = -1;
  // Unlike fork(2), this copies nothing of a process that may be large.
  const int error =
      posix_spawnp(&child, arguments[0], streams.actions(), nullptr, arguments.data(), environ);
  if (is_missing(error)) {
    outcome.status = W_EXITCODE(kNotFound, 0);
    return outcome;
  }
  if (error != 0) throw model_error("cannot run " + program, "", std::strerror(error));
  while (waitpid(child, &outcome.status, 0) < 0 && errno == EINTR) {
  }
  outcome.output = out.contents();
  outcome.messages = messages.contents();
  return outcome;
}

}  // namespace gvp::kcc

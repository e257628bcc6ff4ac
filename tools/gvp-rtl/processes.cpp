// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-rtl/processes.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "models/base/error.h"

namespace gvp::tools::rtl {

Finished run(const std::vector<std::string>& command) {
  constexpr int kNotFound = 127, kKilled = 128;
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) throw model_error(std::string("no pipe: ") + std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) throw model_error(std::string("no process: ") + std::strerror(errno));
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(arguments[0], arguments.data());
    _exit(kNotFound);
  }
  close(ends[1]);
  Finished finished;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t count = read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    finished.output.append(buffer.data(), static_cast<size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status)
                                         : kKilled + (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  return finished;
}

}  // namespace gvp::tools::rtl

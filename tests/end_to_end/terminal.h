// SPDX-License-Identifier: Apache-2.0
// gpgpu-vp at a terminal of its own.
#pragma once

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/support/programs.h"

namespace gvp::test {

class Terminal {
 public:
  explicit Terminal(const std::vector<std::string>& arguments) {
    process_ = forkpty(&master_, nullptr, nullptr, nullptr);
    if (process_ != 0) return;
    const std::string path = program_path("gpgpu-vp");
    std::vector<char*> argv{const_cast<char*>(path.c_str())};
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(path.c_str(), argv.data());
    _exit(121);
  }
  ~Terminal() { close(master_); }

  // What was written until text appears or the process ends.
  std::string read_until(const std::string& text) {
    char buffer[4096];
    while (output_.find(text) == std::string::npos) {
      const ssize_t count = ::read(master_, buffer, sizeof buffer);
      if (count <= 0) break;
      output_.append(buffer, static_cast<size_t>(count));
    }
    return output_;
  }
  bool echoes() const {
    termios modes{};
    tcgetattr(master_, &modes);
    return (modes.c_lflag & (ECHO | ICANON)) == (ECHO | ICANON);
  }
  void type(char key) { EXPECT_EQ(::write(master_, &key, 1), 1); }
  int wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    return WEXITSTATUS(status);
  }

 private:
  int master_ = -1;
  pid_t process_ = -1;
  std::string output_;
};

}  // namespace gvp::test

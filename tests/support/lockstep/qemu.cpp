// SPDX-License-Identifier: Apache-2.0
#include "tests/support/lockstep/qemu.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

namespace gvp::test {

bool Qemu::available() { return access(kProgram, X_OK) == 0; }

Qemu::Qemu(const std::vector<std::string>& properties) {
  static int count = 0;
  path_ = std::filesystem::temp_directory_path() /
          ("gvp-lockstep-" + std::to_string(getpid()) + "-" + std::to_string(++count));
  std::vector<std::string> words = {kProgram,   "-M",      "petalogix-ml605",
                                    "-display", "none",    "-monitor",
                                    "none",     "-serial", "none",
                                    "-S",       "-gdb",    "unix:" + path_ + ",server=on,wait=off"};
  for (const std::string& property : properties) {
    words.emplace_back("-global");
    words.push_back("microblaze-cpu." + property);
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  child_ = fork();
  if (child_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int null = open("/dev/null", O_RDWR);
    for (const int handle : {0, 1, 2}) dup2(null, handle);
    execv(kProgram, arguments.data());
    _exit(127);
  }
}

Qemu::~Qemu() {
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  std::filesystem::remove(path_);
}

}  // namespace gvp::test

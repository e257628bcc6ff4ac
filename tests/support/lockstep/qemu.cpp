// SPDX-License-Identifier: Apache-2.0
#include "tests/support/lockstep/qemu.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace gvp::test {

bool Qemu::available() { return access(kProgram, X_OK) == 0; }

Qemu::Qemu(const std::vector<std::string>& properties) {
  constexpr int kGdb = 3;  // QEMU's end
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error("no pair of sockets for QEMU");
  std::vector<std::string> words = {
      kProgram,   "-M",         "petalogix-ml605",
      "-display", "none",       "-monitor",
      "none",     "-serial",    "none",
      "-S",       "-chardev",   "socket,id=gdb,fd=" + std::to_string(kGdb),
      "-gdb",     "chardev:gdb"};
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
    if (ends[1] == kGdb)
      fcntl(kGdb, F_SETFD, 0);
    else
      dup2(ends[1], kGdb);
    execv(kProgram, arguments.data());
    _exit(127);
  }
  close(ends[1]);
  socket_ = ends[0];
}

Qemu::~Qemu() {
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  if (socket_ >= 0) close(socket_);
}

}  // namespace gvp::test

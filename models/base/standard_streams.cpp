// SPDX-License-Identifier: Apache-2.0
#include "models/base/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace gvp {

void occupy_standard_descriptors() {
  // open() takes the lowest free number: 0, then 1, then 2.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY));
}

void survive_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

void write_standard_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count > 0) {
      text.remove_prefix(static_cast<size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      pollfd ready{STDERR_FILENO, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (count == 0 || errno != EINTR) {
      return;
    }
  }
}

}  // namespace gvp

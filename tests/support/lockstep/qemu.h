// SPDX-License-Identifier: Apache-2.0
// QEMU's petalogix-ml605 machine as a process of its own, stopped, to be talked to through its GDB
// stub over a pair of sockets, which needs no name and is there before the process is.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace gvp::test {

class Qemu {
 public:
  static constexpr const char* kProgram = "/usr/bin/qemu-system-microblazeel";
  static bool available();

  // properties: of the processor, beside the machine's own, such as "div-zero-exception=on"
  explicit Qemu(const std::vector<std::string>& properties = {});
  ~Qemu();
  Qemu(const Qemu&) = delete;
  Qemu& operator=(const Qemu&) = delete;
  int take_socket() { return std::exchange(socket_, -1); }  // the caller closes it

 private:
  pid_t child_ = 0;
  int socket_ = -1;
};

}  // namespace gvp::test

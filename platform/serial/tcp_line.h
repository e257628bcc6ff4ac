// SPDX-License-Identifier: Apache-2.0
// A serial line as a TCP server on 127.0.0.1, one client at a time.  The simulation does not wait
// for a client unless told to: output is kept (up to 1 MiB, then the oldest is dropped) until one
// connects, so nothing of a boot is missed by connecting late.  Characters are passed raw, without
// telnet negotiation.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "platform/serial/serial_line.h"

namespace gvp::platform {

class TcpLine : public SerialLine {
 public:
  // port 0 picks a free one; the port is announced on stderr and port() has it.
  // wait: await_client() returns when a client has connected, else at once.
  TcpLine(uint16_t port, const std::string& purpose, bool wait = false);
  ~TcpLine() override;

  void write(uint8_t character) override;
  std::optional<uint8_t> read() override;
  void poll() override;
  void flush() override;
  void await_client() override;
  uint16_t port() const;

 private:
  struct Connection;  // keeps Boost.Asio out of this header
  std::unique_ptr<Connection> connection_;
  bool wait_;
};

}  // namespace gvp::platform

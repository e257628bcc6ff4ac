// SPDX-License-Identifier: Apache-2.0
// The debugger's socket: listens on 127.0.0.1, carries packets between GDB and GdbSession, and
// holds the simulation while the processor is halted.  One client at a time; after a detach or a
// lost connection the program goes on and a client may attach again.
//
// All functions are called from the simulation's thread; there is no thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "models/host/gdb_session.h"

namespace gvp::host {

class GdbServer {
 public:
  enum class Order : uint8_t { kRun, kStep, kKill };

  // Throws Error (bad input) when the port cannot be used.
  GdbServer(uint16_t port, GdbSession& session);
  ~GdbServer();
  GdbServer(const GdbServer&) = delete;
  GdbServer& operator=(const GdbServer&) = delete;

  uint16_t port() const;
  // Waits until a client is there; give_up is asked now and then.
  void wait_for_client(const std::function<bool()>& give_up);
  bool attached() const;

  // While running: true if GDB wants the processor to stop.  Cheap enough for every quantum.
  bool interrupted();
  // Reports why the processor stopped (a stop reply) and serves packets until it is to go on.
  Order halt(const std::string& stop_reply, const std::function<bool()>& give_up);
  // The last words, when the program has ended.
  void report_exit(const std::string& reply);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace gvp::host

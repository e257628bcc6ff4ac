// SPDX-License-Identifier: Apache-2.0
// One conversation with GDB: what each packet of the remote serial protocol means for the
// processor. No sockets here (gdb_server.h has them), so that it can be tested and fuzzed without
// any.
//
// Registers are numbered as GDB's MicroBlaze target orders them, and described to GDB
// (org.gnu.gdb.microblaze.core and .stack-protect).  A breakpoint is a mark in the processor model,
// never an instruction in memory, so software and hardware breakpoints are the same.  One thread.
// Not supported: extended mode, reverse execution, tracepoints, file I/O.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/host/engine.h"

namespace gvp::host {

class GdbSession {
 public:
  // Physical memory, as Host::debug_read and debug_write.
  using ReadMemory = std::function<size_t(uint32_t address, void* data, size_t size)>;
  using WriteMemory = std::function<size_t(uint32_t address, const void* data, size_t size)>;
  // Answers "monitor NAME ARGUMENTS"; the text is shown to the user.
  using Monitor = std::function<std::string(const std::string& arguments)>;

  // What the packet makes the processor do.
  enum class Action : uint8_t { kNone, kContinue, kStep, kDetach, kKill };
  struct Answer {
    std::string text;
    bool send = true;  // false: the answer follows when the processor stops
    Action action = Action::kNone;
  };

  GdbSession(Engine& engine, bool big_endian, ReadMemory read, WriteMemory write);

  void add_monitor(const std::string& name, const std::string& help, Monitor monitor);
  Answer handle(const std::string& packet);
  // Removes all breakpoints and watchpoints of this session.
  void release();

  // Stop replies.
  static std::string stopped_by_step() { return "T05thread:1;"; }
  static std::string interrupted() { return "T02thread:1;"; }
  static std::string stopped_by_breakpoint() { return "T05thread:1;swbreak:;"; }
  std::string stopped_by_watchpoint();
  static std::string exited(uint32_t code);
  static std::string died() { return "T0bthread:1;"; }

  static constexpr unsigned kRegisters = 59;

 private:
  std::string query(const std::string& packet);
  std::string features(const std::string& arguments) const;
  std::string read_all_registers();
  std::string write_all_registers(const std::string& hex);
  std::string read_register(const std::string& packet);
  std::string write_register(const std::string& packet);
  std::string read_memory(const std::string& packet);
  std::string write_memory(const std::string& packet, bool binary);
  std::string breakpoint(const std::string& packet);
  bool change_watchpoint(bool insert, char type, uint32_t address, uint32_t length);
  std::string monitor(const std::string& hex);
  Answer resume(const std::string& packet, bool step);
  Answer resume_verbose(const std::string& packet);

  uint32_t register_value(unsigned number);
  void set_register_value(unsigned number, uint32_t value);
  uint32_t ordered(uint32_t value) const;  // to and from the target's byte order
  bool translate(uint32_t address, uint32_t& physical, uint32_t& bytes_left) const;

  Engine& engine_;
  bool big_endian_;
  ReadMemory read_;
  WriteMemory write_;
  std::map<std::string, std::pair<std::string, Monitor>> monitors_;
};

}  // namespace gvp::host

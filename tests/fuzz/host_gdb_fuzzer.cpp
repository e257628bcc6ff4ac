// SPDX-License-Identifier: Apache-2.0
// Any bytes from GDB's side of the connection: the parser and the session answer or refuse, in
// packets that the protocol allows, and the processor survives what they make it do.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "models/base/log.h"
#include "models/host/gdb_packet.h"
#include "models/host/gdb_session.h"
#include "tests/models/host/machine.h"

namespace {

using namespace gvp::host;

constexpr uint32_t kMemory = 16384;

void act(Engine& engine, GdbSession& session, const GdbSession::Answer& answer) {
  constexpr size_t kFraming = 4;
  if (answer.send && 2 * GdbPacketParser::kMaxPacket + kFraming < gdb_frame(answer.text).size())
    std::abort();
  Engine::Run run;
  if (answer.action == GdbSession::Action::kContinue) run = engine.run(100);
  if (answer.action == GdbSession::Action::kStep) run = engine.step();
  if (run.exit == Engine::Exit::kWatchpoint && session.stopped_by_watchpoint().empty())
    std::abort();
  if (answer.action == GdbSession::Action::kDetach) session.release();
  if (run.exit == Engine::Exit::kError) engine.reset();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  gvp::Log::configure("off");
  Configuration configuration = gvp::host::test::Machine::everything();
  configuration.big_endian = size % 2 != 0;
  gvp::host::test::Machine machine(configuration, kMemory);
  // Stores, loads, a loop: something to stop at.  addi r3, r3, 1; swi r3, r0, 0x2000;
  // lwi r4, r0, 0x2000; bri -12.
  constexpr uint32_t kProgram[] = {0x20630001, 0xf8602000, 0xe8802000, 0xb800fff4};
  constexpr uint32_t kCode = gvp::host::test::Machine::kCode;
  for (uint32_t i = 0; i < 4; ++i) machine.poke(kCode + 4 * i, kProgram[i]);
  auto& ram = machine.bus.ram;
  GdbSession session(
      machine.engine, configuration.big_endian,
      [&](uint32_t address, void* to, size_t bytes) -> size_t {
        if (address >= ram.size()) return 0;
        bytes = std::min(bytes, ram.size() - address);
        std::memcpy(to, &ram[address], bytes);
        return bytes;
      },
      [&](uint32_t address, const void* from, size_t bytes) -> size_t {
        if (address >= ram.size()) return 0;
        bytes = std::min(bytes, ram.size() - address);
        std::memcpy(&ram[address], from, bytes);
        if (bytes > 0)
          machine.engine.invalidate_code(address, static_cast<uint32_t>(address + bytes - 1));
        return bytes;
      });
  session.add_monitor("echo", "for the test", [](const std::string& text) { return text; });
  GdbPacketParser parser;
  // Packets with their frame, and each line once more as a packet of its own.
  for (const GdbEvent& event : parser.feed(reinterpret_cast<const char*>(data), size))
    if (event.kind == GdbEvent::Kind::kPacket)
      act(machine.engine, session, session.handle(event.data));
  std::string line;
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] != '\n') {
      line += static_cast<char>(data[i]);
      continue;
    }
    act(machine.engine, session, session.handle(line));
    line.clear();
  }
  session.release();
  return 0;
}

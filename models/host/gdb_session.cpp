// SPDX-License-Identifier: Apache-2.0
#include "models/host/gdb_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/host/gdb_packet.h"

namespace gvp::host {
namespace {

constexpr const char* kBadArguments = "E01";
constexpr const char* kNoMemory = "E02";
constexpr const char* kUnknown = "";  // the protocol's answer to what a stub does not know
constexpr unsigned kFirstSpecial = 32;

struct SpecialRegister {
  const char* name;
  uint32_t number;  // as in mfs
};

// In GDB's order, from register 32.
constexpr SpecialRegister kSpecials[] = {
    {"rpc", spr::kPc},         {"rmsr", spr::kMsr},         {"rear", spr::kEar},
    {"resr", spr::kEsr},       {"rfsr", spr::kFsr},         {"rbtr", spr::kBtr},
    {"rpvr0", spr::kPvr0},     {"rpvr1", spr::kPvr0 + 1},   {"rpvr2", spr::kPvr0 + 2},
    {"rpvr3", spr::kPvr0 + 3}, {"rpvr4", spr::kPvr0 + 4},   {"rpvr5", spr::kPvr0 + 5},
    {"rpvr6", spr::kPvr0 + 6}, {"rpvr7", spr::kPvr0 + 7},   {"rpvr8", spr::kPvr0 + 8},
    {"rpvr9", spr::kPvr0 + 9}, {"rpvr10", spr::kPvr0 + 10}, {"rpvr11", spr::kPvr0 + 11},
    {"redr", spr::kEdr},       {"rpid", spr::kPid},         {"rzpr", spr::kZpr},
    {"rtlbx", spr::kTlbx},     {"rtlbsx", spr::kTlbsx},     {"rtlblo", spr::kTlblo},
    {"rtlbhi", spr::kTlbhi},   {"rslr", spr::kSlr},         {"rshr", spr::kShr},
};
static_assert(kFirstSpecial + std::size(kSpecials) == GdbSession::kRegisters);
constexpr unsigned kFirstStackProtect = GdbSession::kRegisters - 2;

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

std::string target_description() {
  std::string xml =
      "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>"
      "<architecture>MicroBlaze</architecture>"
      "<feature name=\"org.gnu.gdb.microblaze.core\">";
  for (unsigned i = 0; i < GdbSession::kRegisters; ++i) {
    if (i == kFirstStackProtect)
      xml += "</feature><feature name=\"org.gnu.gdb.microblaze.stack-protect\">";
    const std::string name =
        i < kFirstSpecial ? fmt::format("r{}", i) : kSpecials[i - kFirstSpecial].name;
    xml += fmt::format("<reg name=\"{}\" bitsize=\"32\" regnum=\"{}\"/>", name, i);
  }
  return xml + "</feature></target>";
}

}  // namespace

GdbSession::GdbSession(Engine& engine, bool big_endian, ReadMemory read, WriteMemory write)
    : engine_(engine), big_endian_(big_endian), read_(std::move(read)), write_(std::move(write)) {}

void GdbSession::add_monitor(const std::string& name, const std::string& help, Monitor monitor) {
  monitors_[name] = {help, std::move(monitor)};
}

GdbSession::Answer GdbSession::handle(const std::string& packet) {
  if (packet.empty()) return {kUnknown, true, Action::kNone};
  switch (packet[0]) {
    case '?':
      return {stopped_by_step(), true, Action::kNone};
    case 'g':
      return {read_all_registers(), true, Action::kNone};
    case 'G':
      return {write_all_registers(packet.substr(1)), true, Action::kNone};
    case 'p':
      return {read_register(packet), true, Action::kNone};
    case 'P':
      return {write_register(packet), true, Action::kNone};
    case 'm':
      return {read_memory(packet), true, Action::kNone};
    case 'M':
      return {write_memory(packet, false), true, Action::kNone};
    case 'X':
      return {write_memory(packet, true), true, Action::kNone};
    case 'Z':
    case 'z':
      return {breakpoint(packet), true, Action::kNone};
    case 'c':
      return resume(packet, false);
    case 's':
      return resume(packet, true);
    case 'v':
      return resume_verbose(packet);
    case 'H':
    case 'T':
      return {"OK", true, Action::kNone};  // there is one thread
    case 'D':
      return {"OK", true, Action::kDetach};
    case 'k':
      return {"", false, Action::kKill};
    case 'q':
    case 'Q':
      return {query(packet), true, Action::kNone};
    default:
      return {kUnknown, true, Action::kNone};
  }
}

std::string GdbSession::query(const std::string& packet) {
  if (starts_with(packet, "qSupported"))
    return fmt::format("PacketSize={:x};qXfer:features:read+;swbreak+;hwbreak+;vContSupported+",
                       GdbPacketParser::kMaxPacket);
  if (starts_with(packet, "qXfer:features:read:target.xml:"))
    return features(packet.substr(packet.rfind(':') + 1));
  if (packet == "qAttached") return "1";
  if (packet == "qC") return "QC1";
  if (packet == "qfThreadInfo") return "m1";
  if (packet == "qsThreadInfo") return "l";
  if (starts_with(packet, "qRcmd,")) return monitor(packet.substr(6));
  return kUnknown;
}

std::string GdbSession::features(const std::string& arguments) const {
  size_t position = 0;
  uint32_t offset = 0;
  uint32_t length = 0;
  if (!gdb_number(arguments, position, offset) || position >= arguments.size() ||
      arguments[position++] != ',' || !gdb_number(arguments, position, length))
    return kBadArguments;
  static const std::string kXml = target_description();
  if (offset >= kXml.size()) return "l";
  const std::string part = kXml.substr(offset, std::min<size_t>(length, 4096));
  return (offset + part.size() < kXml.size() ? "m" : "l") + part;
}

// ---- registers

uint32_t GdbSession::ordered(uint32_t value) const {
  return big_endian_ ? __builtin_bswap32(value) : value;
}

uint32_t GdbSession::register_value(unsigned number) {
  if (number < kFirstSpecial) return engine_.state().r[number];
  const uint32_t special = kSpecials[number - kFirstSpecial].number;
  // Reading TLBHI changes PID: not behind the program's back.
  const uint32_t pid = engine_.mmu().pid();
  const uint32_t value = engine_.read_special(special);
  engine_.mmu().set_pid(pid);
  return value;
}

void GdbSession::set_register_value(unsigned number, uint32_t value) {
  State& state = engine_.state();
  if (number < kFirstSpecial) {
    if (number != 0) state.r[number] = value;
  } else if (number == kFirstSpecial) {
    if ((value & ~3u) == state.pc) return;
    state.pc = value & ~3u;
    state.imm_valid = false;
    state.in_delay_slot = false;
  } else {
    engine_.write_special(kSpecials[number - kFirstSpecial].number, value);
  }
}

std::string GdbSession::read_all_registers() {
  std::string text;
  for (unsigned i = 0; i < kRegisters; ++i) {
    const uint32_t value = ordered(register_value(i));
    text += gdb_to_hex(&value, sizeof value);
  }
  return text;
}

std::string GdbSession::write_all_registers(const std::string& hex) {
  std::vector<uint8_t> bytes;
  if (!gdb_from_hex(hex, bytes) || bytes.size() % 4 != 0 || bytes.size() > 4 * kRegisters)
    return kBadArguments;
  // GDB sends back what it read: registers that keep their value are not written, so that the
  // special ones have no side effects.
  for (unsigned i = 0; i < bytes.size() / 4; ++i) {
    uint32_t value = 0;
    std::memcpy(&value, &bytes[i * size_t{4}], sizeof value);
    if (ordered(value) != register_value(i)) set_register_value(i, ordered(value));
  }
  return "OK";
}

std::string GdbSession::read_register(const std::string& packet) {
  size_t position = 1;
  uint32_t number = 0;
  if (!gdb_number(packet, position, number) || number >= kRegisters) return kBadArguments;
  const uint32_t value = ordered(register_value(number));
  return gdb_to_hex(&value, sizeof value);
}

std::string GdbSession::write_register(const std::string& packet) {
  size_t position = 1;
  uint32_t number = 0;
  std::vector<uint8_t> bytes;
  if (!gdb_number(packet, position, number) || number >= kRegisters || packet[position] != '=' ||
      !gdb_from_hex(packet.substr(position + 1), bytes) || bytes.size() != 4)
    return kBadArguments;
  uint32_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  set_register_value(number, ordered(value));
  return "OK";
}

// ---- memory

// GDB's addresses are the program's: virtual where translation is on.
bool GdbSession::translate(uint32_t address, uint32_t& physical, uint32_t& bytes_left) const {
  constexpr uint32_t kSmallestPage = 1024;
  bytes_left = kSmallestPage - address % kSmallestPage;
  physical = address;
  if ((engine_.state().msr & msr::kVm) == 0) return true;
  const Translation translation = engine_.mmu().translate(address, Access::kRead, false);
  physical = translation.physical;
  return translation.result == Translation::Result::kOk;
}

std::string GdbSession::read_memory(const std::string& packet) {
  size_t position = 1;
  uint32_t address = 0;
  uint32_t length = 0;
  if (!gdb_number(packet, position, address) || position >= packet.size() ||
      packet[position++] != ',' || !gdb_number(packet, position, length))
    return kBadArguments;
  std::vector<uint8_t> bytes(std::min<size_t>(length, GdbPacketParser::kMaxPacket / 2 - 16));
  size_t done = 0;
  while (done < bytes.size()) {
    uint32_t physical = 0;
    uint32_t left = 0;
    if (!translate(address + static_cast<uint32_t>(done), physical, left)) break;
    const size_t wanted = std::min<size_t>(left, bytes.size() - done);
    const size_t got = read_(physical, bytes.data() + done, wanted);
    done += got;
    if (got < wanted) break;
  }
  if (done == 0 && length != 0) return kNoMemory;
  return gdb_to_hex(bytes.data(), done);
}

std::string GdbSession::write_memory(const std::string& packet, bool binary) {
  size_t position = 1;
  uint32_t address = 0;
  uint32_t length = 0;
  if (!gdb_number(packet, position, address) || position >= packet.size() ||
      packet[position++] != ',' || !gdb_number(packet, position, length) ||
      position >= packet.size() || packet[position++] != ':')
    return kBadArguments;
  std::vector<uint8_t> bytes(packet.begin() + static_cast<std::ptrdiff_t>(position), packet.end());
  if (!binary && !gdb_from_hex(packet.substr(position), bytes)) return kBadArguments;
  if (bytes.size() != length) return kBadArguments;
  for (size_t done = 0; done < bytes.size();) {
    uint32_t physical = 0;
    uint32_t left = 0;
    if (!translate(address + static_cast<uint32_t>(done), physical, left)) return kNoMemory;
    const size_t wanted = std::min<size_t>(left, bytes.size() - done);
    if (write_(physical, bytes.data() + done, wanted) < wanted) return kNoMemory;
    done += wanted;
  }
  return "OK";
}

// ---- breakpoints and watchpoints: [Zz]TYPE,ADDRESS,KIND

std::string GdbSession::breakpoint(const std::string& packet) {
  size_t position = 3;
  uint32_t address = 0;
  uint32_t kind = 0;
  if (packet.size() < 4 || packet[2] != ',' || !gdb_number(packet, position, address) ||
      position >= packet.size() || packet[position++] != ',' || !gdb_number(packet, position, kind))
    return kBadArguments;
  const bool insert = packet[0] == 'Z';
  switch (packet[1]) {
    case '0':
    case '1':
      if ((address & 3) != 0) return kBadArguments;
      if (insert) {
        engine_.set_breakpoint(address);
      } else {
        engine_.clear_breakpoint(address);
      }
      return "OK";
    case '2':
    case '3':
    case '4':
      return change_watchpoint(insert, packet[1], address, kind) ? "OK" : kBadArguments;
    default:
      return kUnknown;
  }
}

bool GdbSession::change_watchpoint(bool insert, char type, uint32_t address, uint32_t length) {
  constexpr size_t kMaxWatchpoints = 64;
  if (length == 0 || address + (length - 1) < address) return false;
  const auto kind = type == '2'   ? Watchpoint::Kind::kWrite
                    : type == '3' ? Watchpoint::Kind::kRead
                                  : Watchpoint::Kind::kAccess;
  auto& watchpoints = engine_.memory().watchpoints();
  const auto same = [&](const Watchpoint& w) {
    return w.first == address && w.last == address + (length - 1) && w.kind == kind;
  };
  watchpoints.erase(std::remove_if(watchpoints.begin(), watchpoints.end(), same),
                    watchpoints.end());
  if (insert && watchpoints.size() >= kMaxWatchpoints) return false;
  if (insert) watchpoints.push_back({address, address + (length - 1), kind});
  engine_.memory().forget_pages();
  return true;
}

void GdbSession::release() {
  while (!engine_.breakpoints().empty()) engine_.clear_breakpoint(*engine_.breakpoints().begin());
  engine_.memory().watchpoints().clear();
  engine_.memory().forget_pages();
}

std::string GdbSession::stopped_by_watchpoint() {
  const auto [kind, address] = engine_.watch_hit();
  const char* name = kind == Watchpoint::Kind::kWrite  ? "watch"
                     : kind == Watchpoint::Kind::kRead ? "rwatch"
                                                       : "awatch";
  return fmt::format("T05thread:1;{}:{:x};", name, address);
}

std::string GdbSession::exited(uint32_t code) { return fmt::format("W{:02x}", code & 0xff); }

// ---- running

GdbSession::Answer GdbSession::resume(const std::string& packet, bool step) {
  size_t position = 1;
  uint32_t address = 0;
  if (packet.size() > 1) {
    if (!gdb_number(packet, position, address)) return {kBadArguments, true, Action::kNone};
    set_register_value(kFirstSpecial, address);
  }
  return {"", false, step ? Action::kStep : Action::kContinue};
}

GdbSession::Answer GdbSession::resume_verbose(const std::string& packet) {
  if (packet == "vCont?") return {"vCont;c;C;s;S", true, Action::kNone};
  if (starts_with(packet, "vKill")) return {"OK", true, Action::kKill};
  if (!starts_with(packet, "vCont;") || packet.size() < 7) return {kUnknown, true, Action::kNone};
  switch (packet[6]) {
    case 'c':
    case 'C':
      return {"", false, Action::kContinue};
    case 's':
    case 'S':
      return {"", false, Action::kStep};
    default:
      return {kBadArguments, true, Action::kNone};
  }
}

std::string GdbSession::monitor(const std::string& hex) {
  std::vector<uint8_t> bytes;
  if (!gdb_from_hex(hex, bytes)) return kBadArguments;
  const std::string line(bytes.begin(), bytes.end());
  const size_t space = line.find(' ');
  const auto found = monitors_.find(line.substr(0, space));
  std::string text;
  if (found != monitors_.end()) {
    text = found->second.second(space == std::string::npos ? "" : line.substr(space + 1));
  } else {
    text = "monitor commands:\n";
    for (const auto& [name, entry] : monitors_)
      text += fmt::format("  {:12} {}\n", name, entry.first);
  }
  if (text.empty()) return "OK";
  const size_t size = std::min(text.size(), GdbPacketParser::kMaxPacket / 2 - 16);
  return gdb_to_hex(text.data(), size);
}

}  // namespace gvp::host

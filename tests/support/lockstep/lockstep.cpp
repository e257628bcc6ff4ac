// SPDX-License-Identifier: Apache-2.0
#include "tests/support/lockstep/lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace gvp::test {
namespace {

namespace msr = host::msr;
constexpr size_t kChunk = 1024;  // bytes of memory in one packet

uint32_t comparable_msr(uint32_t value) {
  value &= ~(msr::kPvr | msr::kCc);
  return (value & msr::kEip) != 0 ? value & ~msr::kEe : value;
}

}  // namespace

host::Configuration Lockstep::machine() {
  host::Configuration c;
  c.use_fpu = 1;
  c.pvr = 0;
  return c;
}

Lockstep::Lockstep(const host::Configuration& configuration,
                   const std::vector<std::string>& qemu_properties, uint32_t ram_bytes)
    : ours(configuration, ram_bytes), process_(qemu_properties), qemu(process_.take_socket()) {
  qemu.exchange("?");
}

void Lockstep::write(uint32_t address, const std::vector<uint8_t>& bytes) {
  size_t available = 0;
  uint8_t* to = ours.bus.bytes(address, available);
  std::memcpy(to, bytes.data(), std::min(bytes.size(), available));
  ours.engine.invalidate_code(address, static_cast<uint32_t>(address + bytes.size() - 1));
  for (size_t i = 0; i < bytes.size(); i += kChunk) {
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(i);
    const auto count = static_cast<std::ptrdiff_t>(std::min(kChunk, bytes.size() - i));
    qemu.write_memory(static_cast<uint32_t>(address + i), {first, first + count});
  }
}

void Lockstep::write_words(uint32_t address, const std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  write(address, bytes);
}

void Lockstep::synchronise() {
  ours.engine.state_changed();
  std::vector<uint32_t> words = qemu.registers();
  std::copy(state().r.begin(), state().r.begin() + 32, words.begin());
  words.at(kPc) = state().pc;
  words.at(kMsr) = state().full_msr() & ~(msr::kPvr | msr::kCc);
  words.at(kEar) = state().ear;
  words.at(kEsr) = state().esr;
  words.at(kFsr) = state().fsr;
  words.at(kBtr) = state().btr;
  qemu.set_registers(words);
}

host::Engine::Run Lockstep::step() {
  const host::Engine& engine = ours.engine;
  const uint64_t entered = engine.exceptions_taken() + engine.interrupts_taken();
  const host::Engine::Run run = ours.engine.step();
  for (uint64_t i = 0; i < run.instructions; ++i) qemu.exchange("s");
  if (engine.exceptions_taken() + engine.interrupts_taken() == entered) return run;
  // Neither the instruction that failed nor its imm prefix counts as executed.
  constexpr int kMostParts = 2;
  for (int i = 0; i < kMostParts && (i == 0 || qemu.registers().at(kPc) != state().pc); ++i)
    qemu.exchange("s");
  return run;
}

std::string Lockstep::difference() { return difference(qemu.registers()); }

std::string Lockstep::difference(const std::vector<uint32_t>& theirs) const {
  const host::State& state = ours.engine.state();
  std::string text;
  const auto compare = [&](const std::string& name, uint32_t mine, uint32_t other) {
    if (mine != other) text += fmt::format(" {}: {:#x}, QEMU {:#x};", name, mine, other);
  };
  for (unsigned i = 0; i < 32; ++i) compare(fmt::format("r{}", i), state.r[i], theirs.at(i));
  compare("pc", state.pc, theirs.at(kPc));
  compare("msr", comparable_msr(state.full_msr()), comparable_msr(theirs.at(kMsr)));
  compare("ear", state.ear, theirs.at(kEar));
  compare("esr", state.esr, theirs.at(kEsr));
  compare("btr", state.btr, theirs.at(kBtr));
  return text;
}

bool Lockstep::same_memory(uint32_t address, size_t bytes) {
  size_t available = 0;
  const uint8_t* mine = ours.bus.bytes(address, available);
  for (size_t i = 0; i < bytes; i += kChunk) {
    const size_t count = std::min(kChunk, bytes - i);
    const auto theirs = qemu.read_memory(static_cast<uint32_t>(address + i), count);
    if (!std::equal(theirs.begin(), theirs.end(), mine + i)) return false;
  }
  return true;
}

// timer_now() of the firmware: the time is the one thing that two machines cannot agree on.
void Lockstep::stop_clock(uint32_t timer_now) {
  constexpr uint32_t kReturn = 0xb60f0008;   // rtsd r15, 8
  constexpr uint32_t kClearR3 = 0x10600000;  // addk r3, r0, r0
  constexpr uint32_t kClearR4 = 0x10800000;  // addk r4, r0, r0
  write_words(timer_now, {kClearR3, kReturn, kClearR4});
}

Lockstep::Outcome Lockstep::run_program(const platform::ElfFile& file, unsigned visits) {
  for (const platform::Segment& segment : file.segments) {
    std::vector<uint8_t> bytes(segment.memory_bytes);
    std::copy_n(file.image.begin() + segment.file_offset, segment.file_bytes, bytes.begin());
    if (!bytes.empty()) write(segment.address, bytes);
  }
  ours.engine.reset();
  state().pc = file.entry;
  synchronise();
  if (const platform::Symbol* clock = file.symbols.find("timer_now")) stop_clock(clock->address);
  std::vector<uint32_t> entries;
  for (const platform::Symbol& symbol : file.symbols.symbols())
    if (symbol.is_function && symbol.address != file.entry && symbol.address % 4 == 0)
      entries.push_back(symbol.address);
  const auto set = [&](uint32_t address, bool on) {
    qemu.exchange(fmt::format("{}0,{:x},4", on ? 'Z' : 'z', address));
    if (on) {
      ours.engine.set_breakpoint(address);
    } else {
      ours.engine.clear_breakpoint(address);
    }
  };
  for (const uint32_t address : entries) set(address, true);
  const Outcome outcome = compare_until_the_end(entries, visits, file);
  for (const uint32_t address : entries) set(address, false);
  return outcome;
}

Lockstep::Outcome Lockstep::compare_until_the_end(const std::vector<uint32_t>& entries,
                                                  unsigned visits, const platform::ElfFile& file) {
  constexpr uint32_t kSlice = 1u << 24;
  constexpr int kMostSlices = 256;
  Outcome outcome;
  std::map<uint32_t, unsigned> left;
  for (const uint32_t address : entries) left[address] = visits;
  for (;;) {
    host::Engine::Run run;
    for (int i = 0; i < kMostSlices && run.exit == host::Engine::Exit::kLimit; ++i)
      run = ours.engine.run(kSlice);
    const uint32_t pc = state().pc;
    const bool at_end = run.exit == host::Engine::Exit::kSelfBranch;
    if (!at_end && run.exit != host::Engine::Exit::kBreakpoint) {
      outcome.difference = run.exit == host::Engine::Exit::kError
                               ? ours.engine.error()
                               : "no end at " + file.symbols.describe(pc);
      return outcome;
    }
    const std::string end_mark = fmt::format("0,{:x},4", pc);
    if (at_end) qemu.exchange("Z" + end_mark);
    qemu.exchange("c");
    if (at_end) qemu.exchange("z" + end_mark);
    ++outcome.comparisons;
    outcome.difference = difference();
    if (!outcome.difference.empty())
      outcome.difference = file.symbols.describe(pc) + ":" + outcome.difference;
    outcome.exit_code = state().r[3];
    if (at_end || !outcome.difference.empty()) return outcome;
    if (--left[pc] == 0) {
      ours.engine.clear_breakpoint(pc);
      qemu.exchange("z" + end_mark);
    } else {
      // QEMU would stop at its breakpoint again.  Both take a step, which may end at the next one.
      step();
    }
  }
}

}  // namespace gvp::test

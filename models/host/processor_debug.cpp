// SPDX-License-Identifier: Apache-2.0
// Debugging the processor: GDB, the instruction trace, the profile, and what is said
// about a program that died.  None of it costs anything while it is off.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/base/error.h"
#include "models/host/disassembler.h"
#include "models/host/log.h"
#include "models/host/processor.h"

namespace gvp::host {
namespace {

constexpr uint64_t kSampleCycles = 9973;  // a prime, lest it beat with the program's loops

}  // namespace

void Processor::set_symbols(const Symbols& symbols) {
  symbols_ = symbols;
  engine_.set_symbolizer(symbols.describe);
}

// A stretch of the program, of a length that depends on who is watching.
Engine::Run Processor::execute_some() {
  if (kLog.enabled(LogLevel::kTrace)) return traced_step();
  if (observer_ != nullptr) return observed_step();
  // Blocks may overshoot a budget; the last instructions before a limit go one by one.
  constexpr uint64_t kLongestBlock = 128;
  return stepping_ || instructions_left() <= kLongestBlock ? step_unit() : execute();
}

// ---- GDB

uint16_t Processor::attach_debugger(uint16_t port) {
  server_ = std::make_unique<GdbServer>(port, *session_);
  add_monitor_command("reset", "processor to its start address; memory keeps its contents",
                      [this](const std::string&) {
                        engine_.reset();
                        engine_.state().pc = start_address_;
                        return "processor reset; memory was not reloaded\n";
                      });
  add_monitor_command("stats", "counters of the processor", [this](const std::string&) {
    return fmt::format("instructions {}\ncycles {}\n{}\n", instructions(), cycles(),
                       statistics().dump());
  });
  add_monitor_command("trace", "on | off: log every instruction", [](const std::string& arguments) {
    if (arguments != "on" && arguments != "off") return std::string("usage: trace on | off\n");
    Log::configure(arguments == "on" ? "trace:host" : "warning:host");
    return std::string();
  });
  add_monitor_command("backtrace", "functions under way, as --profile finds them",
                      [this](const std::string&) { return backtrace(); });
  return server_->port();
}

void Processor::add_monitor_command(
    const std::string& name, const std::string& help,
    std::function<std::string(const std::string& arguments)> command) {
  session_->add_monitor(name, help, std::move(command));
}

std::string Processor::backtrace() {
  Unwinder unwinder(symbols_, [this](uint32_t address, uint32_t& word) {
    return read_program_word(address, word);
  });
  std::string text;
  for (const Unwinder::Frame& frame : unwinder.walk(engine_.state())) {
    std::string name = "??";
    uint32_t start = 0;
    if (symbols_.function) symbols_.function(frame.pc, name, start);
    text += fmt::format("#{} {:#010x} {}\n", std::count(text.begin(), text.end(), '\n'), frame.pc,
                        name);
  }
  return text;
}

bool Processor::debugger_interrupts() {
  if (server_->interrupted()) {
    halt_wanted_ = true;
    stop_reply_ = GdbSession::interrupted();
  }
  return halt_wanted_;
}

bool Processor::asked_to_give_up() {
  if (held_handler_) held_handler_();
  return stop_requested_;
}

bool Processor::obey_debugger() {
  if (!debugger_interrupts()) return true;
  const GdbServer::Order order = server_->halt(stop_reply_, [this] { return asked_to_give_up(); });
  halt_wanted_ = false;
  stop_reply_.clear();
  stepping_ = order == GdbServer::Order::kStep;
  if (order != GdbServer::Order::kKill) return true;
  stop(StopReason::kRequested, "killed by GDB");
  return false;
}

void Processor::tell_debugger(Engine::Exit exit) {
  if (!server_->attached()) {
    stepping_ = false;
    return;
  }
  switch (exit) {
    case Engine::Exit::kBreakpoint:
      stop_reply_ = GdbSession::stopped_by_breakpoint();
      break;
    case Engine::Exit::kWatchpoint:
      stop_reply_ = session_->stopped_by_watchpoint();
      break;
    case Engine::Exit::kError:
      // The program is dead, but its remains can be looked at.
      server_->halt(GdbSession::died(), [this] { return asked_to_give_up(); });
      return;
    default:
      if (!stepping_) return;
      stop_reply_ = GdbSession::stopped_by_step();
      break;
  }
  halt_wanted_ = true;
}

// ---- trace: --log trace:host

bool Processor::read_program_word(uint32_t address, uint32_t& word) {
  uint32_t physical = address;
  if ((engine_.state().msr & msr::kVm) != 0) {
    const Translation translation = engine_.mmu().translate(address, Access::kRead, false);
    if (translation.result != Translation::Result::kOk) return false;
    physical = translation.physical;
  }
  if (debug_access(tlm::TLM_READ_COMMAND, physical, &word, sizeof word) != sizeof word)
    return false;
  engine_.memory().caches().overlay(Port::kInstruction, physical, reinterpret_cast<uint8_t*>(&word),
                                    sizeof word);
  if (configuration_.big_endian) word = __builtin_bswap32(word);
  return true;
}

std::string Processor::trace_line(uint32_t pc, uint32_t word, bool after_imm, uint16_t imm) {
  const Instruction instruction = decode(word);
  std::string text = disassemble(word, pc, after_imm ? std::optional<uint16_t>(imm) : std::nullopt);
  std::replace(text.begin(), text.end(), '\t', ' ');
  const bool is_memory = instruction.info != nullptr && word >> 30 == 3;
  if (!is_memory) return text;
  const State& state = engine_.state();
  const bool by_register = instruction.info->format == Format::kRdRaRb;
  const uint32_t offset =
      by_register ? state.r[instruction.rb]
      : after_imm
          ? uint32_t{imm} << 16 | instruction.imm
          : static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(instruction.imm)));
  return text + fmt::format("  [{:#010x}]", state.r[instruction.ra] + offset);
}

Engine::Run Processor::traced_step() {
  const State before = engine_.state();
  std::vector<std::pair<uint32_t, std::string>> lines;
  uint32_t word = 0;
  uint16_t imm = 0;
  bool after_imm = false;
  for (uint32_t pc = before.pc; lines.size() < 3 && read_program_word(pc, word); pc += 4) {
    lines.emplace_back(pc, trace_line(pc, word, after_imm, imm));
    const Instruction instruction = decode(word);
    after_imm = instruction.is(Operation::kImm);
    imm = instruction.imm;
    if (!after_imm && !instruction.has(kDelaySlot)) break;
  }
  const Engine::Run result = step_unit();
  std::string changes;
  for (size_t i = 1; i < 32; ++i)
    if (engine_.state().r[i] != before.r[i])
      changes += fmt::format("  r{}={:#010x}", i, engine_.state().r[i]);
  const size_t shown = std::min<size_t>(lines.size(), result.instructions);
  for (size_t i = 0; i < shown; ++i)
    kLog.trace("{}: {}{}", engine_.describe(lines[i].first), lines[i].second,
               i + 1 == shown ? changes : "");
  if (shown == 0) kLog.trace("{}: exception or interrupt", engine_.describe(before.pc));
  return result;
}

// ---- profile

void Processor::start_profile() {
  profiler_ = std::make_unique<Profiler>(symbols_, [this](uint32_t address, uint32_t& word) {
    return read_program_word(address, word);
  });
}

uint32_t Processor::profiling_stride() const {
  return profiler_ ? static_cast<uint32_t>(kSampleCycles) : std::numeric_limits<uint32_t>::max();
}

void Processor::take_sample(uint64_t cycles) {
  unsampled_cycles_ += cycles;
  if (unsampled_cycles_ < kSampleCycles) return;
  profiler_->sample(engine_.state(), unsampled_cycles_);
  unsampled_cycles_ = 0;
}

std::string Processor::function() const {
  std::string name;
  uint32_t start = 0;
  return find_function(program_counter(), name, start) ? name : "";
}

void Processor::write_profile(const std::string& file) const {
  if (!profiler_) return;
  if (file == "-") {  // the stacks alone: a table would not be one of them
    profiler_->write_folded(std::cout);
    if (!std::cout.flush()) throw bad_input("cannot write the profile", {"standard output"});
    return;
  }
  std::ofstream folded(file);
  profiler_->write_folded(folded);
  std::ofstream table(file + ".txt");
  profiler_->write_table(table);
  folded.flush();
  table.flush();
  if (!folded || !table)
    throw bad_input("cannot write the profile", {file}, "check the path and the free space");
}

// ---- the end

// What is known about the end of a program that died.
std::string Processor::last_words() {
  std::string text = engine_.error();
  const State& state = engine_.state();
  uint32_t word = 0;
  if (read_program_word(state.pc, word))
    text += fmt::format("\n  there: {}", trace_line(state.pc, word, false, 0));
  text += fmt::format("\n  called from {} (r15), stack pointer {:#010x} (r1)",
                      engine_.describe(state.r[15]), state.r[1]);
  text += "\n  last blocks executed, newest last:";
  const std::vector<uint32_t> recent = engine_.recent_blocks();
  const size_t shown = std::min<size_t>(recent.size(), 16);
  for (size_t i = recent.size() - shown; i < recent.size(); ++i) {
    text += "\n    " + engine_.describe(recent[i]);
    if (read_program_word(recent[i], word)) text += ": " + trace_line(recent[i], word, false, 0);
  }
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

}  // namespace gvp::host

// SPDX-License-Identifier: Apache-2.0
#include "models/host/processor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/base/error.h"

namespace gvp::host {
namespace {

constexpr uint32_t kPage = 4096;

}  // namespace

Processor::Processor(const sc_core::sc_module_name& name, const Configuration& configuration)
    : Host(name),
      configuration_(configuration),
      clock_(configuration.clock_hz, "the processor's clock"),
      engine_(configuration, *this),
      local_memory_(configuration.lmb_size),
      functions_([this](uint32_t pc, std::string& function) {
        uint32_t start = 0;
        return find_function(pc, function, start);
      }),
      start_address_(configuration.base_vectors) {
  if (configuration.lmb_size % kPage != 0 || configuration.lmb_base % kPage != 0)
    throw bad_input(fmt::format("local memory of {} bytes at {:#x} is not made of 4 KiB pages",
                                configuration.lmb_size, configuration.lmb_base),
                    {}, "choose host.lmb_base and host.lmb_size as multiples of 4096");
  if (configuration.clock_hz < 1e3 || configuration.clock_hz > 1e10)
    throw bad_input(fmt::format("a clock of {} Hz is out of range", configuration.clock_hz), {},
                    "host.clock_hz is between 1e3 and 1e10");
  session_ = std::make_unique<GdbSession>(
      engine_, configuration.big_endian,
      [this](uint32_t address, void* data, size_t size) { return debug_read(address, data, size); },
      [this](uint32_t address, const void* data, size_t size) {
        return debug_write(address, data, size);
      });
  sc_core::sc_spawn([this] { run(); }, "run");
}

uint64_t Processor::cycles() const { return clock_.cycles(local_time()); }

nlohmann::ordered_json Processor::statistics() const {
  nlohmann::ordered_json json = {{"idle_cycles", clock_.cycles(idle_)},
                                 {"interrupts", engine_.interrupts_taken()},
                                 {"exceptions", engine_.exceptions_taken()},
                                 {"bus_reads", bus_reads_},
                                 {"bus_writes", bus_writes_},
                                 {"bus_errors", bus_errors_}};
  const CacheController& caches = engine_.memory().caches();
  if (caches.instruction_cache() != nullptr)
    json["icache"] = {{"hits", caches.instruction_counters().hits},
                      {"misses", caches.instruction_counters().misses}};
  if (caches.data_cache() != nullptr)
    json["dcache"] = {{"hits", caches.data_counters().hits},
                      {"misses", caches.data_counters().misses},
                      {"write_backs", caches.data_counters().write_backs}};
  json["functions"] = functions_.to_json();
  return json;
}

Processor::Line::Line(const void* from, uint32_t bytes, uint32_t words)
    : whole_(words == (1u << (bytes / 4)) - 1) {
  std::memcpy(bytes_.data(), from, bytes);
  for (uint32_t i = 0; i < bytes; ++i)
    enables_[i] = (words >> (i / 4) & 1) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
}

DirectMemory Processor::direct_local_memory() {
  const uint32_t last = configuration_.lmb_base + (configuration_.lmb_size - 1);
  return {local_memory_.data(), configuration_.lmb_base, last, true, true, 0, 0};
}

uint64_t Processor::instructions_left() const {
  constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();
  const uint64_t by_number =
      configuration_.max_instructions == 0 ? kAll : configuration_.max_instructions - instructions_;
  const uint64_t cycles = cycles_left();
  if (cycles == kAll) return by_number;
  // A block may take longer than its budget by its own length, and by that of its accesses: the
  // last instructions before the time limit go one by one.
  constexpr uint64_t kLongestBlockCycles = 16384;
  return std::min(by_number, cycles > kLongestBlockCycles ? cycles - kLongestBlockCycles : 1);
}

uint64_t Processor::cycles_left() const {
  if (time_limit_ == sc_core::SC_ZERO_TIME) return std::numeric_limits<uint64_t>::max();
  const sc_core::sc_time now = local_time();
  if (now >= time_limit_) return 0;
  return clock_.cycles_up(time_limit_ - now);
}

// ---- running

void Processor::run() {
  engine_.state().pc = start_address_;
  if (server_) {
    server_->wait_for_client([this] { return asked_to_give_up(); });
    halt_wanted_ = true;
  }
  while (run_once()) {
  }
}

void Processor::reset() {
  reset_requested_ = true;
  reset_event_.notify(sc_core::SC_ZERO_TIME);
}

bool Processor::run_once() {
  if (std::exchange(reset_requested_, false)) engine_.reset();
  if (stop_requested_.exchange(false)) {
    stop(StopReason::kRequested);
    return false;
  }
  if (configuration_.max_instructions != 0 && instructions_ >= configuration_.max_instructions) {
    stop(StopReason::kInstructionLimit, fmt::format("{} instructions executed", instructions_));
    return false;
  }
  if (server_ && !obey_debugger()) return false;
  if (cycles_left() == 0) {  // run control ends the simulation at this time
    synchronise();
    sc_core::wait(sc_core::sc_max_time() - sc_core::sc_time_stamp());
  }
  const Engine::Run result = execute_some();
  instructions_ += result.instructions;
  if (profiler_) take_sample(result.cycles);
  if (server_) tell_debugger(result.exit);
  if (!handle(result.exit)) return false;
  after_run();
  return true;
}

bool Processor::handle(Engine::Exit exit) {
  switch (exit) {
    case Engine::Exit::kSelfBranch:
      if (!engine_.interrupt_enabled()) {
        if (server_) server_->report_exit(GdbSession::exited(engine_.state().r[3]));
        stop(StopReason::kExit);
        return false;
      }
      if (skips_idle_loop()) wait_for_interrupt();
      return true;
    case Engine::Exit::kSleep:
      wait_for_interrupt();
      return true;
    case Engine::Exit::kStalled:
      synchronise();
      return true;
    case Engine::Exit::kError:
      stop(StopReason::kError, last_words());
      return false;
    default:
      return true;
  }
}

void Processor::wait_for_interrupt() {
  synchronise();
  if (interrupt.read() || reset_requested_) return;
  const uint64_t start = sc_core::sc_time_stamp().value();
  if (server_) {  // GDB may want to stop an idle processor
    const sc_core::sc_time pause(1, sc_core::SC_MS);
    while (!interrupt.read() && !reset_requested_ && !debugger_interrupts())
      sc_core::wait(pause, interrupt.posedge_event() | reset_event_);
  } else {
    sc_core::wait(interrupt.posedge_event() | reset_event_);
  }
  // The clock goes on ticking: wake at its next edge.
  const uint64_t now = sc_core::sc_time_stamp().value();
  resume_at(sc_core::sc_time::from_value(clock_.edge(now)));
  idle_ += sc_core::sc_time::from_value(now - start);
}

void Processor::stop(StopReason reason, const std::string& message) {
  synchronise();
  Stop stop;
  stop.reason = reason;
  stop.pc = engine_.state().pc;
  stop.exit_code = engine_.state().r[3];
  stop.message = message;
  if (stop_handler_) stop_handler_(stop);
}

// ---- debug access

size_t Processor::debug_access(tlm::tlm_command command, uint32_t address, void* data,
                               size_t size) {
  auto* bytes = static_cast<uint8_t*>(data);
  size_t done = 0;
  while (done < size) {
    const auto at = static_cast<uint32_t>(address + done);
    const size_t to_page_end = kPage - at % kPage;
    const size_t length = std::min(size - done, to_page_end);
    if (in_local_memory(at)) {
      uint8_t* local = local_memory(at);
      if (command == tlm::TLM_READ_COMMAND) {
        std::memcpy(bytes + done, local, length);
      } else {
        std::memcpy(local, bytes + done, length);
      }
      done += length;
      continue;
    }
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(at);
    payload.set_data_ptr(bytes + done);
    payload.set_data_length(static_cast<unsigned>(length));
    payload.set_streaming_width(static_cast<unsigned>(length));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const size_t moved = data_socket()->transport_dbg(payload);
    done += std::min(moved, length);
    if (moved < length) break;
  }
  return done;
}

size_t Processor::debug_read(uint32_t address, void* data, size_t size) {
  const size_t done = debug_access(tlm::TLM_READ_COMMAND, address, data, size);
  engine_.memory().caches().overlay(Port::kData, address, static_cast<uint8_t*>(data), done);
  return done;
}

size_t Processor::debug_write(uint32_t address, const void* data, size_t size) {
  std::vector<uint8_t> copy(size);
  if (size > 0) std::memcpy(copy.data(), data, size);
  const size_t done = debug_access(tlm::TLM_WRITE_COMMAND, address, copy.data(), size);
  if (done > 0) {
    engine_.memory().caches().update(address, copy.data(), done);
    engine_.invalidate_code(address, static_cast<uint32_t>(address + (done - 1)));
  }
  return done;
}

}  // namespace gvp::host

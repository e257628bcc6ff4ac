// SPDX-License-Identifier: Apache-2.0
#include "models/host/loosely_timed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/base/error.h"
#include "models/host/log.h"

namespace gvp::host {
namespace {

// Longest uninterrupted run, cycles; Engine::run() takes less than 2^30.
constexpr uint32_t kMaxBudget = 1u << 20;
constexpr uint32_t kPage = 4096;

}  // namespace

LooselyTimed::LooselyTimed(const sc_core::sc_module_name& name, const Configuration& configuration)
    : Host(name),
      configuration_(configuration),
      local_memory_(configuration.lmb_size),
      period_(1.0 / configuration.clock_hz, sc_core::SC_SEC),
      engine_(configuration, *this),
      start_address_(configuration.base_vectors) {
  if (configuration.lmb_size % kPage != 0 || configuration.lmb_base % kPage != 0)
    throw bad_input(fmt::format("local memory of {} bytes at {:#x} is not made of 4 KiB pages",
                                configuration.lmb_size, configuration.lmb_base),
                    {}, "choose host.lmb_base and host.lmb_size as multiples of 4096");
  if (configuration.clock_hz < 1e3 || configuration.clock_hz > 1e10)
    throw bad_input(fmt::format("a clock of {} Hz is out of range", configuration.clock_hz), {},
                    "host.clock_hz is between 1e3 and 1e10");
  instruction_socket_.register_invalidate_direct_mem_ptr(this, &LooselyTimed::invalidate_direct);
  data_socket_.register_invalidate_direct_mem_ptr(this, &LooselyTimed::invalidate_direct);
  session_ = std::make_unique<GdbSession>(
      engine_, configuration.big_endian,
      [this](uint32_t address, void* data, size_t size) { return debug_read(address, data, size); },
      [this](uint32_t address, const void* data, size_t size) {
        return debug_write(address, data, size);
      });
  sc_core::sc_spawn([this] { run(); }, "run");
}

uint64_t LooselyTimed::cycles() const {
  const sc_core::sc_time now = sc_core::sc_time_stamp() + local_;
  return static_cast<uint64_t>(now / period_);
}

nlohmann::ordered_json LooselyTimed::statistics() const {
  return {{"idle_cycles", static_cast<uint64_t>(idle_ / period_)},
          {"interrupts", engine_.interrupts_taken()},
          {"exceptions", engine_.exceptions_taken()},
          {"bus_reads", bus_reads_},
          {"bus_writes", bus_writes_},
          {"bus_errors", bus_errors_}};
}

// ---- running

void LooselyTimed::run() {
  engine_.state().pc = start_address_;
  if (server_) {
    server_->wait_for_client([this] { return stop_requested_.load(); });
    halt_wanted_ = true;
  }
  while (run_once()) {
  }
}

// Up to the end of the quantum; or, where nothing else happens for longer, up to the next event: a
// wait that nobody would use costs more than a short quantum's instructions.  Bounded, because run
// control looks at the program only when simulated time moves.
uint32_t LooselyTimed::cycle_budget() {
  constexpr unsigned kMostQuanta = 16;
  const sc_core::sc_time quantum = tlm::tlm_global_quantum::instance().compute_local_quantum();
  const sc_core::sc_time most = tlm::tlm_global_quantum::instance().get() * kMostQuanta;
  sc_core::sc_time horizon = quantum;
  if (sc_core::sc_time_to_pending_activity() > quantum)
    horizon = std::max(quantum, std::min(most, sc_core::sc_time_to_pending_activity()));
  quantum_cycles_ = local_ < quantum ? (quantum - local_).value() / period_.value() : 1;
  uint64_t budget = local_ < horizon ? (horizon - local_).value() / period_.value() : 1;
  budget = std::clamp<uint64_t>(budget, 1, kMaxBudget);
  // An instruction takes at least one cycle, so this many cycles cannot execute too many.
  if (configuration_.max_instructions != 0)
    budget = std::min(budget, configuration_.max_instructions - instructions_);
  return static_cast<uint32_t>(budget);
}

bool LooselyTimed::run_once() {
  if (stop_requested_.exchange(false)) {
    stop(StopReason::kRequested);
    return false;
  }
  if (configuration_.max_instructions != 0 && instructions_ >= configuration_.max_instructions) {
    stop(StopReason::kInstructionLimit, fmt::format("{} instructions executed", instructions_));
    return false;
  }
  if (server_ && !obey_debugger()) return false;
  engine_.set_interrupt(interrupt.read());
  run_start_ = sc_core::sc_time_stamp() + local_;
  const Engine::Run result = execute_some();
  instructions_ += result.instructions;
  local_ = run_start_ + duration(result.cycles) - sc_core::sc_time_stamp();
  if (profiler_) take_sample(result.cycles);
  if (server_) tell_debugger(result.exit);
  if (!handle(result.exit)) return false;
  synchronise();
  return true;
}

bool LooselyTimed::handle(Engine::Exit exit) {
  switch (exit) {
    case Engine::Exit::kSelfBranch:
      if (!engine_.interrupt_enabled()) {
        if (server_) server_->report_exit(GdbSession::exited(engine_.state().r[3]));
        stop(StopReason::kExit);
        return false;
      }
      wait_for_interrupt();
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

void LooselyTimed::synchronise() {
  sc_core::wait(local_);
  local_ = sc_core::SC_ZERO_TIME;
}

void LooselyTimed::wait_for_interrupt() {
  synchronise();
  if (interrupt.read()) return;
  const uint64_t start = sc_core::sc_time_stamp().value();
  if (server_) {  // GDB may want to stop an idle processor
    const sc_core::sc_time pause(1, sc_core::SC_MS);
    while (!interrupt.read() && !debugger_interrupts())
      sc_core::wait(pause, interrupt.posedge_event());
  } else {
    sc_core::wait(interrupt.posedge_event());
  }
  // The clock goes on ticking: wake at its next edge.
  const uint64_t late = sc_core::sc_time_stamp().value() % period_.value();
  if (late != 0) local_ = sc_core::sc_time::from_value(period_.value() - late);
  idle_ += sc_core::sc_time::from_value(sc_core::sc_time_stamp().value() - start);
}

void LooselyTimed::stop(StopReason reason, const std::string& message) {
  synchronise();
  Stop stop;
  stop.reason = reason;
  stop.pc = engine_.state().pc;
  stop.exit_code = engine_.state().r[3];
  stop.message = message;
  if (stop_handler_) stop_handler_(stop);
}

// ---- the core's view of memory

bool LooselyTimed::in_local_memory(uint32_t address) const {
  return address - configuration_.lmb_base < configuration_.lmb_size;
}

uint32_t LooselyTimed::to_cycles(const sc_core::sc_time& time) const {
  return static_cast<uint32_t>((time.value() + period_.value() - 1) / period_.value());
}

bool LooselyTimed::direct(Port port, uint32_t address, DirectMemory& memory) {
  if (in_local_memory(address)) {
    const uint32_t last = configuration_.lmb_base + (configuration_.lmb_size - 1);
    memory = {local_memory_.data(), configuration_.lmb_base, last, true, true, 0, 0};
    return true;
  }
  auto& known = direct_[static_cast<size_t>(port)];
  for (size_t i = 0; i < known.size(); ++i) {
    if (address < known[i].first || address > known[i].last) continue;
    memory = known[i];
    // Ranges in use come first.
    if (i > 0) std::swap(known[i], known[i - 1]);
    return memory.data != nullptr;
  }
  memory = ask_for_direct(port, address);
  known.push_back(memory);
  return memory.data != nullptr;
}

DirectMemory LooselyTimed::ask_for_direct(Port port, uint32_t address) {
  auto& socket = port == Port::kInstruction ? instruction_socket_ : data_socket_;
  payload_.set_command(tlm::TLM_READ_COMMAND);
  payload_.set_address(address);
  tlm::tlm_dmi dmi;
  const bool granted = socket->get_direct_mem_ptr(payload_, dmi);
  if (!granted || !dmi.is_read_allowed()) {
    // Remember only this page: the range that a target denies may be larger than it is.
    const uint32_t page = address & ~(kPage - 1);
    return {nullptr, page, page | (kPage - 1), false, false, 0, 0};
  }
  const uint64_t first = dmi.get_start_address();
  const uint64_t last = std::min<uint64_t>(dmi.get_end_address(), 0xffffffff);
  return {dmi.get_dmi_ptr(),
          static_cast<uint32_t>(first),
          static_cast<uint32_t>(last),
          dmi.is_read_allowed(),
          dmi.is_write_allowed(),
          to_cycles(dmi.get_read_latency()),
          to_cycles(dmi.get_write_latency())};
}

void LooselyTimed::invalidate_direct(sc_dt::uint64 first, sc_dt::uint64 last) {
  for (auto& known : direct_)
    known.erase(std::remove_if(known.begin(), known.end(),
                               [&](const DirectMemory& memory) {
                                 return memory.first <= last && memory.last >= first;
                               }),
                known.end());
  if (first > 0xffffffff) return;
  engine_.invalidate_direct(static_cast<uint32_t>(first),
                            static_cast<uint32_t>(std::min<uint64_t>(last, 0xffffffff)));
}

BusStatus LooselyTimed::transport(Port port, tlm::tlm_command command, uint32_t address, void* data,
                                  uint32_t bytes, uint64_t& cycles) {
  payload_.set_command(command);
  payload_.set_address(address);
  payload_.set_data_ptr(static_cast<unsigned char*>(data));
  payload_.set_data_length(bytes);
  payload_.set_streaming_width(bytes);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = run_start_ + duration(cycles) - sc_core::sc_time_stamp();
  auto& socket = port == Port::kInstruction ? instruction_socket_ : data_socket_;
  socket->b_transport(payload_, delay);
  // The target may have waited: only the sum of both times counts.
  const sc_core::sc_time elapsed = sc_core::sc_time_stamp() + delay - run_start_;
  cycles = std::max<uint64_t>(cycles, to_cycles(elapsed));
  // The access may have started something: from here the quantum holds again.
  engine_.shorten_run(std::max(cycles, quantum_cycles_));
  if (payload_.is_response_ok()) return BusStatus::kOkay;
  ++bus_errors_;
  return payload_.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE ? BusStatus::kDecodeError
                                                                           : BusStatus::kSlaveError;
}

BusStatus LooselyTimed::read(Port port, uint32_t address, void* data, uint32_t bytes,
                             uint64_t& cycles) {
  ++bus_reads_;
  return transport(port, tlm::TLM_READ_COMMAND, address, data, bytes, cycles);
}

BusStatus LooselyTimed::write(uint32_t address, const void* data, uint32_t bytes,
                              uint64_t& cycles) {
  ++bus_writes_;
  uint8_t copy[4] = {};
  std::memcpy(copy, data, bytes);
  return transport(Port::kData, tlm::TLM_WRITE_COMMAND, address, copy, bytes, cycles);
}

// ---- debug access

size_t LooselyTimed::debug_access(tlm::tlm_command command, uint32_t address, void* data,
                                  size_t size) {
  auto* bytes = static_cast<uint8_t*>(data);
  size_t done = 0;
  while (done < size) {
    const auto at = static_cast<uint32_t>(address + done);
    const size_t to_page_end = kPage - at % kPage;
    const size_t length = std::min(size - done, to_page_end);
    if (in_local_memory(at)) {
      uint8_t* local = local_memory_.data() + (at - configuration_.lmb_base);
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
    const size_t moved = data_socket_->transport_dbg(payload);
    done += std::min(moved, length);
    if (moved < length) break;
  }
  return done;
}

size_t LooselyTimed::debug_read(uint32_t address, void* data, size_t size) {
  return debug_access(tlm::TLM_READ_COMMAND, address, data, size);
}

size_t LooselyTimed::debug_write(uint32_t address, const void* data, size_t size) {
  std::vector<uint8_t> copy(size);
  if (size > 0) std::memcpy(copy.data(), data, size);
  const size_t done = debug_access(tlm::TLM_WRITE_COMMAND, address, copy.data(), size);
  if (done > 0) engine_.invalidate_code(address, static_cast<uint32_t>(address + (done - 1)));
  return done;
}

}  // namespace gvp::host

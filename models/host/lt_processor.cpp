// SPDX-License-Identifier: Apache-2.0
#include "models/host/lt_processor.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "models/axi/extension.h"

namespace gvp::host {
namespace {

// Longest uninterrupted run, cycles; Engine::run() takes less than 2^30.
constexpr uint32_t kMaxBudget = 1u << 20;
constexpr uint32_t kPage = 4096;
// Between two looks at what went through pointers; an access takes at least one of them, and lanes
// have 32 bits (direct_lanes.h).
constexpr uint64_t kMostUnaccounted = 1u << 31;

}  // namespace

LtProcessor::LtProcessor(const sc_core::sc_module_name& name, const Configuration& configuration)
    : Processor(name, configuration), steps_(clock_), stream_(clock_.period_ps()) {
  instruction_socket_.register_invalidate_direct_mem_ptr(this, &LtProcessor::invalidate_direct);
  data_socket_.register_invalidate_direct_mem_ptr(this, &LtProcessor::invalidate_direct);
}

// ---- running

// Up to the end of the quantum; or, where nothing else happens for longer, up to the next event: a
// wait that nobody would use costs more than a short quantum's instructions.  Bounded, because run
// control looks at the program only when simulated time moves.
uint32_t LtProcessor::cycle_budget() {
  constexpr unsigned kMostQuanta = 16;
  const sc_core::sc_time quantum = tlm::tlm_global_quantum::instance().compute_local_quantum();
  const sc_core::sc_time most = tlm::tlm_global_quantum::instance().get() * kMostQuanta;
  sc_core::sc_time horizon = quantum;
  if (sc_core::sc_time_to_pending_activity() > quantum)
    horizon = std::max(quantum, std::min(most, sc_core::sc_time_to_pending_activity()));
  quantum_cycles_ = local_ < quantum ? clock_.cycles(quantum - local_) : 1;
  uint64_t budget = local_ < horizon ? clock_.cycles(horizon - local_) : 1;
  budget = std::clamp<uint64_t>(budget, 1, kMaxBudget);
  // An instruction takes at least one cycle, so this many cycles cannot execute too many.
  return static_cast<uint32_t>(
      std::min({budget, instructions_left(), uint64_t{profiling_stride()}}));
}

// What the last access has changed may still be on its way here through signals and interrupt
// controllers: an interrupt is taken when simulated time has passed since then.
bool LtProcessor::interrupt_level() {
  if (interrupt.read() && sc_core::sc_time_stamp().value() == accessed_)
    sc_core::wait(std::max(std::exchange(local_, sc_core::SC_ZERO_TIME), clock_.period()));
  return interrupt.read();
}

void LtProcessor::begin_run() {
  engine_.set_interrupt(interrupt_level());
  run_start_ = sc_core::sc_time_stamp() + local_;
}

Engine::Run LtProcessor::end_run(const Engine::Run& result) {
  local_ = run_start_ + duration(result.cycles) - sc_core::sc_time_stamp();
  unaccounted_ += result.cycles;
  if (unaccounted_ >= kMostUnaccounted) account_for_direct();
  return result;
}

Engine::Run LtProcessor::execute() {
  begin_run();
  return end_run(engine_.run(cycle_budget()));
}

Engine::Run LtProcessor::step_unit() {
  begin_run();
  return end_run(engine_.step());
}

// Simulated time catches up, but for what the next fetch may be behind execution: it begins in
// simulated time.
void LtProcessor::after_run() {
  const uint64_t behind = yielded_ ? 0 : stream_.behind(local_time().value());
  const auto ahead = std::min(local_, sc_core::sc_time::from_value(behind));
  local_ -= ahead;
  synchronise();
  local_ = ahead;
}

void LtProcessor::synchronise() {
  // While it waits the processor's time is simulated time: cycles() may be asked meanwhile.
  sc_core::wait(std::exchange(local_, sc_core::SC_ZERO_TIME));
}

// ---- the core's view of memory

uint32_t LtProcessor::to_cycles(const sc_core::sc_time& time) const {
  return static_cast<uint32_t>(clock_.cycles_up(time));
}

bool LtProcessor::direct(Port port, uint32_t address, DirectMemory& memory) {
  if (in_local_memory(address)) {
    memory = direct_local_memory();
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

DirectMemory LtProcessor::ask_for_direct(Port port, uint32_t address) {
  auto& socket = port == Port::kInstruction ? instruction_socket_ : data_socket_;
  payload_.set_command(tlm::TLM_READ_COMMAND);
  payload_.set_address(address);
  tlm::tlm_dmi dmi;
  kit::DirectAccount account;
  payload_.set_extension(&account);
  const bool granted = socket->get_direct_mem_ptr(payload_, dmi);
  payload_.clear_extension(&account);
  const std::optional<uint8_t> source = source_of(account);
  // What could not be counted goes over the bus.
  if (!granted || !dmi.is_read_allowed() || !source) {
    // Remember only this page: the range that a target denies may be larger than it is.
    const uint32_t page = address & ~(kPage - 1);
    DirectMemory denied;
    denied.first = page;
    denied.last = page | (kPage - 1);
    return denied;
  }
  const uint64_t first = dmi.get_start_address();
  const uint64_t last = std::min<uint64_t>(dmi.get_end_address(), 0xffffffff);
  return {dmi.get_dmi_ptr(),
          static_cast<uint32_t>(first),
          static_cast<uint32_t>(last),
          dmi.is_read_allowed(),
          dmi.is_write_allowed(),
          to_cycles(dmi.get_read_latency()),
          to_cycles(dmi.get_write_latency()),
          *source};
}

// The same number for all ranges whose accesses are counted at the same places, however often they
// are granted and taken back.  None where there is no number left.
std::optional<uint8_t> LtProcessor::source_of(const kit::DirectAccount& account) {
  if (account.empty()) return 0;
  for (size_t i = 0; i < sources_.size(); ++i)
    if (sources_[i].has_the_counters_of(account)) return static_cast<uint8_t>(i + 1);
  if (sources_.size() == std::numeric_limits<uint8_t>::max()) return std::nullopt;
  sources_.push_back(account);
  return static_cast<uint8_t>(sources_.size());
}

void LtProcessor::account_for_direct() {
  unaccounted_ = 0;
  const Engine::DirectUse use = engine_.take_direct();
  for (size_t source = 1; source <= sources_.size(); ++source) {
    kit::DirectTraffic traffic;
    if (source < use.data.size()) {
      const DirectCounts& data = use.data[source];
      for (size_t i = 0; i < data.reads.size(); ++i) {
        traffic.reads += data.reads[i];
        traffic.writes += data.writes[i];
        traffic.bytes_read += data.reads[i] << i;
        traffic.bytes_written += data.writes[i] << i;
      }
    }
    traffic.reads += use.fetched[source];
    traffic.bytes_read += use.fetched[source] * sizeof(uint32_t);
    sources_[source - 1].count(traffic);
  }
}

void LtProcessor::invalidate_direct(sc_dt::uint64 first, sc_dt::uint64 last) {
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

void LtProcessor::note_fetch(uint32_t address, const void* data, uint64_t ready, uint64_t begin,
                             uint64_t end) {
  uint32_t word = 0;
  std::memcpy(&word, data, sizeof word);
  if (configuration_.big_endian) word = __builtin_bswap32(word);
  stream_.fetched(address, word, ready, begin, end);
}

BusStatus LtProcessor::transport(Port port, tlm::tlm_command command, uint32_t address, void* data,
                                 uint32_t bytes, uint8_t* enables, uint64_t& cycles) {
  payload_.set_command(command);
  payload_.set_address(address);
  payload_.set_data_ptr(static_cast<unsigned char*>(data));
  payload_.set_data_length(bytes);
  payload_.set_streaming_width(bytes);
  payload_.set_byte_enable_ptr(enables);
  payload_.set_byte_enable_length(enables == nullptr ? 0 : bytes);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  note_traffic(command == tlm::TLM_WRITE_COMMAND, bytes);
  // Times are absolute, in picoseconds.
  const sc_core::sc_simcontext& context = *simcontext();
  const uint64_t now = context.time_stamp().value();
  const uint64_t run_start = run_start_.value();
  const uint64_t ready = run_start + clock_.ps(cycles);
  const bool word = port == Port::kInstruction && bytes == 4;
  // What the access before has changed may still be on its way through signals to where this one
  // goes, say from a device to the interrupt controller.
  const bool settles = yielded_ && now == accessed_;
  const uint64_t begin = word && !settles ? std::max(stream_.request(address, ready), now) : ready;
  sc_core::sc_time delay = sc_core::sc_time::from_value(begin - now);
  if (settles) sc_core::wait(std::exchange(delay, sc_core::SC_ZERO_TIME));
  const sc_dt::uint64 deltas = context.delta_count();
  auto& socket = port == Port::kInstruction ? instruction_socket_ : data_socket_;
  socket->b_transport(payload_, delay);
  // The target may have waited: only the sum of both times counts.
  accessed_ = context.time_stamp().value();
  const uint64_t end = accessed_ + delay.value();
  if (word) note_fetch(address, data, ready, begin, end);
  if (end > run_start) cycles = std::max(cycles, steps_.up(end - run_start));
  yielded_ = context.delta_count() != deltas;
  // The access may have started something: from here the quantum holds again.
  engine_.shorten_run(std::max(cycles, quantum_cycles_));
  if (payload_.is_response_ok()) return BusStatus::kOkay;
  ++bus_errors_;
  return payload_.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE ? BusStatus::kDecodeError
                                                                           : BusStatus::kSlaveError;
}

BusStatus LtProcessor::read(Port port, uint32_t address, void* data, uint32_t bytes,
                            uint64_t& cycles) {
  ++bus_reads_;
  return transport(port, tlm::TLM_READ_COMMAND, address, data, bytes, nullptr, cycles);
}

BusStatus LtProcessor::write(uint32_t address, const void* data, uint32_t bytes, uint64_t& cycles) {
  ++bus_writes_;
  uint32_t copy{};
  std::memcpy(&copy, data, bytes);
  return transport(Port::kData, tlm::TLM_WRITE_COMMAND, address, &copy, bytes, nullptr, cycles);
}

BusStatus LtProcessor::transport_exclusive(tlm::tlm_command command, uint32_t address, void* data,
                                           uint64_t& cycles) {
  axi::Extension exclusive;  // ID 0, one beat of four bytes
  exclusive.exclusive = true;
  payload_.set_extension(&exclusive);
  const BusStatus status = transport(Port::kData, command, address, data, 4, nullptr, cycles);
  payload_.clear_extension(&exclusive);
  const bool granted = exclusive.response == axi::Response::kExclusiveOkay;
  return granted && status == BusStatus::kOkay ? BusStatus::kExclusiveOkay : status;
}

BusStatus LtProcessor::read_exclusive(uint32_t address, void* data, uint64_t& cycles) {
  ++bus_reads_;
  return transport_exclusive(tlm::TLM_READ_COMMAND, address, data, cycles);
}

BusStatus LtProcessor::write_exclusive(uint32_t address, const void* data, uint64_t& cycles) {
  ++bus_writes_;
  uint8_t copy[4];
  std::memcpy(copy, data, sizeof copy);
  return transport_exclusive(tlm::TLM_WRITE_COMMAND, address, copy, cycles);
}

BusStatus LtProcessor::write_line(uint32_t address, const void* data, uint32_t bytes,
                                  uint32_t words, uint64_t& cycles) {
  ++bus_writes_;
  Line line(data, bytes, words);
  return transport(Port::kData, tlm::TLM_WRITE_COMMAND, address, line.data(), bytes, line.enables(),
                   cycles);
}

}  // namespace gvp::host

// SPDX-License-Identifier: Apache-2.0
#include "models/host/at_processor.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "models/base/error.h"

namespace gvp::host {
namespace {

// Units executed between two looks at run control, and how far the processor may be ahead.
constexpr unsigned kUnitsInARow = 32;
constexpr uint64_t kMostAhead = 1000;  // cycles

}  // namespace

AtProcessor::AtProcessor(const sc_core::sc_module_name& name, const Configuration& configuration)
    : Processor(name, configuration),
      fetch_("instruction_socket", clock_),
      data_("data_socket", [this] { data_done_.notify(); }),
      pipeline_(configuration_) {
  if (configuration_.icache_always_hits() || configuration_.dcache_always_hits())
    throw bad_input("the approximately timed processor has no caches that always hit", {},
                    "set host.cache_model to \"contents\" or \"auto\"");
  engine_.set_unit_observer(this);
  const auto started = [this](bool write, uint32_t bytes) { note_traffic(write, bytes); };
  data_.on_start(started);
  fetch_.bus().on_start(started);
}

size_t AtProcessor::debug_write(uint32_t address, const void* data, size_t size) {
  const size_t done = Processor::debug_write(address, data, size);
  if (done > 0) fetch_.changed(address, static_cast<uint32_t>(address + (done - 1)));
  return done;
}

nlohmann::ordered_json AtProcessor::statistics() const {
  nlohmann::ordered_json json = Processor::statistics();
  json["idle_cycles"] = pipeline_.idle();
  json["bus_reads"] = bus_reads_ + fetch_.fetches();
  json["bus_fetches"] = fetch_.fetches();
  json["discarded_fetches"] = fetch_.discarded();
  const auto executed = static_cast<double>(instructions());
  json["cpi"] = executed > 0 ? static_cast<double>(cycles() - pipeline_.idle()) / executed : 0.0;
  for (size_t i = 0; i < kStalls; ++i)
    json["stall_cycles"][to_key(static_cast<Stall>(i))] = pipeline_.stalls()[i];
  return json;
}

// ---- time

void AtProcessor::wait_until(uint64_t cycle) {
  const uint64_t time = sc_core::sc_time_stamp().value();
  if (clock_.ps(cycle) > time) sc_core::wait(sc_core::sc_time::from_value(clock_.ps(cycle) - time));
}

void AtProcessor::after_run() {
  if (pipeline_.next() > now() + kMostAhead) synchronise();
}

bool AtProcessor::skips_idle_loop() {
  const uint32_t pc = engine_.state().pc;
  idle_round_ = Pipeline::kRefill;
  idle_loop_ = target_;
  if (!is_on_bus(pc)) return true;
  // Fetched over the bus, each round takes as long as the one before: the first is executed.
  const uint64_t round = branch_at_ - idle_branch_;
  const bool again = idle_pc_ == pc;
  idle_pc_ = pc;
  idle_branch_ = branch_at_;
  if (!again) return false;
  idle_round_ = round;
  idle_loop_ = branch_at_ + round;
  return true;
}

void AtProcessor::resume_at(const sc_core::sc_time& time) {
  uint64_t cycle = clock_.cycles(time);
  if (idle_loop_ != 0 && cycle > idle_loop_)  // the branch under way is completed
    cycle += (idle_round_ - (cycle - idle_loop_) % idle_round_) % idle_round_;
  pipeline_.idle_until(cycle);
}

// The processor looks at its input when the next instruction is decoded.  Until then its time must
// not have come if anything may still happen.
void AtProcessor::sample_interrupt() {
  if (!engine_.interrupt_enabled()) return engine_.set_interrupt(false);
  const uint32_t pc = engine_.state().pc;
  uint64_t executes = std::max(pipeline_.next(), target_);
  const bool translated = (engine_.state().msr & msr::kVm) != 0;
  if (!translated && is_on_bus(pc) && (pc & 3) == 0)
    executes = std::max(executes, fetch_.wait_for(pc, request()).arrival + 1);
  const uint64_t sampled = clock_.ps(executes - 1);
  const uint64_t time = sc_core::sc_time_stamp().value();
  if (sampled > time && sc_core::sc_time_to_pending_activity().value() <= sampled - time)
    sc_core::wait(sc_core::sc_time::from_value(sampled - time));
  engine_.set_interrupt(interrupt_level());
}

// What the last access has changed may still be on its way here through signals and interrupt
// controllers: an interrupt is taken when simulated time has passed since then.
bool AtProcessor::interrupt_level() {
  if (interrupt.read() && sc_core::sc_time_stamp() == accessed_) sc_core::wait(clock_.period());
  return interrupt.read();
}

// ---- running

Engine::Run AtProcessor::execute() {
  const uint64_t start = pipeline_.next();
  Engine::Run total;
  for (unsigned i = 0; i < kUnitsInARow && total.exit == Engine::Exit::kLimit; ++i) {
    const uint32_t pc = engine_.state().pc;
    if (!engine_.breakpoints().empty() && pc != breakpoint_ &&
        engine_.breakpoints().count(pc) != 0) {
      breakpoint_ = pc;
      total.exit = Engine::Exit::kBreakpoint;
      break;
    }
    const Engine::Run run = step_unit();
    total.exit = run.exit;
    total.instructions += run.instructions;
  }
  total.cycles = pipeline_.next() - start;
  return total;
}

Engine::Run AtProcessor::step_unit() {
  const uint64_t start = pipeline_.next();
  sample_interrupt();
  words_ = 0;
  has_imm_ = has_branch_ = always_taken_ = has_barrier_ = false;
  access_end_ = 0;
  arrival_ = target_;
  breakpoint_ = 1;
  idle_loop_ = 0;
  const uint32_t pc = engine_.state().pc;
  if (idle_pc_ != pc) idle_pc_.reset();
  const uint64_t interrupts = engine_.interrupts_taken();
  const uint64_t exceptions = engine_.exceptions_taken();
  Engine::Run run = engine_.step();
  end_unit(pc, run, engine_.interrupts_taken() != interrupts,
           engine_.exceptions_taken() != exceptions);
  run.cycles = pipeline_.next() - start;
  return run;
}

void AtProcessor::end_unit(uint32_t pc, const Engine::Run& run, bool interrupted, bool raised) {
  if (words_ == 0 || interrupted) {
    // An interrupt replaces the instruction by a branch; a failed fetch raises an exception.
    const Stall cause = interrupted ? Stall::kInterrupt : Stall::kException;
    pipeline_.stall_until(arrival_, Stall::kFetch);
    last_ = pipeline_.next();
    pipeline_.stall_until(last_ + 1, cause);
    pipeline_.refill(last_, cause);
    turn(last_ + Pipeline::kRefill);
    return;
  }
  if (words_ > run.instructions) pipeline_.charge(Stall::kException, words_ - run.instructions);
  const bool elsewhere = engine_.state().pc != pc + words_ * 4;
  if (elsewhere || always_taken_ || raised) {
    const uint64_t at = has_branch_ && !raised ? branch_at_ : last_;
    pipeline_.refill(at, raised ? Stall::kException : Stall::kBranch);
    turn(at + Pipeline::kRefill);
  } else if (has_barrier_) {
    fetch_.leave(pc);
    turn(last_ + Pipeline::kRefill - Pipeline::kRequest);
  } else {
    fetch_.resume();
  }
}

// ---- instruction words

// In program order, before the unit executes.
void AtProcessor::fetched(uint32_t address, uint32_t word) {
  InstructionTiming timing = pipeline_.timing(word);
  if (timing.cause == Stall::kDivide && divides_by_zero(word)) timing.latency = 1;
  last_ = pipeline_.issue(timing, arrival_);
  turned_ = false;
  if (from_bus_) fetch_.left(last_ - 1);
  from_bus_ = false;
  arrival_ = target_;
  ++words_;
  if (timing.is_branch && !has_branch_) {
    has_branch_ = true;
    branch_at_ = last_;
    always_taken_ = timing.always_taken;
    follow_branch(address, timing);
  }
  has_barrier_ |= timing.is_barrier;
  has_imm_ = timing.is_imm;
  imm_ = word << 16;
}

// UG984, idiv: one cycle if the divisor is zero.
bool AtProcessor::divides_by_zero(uint32_t word) const {
  return engine_.state().r[decode(word).ra] == 0;
}

// The target is asked for as soon as the branch has entered execution, even while its delay slot is
// still being fetched.  Where that depends on a translation it is left to the next fetch.
void AtProcessor::follow_branch(uint32_t address, const InstructionTiming& timing) {
  if (!is_on_bus(address) || (engine_.state().msr & msr::kVm) != 0) return;
  const Instruction branch = decode(timing.word);
  const Operation operation = branch.operation();
  if (operation == Operation::kBrk || operation == Operation::kBrki) return;
  // One that traps asks for nothing.
  const bool is_user = configuration_.use_mmu >= 1 && (engine_.state().msr & msr::kUm) != 0;
  if (is_user && branch.has(kPrivileged)) return;
  const uint32_t low = branch.imm;
  const uint32_t imm =
      has_imm_ ? imm_ | low
               : static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(branch.imm)));
  const uint32_t target = evaluate_branch(engine_.state(), branch, address, imm) & ~3u;
  const uint32_t last_wanted = address + (timing.has_slot ? 4 : 0);
  if (!timing.always_taken && target == last_wanted + 4) return;
  if (is_on_bus(target)) {
    fetch_.branch(last_wanted, target, branch_at_ + Pipeline::kRequest);
  } else {
    fetch_.leave(last_wanted);
  }
}

BusStatus AtProcessor::fetch(uint32_t address, void* data, uint32_t bytes) {
  if (in_local_memory(address)) {
    std::memcpy(data, local_memory(address), bytes);
    return BusStatus::kOkay;
  }
  BusStatus status = BusStatus::kOkay;
  if (bytes > 4) {  // a cache line
    ++bus_reads_;
    arrival_ = fetch_.read_burst(address, data, bytes, request(), status) + 1;
  } else {
    const bool translated = (engine_.state().msr & msr::kVm) != 0;
    fetch_.set_limit(translated ? address | (kRegionBytes - 4) : 0xfffffffc);
    const FetchUnit::Word word = fetch_.take(address, request());
    std::memcpy(data, &word.data, sizeof word.data);
    status = word.status;
    from_bus_ = status == BusStatus::kOkay;
    arrival_ = std::max(target_, word.arrival + 1);
  }
  if (status != BusStatus::kOkay) ++bus_errors_;
  return status;
}

// ---- the core's view of memory

bool AtProcessor::direct(Port port, uint32_t address, DirectMemory& memory) {
  if (port == Port::kInstruction || !in_local_memory(address)) return false;
  memory = direct_local_memory();
  return true;
}

BusStatus AtProcessor::access(tlm::tlm_command command, uint32_t address, void* data,
                              uint32_t bytes, uint8_t* enables, bool exclusive) {
  fetch_.resume();
  const bool is_first = access_end_ == 0;
  const uint64_t begin = is_first ? last_ + 1 : access_end_;
  const uint64_t time = sc_core::sc_time_stamp().value();
  const uint64_t wanted = std::max<uint64_t>(clock_.ps(begin), time);
  data_.start(command, address, data, bytes, enables, sc_core::sc_time::from_value(wanted - time),
              exclusive);
  while (data_.busy()) sc_core::wait(data_done_);
  access_end_ = std::max(now(), begin);
  accessed_ = sc_core::sc_time_stamp();
  // The local memory would have taken one cycle.
  const uint64_t cycles = access_end_ - begin;
  pipeline_.wait_for_data(is_first && cycles > 0 ? cycles - 1 : cycles);
  if (is_error(data_.status())) ++bus_errors_;
  return data_.status();
}

BusStatus AtProcessor::read(Port port, uint32_t address, void* data, uint32_t bytes, uint64_t&) {
  if (port == Port::kInstruction) return fetch(address, data, bytes);
  ++bus_reads_;
  return access(tlm::TLM_READ_COMMAND, address, data, bytes, nullptr);
}

BusStatus AtProcessor::write(uint32_t address, const void* data, uint32_t bytes, uint64_t&) {
  ++bus_writes_;
  uint32_t copy{};
  std::memcpy(&copy, data, bytes);
  const BusStatus status = access(tlm::TLM_WRITE_COMMAND, address, &copy, bytes, nullptr);
  fetch_.changed(address, address + (bytes - 1));
  return status;
}

BusStatus AtProcessor::read_exclusive(uint32_t address, void* data, uint64_t&) {
  ++bus_reads_;
  return access(tlm::TLM_READ_COMMAND, address, data, 4, nullptr, true);
}

BusStatus AtProcessor::write_exclusive(uint32_t address, const void* data, uint64_t&) {
  ++bus_writes_;
  uint8_t copy[4];
  std::memcpy(copy, data, sizeof copy);
  const BusStatus status = access(tlm::TLM_WRITE_COMMAND, address, copy, 4, nullptr, true);
  if (status == BusStatus::kExclusiveOkay) fetch_.changed(address, address + 3);
  return status;
}

BusStatus AtProcessor::write_line(uint32_t address, const void* data, uint32_t bytes,
                                  uint32_t words, uint64_t&) {
  ++bus_writes_;
  Line line(data, bytes, words);
  const BusStatus status =
      access(tlm::TLM_WRITE_COMMAND, address, line.data(), bytes, line.enables());
  fetch_.changed(address, address + (bytes - 1));
  return status;
}

}  // namespace gvp::host

// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/gpgpu/miaow/keys.h"
#include "models/gpgpu/miaow/miaow_registers.h"
#include "models/gpgpu/southern_islands/codec.h"
#include "models/gpgpu/southern_islands/disassembler.h"
#include "models/tlm/payload.h"

namespace gvp::gpgpu::miaow {
namespace {

const Log log_gpgpu("gpgpu");

// Of the published slave: address and data are taken in one clock, the register is read or written
// in the next, the response goes out in the third.
constexpr int kAccessCycles = 3;

// FNV-1a, of the code up to the first s_endpgm, for what has no name.
std::string name_of(const std::vector<uint32_t>& code, uint32_t pc) {
  constexpr uint32_t kEnd = 0xbf810000;
  uint32_t hash = 2166136261u;
  for (std::size_t i = pc / 4; i < code.size(); ++i) {
    hash = (hash ^ code[i]) * 16777619u;
    if (code[i] == kEnd) break;
  }
  return fmt::format("code-{:08x}", hash);
}

// The published slave looks at nine bits of the address; the queue is in the place of one
// repetition.
uint64_t offset_of(uint64_t address) {
  const bool queue = address >= MIAOW_QUEUE_ID && address < MIAOW_QUEUE_END;
  return queue ? address : address % MIAOW_WINDOW_BYTES;
}

GridQueue::Units make_units(const Configuration& configuration, Miaow::MakeSchedule make_schedule) {
  const auto memories = std::make_shared<Memories>(configuration);
  GridQueue::Units units;
  for (uint32_t i = 0; i < configuration.compute_units; ++i)
    units.push_back(
        std::make_unique<ComputeUnit>(configuration, make_schedule(configuration), memories));
  return units;
}

}  // namespace

Miaow::Miaow(const sc_core::sc_module_name& name, const Configuration& configuration,
             MakeSchedule make_schedule)
    : Device(name),
      configuration_(configuration),
      clock_(configuration.clock_hz, "the GPGPU's clock"),
      steps_(clock_),
      access_time_(clock_.at(kAccessCycles)),
      units_(make_units(configuration, make_schedule)),
      unit_(*units_.front()),
      queue_(units_, configuration.dispatch_cycles, configuration.wavefronts),
      registers_([this] { return place(); }, kit::RegisterBank::NarrowWrites::kForbidden) {
  declare_registers();
  socket_.register_b_transport(this, &Miaow::b_transport);
  socket_.register_transport_dbg(this, &Miaow::transport_dbg);
}

std::string Miaow::place() const {
  const sc_core::sc_time now = std::max(local_time_, sc_core::sc_time_stamp());
  return fmt::format("{} @ {}", name(), kit::time_text(now));
}

void Miaow::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const uint64_t address = payload.get_address();
  const uint64_t offset = offset_of(address);
  // Wavefronts begin at the time of the access that says so, not at its initiator's quantum.
  const bool starts =
      payload.is_write() && (offset == MIAOW_START || offset == MIAOW_QUEUE_CONTROL);
  if (starts && delay > sc_core::SC_ZERO_TIME)
    sc_core::wait(std::exchange(delay, sc_core::SC_ZERO_TIME));
  local_time_ = simcontext()->time_stamp() + delay;
  catch_up(local_time_.value());
  payload.set_address(offset);
  registers_.access(payload);
  payload.set_address(address);
  delay += access_time_;
}

unsigned Miaow::transport_dbg(tlm::tlm_generic_payload& payload) {
  const uint64_t address = payload.get_address();
  payload.set_address(offset_of(address));
  const unsigned moved = registers_.debug_access(payload);
  payload.set_address(address);
  return moved;
}

// Initiators whose local times differ see a clock that does not go back.
void Miaow::catch_up(uint64_t ps) {
  const uint64_t reached = clock_.ps(now_);
  if (ps > reached) now_ += steps_.up(ps - reached);
  if (queue_.running()) return catch_up_grid();
  if (unit_.state() != ComputeUnit::State::kExecuting) return;
  unit_.run_until(cycle());
  if (unit_.state() == ComputeUnit::State::kFinished) {
    wave_tag_ = registers_.at(MIAOW_WAVE_ID).value;
    tell_end(FaultCause::kNone);
  } else if (unit_.stuck() && !std::exchange(told_stuck_, true)) {
    report_stuck();
  }
}

void Miaow::reset() {
  write_reset(1);
  write_reset(0);
  registers_.reset();
  prefetch_address_ = 0;
  vector_index_ = 0;
  vector_data_ = {};
}

void Miaow::start() {
  Launch launch;
  launch.pc = registers_.at(MIAOW_PC_START).value;
  launch.base_vector = registers_.at(MIAOW_BASE_VGPR).value;
  launch.base_scalar = registers_.at(MIAOW_BASE_SGPR).value;
  launch.base_share = registers_.at(MIAOW_BASE_LDS).value;
  launch.lanes = registers_.at(MIAOW_WAVE_COUNT).value % southern_islands::kWavefrontLanes + 1;
  begin_ = now_;
  told_stuck_ = false;
  unit_.start(launch);
  grid_ = false;
  tell_begin("", launch.pc, {1}, {launch.lanes});
}

void Miaow::tell_begin(const std::string& name, uint32_t pc, const std::vector<uint32_t>& grid,
                       const std::vector<uint32_t>& block) {
  const double begin_ns = clock_.at(begin_) / sc_core::sc_time(1, sc_core::SC_NS);
  record_ = &records_.begin({name.empty() ? name_of(unit_.code(), pc) : name,
                             grid,
                             block,
                             {},
                             FaultCause::kNone,
                             {},
                             {},
                             begin_ns,
                             {}});
  if (!observers_.want(Observer::kKernels)) return;
  event_ = {};
  event_.launch = records_.launches();
  event_.name = records_.last().name;
  std::copy(grid.begin(), grid.end(), event_.grid.begin());
  std::copy(block.begin(), block.end(), event_.block.begin());
  event_.begin_ps = clock_.ps(begin_);
  event_.period_ps = clock_.period_ps();
  observers_.kernel_begins(event_);
}

Counters Miaow::counters() const {
  Counters counters;
  if (grid_) {
    counters.cycles = queue_.cycles(now_);
    counters.warp_instructions = queue_.instructions();
    counters.thread_instructions = queue_.lane_instructions();
    counters.blocks_done = queue_.groups_done();
    return counters;
  }
  counters.cycles = unit_.state() == ComputeUnit::State::kExecuting ? cycle() : unit_.end_cycle();
  counters.warp_instructions = unit_.instructions();
  counters.thread_instructions = unit_.lane_instructions();
  return counters;
}

// Between a wavefront's begin and its end only when somebody wants to see it: accesses are many.
void Miaow::update_record() const {
  record_->counters = counters();
  const ComputeUnit::Words& words = grid_ ? queue_.words() : unit_.words();
  record_->details = {{"prefetch_words", words.prefetch}, {"host_words", words.host}};
}

void Miaow::tell_end(FaultCause cause) {
  LaunchRecord& record = *record_;
  record.cause = cause;
  update_record();
  if (!observers_.want(Observer::kKernels)) return;
  event_.cycles = record.counters.cycles;
  event_.end_ps = clock_.ps(begin_ + event_.cycles);
  event_.cause = static_cast<uint32_t>(cause);
  observers_.kernel_ends(event_);
}

// What a user needs to find the fault; the guest sees a wavefront that never ends.
void Miaow::report_stuck() {
  const Fault& fault = unit_.fault();
  record_->cause = fault.cause;
  if (fault.cause == FaultCause::kNone) {
    log_gpgpu.warning("{}: the wavefront has halted at pc {:#06x} and will not end", place(),
                      unit_.pc());
    return;
  }
  report(fault, fmt::format("wavefront {} ({})", records_.launches(), records_.last().name),
         "; it never ends until the device is reset");
}

void Miaow::report(const Fault& fault, const std::string& what, const char* consequence) const {
  Ending ending;
  ending.cause = fault.cause;
  ending.fault = fault;
  const uint32_t word = fault.pc / 4;
  const auto decoded = [&] {
    const std::size_t left = word < kInstructionWords ? kInstructionWords - word : 0;
    return southern_islands::decode(unit_.code().data() + word, left);
  };
  const EndingTexts texts{
      [] { return std::string(); },
      [&] {
        const std::string text = word < kInstructionWords && decoded().executable()
                                     ? " (" + southern_islands::to_text(decoded().instruction) + ')'
                                     : "";
        return fmt::format("pc {:#06x}{}, lane {}", fault.pc, text, fault.lane);
      },
      [&] { return word < kInstructionWords ? decoded().reason : std::string(); }};
  log_gpgpu.error("{}: {} {}{}", place(), what, gpgpu::describe(ending, texts), consequence);
}

Progress Miaow::progress() const {
  Progress progress;
  progress.running = unit_.state() == ComputeUnit::State::kExecuting || queue_.running();
  progress.kernels_started = records_.launches();
  progress.blocks_total = records_.launches() == 0 ? 0 : 1;
  progress.blocks_done = progress.running ? 0 : progress.blocks_total;
  if (grid_) {
    progress.blocks_total = queue_.groups();
    progress.blocks_done = queue_.groups_done();
  }
  return progress;
}

nlohmann::ordered_json Miaow::statistics() const {
  if (unit_.state() == ComputeUnit::State::kExecuting || queue_.running()) update_record();
  const LaunchRecords::Derive nothing;
  return {{"kernels", records_.records(nothing)},
          {"further_kernels", records_.sums(nothing)},
          {"kernel_totals", records_.totals(nothing)}};
}

std::unique_ptr<Device> make_miaow(const sc_core::sc_module_name& name, const std::string& model,
                                   const Configuration& configuration) {
  validate(configuration);
  if (model == "lt")
    return std::make_unique<Miaow>(name, configuration, [](const Configuration& c) {
      return make_serial_schedule(c.timing, c.wavefronts);
    });
  if (model == "at")
    return std::make_unique<Miaow>(name, configuration, [](const Configuration& c) {
      return make_scoreboard_schedule(c.timing, c.integer_units, c.float_units, c.wavefronts);
    });
  throw bad_input("this build has no MIAOW model \"" + model + '"', {}, "models: lt, at");
}

}  // namespace gvp::gpgpu::miaow

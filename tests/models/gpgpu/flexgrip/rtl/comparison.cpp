// SPDX-License-Identifier: Apache-2.0
#include "tests/models/gpgpu/flexgrip/rtl/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <cstring>
#include <utility>
#include <variant>

#include "models/device/key.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/keys.h"
#include "models/gpgpu/flexgrip/timing/kernel_timeline.h"
#include "models/gpgpu/g80/assembler.h"

namespace gvp::test {
namespace {

namespace flexgrip = gpgpu::flexgrip;
namespace g80 = gpgpu::g80;
using flexgrip::timing::KernelTimeline;
using flexgrip::timing::SmTimeline;

constexpr uint32_t kInitialisedWords = 4096;    // word i holds i
constexpr uint32_t kInitialisedConstants = 32;  // byte i holds i
constexpr uint32_t kThreads = 1024;             // of an SM, at most
constexpr uint64_t kCycleLimit = 2'000'000;

// What a kernel leaves behind.
struct Outcome {
  uint32_t cause = 0, fault_pc = 0, fault_address = 0, fault_warp = 0, fault_block = 0;
  uint64_t cycles = 0, warp_instructions = 0, thread_instructions = 0, stall_cycles = 0,
           divergent_branches = 0, max_stack_depth = 0;
  std::vector<uint8_t> global;
  std::vector<FlexGripRtl::Rows> rows;  // by SM
};

std::vector<uint8_t> initial_global(const flexgrip::Configuration& configuration,
                                    const Subject& subject) {
  std::vector<uint8_t> global(configuration.global_bytes);
  for (uint32_t i = 0; i < kInitialisedWords; ++i) std::memcpy(&global[4 * i], &i, sizeof i);
  if (!subject.words.empty())
    std::memcpy(&global[kWordsAt], subject.words.data(), 4 * subject.words.size());
  return global;
}

std::vector<uint8_t> initial_constants(const flexgrip::Configuration& configuration) {
  std::vector<uint8_t> constants(configuration.constant_bytes);
  for (uint32_t i = 0; i < kInitialisedConstants; ++i) constants[i] = static_cast<uint8_t>(i);
  return constants;
}

class Recorder : public gpgpu::Observer {
 public:
  explicit Recorder(std::vector<FlexGripRtl::Rows>& rows) : rows_(rows) {}
  unsigned wants() const override { return kStages; }
  void stages(const gpgpu::StageEvent& e) override {
    // SM 0 has the first block.
    if (rows_[0].empty()) first_ = e.issue;
    rows_[e.place.block.sm].push_back({e.place.slot, e.row, static_cast<uint32_t>(e.pc),
                                       e.issue - first_, e.left[0] - first_, e.left[1] - first_,
                                       e.left[2] - first_, e.left[3] - first_, e.left[4] - first_});
  }

 private:
  std::vector<FlexGripRtl::Rows>& rows_;
  uint64_t first_ = 0;
};

// As device.cpp and at_engine.cpp have it.
void set_fault(Outcome& outcome, KernelTimeline& timeline) {
  SmTimeline& failed = timeline.failed_sm();
  flexgrip::Sm& sm = failed.function();
  unsigned slot = failed.slot();
  if (timeline.failure() == SmTimeline::Result::kDeadlock) {
    while (sm.state(slot) != flexgrip::WarpState::kWaiting) slot = (slot + 1) % sm.warps();
    outcome.cause = FLEXGRIP_CAUSE_BARRIER_DEADLOCK;
    outcome.fault_pc = sm.warp(slot).barrier.pc;
  } else {
    const gpgpu::Fault& fault = sm.warp(slot).fault;
    outcome.cause = static_cast<uint32_t>(fault.cause);
    outcome.fault_pc = fault.pc;
    outcome.fault_address = fault.address;
    outcome.fault_warp = fault.lane;
  }
  outcome.fault_warp |= sm.number() << 24 | slot << 16 | slot / sm.warps_per_block() << 8;
  outcome.fault_block = sm.block_of(slot).y << 16 | sm.block_of(slot).x;
}

g80::Machine machine_of(const flexgrip::Configuration& c, Outcome& outcome,
                        const std::vector<uint8_t>& constants) {
  g80::Machine machine;
  machine.taken_first = c.first_path == "taken";
  machine.multiplier = c.multiplier;
  machine.three_operands = c.three_operands;
  machine.floating_point = c.floating_point;
  machine.flush_denormals = c.denormals == "flush";
  machine.wrap_global = c.global_addresses == "wrap";
  machine.global.null_page_bytes = c.null_page ? flexgrip::kNullPageBytes : 0;
  machine.global.base = machine.wrap_global ? 0 : machine.global.null_page_bytes;
  machine.global.data = outcome.global.data() + machine.global.base;
  machine.global.bytes = outcome.global.size() - machine.global.base;
  machine.constants = constants.data();
  machine.constant_bytes = c.constant_bytes;
  machine.banks.fill({0, c.constant_bytes});
  return machine;
}

Outcome run_model(const flexgrip::Configuration& configuration, const Subject& subject) {
  Outcome outcome;
  outcome.global = initial_global(configuration, subject);
  outcome.rows.resize(configuration.sms);
  const gpgpu::Admission admission = admit(subject.kernel, configuration);
  outcome.cause = static_cast<uint32_t>(admission.cause);
  if (outcome.cause != FLEXGRIP_CAUSE_NONE) return outcome;
  const std::vector<uint8_t> constants = initial_constants(configuration);
  g80::Machine machine = machine_of(configuration, outcome, constants);
  std::vector<uint32_t> code = subject.code;
  code.resize(configuration.code_bytes / 4);
  Recorder recorder(outcome.rows);
  gpgpu::Observers observers;
  observers.add(recorder);
  const flexgrip::Observation observation{observers, {}};
  const g80::Program program(code.data(), code.size(), subject.kernel.registers_per_thread,
                             machine);
  KernelTimeline timeline(
      configuration, {subject.kernel, admission.blocks_per_sm, program, machine, &observation});
  while (!timeline.done()) timeline.step();
  if (timeline.failure() != SmTimeline::Result::kGoesOn) set_fault(outcome, timeline);
  const flexgrip::timing::KernelCounters counters = timeline.counters();
  outcome.cycles = timeline.end();
  outcome.warp_instructions = counters.warp_instructions;
  outcome.thread_instructions = counters.thread_instructions;
  const uint64_t issued = counters.warp_instructions * (32 / configuration.sps);
  outcome.stall_cycles = counters.executing_cycles - std::min(counters.executing_cycles, issued);
  outcome.divergent_branches = counters.divergent_branches;
  outcome.max_stack_depth = counters.max_stack_depth;
  return outcome;
}

void set_registers(const flexgrip::Kernel& k, FlexGripRtl& rtl) {
  const std::pair<uint32_t, uint32_t> values[] = {
      {FLEXGRIP_BLOCKS_PER_CORE, k.blocks_per_core},
      {FLEXGRIP_REGISTERS_PER_THREAD, k.registers_per_thread},
      {FLEXGRIP_SHARED_STATIC_BYTES, k.shared_static_bytes},
      {FLEXGRIP_PARAMETER_COUNT, k.parameter_count},
      {FLEXGRIP_SHARED_DYNAMIC_BYTES, k.shared_dynamic_bytes},
      {FLEXGRIP_BLOCK_X, k.block_x},
      {FLEXGRIP_BLOCK_Y, k.block_y},
      {FLEXGRIP_BLOCK_Z, k.block_z},
      {FLEXGRIP_GRID_X, k.grid_x},
      {FLEXGRIP_GRID_Y, k.grid_y}};
  for (const auto& [offset, value] : values) rtl.write(offset, value);
  for (uint32_t i = 0; i < k.parameters.size(); ++i)
    rtl.write(FLEXGRIP_PARAMETER(i), k.parameters[i]);
}

Outcome run_rtl(const flexgrip::Configuration& configuration, const Subject& subject,
                FlexGripRtl& rtl) {
  rtl.code = subject.code;
  rtl.global = initial_global(configuration, subject);
  const std::vector<uint8_t> constants = initial_constants(configuration);
  for (uint32_t i = 0; i < kInitialisedConstants; i += 4) {
    uint32_t word = 0;
    std::memcpy(&word, &constants[i], sizeof word);
    rtl.write(FLEXGRIP_CONSTANT_MEMORY + i, word);
  }
  set_registers(subject.kernel, rtl);
  rtl.record_rows = true;
  rtl.write(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
  Outcome outcome;
  if (!rtl.wait_for_interrupt(kCycleLimit)) {
    outcome.cause = ~0u;
    outcome.fault_pc = rtl.rows[0].empty() ? ~0u : rtl.rows[0].back().pc;
  } else {
    outcome.cause = rtl.register_at(FLEXGRIP_CAUSE);
    outcome.fault_pc = rtl.register_at(FLEXGRIP_FAULT_PC);
  }
  outcome.fault_address = rtl.register_at(FLEXGRIP_FAULT_ADDRESS);
  outcome.fault_warp = rtl.register_at(FLEXGRIP_FAULT_WARP);
  outcome.fault_block = rtl.register_at(FLEXGRIP_FAULT_BLOCK);
  outcome.cycles = rtl.counter(FLEXGRIP_COUNT_CYCLES);
  outcome.warp_instructions = rtl.counter(FLEXGRIP_COUNT_WARP_INSTRUCTIONS);
  outcome.thread_instructions = rtl.counter(FLEXGRIP_COUNT_THREAD_INSTRUCTIONS);
  outcome.stall_cycles = rtl.counter(FLEXGRIP_COUNT_STALL_CYCLES);
  outcome.divergent_branches = rtl.counter(FLEXGRIP_COUNT_DIVERGENT_BRANCHES);
  outcome.max_stack_depth = rtl.counter(FLEXGRIP_COUNT_MAX_STACK_DEPTH);
  outcome.global = rtl.global;
  outcome.rows = rtl.rows;
  return outcome;
}

std::string difference_of_memory(const std::vector<uint8_t>& rtl,
                                 const std::vector<uint8_t>& model) {
  for (size_t i = 0; i < model.size(); ++i)
    if (rtl[i] != model[i])
      return fmt::format("global memory at {:#x}: RTL {:#04x}, model {:#04x}", i, rtl[i], model[i]);
  return "";
}

}  // namespace

void configure(const flexgrip::Configuration& c, FlexGripRtl& rtl) {
  rtl.tie("multiplier", c.multiplier ? 1 : 0);
  rtl.tie("three_operands", c.three_operands ? 1 : 0);
  rtl.tie("floating_point", c.floating_point ? 1 : 0);
  rtl.tie("flush_denormals", c.denormals == "flush" ? 1 : 0);
  rtl.tie("taken_first", c.first_path == "taken" ? 1 : 0);
  rtl.tie("full_warps", c.partial_warps == "full" ? 1 : 0);
  rtl.tie("global_wraps", c.global_addresses == "wrap" ? 1 : 0);
  rtl.tie("null_page", c.null_page ? 1 : 0);
  rtl.tie("clock_hz", static_cast<uint64_t>(c.clock_hz));
  rtl.tie("warps_per_sm", c.warps_per_sm);
  rtl.tie("threads_per_sm", c.threads_per_sm);
  rtl.tie("blocks_per_sm", c.blocks_per_sm);
  rtl.tie("threads_per_block", c.threads_per_block);
  rtl.tie("registers_per_sm", c.registers_per_sm);
  rtl.tie("shared_bytes_per_sm", c.shared_bytes_per_sm);
  rtl.tie("stack_depth", c.stack_depth);
  rtl.tie("code_bytes", c.code_bytes);
  rtl.tie("constant_bytes", c.constant_bytes);
  rtl.tie("global_bytes", c.global_bytes);
  rtl.tie("local_bytes", c.local_bytes);
  std::any settings = c;
  for (const device::Key& key : flexgrip::timing_keys()) {
    const std::string pin = "timing_" + key.name.substr(key.name.find('.') + 1);
    if (rtl.has(pin)) rtl.tie(pin, *std::get<uint32_t*>(key.field(settings)));
  }
  rtl.local.assign(size_t{c.sms} * c.local_bytes * kThreads, 0);
  rtl.reset();
}

flexgrip::Configuration rtl_configuration(Shape shape) {
  flexgrip::Configuration configuration;
  configuration.sms = shape.sms;
  configuration.sps = shape.sps;
  configuration.local_bytes = 64;
  configuration.global_bytes = 256 * 1024;
  return configuration;
}

Subject subject_of(const std::string& source) {
  Subject subject;
  subject.code = g80::assemble(source, "test").kernels.at(0).code;
  flexgrip::Kernel& k = subject.kernel;
  k.registers_per_thread = 16;
  k.block_x = 48;
  k.block_y = k.block_z = k.grid_y = 1;
  k.grid_x = 3;
  k.blocks_per_core = 2;
  k.parameter_count = 2;
  k.parameters = {0x1000, 0x2000};
  return subject;
}

std::string first_mismatch(const flexgrip::Configuration& configuration, const Subject& subject,
                           FlexGripRtl& rtl, Before before) {
  if (before == Before::kReset) configure(configuration, rtl);
  const Outcome model = run_model(configuration, subject);
  Outcome ours = run_rtl(configuration, subject, rtl);
  const bool fails = model.cause != FLEXGRIP_CAUSE_NONE;
  std::string rows;
  for (unsigned sm = 0; sm < configuration.sms; ++sm) {
    // Behind an instruction that fails the RTL has begun others, which come to nothing.
    if (fails && ours.rows[sm].size() > model.rows[sm].size())
      ours.rows[sm].resize(model.rows[sm].size());
    const std::string difference = fidelity::first_difference(ours.rows[sm], model.rows[sm]);
    const bool compared = !fails || sm == model.fault_warp >> 24;
    if (compared && !difference.empty() && rows.empty())
      rows = fmt::format("SM {}: {}", sm, difference);
  }
  const bool all_compared = !fails || configuration.sms == 1;
  const std::string memory = all_compared ? difference_of_memory(ours.global, model.global) : "";
  const struct {
    const char* what;
    uint64_t rtl, model;
  } values[] = {{"cause", ours.cause, model.cause},
                {"fault pc", ours.fault_pc, model.fault_pc},
                {"fault address", ours.fault_address, model.fault_address},
                {"fault warp", ours.fault_warp, model.fault_warp},
                {"fault block", ours.fault_block, model.fault_block},
                {"cycles", ours.cycles, model.cycles},
                {"warp instructions", ours.warp_instructions, model.warp_instructions},
                {"thread instructions", ours.thread_instructions, model.thread_instructions},
                {"stall cycles", ours.stall_cycles, model.stall_cycles},
                {"divergent branches", ours.divergent_branches, model.divergent_branches},
                {"stack depth", ours.max_stack_depth, model.max_stack_depth}};
  constexpr size_t kOfTheFault = 6;  // the others are sums over all SMs
  std::string text;
  for (const auto& value : values)
    if ((all_compared || &value < values + kOfTheFault) && value.rtl != value.model)
      text += fmt::format("{}: RTL {:#x}, model {:#x}\n", value.what, value.rtl, value.model);
  if (!memory.empty()) text += memory + '\n';
  if (!rows.empty()) text += "rows: RTL " + rows + '\n';
  return text;
}

}  // namespace gvp::test

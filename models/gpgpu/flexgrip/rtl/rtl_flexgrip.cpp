// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/rtl/rtl_flexgrip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "models/axi/pins/statistics.h"
#include "models/base/error.h"
#include "models/base/log.h"
#include "models/gpgpu/flexgrip/device_statistics.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/register_rows.h"
#include "models/gpgpu/flexgrip/rtl/shape.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/g80/program.h"
#include "models/rtl/block_table.h"
#include "models/tlm/payload.h"

namespace gvp::gpgpu::flexgrip {
namespace {

const Log log_gpgpu("gpgpu");

// Assumed: one clock from the AXI side to a block RAM and back, as the models' windows.
kit::MemoryConfiguration memory_of(uint32_t bytes, const kit::Clock& clock) {
  return {bytes, clock.period(), clock.period()};
}

rtl::BlockConfiguration block_configuration(const Configuration& configuration, uint32_t seed) {
  rtl::BlockConfiguration result;
  result.clock_hz = configuration.clock_hz;
  result.seed = seed;
  return result;
}

// Of all threads that the SMs have room for; at least a word each, as a memory has.
uint64_t local_memory_bytes(const Configuration& configuration) {
  constexpr uint64_t kThreads = 32 * 32;
  return configuration.sms *
         std::max<uint64_t>(kThreads * configuration.local_bytes, sizeof(uint32_t));
}

const Configuration& possible(const Configuration& configuration) {
  validate(configuration);
  require_shape(configuration);
  return configuration;
}

}  // namespace

RtlFlexGrip::RtlFlexGrip(const sc_core::sc_module_name& name, const std::string& block,
                         const Configuration& configuration, uint32_t seed)
    : Device(name),
      configuration_(possible(configuration)),
      block_("block", rtl::block_named(block), block_configuration(configuration, seed)),
      port_(axi::pins::find_port(block_, "s_axi_", false)),
      bus_("bus", block_, port_),
      checker_(block_, port_),
      master_(configuration.global_memory == "ddr3"
                  ? std::make_unique<Master>(block_, axi::pins::find_port(block_, "m_axi_", true))
                  : nullptr),
      code_("code", memory_of(configuration.code_bytes, block_.clock())),
      global_(master_ ? nullptr
                      : std::make_unique<kit::Memory>(
                            "global", memory_of(configuration.global_bytes, block_.clock()))),
      words_(reinterpret_cast<const uint32_t*>(code_.storage().data())),
      constants_(configuration.constant_bytes),
      local_(local_memory_bytes(configuration)),
      memories_(block_, code_.storage(), constants_, local_,
                global_ ? &global_->storage() : nullptr),
      watch_(
          block_, observers_, [this] { kernel_begins(); },
          [this](bool by_reset) { kernel_ends(by_reset); }),
      interrupt_output_(block_, block_.output_pin("irq", 1), interrupt_) {
  tie_shape(block_, configuration);
  if (const uint32_t sps = kernel_register(FLEXGRIP_CAP_SPS); sps != configuration.sps)
    throw bad_input(
        fmt::format("gpgpu.sps = {}: RTL block {} has {}", configuration.sps, block, sps), {},
        fmt::format("set gpgpu.sps to {}", sps));
  if (const uint32_t sms = kernel_register(FLEXGRIP_CAP_SMS); sms != configuration.sms)
    throw bad_input(
        fmt::format("gpgpu.sms = {}: RTL block {} has {}", configuration.sms, block, sms), {},
        fmt::format("set gpgpu.sms to {}", sms));
  bus_.set_back_door([this](tlm::tlm_generic_payload& payload) { return debug_access(payload); });
  SC_METHOD(tell_interrupt);
  sensitive << interrupt_;
  dont_initialize();
}

void RtlFlexGrip::observe_retired(RetiredObserver& observer) {
  if (!retirement_)
    retirement_ = std::make_unique<RetireWatch>(block_, watch_, configuration_.sps,
                                                configuration_.local_bytes);
  retirement_->add(observer);
}

std::vector<Window> RtlFlexGrip::windows() {
  std::vector<Window> windows{{"control", kControlBytes, &bus_.socket},
                              {"code", configuration_.code_bytes, &code_.socket}};
  if (global_) windows.push_back({"global", configuration_.global_bytes, &global_->socket});
  return windows;
}

std::vector<Port> RtlFlexGrip::ports() {
  if (!master_) return {};
  return {{"", &master_->to_bus.socket, 1}};
}

uint64_t RtlFlexGrip::protocol_violations() const {
  return checker_.violation_count() + (master_ ? master_->checker.violation_count() : 0);
}

// Constant memory lies in the same window, behind the registers.
unsigned RtlFlexGrip::debug_access(tlm::tlm_generic_payload& payload) {
  if (payload.get_address() >= FLEXGRIP_CONSTANT_MEMORY)
    return constants_.debug_access(payload, FLEXGRIP_CONSTANT_MEMORY);
  if (!payload.is_read()) return 0;
  unsigned moved = 0;
  for (; moved < payload.get_data_length(); ++moved) {
    const uint64_t address = payload.get_address() + moved;
    if (address >= FLEXGRIP_CONSTANT_MEMORY) break;
    const uint32_t word = kernel_register(static_cast<uint32_t>(address & ~uint64_t{3}));
    payload.get_data_ptr()[moved] = static_cast<uint8_t>(word >> 8 * (address & 3));
  }
  payload.set_response_status(moved > 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
  return moved;
}

// ---- Kernels ----

std::vector<uint32_t> RtlFlexGrip::code_words() {
  const size_t words = configuration_.code_bytes / sizeof(uint32_t);
  const g80::Machine machine;
  const g80::Program program(words_, words, std::max(kernel_.registers_per_thread, 1u), machine);
  return {words_, words_ + std::min(words, size_t{program.end_pc()} / sizeof(uint32_t))};
}

void RtlFlexGrip::kernel_begins() {
  const ReadRegister registers = [this](uint32_t offset) { return kernel_register(offset); };
  kernel_ = described_kernel(registers);
  const Kernel& k = kernel_;
  const bool named = registers(FLEXGRIP_KERNEL_NAME(0)) != 0;
  const std::string name = kernel_name(registers, named ? std::vector<uint32_t>{} : code_words());
  const uint64_t begin_ps = block_.edge_ps();
  constexpr double kPsPerNs = 1000;
  record_ =
      &records_.begin({name,
                       {k.grid_x, k.grid_y},
                       {k.block_x, k.block_y, k.block_z},
                       {{"registers", k.registers_per_thread}, {"shared_bytes", k.shared_bytes()}},
                       FaultCause::kNone,
                       {},
                       {},
                       static_cast<double>(begin_ps) / kPsPerNs,
                       {}});
  lines_ = source_lines_.find(name, words_, configuration_.code_bytes / sizeof(uint32_t));
  if (retirement_) retirement_->set_kernel(k);
  watch_.set_kernel(std::max(k.warps_per_block(), 1u), std::max(k.grid_x, 1u));
  event_ = {};
  event_.launch = records_.launches();
  event_.name = name;
  event_.grid = k.grid();
  event_.block = {k.block_x, k.block_y, k.block_z};
  event_.begin_ps = begin_ps;
  event_.period_ps = block_.clock().period_ps();
  event_.lines = lines_;
  observers_.kernel_begins(event_);
}

void RtlFlexGrip::kernel_ends(bool by_reset) {
  Ending how = ending();
  if (by_reset) how.cause = FaultCause::kAborted;
  record_->cause = how.cause;
  record_->counters = watch_.counters();
  event_.end_ps = block_.edge_ps();
  event_.cycles = record_->counters.cycles;
  event_.cause = static_cast<uint32_t>(how.cause);
  observers_.kernel_ends(event_);
  // A reset says nothing, as on the models: nobody waits for the kernel.
  const bool told = (kernel_register(FLEXGRIP_INTERRUPT) & FLEXGRIP_INTERRUPT_ENDED) != 0;
  if (how.cause != FaultCause::kNone && told) report(how);
  record_ = nullptr;
}

Ending RtlFlexGrip::ending() const {
  Ending ending;
  ending.cause = static_cast<FaultCause>(kernel_register(FLEXGRIP_CAUSE));
  ending.fault.cause = ending.cause;
  ending.fault.pc = kernel_register(FLEXGRIP_FAULT_PC);
  ending.fault.address = kernel_register(FLEXGRIP_FAULT_ADDRESS);
  const uint32_t warp = kernel_register(FLEXGRIP_FAULT_WARP);
  ending.sm = warp >> 24;
  ending.warp_slot = warp >> 16 & 0xffu;
  ending.block_slot = warp >> 8 & 0xffu;
  ending.fault.lane = static_cast<uint8_t>(warp & 0xffu);
  const uint32_t block = kernel_register(FLEXGRIP_FAULT_BLOCK);
  ending.block.x = block & 0xffffu;
  ending.block.y = block >> 16;
  return ending;
}

void RtlFlexGrip::tell_interrupt() {
  if (observers_.want(Observer::kInterrupts))
    observers_.interrupt({"interrupt", interrupt_.read(), sc_core::sc_time_stamp().value()});
}

// ---- Reports ----

std::string RtlFlexGrip::refusal() const {
  const Admission admission = admit(kernel_, configuration_);
  if (admission.cause != FaultCause::kNone) return admission.message;
  return bank_problem([this](uint32_t offset) { return kernel_register(offset); }, configuration_);
}

g80::Decoded RtlFlexGrip::decoded_at(uint32_t pc) const {
  const size_t words = configuration_.code_bytes / sizeof(uint32_t);
  const size_t first = std::min<size_t>(pc / sizeof(uint32_t), words);
  return g80::decode(words_ + first, words - first);
}

std::string RtlFlexGrip::describe_place(const Ending& ending) const {
  const uint32_t pc = ending.fault.pc;
  const g80::Decoded decoded = decoded_at(pc);
  const std::string instruction =
      decoded.executable() ? " (" + g80::to_text(decoded.instruction) + ')' : "";
  const std::string source = lines_ == nullptr ? "" : lines_->place(pc);
  return fmt::format(
      "pc {:#06x}{}{}, SM {}, block ({}, {}), warp {} of the block, thread {} of the warp", pc,
      instruction, source.empty() ? "" : ", " + source, ending.sm, ending.block.x, ending.block.y,
      ending.warp_slot % std::max(kernel_.warps_per_block(), 1u), ending.fault.lane);
}

void RtlFlexGrip::report(const Ending& ending) const {
  const std::string how =
      gpgpu::describe(ending, {[this] { return refusal(); }, [&] { return describe_place(ending); },
                               [&] { return decoded_at(ending.fault.pc).reason; }});
  const std::string text = fmt::format("{} @ {}: kernel {} ({}) {}", name(),
                                       kit::time_text(block_.clock().at(block_.edge())),
                                       records_.launches(), records_.last().name, how);
  if (ending.cause == FaultCause::kAborted)
    log_gpgpu.warning("{}", text);
  else if (ending.cause == FaultCause::kNullPage)
    log_gpgpu.error("{}; {}.null_page=false makes the first {} bytes memory", text, basename(),
                    kNullPageBytes);
  else
    log_gpgpu.error("{}", text);
}

Progress RtlFlexGrip::progress() const {
  Progress progress;
  progress.running = watch_.running();
  progress.kernels_started = records_.launches();
  if (progress.kernels_started == 0) return progress;
  progress.blocks_done = watch_.counters().blocks_done;
  progress.blocks_total = uint64_t{kernel_.grid_x} * kernel_.grid_y;
  return progress;
}

nlohmann::ordered_json RtlFlexGrip::statistics() const {
  nlohmann::ordered_json json =
      device_statistics(configuration_, records_, master_ ? master_->checker.transactions() : 0);
  json["rtl"] = block_.statistics();
  std::vector<const axi::pins::Checker*> checkers = {&checker_};
  if (master_) checkers.push_back(&master_->checker);
  json["rtl"]["protocol_check"] = axi::pins::to_json(checkers);
  return json;
}

}  // namespace gvp::gpgpu::flexgrip

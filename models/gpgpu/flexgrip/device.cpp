// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/device.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/base/log.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/tlm/payload.h"

namespace gvp::gpgpu::flexgrip {
namespace {

const Log log_gpgpu("gpgpu");

// Assumed: one clock from the AXI4-Lite side to a register or a block RAM and back.
constexpr int kAccessCycles = 1;

kit::MemoryConfiguration memory_of(uint32_t bytes, const kit::Clock& clock) {
  const sc_core::sc_time latency = clock.at(kAccessCycles);
  return {bytes, latency, latency};
}

g80::Machine machine_of(const Configuration& c) {
  g80::Machine machine;
  machine.taken_first = c.first_path == "taken";
  machine.truncate_products = c.fmad == "truncate";
  machine.flush_denormals = c.denormals == "flush";
  machine.multiplier = c.multiplier;
  machine.three_operands = c.three_operands;
  machine.wrap_global = c.global_addresses == "wrap";
  machine.floating_point = c.floating_point;
  return machine;
}

// FNV-1a, to tell kernels apart by their code.
uint32_t hash_of(const std::vector<uint32_t>& words) {
  uint32_t hash = 2166136261u;
  for (const uint32_t word : words)
    for (unsigned shift = 0; shift < 32; shift += 8)
      hash = (hash ^ (word >> shift & 0xffu)) * 16777619u;
  return hash;
}

}  // namespace

FlexGrip::FlexGrip(const sc_core::sc_module_name& name, const Configuration& configuration,
                   std::unique_ptr<Engine> engine)
    : Device(name),
      configuration_(configuration),
      clock_(configuration.clock_hz, "the GPGPU's clock"),
      engine_(std::move(engine)),
      machine_(machine_of(configuration)),
      code_("code", memory_of(configuration.code_bytes, clock_)),
      bus_("bus", machine_, clock_),
      registers_([this] { return place(); }, kit::RegisterBank::NarrowWrites::kForbidden),
      constants_(configuration.constant_bytes) {
  if (configuration_.global_memory == "bram") {
    global_ =
        std::make_unique<kit::Memory>("global", memory_of(configuration.global_bytes, clock_));
    machine_.global = global_->storage().data();
    machine_.global_bytes = global_->storage().size();
  } else {
    machine_.port = &bus_;
  }
  machine_.constants = constants_.data();
  machine_.constant_bytes = configuration_.constant_bytes;
  declare_registers();
  control_.register_b_transport(this, &FlexGrip::b_transport);
  control_.register_transport_dbg(this, &FlexGrip::transport_dbg);
  SC_HAS_PROCESS(FlexGrip);
  SC_THREAD(run_kernels);
  SC_METHOD(tell_interrupt);
  sensitive << interrupt_;
  dont_initialize();
}

std::vector<Window> FlexGrip::windows() {
  std::vector<Window> windows{{"control", 0x10000, &control_},
                              {"code", configuration_.code_bytes, &code_.socket}};
  if (global_ != nullptr)
    windows.push_back({"global", configuration_.global_bytes, &global_->socket});
  return windows;
}

std::string FlexGrip::place() const {
  return fmt::format("{} @ {}", name(), kit::time_text(side_.now()));
}

// Bus.

void FlexGrip::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  // Kernels start and stop at the time of the access that says so, not at its initiator's quantum.
  const bool controls = payload.is_write() && payload.get_address() == FLEXGRIP_CONTROL;
  if (controls && delay > sc_core::SC_ZERO_TIME)
    sc_core::wait(std::exchange(delay, sc_core::SC_ZERO_TIME));
  side_.begin(delay);
  if (payload.get_address() >= FLEXGRIP_CONSTANT_MEMORY)
    access_constants(payload);
  else
    registers_.access(payload);
  side_.end(delay, clock_.at(kAccessCycles));
}

void FlexGrip::access_constants(tlm::tlm_generic_payload& payload) {
  if (!kit::check_attributes(payload)) return;
  const uint64_t offset = payload.get_address() - FLEXGRIP_CONSTANT_MEMORY;
  const uint64_t bytes = kit::touched_bytes(payload);
  const bool inside = offset <= constants_.size() && bytes <= constants_.size() - offset;
  if (!inside || (payload.is_write() && running_)) {
    log_gpgpu.warning("{}: {}: {}", place(), kit::describe(payload),
                      inside ? "constant memory cannot be written while a kernel runs"
                             : fmt::format("constant memory has {} bytes", constants_.size()));
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND)
    constants_.transfer(payload, FLEXGRIP_CONSTANT_MEMORY);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned FlexGrip::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (payload.get_address() < FLEXGRIP_CONSTANT_MEMORY) return registers_.debug_access(payload);
  return constants_.debug_access(payload, FLEXGRIP_CONSTANT_MEMORY);
}

void FlexGrip::set_interrupt() { side_.set_interrupt(interrupt_enable_ && interrupt_pending_); }

void FlexGrip::tell_interrupt() {
  if (observers_.want(Observer::kInterrupts))
    observers_.interrupt({"interrupt", interrupt_.read(), sc_core::sc_time_stamp().value()});
}

// Launches.

void FlexGrip::start() {
  if (running_) return;
  next_kernel_ = described_kernel();
  status_ = 0;
  cause_ = FLEXGRIP_CAUSE_NONE;
  fault_pc_ = fault_address_ = fault_warp_ = fault_block_ = 0;
  running_ = true;
  start_pending_ = true;
  start_event_.notify(sc_core::SC_ZERO_TIME);
}

void FlexGrip::reset() {
  if (running_ && !start_pending_) {
    reset_ = true;
    stop_ = true;
    stop_event_.notify(sc_core::SC_ZERO_TIME);
  }
  const bool aborts = running_;
  running_ = false;
  start_pending_ = false;
  interrupt_enable_ = false;
  interrupt_pending_ = false;
  registers_.reset();
  status_ = aborts ? FLEXGRIP_STATUS_ERROR : 0;
  cause_ = aborts ? FLEXGRIP_CAUSE_ABORTED : FLEXGRIP_CAUSE_NONE;
  fault_pc_ = fault_address_ = fault_warp_ = fault_block_ = 0;
  set_interrupt();
}

void FlexGrip::run_kernels() {
  for (;;) {
    while (!start_pending_) sc_core::wait(start_event_);
    start_pending_ = false;
    run_kernel();
  }
}

void FlexGrip::run_kernel() {
  kernel_ = next_kernel_;
  admission_ = admit(kernel_, configuration_);
  const std::string bad_bank = set_banks();
  if (admission_.cause == FLEXGRIP_CAUSE_NONE && !bad_bank.empty())
    admission_ = {FLEXGRIP_CAUSE_BAD_CONFIGURATION, 0, bad_bank};
  LaunchRecord& record = records_.begin(kernel_);
  Ending ending;
  ending.cause = admission_.cause;
  if (ending.cause == FLEXGRIP_CAUSE_NONE) build_program();
  watch_kernel();
  if (ending.cause == FLEXGRIP_CAUSE_NONE) {
    const Launch launch{kernel_,
                        admission_.blocks_per_sm,
                        *program_,
                        machine_,
                        stop_,
                        stop_event_,
                        global_ == nullptr ? &bus_ : nullptr,
                        &observation_};
    ending = engine_->run(launch);
    record.counters = engine_->counters(sc_core::sc_time_stamp());
    record.details = engine_->details();
  }
  if (reset_) ending.cause = FLEXGRIP_CAUSE_ABORTED;
  record.name = kernel_name();
  record.cause = ending.cause;
  if (observers_.want(Observer::kKernels)) {
    event_.end_ps = sc_core::sc_time_stamp().value();
    event_.cycles = record.counters.cycles;
    event_.cause = ending.cause;
    observers_.kernel_ends(event_);
  }
  if (std::exchange(reset_, false))
    stop_ = false;  // the registers show a device after reset already
  else
    end(ending);
}

// Who watches the kernel that begins now.
void FlexGrip::watch_kernel() {
  observation_.warps = warp_observers_;
  if (WarpTrace::wanted()) observation_.warps.push_back(&trace_);
  if (!observers_.want(Observer::kKernels)) return;
  event_ = {};
  event_.launch = records_.launches();
  event_.name = kernel_name();
  event_.grid = {kernel_.grid_x, kernel_.grid_y, 1};
  event_.block = {kernel_.block_x, kernel_.block_y, kernel_.block_z};
  event_.begin_ps = sc_core::sc_time_stamp().value();
  event_.period_ps = clock_.period_ps();
  observers_.kernel_begins(event_);
}

// What the driver calls it; a kernel without a name goes by its code.
std::string FlexGrip::kernel_name() const {
  std::string name;
  for (uint32_t i = 0; i < 4 * FLEXGRIP_KERNEL_NAME_WORDS; ++i) {
    const uint32_t byte = kernel_register(FLEXGRIP_KERNEL_NAME(i / 4)) >> 8 * (i % 4) & 0xffu;
    if (byte == 0) break;
    name += byte >= ' ' && byte <= '~' ? static_cast<char>(byte) : '?';
  }
  return name.empty() ? fmt::format("code-{:08x}", hash_of(program_words_)) : name;
}

void FlexGrip::end(const Ending& ending) {
  running_ = false;
  cause_ = ending.cause;
  status_ = cause_ == FLEXGRIP_CAUSE_NONE ? FLEXGRIP_STATUS_DONE : FLEXGRIP_STATUS_ERROR;
  fault_pc_ = ending.fault.pc;
  fault_address_ = ending.fault.address;
  fault_warp_ = ending.sm << 24 | (ending.warp_slot & 0xffu) << 16 |
                (ending.block_slot & 0xffu) << 8 | ending.fault.lane;
  fault_block_ = ending.block.y << 16 | ending.block.x;
  if (cause_ != FLEXGRIP_CAUSE_NONE) report(ending);
  interrupt_pending_ = true;
  set_interrupt();
}

Kernel FlexGrip::described_kernel() const {
  Kernel kernel;
  kernel.blocks_per_core = kernel_register(FLEXGRIP_BLOCKS_PER_CORE);
  kernel.registers_per_thread = kernel_register(FLEXGRIP_REGISTERS_PER_THREAD);
  kernel.shared_static_bytes = kernel_register(FLEXGRIP_SHARED_STATIC_BYTES);
  kernel.shared_dynamic_bytes = kernel_register(FLEXGRIP_SHARED_DYNAMIC_BYTES);
  kernel.block_x = kernel_register(FLEXGRIP_BLOCK_X);
  kernel.block_y = kernel_register(FLEXGRIP_BLOCK_Y);
  kernel.block_z = kernel_register(FLEXGRIP_BLOCK_Z);
  kernel.grid_x = kernel_register(FLEXGRIP_GRID_X);
  kernel.grid_y = kernel_register(FLEXGRIP_GRID_Y);
  kernel.parameter_count = kernel_register(FLEXGRIP_PARAMETER_COUNT);
  for (uint32_t i = 0; i < FLEXGRIP_MAX_PARAMETERS; ++i)
    kernel.parameters.push_back(kernel_register(FLEXGRIP_PARAMETER(i)));
  return kernel;
}

// Returns what is wrong with the constant banks, or an empty text.
std::string FlexGrip::set_banks() {
  for (uint32_t bank = 0; bank < FLEXGRIP_CONSTANT_BANKS; ++bank) {
    const uint32_t base = kernel_register(FLEXGRIP_CONSTANT_BANK_BASE(bank));
    const uint32_t bytes = kernel_register(FLEXGRIP_CONSTANT_BANK_BYTES(bank));
    const uint32_t all = configuration_.constant_bytes;
    if (base > all || bytes > all - base)
      return fmt::format("constant bank {} is {} bytes from {}; constant memory has {} bytes", bank,
                         bytes, base, all);
    machine_.banks[bank] = {base, bytes};
  }
  return "";
}

// The code may have been rewritten, also by direct memory access: a program is kept only if all
// that it was made from is unchanged.
void FlexGrip::build_program() {
  const size_t words = configuration_.code_bytes / sizeof(uint32_t);
  const auto* code = reinterpret_cast<const uint32_t*>(code_.storage().data());
  const bool same_code = program_ != nullptr &&
                         program_->registers() == kernel_.registers_per_thread &&
                         program_->made_for(machine_) &&
                         std::equal(program_words_.begin(), program_words_.end(), code);
  if (same_code) return;
  program_ = std::make_unique<g80::Program>(code, words, kernel_.registers_per_thread, machine_);
  program_words_.assign(code, code + std::min(words, size_t{program_->end_pc()} / 4));
}

}  // namespace gvp::gpgpu::flexgrip

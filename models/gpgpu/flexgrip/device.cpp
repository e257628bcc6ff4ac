// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/device.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/base/log.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/register_rows.h"
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
  machine.global.null_page_bytes = c.null_page ? kNullPageBytes : 0;
  machine.floating_point = c.floating_point;
  machine.device_extensions = c.device_extensions;
  return machine;
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
      bus_("bus", machine_.global, clock_),
      registers_([this] { return place(); }, kit::RegisterBank::NarrowWrites::kForbidden),
      constants_(configuration.constant_bytes) {
  if (configuration_.global_memory == "bram") {
    global_ =
        std::make_unique<kit::Memory>("global", memory_of(configuration.global_bytes, clock_));
    // What wraps is looked at byte by byte, from the first.
    DirectRange& range = machine_.global;
    range.base = machine_.wrap_global ? 0 : range.null_page_bytes;
    range.data = global_->storage().data() + range.base;
    range.bytes = global_->storage().size() - range.base;
  } else {
    machine_.port = &bus_;
    if (configuration.hierarchy().any()) {
      bus_.forbid_direct_access();
      hierarchy_ = std::make_unique<hierarchy::MemoryHierarchy>(configuration.hierarchy(), "gpgpu",
                                                                configuration.sms, bus_, clock_);
      if (configuration.is_off_chip())
        off_chip_ = std::make_unique<OffChip>(configuration, clock_, bus_, *hierarchy_);
      machine_.constants_behind_port = configuration.constant_cache.enabled;
    }
  }
  machine_.constants = constants_.data();
  machine_.constant_bytes = configuration_.constant_bytes;
  declare_registers();
  control_.register_b_transport(this, &FlexGrip::b_transport);
  control_.register_transport_dbg(this, &FlexGrip::transport_dbg);
}

std::vector<Window> FlexGrip::windows() {
  std::vector<Window> windows{{"control", kControlBytes, &control_},
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

uint64_t FlexGrip::first_constant() const {
  return page_ == nullptr ? 0 : uint64_t{page_->value} * FLEXGRIP_CONSTANT_PAGE_BYTES;
}

void FlexGrip::access_constants(tlm::tlm_generic_payload& payload) {
  if (!kit::check_attributes(payload)) return;
  const uint64_t offset = first_constant() + payload.get_address() - FLEXGRIP_CONSTANT_MEMORY;
  const uint64_t bytes = kit::touched_bytes(payload);
  const bool inside = offset <= constants_.size() && bytes <= constants_.size() - offset;
  if (!inside || (payload.is_write() && cycle_.running())) {
    log_gpgpu.warning("{}: {}: {}", place(), kit::describe(payload),
                      inside ? "constant memory cannot be written while a kernel runs"
                             : fmt::format("constant memory has {} bytes", constants_.size()));
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND)
    constants_.transfer(payload, uint64_t{FLEXGRIP_CONSTANT_MEMORY} - first_constant());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned FlexGrip::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (payload.get_address() < FLEXGRIP_CONSTANT_MEMORY) return registers_.debug_access(payload);
  return constants_.debug_access(payload, uint64_t{FLEXGRIP_CONSTANT_MEMORY} - first_constant());
}

// Launches.

void FlexGrip::start() {
  if (!cycle_.start()) return;
  next_kernel_ = described_kernel();
  counters_cleared_ = false;
}

void FlexGrip::reset() {
  cycle_.reset_by_line();
  registers_.reset();
  counters_cleared_ = true;
}

void FlexGrip::reset_by_register() {
  cycle_.reset();
  registers_.reset();
}

Ending FlexGrip::run_kernel() {
  kernel_ = next_kernel_;
  engine_has_it_ = false;
  admission_ = admit(kernel_, configuration_);
  const std::string bad_bank = set_banks();
  if (admission_.cause == FaultCause::kNone && !bad_bank.empty())
    admission_ = refuse(FaultCause::kBadConfiguration, bad_bank);
  bool goes_on = true;
  if (admission_.cause == FaultCause::kNone) {
    build_program();
    goes_on = write_out();
  }
  const Kernel& k = kernel_;
  LaunchRecord& record =
      records_.begin({kernel_name(),
                      {k.grid_x, k.grid_y},
                      {k.block_x, k.block_y, k.block_z},
                      {{"registers", k.registers_per_thread}, {"shared_bytes", k.shared_bytes()}},
                      admission_.cause,
                      {},
                      {},
                      sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS),
                      {}});
  lines_ =
      source_lines_.find(record.name, reinterpret_cast<const uint32_t*>(code_.storage().data()),
                         code_.storage().size() / sizeof(uint32_t));
  watch_kernel(record);
  Ending ending;
  ending.cause = admission_.cause;
  if (!goes_on) ending.cause = FaultCause::kAborted;
  if (ending.cause == FaultCause::kNone) ending = run_admitted(record);
  if (cycle_.aborted()) ending.cause = FaultCause::kAborted;
  record.cause = ending.cause;
  if (ending.cause != FaultCause::kNone && !cycle_.aborted()) report(ending);
  return ending;
}

// Where the kernel's textures are.
std::vector<hierarchy::Texture> FlexGrip::textures() const {
  std::vector<hierarchy::Texture> all;
  for (uint32_t i = 0; configuration_.texture_cache.enabled && i < FLEXGRIP_TEXTURES; ++i)
    if (const uint32_t bytes = kernel_register(FLEXGRIP_TEXTURE_BYTES(i)); bytes != 0)
      all.push_back({kernel_register(FLEXGRIP_TEXTURE_BASE(i)), bytes});
  return all;
}

Ending FlexGrip::run_admitted(LaunchRecord& record) {
  engine_has_it_ = true;
  if (hierarchy_) hierarchy_->set_textures(textures());
  Ending ending = engine_->run({kernel_, admission_.blocks_per_sm, *program_, machine_,
                                cycle_.stop(), global_ == nullptr ? &bus_ : nullptr, &observation_,
                                hierarchy_.get(), off_chip_.get()});
  record.counters = engine_->counters(sc_core::sc_time_stamp());
  record.details = engine_->details();
  if (hierarchy_) record.details["caches"] = hierarchy_->statistics();
  if (off_chip_) record.details["caches"]["written_out"] = off_chip_->statistics();
  std::vector<ProgramProfile> profiles = engine_->profiles();
  if (ending.cause != FaultCause::kNone) end_at(profiles, record.counters.cycles);
  record.profile = kernel_profile(profiles, *program_, kernel_, configuration_);
  if (instructions_) instructions_->add(record.name, program_words_, *program_, profiles, lines_);
  bus_.account_for_direct();
  ending.cycles = record.counters.cycles;
  return ending;
}

// Who watches the kernel that begins now.
void FlexGrip::watch_kernel(const LaunchRecord& record) {
  observation_.warps = warp_observers_;
  if (WarpTrace::wanted()) observation_.warps.push_back(&trace_);
  if (!observers_.want(Observer::kKernels)) return;
  KernelEvent event;
  event.name = record.name;
  event.grid = kernel_.grid();
  event.block = {kernel_.block_x, kernel_.block_y, kernel_.block_z};
  event.period_ps = clock_.period_ps();
  event.lines = lines_;
  cycle_.tell_begin(std::move(event));
}

std::string FlexGrip::kernel_name() const {
  return flexgrip::kernel_name([this](uint32_t offset) { return kernel_register(offset); },
                               program_words_);
}

Kernel FlexGrip::described_kernel() const {
  return flexgrip::described_kernel([this](uint32_t offset) { return kernel_register(offset); });
}

// Returns what is wrong with the constant banks, or an empty text.
std::string FlexGrip::set_banks() {
  std::string problem =
      bank_problem([this](uint32_t offset) { return kernel_register(offset); }, configuration_);
  if (!problem.empty()) return problem;
  for (uint32_t bank = 0; bank < FLEXGRIP_CONSTANT_BANKS; ++bank)
    machine_.banks[bank] = {kernel_register(FLEXGRIP_CONSTANT_BANK_BASE(bank)),
                            kernel_register(FLEXGRIP_CONSTANT_BANK_BYTES(bank))};
  return problem;
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

// Before the kernel's first cycle.  False when it has been told to stop meanwhile.
bool FlexGrip::write_out() {
  if (!off_chip_) return true;
  return off_chip_->write_out(
      program_words_, {constants_.data(), constants_.data() + constants_.size()}, cycle_.stop());
}

}  // namespace gvp::gpgpu::flexgrip

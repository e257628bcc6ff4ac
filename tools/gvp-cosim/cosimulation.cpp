// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-cosim/cosimulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/tlm/clock.h"
#include "platform/systemc_reports.h"

namespace gvp::cosim {
namespace {

constexpr unsigned kStackBytes = 1 << 20;  // of the process, which also assembles
constexpr unsigned kResetCycles = 32;
constexpr unsigned kLevelCycles = 64;  // between two looks

compare::Comparison& comparison_of(const platform::Platform& platform, const std::string& device) {
  if (platform.comparisons().size() == 1) return *platform.comparisons().front();
  throw bad_input(
      fmt::format("{} devices of the board are compared", platform.comparisons().size()),
      {"command line"}, "gvp-cosim compares " + device + " alone");
}

}  // namespace

Cosimulation::Cosimulation(const sc_core::sc_module_name& name,
                           const platform::Configuration& configuration, std::string device)
    : sc_module(name),
      configuration_(configuration),
      device_(std::move(device)),
      platform_("board", configuration, 0, nullptr, platform::HostRole::kLeftOut),
      master_(platform_.external_master()),
      comparison_(comparison_of(platform_, device_)),
      cycle_(kit::Clock(platform::clock_of(configuration, instance())).period()) {
  if (master_ == nullptr)
    throw bad_input(
        fmt::format("board {} has no bus port to launch kernels by", configuration.board().name),
        {configuration.board().source}, "add a device of type external_master");
  if (instance().as<gpgpu::flexgrip::Configuration>().global_memory != "bram")
    throw bad_input(
        fmt::format("{0}.global_memory = \"ddr3\": random kernels and accesses are for global "
                    "memory in {0}'s own block RAM",
                    device_),
        {}, fmt::format("set {}.global_memory to bram", device_));
  comparison_.set_handler([this](const compare::Mismatch& mismatch) {
    if (mismatch_) return;
    mismatch_ = mismatch;
    differs_.notify(sc_core::SC_ZERO_TIME);
  });
  SC_THREAD(drive);
  set_stack_size(kStackBytes);
}

void Cosimulation::run(std::function<void()> body) {
  body_ = std::move(body);
  platform::start_simulation();
  if (error_) std::rethrow_exception(error_);
}

void Cosimulation::drive() {
  try {
    body_();
  } catch (const std::exception&) {
    error_ = std::current_exception();
  }
  sc_core::sc_stop();
}

Outcome Cosimulation::run(const Scenario& scenario, uint64_t most_cycles) {
  Outcome outcome;
  sc_core::sc_time launched = sc_core::sc_time_stamp();
  mismatch_.reset();
  scenario_ = &scenario;
  deadline_ = sc_core::sc_time_stamp() + cycle_ * static_cast<double>(most_cycles);
  try {
    const auto launcher = configuration_.board().find(device_)->type->make_launcher(
        instance(), launch_of(scenario, "kernel"),
        platform::reached_memories(configuration_, instance()));
    begin(scenario, *launcher);
    launched = sc_core::sc_time_stamp();
    for (unsigned i = 0; i < scenario.launches; ++i) launch(*launcher);
    access_all(Access::When::kAfter);
    wait_until_level();
  } catch (const Stopped&) {
    outcome.kind = Outcome::Kind::kEndless;
  } catch (const Error& error) {
    if (error.code() != ExitCode::kBadInput) throw;
    outcome.kind = Outcome::Kind::kNoKernel;
    outcome.text = error.what();
  }
  outcome.cycles = static_cast<uint64_t>((sc_core::sc_time_stamp() - launched) / cycle_);
  if (!mismatch_) return outcome;
  outcome.kind = Outcome::Kind::kDiffers;
  outcome.text = comparison_.text_of(*mismatch_);
  return outcome;
}

// As after power-on.
void Cosimulation::begin(const Scenario& scenario, device::Launcher& launcher) {
  comparison_.restart();
  sc_core::wait(cycle_ * kResetCycles);
  for (const char* window : {"code", "global"}) clear(window);
  launcher.load(*this);
  const uint64_t bytes = scenario.data.size() * sizeof(uint32_t);
  if (bytes != 0 && debug_write(address_of("global"), scenario.data.data(), bytes) != bytes)
    throw bad_input(fmt::format("global memory has no room for {} bytes of data", bytes));
  access_all(Access::When::kBefore);
}

void Cosimulation::clear(const std::string& window) {
  const auto found = instance().bases.find(window);
  if (found == instance().bases.end()) return;
  constexpr uint64_t kMostBytes = 1 << 18;
  const std::vector<uint8_t> zeros(kMostBytes);
  for (uint64_t done = 0, moved = kMostBytes; moved == kMostBytes; done += moved)
    moved = debug_write(found->second + done, zeros.data(), kMostBytes);
}

void Cosimulation::launch(device::Launcher& launcher) {
  ++kernels_;
  launcher.launch(*this);
  launcher.result(*this);
  const uint64_t interrupt = address_of("control") + FLEXGRIP_INTERRUPT;
  write(interrupt, FLEXGRIP_INTERRUPT_ENDED);
  read(interrupt);
}

void Cosimulation::stop_if_over() {
  if (mismatch_ || sc_core::sc_time_stamp() >= deadline_) throw Stopped();
}

void Cosimulation::wait_for_interrupt(const std::string& output) {
  const sc_core::sc_out<bool>& line = platform_.interrupt(device_, output);
  access_all(Access::When::kDuring);
  while (!line->read()) {
    stop_if_over();
    sc_core::wait(deadline_ - sc_core::sc_time_stamp(), line->posedge_event() | differs_);
  }
  stop_if_over();
}

void Cosimulation::wait_until_level() {
  while (!comparison_.is_level()) {
    if (mismatch_) return;
    comparison_.hurry();
    sc_core::wait(cycle_ * kLevelCycles, differs_);
  }
}

// ---- Accesses ----

void Cosimulation::access_all(Access::When when) {
  const bool during = when == Access::When::kDuring;
  const sc_core::sc_out<bool>& line = platform_.interrupt(device_, "interrupt");
  for (const Access& each : scenario_->accesses) {
    if (each.when != when) continue;
    sc_core::wait(cycle_ * each.cycles);
    if (during && line->read()) return;  // the kernel has ended
    if (mismatch_) return;
    access(each);
  }
}

// Whatever it is answered: that is compared.
void Cosimulation::access(const Access& access) {
  ++accesses_;
  std::vector<uint8_t> data = access.data, strobes = access.strobes;
  tlm::tlm_generic_payload payload;
  payload.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(address_of(access.window) + access.offset);
  payload.set_data_ptr(data.data());
  payload.set_data_length(static_cast<unsigned>(data.size()));
  payload.set_streaming_width(static_cast<unsigned>(data.size()));
  if (!strobes.empty()) {
    payload.set_byte_enable_ptr(strobes.data());
    payload.set_byte_enable_length(static_cast<unsigned>(strobes.size()));
  }
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  master_->socket->b_transport(payload, delay);
  sc_core::wait(delay);
}

uint32_t Cosimulation::read(uint64_t address) {
  stop_if_over();
  return master_->read(address);
}

void Cosimulation::write(uint64_t address, uint32_t word) {
  stop_if_over();
  master_->write(address, word);
}

}  // namespace gvp::cosim

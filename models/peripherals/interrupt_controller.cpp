// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/interrupt_controller.h"

#include "models/base/error.h"

namespace gvp::peripherals {
namespace {

using kit::Access;

// PG099, register space
constexpr uint32_t kIsr = 0x00, kIpr = 0x04, kIer = 0x08, kIar = 0x0c, kSie = 0x10, kCie = 0x14,
                   kIvr = 0x18, kMer = 0x1c, kIlr = 0x24;
// MER
constexpr uint32_t kMasterEnable = 1u << 0, kHardwareEnable = 1u << 1;
constexpr uint32_t kNoVector = ~0u;

}  // namespace

InterruptController::InterruptController(const sc_core::sc_module_name& name,
                                         const InterruptControllerConfiguration& configuration)
    : Peripheral(name, kit::RegisterBank::NarrowWrites::kForbidden, configuration.access_latency),
      inputs("inputs", configuration.inputs),
      configuration_(configuration),
      mask_(configuration.inputs >= 32 ? ~0u : (1u << configuration.inputs) - 1) {
  if (configuration.inputs == 0 || configuration.inputs > 32)
    throw bad_input("an interrupt controller has 1 to 32 inputs");
  declare_registers();
}

std::vector<device::RegisterRow> InterruptController::register_rows(
    const InterruptControllerConfiguration& configuration) {
  std::vector<device::RegisterRow> rows = {
      {"ISR", kIsr, Access::kReadWrite, 0,
       "Interrupt status; writable until the hardware inputs are enabled"},
      {"IPR", kIpr, Access::kWriteIgnored, 0, "Interrupts pending: ISR and IER"},
      {"IER", kIer, Access::kReadWrite, 0, "Interrupt enable, a bit for each input"},
      {"IAR", kIar, Access::kReadsZero, 0,
       "Acknowledge: clears bits of ISR; a level that is still active sets its bit again"},
      {"SIE", kSie, Access::kReadsZero, 0, "Sets bits of IER"},
      {"CIE", kCie, Access::kReadsZero, 0, "Clears bits of IER"},
      {"IVR", kIvr, Access::kWriteIgnored, kNoVector,
       "Lowest number that is pending; all ones where none is"},
      {"MER", kMer, Access::kReadWrite, 0,
       "Bit 0 master enable, bit 1 hardware interrupt enable (cannot be cleared again)"}};
  if (configuration.has_level_register)
    rows.push_back({"ILR", kIlr, Access::kReadWrite, ~0u,
                    "Interrupt level: blocks interrupts of this number and above"});
  return rows;
}

void InterruptController::declare_registers() {
  registers.add(register_rows(configuration_));
  // ISR takes writes (to raise interrupts by software) until the hardware inputs are enabled.
  registers.handle(
      kIsr, [this] { return isr_; },
      [this](uint32_t value) {
        if (!hardware_enabled()) isr_ = value & mask_;
        update();
      });
  registers.handle(kIpr, [this] { return pending(); });
  registers.handle(
      kIer, [this] { return ier_; },
      [this](uint32_t value) {
        ier_ = value & mask_;
        update();
      });
  registers.handle(kIar, {}, [this](uint32_t value) {
    isr_ &= ~value;
    sample_levels();  // an input that is still active comes back at once
    update();
  });
  registers.handle(kSie, {}, [this](uint32_t value) {
    ier_ |= value & mask_;
    update();
  });
  registers.handle(kCie, {}, [this](uint32_t value) {
    ier_ &= ~value;
    update();
  });
  registers.handle(kIvr, [this] { return vector(); });
  registers.handle(
      kMer, [this] { return mer_; },
      [this](uint32_t value) {
        // HIE can be set but not cleared
        mer_ = (value & (kMasterEnable | kHardwareEnable)) | (mer_ & kHardwareEnable);
        sample_levels();
        update();
      });
  if (configuration_.has_level_register)
    registers.handle(
        kIlr, [this] { return ilr_; },
        [this](uint32_t value) {
          ilr_ = value;
          update();
        });
}

void InterruptController::reset_state() {
  isr_ = ier_ = mer_ = 0;
  ilr_ = ~0u;
  update();
}

void InterruptController::end_of_elaboration() {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  bool connected = false;
  for (auto& input : inputs) {
    if (input.size() == 0) continue;
    options.set_sensitivity(&input->value_changed_event());
    connected = true;
  }
  if (connected) sc_core::sc_spawn([this] { on_input(); }, "sample_inputs", &options);
}

void InterruptController::start_of_simulation() {
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (inputs[i].size() > 0 && inputs[i]->read()) lines_ |= 1u << i;
}

bool InterruptController::hardware_enabled() const { return (mer_ & kHardwareEnable) != 0; }

void InterruptController::on_input() {
  uint32_t lines = 0;
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (inputs[i].size() > 0 && inputs[i]->read()) lines |= 1u << i;
  const uint32_t changed = lines ^ lines_;
  lines_ = lines;
  if (!hardware_enabled()) return;
  const uint32_t active_edges = changed & ~(lines ^ configuration_.kind_of_edge);
  isr_ |= active_edges & configuration_.kind_of_interrupt & mask_;
  sample_levels();
  update();
}

void InterruptController::sample_levels() {
  if (!hardware_enabled()) return;
  uint32_t connected = 0;
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (inputs[i].size() > 0) connected |= 1u << i;
  const uint32_t active = ~(lines_ ^ configuration_.kind_of_level);
  isr_ |= active & ~configuration_.kind_of_interrupt & mask_ & connected;
}

uint32_t InterruptController::vector() const {
  const uint32_t waiting = pending();
  return waiting == 0 ? kNoVector : static_cast<uint32_t>(__builtin_ctz(waiting));
}

void InterruptController::update() {
  // ILR blocks interrupts of its own number and above.
  const uint32_t allowed = ilr_ >= 32 ? ~0u : (1u << ilr_) - 1;
  set_interrupt((mer_ & kMasterEnable) != 0 && (pending() & allowed) != 0);
}

}  // namespace gvp::peripherals

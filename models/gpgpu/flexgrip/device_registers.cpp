// SPDX-License-Identifier: Apache-2.0
// The control window: every register of flexgrip_registers.h, in its order.
#include <cmath>

#include "models/gpgpu/flexgrip/device.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"

namespace gvp::gpgpu::flexgrip {

void FlexGrip::add_kernel_register(const char* name, uint32_t offset, uint32_t reset) {
  kit::Register& added = registers_.add({name, offset, kit::Access::kReadWrite, reset});
  added.write = [this, &added](uint32_t value) {
    if (running_)
      registers_.fail(std::string(added.name) + " cannot be written while a kernel runs");
    else
      added.value = value;
  };
  if (kernel_registers_.size() <= offset / 4) kernel_registers_.resize(offset / 4 + 1, nullptr);
  kernel_registers_[offset / 4] = &added;
}

void FlexGrip::add_fixed(const char* name, uint32_t offset, uint32_t value) {
  registers_.add({name, offset, kit::Access::kReadOnly, value});
}

void FlexGrip::add_shown(const char* name, uint32_t offset, const uint32_t& value) {
  registers_.add({name, offset, kit::Access::kReadOnly, 0, [&value] { return value; }});
}

void FlexGrip::add_counter(const char* name, uint32_t offset, uint64_t Counters::*counter) {
  const auto value = [this, counter] { return engine_->counters(side_.now()).*counter; };
  registers_.add({name,
                  offset,
                  kit::Access::kReadOnly,
                  0,
                  [this, value] {
                    counter_high_ = static_cast<uint32_t>(value() >> 32);
                    return static_cast<uint32_t>(value());
                  },
                  {},
                  [value] { return static_cast<uint32_t>(value()); }});
  add_shown(name, offset + 4, counter_high_);
}

// Reset values are those of the published RTL, where it has the register.
void FlexGrip::declare_kernel_registers() {
  add_kernel_register("BLOCKS_PER_CORE", FLEXGRIP_BLOCKS_PER_CORE, 1);
  add_kernel_register("REGISTERS_PER_THREAD", FLEXGRIP_REGISTERS_PER_THREAD, 11);
  add_kernel_register("SHARED_STATIC_BYTES", FLEXGRIP_SHARED_STATIC_BYTES, 16);
  add_kernel_register("PARAMETER_COUNT", FLEXGRIP_PARAMETER_COUNT, 0);
  add_kernel_register("SHARED_DYNAMIC_BYTES", FLEXGRIP_SHARED_DYNAMIC_BYTES, 0);
  add_kernel_register("BLOCK_X", FLEXGRIP_BLOCK_X, 16);
  add_kernel_register("BLOCK_Y", FLEXGRIP_BLOCK_Y, 16);
  add_kernel_register("BLOCK_Z", FLEXGRIP_BLOCK_Z, 1);
  add_kernel_register("GRID_X", FLEXGRIP_GRID_X, 3);
  add_kernel_register("GRID_Y", FLEXGRIP_GRID_Y, 1);
  for (uint32_t i = 0; i < FLEXGRIP_MAX_PARAMETERS; ++i)
    add_kernel_register("PARAMETER", FLEXGRIP_PARAMETER(i), 0);
  for (uint32_t bank = 0; bank < FLEXGRIP_CONSTANT_BANKS; ++bank) {
    add_kernel_register("CONSTANT_BANK_BASE", FLEXGRIP_CONSTANT_BANK_BASE(bank), 0);
    add_kernel_register("CONSTANT_BANK_BYTES", FLEXGRIP_CONSTANT_BANK_BYTES(bank),
                        configuration_.constant_bytes);
  }
  for (uint32_t i = 0; i < FLEXGRIP_KERNEL_NAME_WORDS; ++i)
    add_kernel_register("KERNEL_NAME", FLEXGRIP_KERNEL_NAME(i), 0);
}

void FlexGrip::declare_control() {
  add_fixed("ID", FLEXGRIP_ID, FLEXGRIP_ID_VALUE);
  add_fixed("VERSION", FLEXGRIP_VERSION, FLEXGRIP_VERSION_VALUE);
  registers_.add({"CONTROL", FLEXGRIP_CONTROL, kit::Access::kReadWrite, 0,
                  [this] { return interrupt_enable_ ? FLEXGRIP_CONTROL_INTERRUPT_ENABLE : 0u; },
                  [this](uint32_t value) { write_control(value); }});
  registers_.add(
      {"STATUS", FLEXGRIP_STATUS, kit::Access::kReadOnly, 0, [this] { return status(); }});
  add_shown("CAUSE", FLEXGRIP_CAUSE, cause_);
  add_shown("FAULT_PC", FLEXGRIP_FAULT_PC, fault_pc_);
  add_shown("FAULT_ADDRESS", FLEXGRIP_FAULT_ADDRESS, fault_address_);
  add_shown("FAULT_WARP", FLEXGRIP_FAULT_WARP, fault_warp_);
  add_shown("FAULT_BLOCK", FLEXGRIP_FAULT_BLOCK, fault_block_);
  registers_.add({"INTERRUPT", FLEXGRIP_INTERRUPT, kit::Access::kReadWrite, 0,
                  [this] { return interrupt_pending_ ? FLEXGRIP_INTERRUPT_ENDED : 0u; },
                  [this](uint32_t value) {
                    if ((value & FLEXGRIP_INTERRUPT_ENDED) != 0) interrupt_pending_ = false;
                    set_interrupt();
                  }});
}

void FlexGrip::declare_capabilities() {
  const Configuration& c = configuration_;
  const bool on_bus = global_ == nullptr;
  add_fixed("CAP_SMS", FLEXGRIP_CAP_SMS, c.sms);
  add_fixed("CAP_SPS", FLEXGRIP_CAP_SPS, c.sps);
  add_fixed("CAP_WARPS_PER_SM", FLEXGRIP_CAP_WARPS_PER_SM, c.warps_per_sm);
  add_fixed("CAP_BLOCKS_PER_SM", FLEXGRIP_CAP_BLOCKS_PER_SM, c.blocks_per_sm);
  add_fixed("CAP_THREADS_PER_BLOCK", FLEXGRIP_CAP_THREADS_PER_BLOCK, c.threads_per_block);
  add_fixed("CAP_REGISTERS_PER_SM", FLEXGRIP_CAP_REGISTERS_PER_SM, c.registers_per_sm);
  add_fixed("CAP_SHARED_BYTES", FLEXGRIP_CAP_SHARED_BYTES, c.shared_bytes_per_sm);
  add_fixed("CAP_STACK_DEPTH", FLEXGRIP_CAP_STACK_DEPTH, c.stack_depth);
  add_fixed("CAP_FEATURES", FLEXGRIP_CAP_FEATURES,
            (c.multiplier ? FLEXGRIP_FEATURE_MULTIPLIER : 0u) |
                (c.three_operands ? FLEXGRIP_FEATURE_THREE_OPERANDS : 0u) |
                (c.floating_point ? FLEXGRIP_FEATURE_FLOAT : 0u) |
                (on_bus ? FLEXGRIP_FEATURE_GLOBAL_ON_BUS : 0u));
  add_fixed("CAP_CODE_BYTES", FLEXGRIP_CAP_CODE_BYTES, c.code_bytes);
  add_fixed("CAP_CONSTANT_BYTES", FLEXGRIP_CAP_CONSTANT_BYTES, c.constant_bytes);
  add_fixed("CAP_GLOBAL_BYTES", FLEXGRIP_CAP_GLOBAL_BYTES, on_bus ? 0 : c.global_bytes);
  add_fixed("CAP_LOCAL_BYTES", FLEXGRIP_CAP_LOCAL_BYTES, c.local_bytes);
  add_fixed("CAP_CLOCK_HZ", FLEXGRIP_CAP_CLOCK_HZ,
            static_cast<uint32_t>(std::llround(clock_.hz())));
}

void FlexGrip::declare_counters() {
  add_counter("COUNT_CYCLES", FLEXGRIP_COUNT_CYCLES, &Counters::cycles);
  add_counter("COUNT_WARP_INSTRUCTIONS", FLEXGRIP_COUNT_WARP_INSTRUCTIONS,
              &Counters::warp_instructions);
  add_counter("COUNT_THREAD_INSTRUCTIONS", FLEXGRIP_COUNT_THREAD_INSTRUCTIONS,
              &Counters::thread_instructions);
  add_counter("COUNT_STALL_CYCLES", FLEXGRIP_COUNT_STALL_CYCLES, &Counters::stall_cycles);
  add_counter("COUNT_DIVERGENT_BRANCHES", FLEXGRIP_COUNT_DIVERGENT_BRANCHES,
              &Counters::divergent_branches);
  add_counter("COUNT_MAX_STACK_DEPTH", FLEXGRIP_COUNT_MAX_STACK_DEPTH, &Counters::max_stack_depth);
}

uint32_t FlexGrip::status() const {
  return running_ ? FLEXGRIP_STATUS_RUNNING : FLEXGRIP_STATUS_IDLE | status_;
}

void FlexGrip::write_control(uint32_t value) {
  if ((value & FLEXGRIP_CONTROL_RESET) != 0) {
    reset();
    return;
  }
  interrupt_enable_ = (value & FLEXGRIP_CONTROL_INTERRUPT_ENABLE) != 0;
  set_interrupt();
  if ((value & FLEXGRIP_CONTROL_START) != 0) start();
}

}  // namespace gvp::gpgpu::flexgrip

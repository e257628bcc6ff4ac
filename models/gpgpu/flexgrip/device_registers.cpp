// SPDX-License-Identifier: Apache-2.0
// The control window: what the registers of register_rows.h do.
#include <fmt/format.h>

#include "models/gpgpu/flexgrip/device.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/register_rows.h"

namespace gvp::gpgpu::flexgrip {

// What configures a kernel: fixed while one runs.
void FlexGrip::handle_kernel_register(uint32_t offset) {
  kit::Register& added = registers_.at(offset);
  added.write = [this, &added](uint32_t value) {
    if (cycle_.running())
      registers_.fail(std::string(added.name) + " cannot be written while a kernel runs");
    else
      added.value = value;
  };
  if (kernel_registers_.size() <= offset / 4) kernel_registers_.resize(offset / 4 + 1, nullptr);
  kernel_registers_[offset / 4] = &added;
}

void FlexGrip::handle_counter(uint32_t offset, uint64_t Counters::*counter) {
  const auto value = [this, counter] {
    return counters_cleared_ || !engine_has_it_ ? 0 : engine_->counters(side_.now()).*counter;
  };
  registers_.handle(
      offset,
      [this, value] {
        counter_high_ = static_cast<uint32_t>(value() >> 32);
        return static_cast<uint32_t>(value());
      },
      {}, [value] { return static_cast<uint32_t>(value()); });
  registers_.handle(offset + 4, [this] { return counter_high_; });
}

void FlexGrip::declare_registers() {
  registers_.add(register_rows(configuration_, clock_.hz()));
  for (const uint32_t offset :
       {FLEXGRIP_BLOCKS_PER_CORE, FLEXGRIP_REGISTERS_PER_THREAD, FLEXGRIP_SHARED_STATIC_BYTES,
        FLEXGRIP_PARAMETER_COUNT, FLEXGRIP_SHARED_DYNAMIC_BYTES, FLEXGRIP_BLOCK_X, FLEXGRIP_BLOCK_Y,
        FLEXGRIP_BLOCK_Z, FLEXGRIP_GRID_X, FLEXGRIP_GRID_Y})
    handle_kernel_register(offset);
  for (uint32_t i = 0; i < FLEXGRIP_MAX_PARAMETERS; ++i)
    handle_kernel_register(FLEXGRIP_PARAMETER(i));
  for (uint32_t bank = 0; bank < FLEXGRIP_CONSTANT_BANKS; ++bank) {
    handle_kernel_register(FLEXGRIP_CONSTANT_BANK_BASE(bank));
    handle_kernel_register(FLEXGRIP_CONSTANT_BANK_BYTES(bank));
  }
  for (uint32_t i = 0; i < FLEXGRIP_KERNEL_NAME_WORDS; ++i)
    handle_kernel_register(FLEXGRIP_KERNEL_NAME(i));
  for (uint32_t i = 0; configuration_.texture_cache.enabled && i < FLEXGRIP_TEXTURES; ++i) {
    handle_kernel_register(FLEXGRIP_TEXTURE_BASE(i));
    handle_kernel_register(FLEXGRIP_TEXTURE_BYTES(i));
  }
  handle_control();
  handle_constant_page();
  handle_counter(FLEXGRIP_COUNT_CYCLES, &Counters::cycles);
  handle_counter(FLEXGRIP_COUNT_WARP_INSTRUCTIONS, &Counters::warp_instructions);
  handle_counter(FLEXGRIP_COUNT_THREAD_INSTRUCTIONS, &Counters::thread_instructions);
  handle_counter(FLEXGRIP_COUNT_STALL_CYCLES, &Counters::stall_cycles);
  handle_counter(FLEXGRIP_COUNT_DIVERGENT_BRANCHES, &Counters::divergent_branches);
  handle_counter(FLEXGRIP_COUNT_MAX_STACK_DEPTH, &Counters::max_stack_depth);
}

void FlexGrip::handle_constant_page() {
  constexpr uint32_t kPageBytes = FLEXGRIP_CONSTANT_PAGE_BYTES;
  if (configuration_.constant_bytes <= kPageBytes) return;
  page_ = &registers_.at(FLEXGRIP_CONSTANT_PAGE);
  const uint32_t pages = (configuration_.constant_bytes + kPageBytes - 1) / kPageBytes;
  page_->write = [this, pages](uint32_t value) {
    if (value >= pages)
      registers_.fail(
          fmt::format("CONSTANT_PAGE cannot be {}: constant memory has {} pages", value, pages));
    else
      page_->value = value;
  };
}

void FlexGrip::handle_control() {
  registers_.handle(
      FLEXGRIP_CONTROL,
      [this] { return cycle_.interrupt_enabled() ? FLEXGRIP_CONTROL_INTERRUPT_ENABLE : 0u; },
      [this](uint32_t value) { write_control(value); });
  registers_.handle(FLEXGRIP_STATUS, [this] { return status(); });
  const Ending& ending = cycle_.ending();
  registers_.handle(FLEXGRIP_CAUSE, [&ending] { return static_cast<uint32_t>(ending.cause); });
  registers_.handle(FLEXGRIP_FAULT_PC, [&ending] { return ending.fault.pc; });
  registers_.handle(FLEXGRIP_FAULT_ADDRESS, [&ending] { return ending.fault.address; });
  registers_.handle(FLEXGRIP_FAULT_WARP, [&ending] {
    return ending.sm << 24 | (ending.warp_slot & 0xffu) << 16 | (ending.block_slot & 0xffu) << 8 |
           ending.fault.lane;
  });
  registers_.handle(FLEXGRIP_FAULT_BLOCK,
                    [&ending] { return ending.block.y << 16 | ending.block.x; });
  registers_.handle(
      FLEXGRIP_INTERRUPT,
      [this] { return cycle_.interrupt_pending() ? FLEXGRIP_INTERRUPT_ENDED : 0u; },
      [this](uint32_t value) {
        if ((value & FLEXGRIP_INTERRUPT_ENDED) != 0) cycle_.acknowledge_interrupt();
      });
}

uint32_t FlexGrip::status() const {
  switch (cycle_.state()) {
    case LaunchCycle::State::kRunning:
      return FLEXGRIP_STATUS_RUNNING;
    case LaunchCycle::State::kDone:
      return FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE;
    case LaunchCycle::State::kStopped:
      return FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_ERROR;
    case LaunchCycle::State::kIdle:
      break;
  }
  return FLEXGRIP_STATUS_IDLE;
}

void FlexGrip::write_control(uint32_t value) {
  if ((value & FLEXGRIP_CONTROL_RESET) != 0) {
    reset_by_register();
    return;
  }
  cycle_.enable_interrupt((value & FLEXGRIP_CONTROL_INTERRUPT_ENABLE) != 0);
  if ((value & FLEXGRIP_CONTROL_START) != 0) start();
}

}  // namespace gvp::gpgpu::flexgrip

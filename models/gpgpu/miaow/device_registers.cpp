// SPDX-License-Identifier: Apache-2.0
// What the registers of register_rows.h do.
#include "models/gpgpu/miaow/device.h"
#include "models/gpgpu/miaow/miaow_registers.h"
#include "models/gpgpu/miaow/register_rows.h"

namespace gvp::gpgpu::miaow {

void Miaow::declare_registers() {
  registers_.add(register_rows());
  declare_launch();
  declare_instructions();
  declare_scalars();
  declare_memory();
  declare_vectors();
  declare_queue();
}

void Miaow::declare_launch() {
  // As long as it is held in reset, the slave keeps these at 0.
  for (const uint32_t offset :
       {MIAOW_WAVE_ID, MIAOW_BASE_VGPR, MIAOW_BASE_SGPR, MIAOW_BASE_LDS, MIAOW_WAVE_COUNT}) {
    kit::Register& added = registers_.at(offset);
    added.write = [this, &added](uint32_t value) { added.value = held_ ? 0 : value; };
  }
  const auto finished = [this] { return unit_.state() == ComputeUnit::State::kFinished ? 1u : 0u; };
  registers_.handle(
      MIAOW_START,
      [this, finished] {
        const uint32_t value = finished();
        if (value != 0) unit_.take_finished();
        return value;
      },
      [this](uint32_t) {
        if (idle()) start();
      },
      finished);
  registers_.handle(
      MIAOW_RESET, [this] { return wave_tag_; }, [this](uint32_t value) { write_reset(value); });
}

void Miaow::write_reset(uint32_t value) {
  held_ = (value & 1u) != 0;
  if (!held_) return;
  if (queue_.running()) {
    queue_.abort();
    end_grid();
  } else if (unit_.state() == ComputeUnit::State::kExecuting) {
    tell_end(unit_.stuck() && unit_.fault().cause != FaultCause::kNone ? unit_.fault().cause
                                                                       : FaultCause::kAborted);
  }
  for (auto& each : units_) each->reset();
  for (const uint32_t offset :
       {MIAOW_WAVE_ID, MIAOW_BASE_VGPR, MIAOW_BASE_SGPR, MIAOW_BASE_LDS, MIAOW_WAVE_COUNT})
    registers_.at(offset).value = 0;
  wave_tag_ = 0;
  vector_mask_ = 0;
}

void Miaow::declare_instructions() {
  const kit::Register& index = registers_.at(MIAOW_INSTRUCTION_INDEX);
  registers_.handle(
      MIAOW_INSTRUCTION, [this, &index] { return unit_.instruction(index.value); },
      [this, &index](uint32_t word) {
        if (reachable()) unit_.set_instruction(index.value, word);
      });
}

// In between, the register files are the wavefront's.
void Miaow::declare_scalars() {
  const kit::Register& base = registers_.at(MIAOW_QUAD_BASE);
  for (uint32_t i = 0; i < 4; ++i) {
    kit::Register& data = registers_.at(MIAOW_QUAD_DATA(i));
    data.read = [this, &base, i] { return reachable() ? unit_.scalar(base.value + i) : 0; };
    data.write = [&data](uint32_t value) { data.value = value; };
  }
  registers_.handle(MIAOW_QUAD_COMMIT, {}, [this, &base](uint32_t) {
    if (!reachable()) return;
    for (uint32_t i = 0; i < 4; ++i)
      unit_.set_scalar(base.value + i, registers_.at(MIAOW_QUAD_DATA(i)).value);
  });
}

void Miaow::declare_memory() {
  registers_.handle(MIAOW_MEMORY_STATE, [this] {
    const MemoryService& service = served().service();
    return service.state(served_cycle());
  });
  registers_.handle(MIAOW_STORE_DATA, [this] {
    return reachable() ? unit_.prefetch(prefetch_address_) : served().service().store_data();
  });
  registers_.handle(MIAOW_MEMORY_ADDRESS, [this] { return served().service().address(); });
  registers_.handle(MIAOW_PREFETCH_ADDRESS, {}, [this](uint32_t value) {
    prefetch_address_ = value;
    write_prefetch();
  });
  registers_.handle(
      MIAOW_LOAD_DATA, [this] { return static_cast<uint32_t>(counters().cycles); },
      [this](uint32_t value) {
        served().service().write_load_data(value);
        write_prefetch();
      });
  registers_.handle(
      MIAOW_PC, [this] { return unit_.pc(); }, [](uint32_t) {});
  registers_.handle(MIAOW_ACKNOWLEDGE, {}, [this](uint32_t value) {
    served().service().write_acknowledge((value & 1u) != 0);
  });
  registers_.handle(MIAOW_DONE, {}, [this](uint32_t value) {
    MemoryService& service = served().service();
    service.write_done((value & 1u) != 0, served_cycle());
    write_prefetch();
  });
}

// What hardware does in every clock in which the bit stands.
void Miaow::write_prefetch() {
  if (reachable() && unit_.service().done())
    unit_.set_prefetch(prefetch_address_, unit_.service().load_data());
}

void Miaow::declare_vectors() {
  registers_.handle(MIAOW_VECTOR_INDEX, {}, [this](uint32_t value) {
    vector_index_ = value;
    vector_mask_ = 0;
  });
  for (uint32_t lane = 0; lane < southern_islands::kWavefrontLanes; ++lane)
    registers_.handle(
        MIAOW_VECTOR_DATA(lane),
        [this, lane] { return reachable() ? unit_.vector(vector_index_)[lane] : 0; },
        [this, lane](uint32_t value) {
          vector_data_[lane] = value;
          vector_mask_ |= southern_islands::Mask{1} << lane;
        });
  registers_.handle(MIAOW_VECTOR_COMMIT, {}, [this](uint32_t) {
    if (!reachable()) return;
    southern_islands::Lanes& row = unit_.vector(vector_index_);
    for (uint32_t lane = 0; lane < southern_islands::kWavefrontLanes; ++lane)
      if ((vector_mask_ >> lane & 1u) != 0) row[lane] = vector_data_[lane];
  });
  registers_.handle(MIAOW_VECTOR_CLEAN, {}, [this](uint32_t) {
    vector_data_ = {};
    vector_mask_ = ~southern_islands::Mask{0};
  });
  registers_.handle(MIAOW_VECTOR_MASK_LOW, {},
                    [this](uint32_t value) { vector_mask_ = (vector_mask_ >> 32 << 32) | value; });
  registers_.handle(MIAOW_VECTOR_MASK_HIGH, {}, [this](uint32_t value) {
    vector_mask_ = (vector_mask_ & 0xffffffffu) | southern_islands::Mask{value} << 32;
  });
}

}  // namespace gvp::gpgpu::miaow

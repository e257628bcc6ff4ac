/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "bsp/exception.h"
#include "bsp/interrupt.h"
#include "bsp/io.h"
#include "driver/module.h"
#include "platform/memory_map.h"

static uint32_t read(const struct gpgpu* gpu, uint32_t offset) {
  return io_read32(gpu->control + offset);
}
static void write(const struct gpgpu* gpu, uint32_t offset, uint32_t value) {
  io_write32(gpu->control + offset, value);
}

static void read_properties(struct gpgpu* gpu) {
  const uint32_t features = read(gpu, FLEXGRIP_CAP_FEATURES);
  const uint32_t minor = read(gpu, FLEXGRIP_VERSION) & 0xFFFF;
  gpu->properties = (struct gpgpu_properties){
      .sms = read(gpu, FLEXGRIP_CAP_SMS),
      .sps_per_sm = read(gpu, FLEXGRIP_CAP_SPS),
      .warps_per_sm = read(gpu, FLEXGRIP_CAP_WARPS_PER_SM),
      .blocks_per_sm = read(gpu, FLEXGRIP_CAP_BLOCKS_PER_SM),
      .threads_per_block = read(gpu, FLEXGRIP_CAP_THREADS_PER_BLOCK),
      .registers_per_sm = read(gpu, FLEXGRIP_CAP_REGISTERS_PER_SM),
      .shared_bytes_per_sm = read(gpu, FLEXGRIP_CAP_SHARED_BYTES),
      .stack_depth = read(gpu, FLEXGRIP_CAP_STACK_DEPTH),
      .local_bytes = read(gpu, FLEXGRIP_CAP_LOCAL_BYTES),
      .code_bytes = read(gpu, FLEXGRIP_CAP_CODE_BYTES),
      .constant_bytes = read(gpu, FLEXGRIP_CAP_CONSTANT_BYTES),
      .global_bytes = read(gpu, FLEXGRIP_CAP_GLOBAL_BYTES) - kNullPageBytes,
      .global_on_bus = (features & FLEXGRIP_FEATURE_GLOBAL_ON_BUS) != 0,
      .multiplier = (features & FLEXGRIP_FEATURE_MULTIPLIER) != 0,
      .three_operands = (features & FLEXGRIP_FEATURE_THREE_OPERANDS) != 0,
      .floating_point = (features & FLEXGRIP_FEATURE_FLOAT) != 0,
      .clock_hz = minor >= 1 ? read(gpu, FLEXGRIP_CAP_CLOCK_HZ) : GVP_HOST_CLOCK_HZ,
      .kernel_names = minor >= 2,
      .textures = (features & FLEXGRIP_FEATURE_TEXTURES) != 0,
  };
}

/* Where the board has its GPGPUs. */
static const struct {
  uint32_t control, code, window;
  unsigned interrupt;
} devices[] = {
#define DEVICE(name) \
  {GVP_##name##_CONTROL_BASE, GVP_##name##_CODE_BASE, GVP_##name##_GLOBAL_BASE, GVP_IRQ_##name},
    GVP_FLEXGRIP_DEVICES(DEVICE)};

unsigned gpgpu_count(void) { return sizeof devices / sizeof devices[0]; }

enum gpgpu_error gpgpu_open(struct gpgpu* gpu) { return gpgpu_open_device(gpu, 0); }

enum gpgpu_error gpgpu_open_device(struct gpgpu* gpu, unsigned index) {
  if (gpu == NULL || index >= gpgpu_count()) return GPGPU_INVALID_ARGUMENT;
  memset(gpu, 0, sizeof *gpu);
  gpu->control = devices[index].control;
  gpu->code = devices[index].code;
  gpu->window = devices[index].window;
  gpu->interrupt = devices[index].interrupt;
  gpu->index = index;
  uint32_t id;
  if (!probe_read32(gpu->control + FLEXGRIP_ID, &id) || id != FLEXGRIP_ID_VALUE)
    return GPGPU_NOT_FOUND;
  /* A minor number adds registers, a major one changes them. */
  if (read(gpu, FLEXGRIP_VERSION) >> 16 != FLEXGRIP_VERSION_VALUE >> 16) return GPGPU_WRONG_VERSION;
  write(gpu, FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
  read_properties(gpu);
  return memory_initialize(gpu);
}

void gpgpu_reset(struct gpgpu* gpu) {
  gpgpu_use_interrupt(gpu, false);
  write(gpu, FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
  gpu->resident = NULL;
  memory_initialize(gpu);
}

static void serve(void* argument) {
  struct gpgpu* gpu = argument;
  if ((read(gpu, FLEXGRIP_INTERRUPT) & FLEXGRIP_INTERRUPT_ENDED) == 0) return;
  write(gpu, FLEXGRIP_INTERRUPT, FLEXGRIP_INTERRUPT_ENDED);
  gpu->ended = true;
}

void gpgpu_use_interrupt(struct gpgpu* gpu, bool enable) {
  gpu->use_interrupt = enable;
  write(gpu, FLEXGRIP_CONTROL, enable ? FLEXGRIP_CONTROL_INTERRUPT_ENABLE : 0);
  interrupt_attach(gpu->interrupt, enable ? serve : NULL, gpu);
}

const struct gpgpu_fault* gpgpu_last_fault(const struct gpgpu* gpu) { return &gpu->fault; }

static uint64_t read_counter(const struct gpgpu* gpu, uint32_t offset) {
  const uint32_t low = read(gpu, offset); /* latches the high word */
  return (uint64_t)read(gpu, offset + 4) << 32 | low;
}

void gpgpu_read_counters(const struct gpgpu* gpu, struct gpgpu_counters* counters) {
  *counters = (struct gpgpu_counters){
      .cycles = read_counter(gpu, FLEXGRIP_COUNT_CYCLES),
      .warp_instructions = read_counter(gpu, FLEXGRIP_COUNT_WARP_INSTRUCTIONS),
      .thread_instructions = read_counter(gpu, FLEXGRIP_COUNT_THREAD_INSTRUCTIONS),
      .stall_cycles = read_counter(gpu, FLEXGRIP_COUNT_STALL_CYCLES),
      .divergent_branches = read_counter(gpu, FLEXGRIP_COUNT_DIVERGENT_BRANCHES),
      .max_stack_depth = (uint32_t)read_counter(gpu, FLEXGRIP_COUNT_MAX_STACK_DEPTH),
  };
}

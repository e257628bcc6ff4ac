/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "bsp/core.h"
#include "bsp/io.h"
#include "bsp/timer.h"
#include "driver/module.h"

enum { kWarpThreads = 32, kSharedGranule = 256 };

static uint32_t read(const struct gpgpu* gpu, uint32_t offset) {
  return io_read32(gpu->control + offset);
}
static void write(const struct gpgpu* gpu, uint32_t offset, uint32_t value) {
  io_write32(gpu->control + offset, value);
}

/* What the kernel itself asks for: the cubin counts header and parameters too. */
static uint32_t static_shared_bytes(const struct gpgpu_function* function,
                                    const struct gpgpu_launch* launch) {
  const uint32_t before = kSharedHeaderBytes + 4 * launch->parameter_count;
  return function->shared_bytes > before ? function->shared_bytes - before : 0;
}

/* What one block is allocated: the device deals shared memory out in steps of 256 bytes. */
static uint32_t block_shared_bytes(const struct gpgpu_function* function,
                                   const struct gpgpu_launch* launch) {
  const uint32_t bytes = kSharedHeaderBytes + 4 * launch->parameter_count +
                         static_shared_bytes(function, launch) + launch->dynamic_shared_bytes;
  return (bytes + kSharedGranule - 1) & ~(uint32_t)(kSharedGranule - 1);
}

static enum gpgpu_error check_arguments(const struct gpgpu_function* function,
                                        const struct gpgpu_launch* launch) {
  if (function == NULL || launch == NULL || launch->grid_x == 0 || launch->grid_y == 0 ||
      launch->grid_x > 65535 || launch->grid_y > 65535 || launch->block_x == 0 ||
      launch->block_y == 0 || launch->block_z == 0 || launch->dynamic_shared_bytes > 0x10000 ||
      (launch->parameters == NULL && launch->parameter_count > 0))
    return GPGPU_INVALID_ARGUMENT;
  if (launch->parameter_count > FLEXGRIP_MAX_PARAMETERS ||
      (function->has_parameter_bytes && 4 * launch->parameter_count != function->parameter_bytes))
    return GPGPU_TOO_MANY_PARAMETERS;
  return GPGPU_OK;
}

/* Lowers *blocks to what available allows; 0 if not even one fits. */
static void limit(uint32_t* blocks, uint32_t available, uint32_t needed) {
  if (needed != 0 && available / needed < *blocks) *blocks = available / needed;
}

enum gpgpu_error gpgpu_blocks_per_sm(const struct gpgpu* gpu, const struct gpgpu_function* function,
                                     const struct gpgpu_launch* launch, uint32_t* blocks) {
  if (gpu == NULL || blocks == NULL) return GPGPU_INVALID_ARGUMENT;
  const enum gpgpu_error error = check_arguments(function, launch);
  if (error != GPGPU_OK) return error;
  const struct gpgpu_properties* p = &gpu->properties;
  if (launch->block_x > p->threads_per_block || launch->block_y > p->threads_per_block ||
      launch->block_z > p->threads_per_block ||
      (uint64_t)launch->block_x * launch->block_y * launch->block_z > p->threads_per_block)
    return GPGPU_TOO_MANY_THREADS;
  const uint32_t threads = launch->block_x * launch->block_y * launch->block_z;
  const uint32_t warps = (threads + kWarpThreads - 1) / kWarpThreads;
  *blocks = p->blocks_per_sm;
  limit(blocks, p->warps_per_sm, warps); /* formula (1) */
  if (*blocks == 0) return GPGPU_TOO_MANY_WARPS;
  /* Registers are dealt out to whole warps: a row of the register file serves 32 threads. */
  limit(blocks, p->registers_per_sm, warps * kWarpThreads * function->registers); /* (2) */
  if (*blocks == 0) return GPGPU_TOO_MANY_REGISTERS;
  limit(blocks, p->shared_bytes_per_sm, block_shared_bytes(function, launch)); /* (3) */
  return *blocks == 0 ? GPGPU_TOO_MUCH_SHARED : GPGPU_OK;
}

static enum gpgpu_error start(struct gpgpu* gpu, const struct gpgpu_function* function,
                              const struct gpgpu_launch* launch, uint32_t blocks) {
  if ((read(gpu, FLEXGRIP_STATUS) & FLEXGRIP_STATUS_RUNNING) != 0) return GPGPU_BUSY;
  const enum gpgpu_error error = module_make_resident(gpu, function);
  if (error != GPGPU_OK) return error;
  /* The order the published test bench has: parameters first, blocks per core and GPRs last. */
  write(gpu, FLEXGRIP_PARAMETER_COUNT, launch->parameter_count);
  for (uint32_t i = 0; i < launch->parameter_count; ++i)
    write(gpu, FLEXGRIP_PARAMETER(i), launch->parameters[i]);
  write(gpu, FLEXGRIP_SHARED_DYNAMIC_BYTES, launch->dynamic_shared_bytes);
  write(gpu, FLEXGRIP_BLOCK_X, launch->block_x);
  write(gpu, FLEXGRIP_BLOCK_Y, launch->block_y);
  write(gpu, FLEXGRIP_BLOCK_Z, launch->block_z);
  write(gpu, FLEXGRIP_GRID_X, launch->grid_x);
  write(gpu, FLEXGRIP_GRID_Y, launch->grid_y);
  write(gpu, FLEXGRIP_REGISTERS_PER_THREAD, function->registers);
  write(gpu, FLEXGRIP_SHARED_STATIC_BYTES, static_shared_bytes(function, launch));
  write(gpu, FLEXGRIP_BLOCKS_PER_CORE, blocks);
  write(gpu, FLEXGRIP_INTERRUPT, FLEXGRIP_INTERRUPT_ENDED);
  memset(&gpu->fault, 0, sizeof gpu->fault);
  gpu->ended = false;
  core_memory_barrier(); /* data in DDR3 are there before the device looks */
  write(gpu, FLEXGRIP_CONTROL,
        FLEXGRIP_CONTROL_START | (gpu->use_interrupt ? FLEXGRIP_CONTROL_INTERRUPT_ENABLE : 0));
  return GPGPU_OK;
}

enum gpgpu_error gpgpu_start(struct gpgpu* gpu, const struct gpgpu_function* function,
                             const struct gpgpu_launch* launch) {
  uint32_t blocks;
  const enum gpgpu_error error = gpgpu_blocks_per_sm(gpu, function, launch, &blocks);
  return error == GPGPU_OK ? start(gpu, function, launch, blocks) : error;
}

enum gpgpu_error gpgpu_start_unchecked(struct gpgpu* gpu, const struct gpgpu_function* function,
                                       const struct gpgpu_launch* launch) {
  if (gpu == NULL || function == NULL || launch == NULL ||
      launch->parameter_count > FLEXGRIP_MAX_PARAMETERS)
    return GPGPU_INVALID_ARGUMENT;
  return start(gpu, function, launch, 0); /* 0: the device computes how many fit */
}

static enum gpgpu_error outcome(struct gpgpu* gpu) {
  if ((read(gpu, FLEXGRIP_STATUS) & FLEXGRIP_STATUS_ERROR) == 0) return GPGPU_OK;
  const uint32_t warp = read(gpu, FLEXGRIP_FAULT_WARP), block = read(gpu, FLEXGRIP_FAULT_BLOCK);
  gpu->fault = (struct gpgpu_fault){
      .cause = read(gpu, FLEXGRIP_CAUSE),
      .pc = read(gpu, FLEXGRIP_FAULT_PC),
      .address = read(gpu, FLEXGRIP_FAULT_ADDRESS),
      .sm = warp >> 24,
      .warp = warp >> 16 & 0xFF,
      .block_slot = warp >> 8 & 0xFF,
      .lane = warp & 0xFF,
      .block_x = block & 0xFFFF,
      .block_y = block >> 16,
  };
  return GPGPU_FAULT;
}

enum gpgpu_error gpgpu_wait(struct gpgpu* gpu, uint32_t timeout_us) {
  if (gpu == NULL) return GPGPU_INVALID_ARGUMENT;
  const uint64_t deadline = timer_now() + timer_cycles(timeout_us);
  for (;;) {
    const bool ended = gpu->use_interrupt
                           ? gpu->ended
                           : (read(gpu, FLEXGRIP_STATUS) & FLEXGRIP_STATUS_RUNNING) == 0;
    if (ended) return outcome(gpu);
    if (timeout_us != 0 && timer_now() >= deadline) return GPGPU_TIMEOUT;
  }
}

void gpgpu_abort(struct gpgpu* gpu) {
  write(gpu, FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
  if (gpu->use_interrupt) write(gpu, FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
  gpu->resident = NULL;
  outcome(gpu);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Launches, and the service of memory. */
#include <string.h>

#include "driver/miaow/registers.h"

enum {
  kInstructionWords = 1024,
  kLanes = 64,                /* of a wavefront */
  kMostVectorRegisters = 256, /* of a wavefront */
  kMostScalarRegisters = 104,
  kMostGroups = 65535,
  kShareBytes = 65536, /* of a compute unit */
  /* The segment of arguments: what OpenCL's compilers for this GPU put before a kernel's own, and
   * behind them: get_work_dim() and the three words of get_global_offset(). */
  kNumbersBeforeArguments = 9,
  kFirstArgument = 4 * kNumbersBeforeArguments,
  kMostArgumentWords = 64,
};

static enum miaow_error check_shape(const struct miaow* device, const struct miaow_launch* launch) {
  const uint32_t most = kLanes * device->wavefronts;
  uint32_t items = 1;
  for (unsigned i = 0; i < 3; ++i) {
    if (launch->groups[i] == 0 || launch->groups[i] > kMostGroups || launch->items[i] == 0)
      return MIAOW_INVALID_ARGUMENT;
    if (launch->items[i] > most) return MIAOW_TOO_MANY_ITEMS;
    items *= launch->items[i];
    if (items > most) return MIAOW_TOO_MANY_ITEMS;
  }
  return MIAOW_OK;
}

static enum miaow_error check_launch(const struct miaow* device, const struct miaow_kernel* kernel,
                                     const struct miaow_launch* launch) {
  if (device == NULL || kernel == NULL || launch == NULL || kernel->code == NULL ||
      (launch->arguments == NULL && launch->argument_words != 0))
    return MIAOW_INVALID_ARGUMENT;
  if (device->running) return MIAOW_BUSY;
  if (kernel->code_words > kInstructionWords) return MIAOW_TOO_MUCH_CODE;
  if (kernel->share_bytes > kShareBytes) return MIAOW_TOO_MUCH_SHARED;
  if (kernel->argument_bytes > 4 * kMostArgumentWords ||
      kernel->hidden_arguments < kFirstArgument ||
      kernel->hidden_arguments > kernel->argument_bytes ||
      launch->argument_words != (kernel->hidden_arguments - kFirstArgument) / 4)
    return MIAOW_TOO_MANY_ARGUMENTS;
  return check_shape(device, launch);
}

/* A kernel's code does not depend on its place, so a file's kernels are loaded together. */
static void load(struct miaow* device, const struct miaow_kernel* kernel) {
  if (device->resident == kernel->code) return;
  for (uint32_t i = 0; i < kernel->code_words; ++i) {
    miaow_write(device, MIAOW_INSTRUCTION_INDEX, i);
    miaow_write(device, MIAOW_INSTRUCTION, kernel->code[i]);
  }
  device->resident = kernel->code;
}

/* Behind what is allocated, as long as the grid runs. */
static enum miaow_error write_arguments(struct miaow* device, const struct miaow_kernel* kernel,
                                        const struct miaow_launch* launch) {
  uint32_t words[kMostArgumentWords] = {0};
  for (unsigned i = 0; i < 3; ++i) {
    words[i] = launch->groups[i];
    words[3 + i] = launch->groups[i] * launch->items[i];
    words[6 + i] = launch->items[i];
  }
  for (uint32_t i = 0; i < launch->argument_words; ++i)
    words[kNumbersBeforeArguments + i] = launch->arguments[i];
  if (kernel->argument_bytes > kernel->hidden_arguments)
    words[kernel->hidden_arguments / 4] = launch->groups[2] * launch->items[2] > 1   ? 3
                                          : launch->groups[1] * launch->items[1] > 1 ? 2
                                                                                     : 1;
  const uint32_t prefetch_free = device->prefetch_free, host_free = device->host_free;
  enum miaow_error error =
      miaow_allocate(device, MIAOW_PREFETCH, kernel->argument_bytes, &device->arguments);
  if (error != MIAOW_OK)
    error = miaow_allocate(device, MIAOW_HOST, kernel->argument_bytes, &device->arguments);
  if (error == MIAOW_OK)
    error = miaow_copy_to_device(device, device->arguments, words, kernel->argument_bytes);
  device->prefetch_free = prefetch_free;
  device->host_free = host_free;
  return error;
}

/* As much as there is room for; null: none. */
static void write_name(const struct miaow* device, const char* name) {
  const uint32_t length = name != NULL ? (uint32_t)strlen(name) : 0;
  for (uint32_t i = 0; i < MIAOW_QUEUE_NAME_WORDS && 4 * i <= length; ++i) {
    uint32_t word = 0;
    for (uint32_t j = 0; j < 4 && 4 * i + j < length; ++j)
      word |= (uint32_t)(uint8_t)name[4 * i + j] << 8 * j;
    miaow_write(device, MIAOW_QUEUE_NAME(i), word);
  }
}

enum miaow_error miaow_start(struct miaow* device, const struct miaow_kernel* kernel,
                             const struct miaow_launch* launch) {
  enum miaow_error error = check_launch(device, kernel, launch);
  if (error != MIAOW_OK) return error;
  load(device, kernel);
  error = write_arguments(device, kernel, launch);
  if (error != MIAOW_OK) return error;
  for (unsigned i = 0; i < 3; ++i) {
    miaow_write(device, MIAOW_QUEUE_GROUPS(i), launch->groups[i]);
    miaow_write(device, MIAOW_QUEUE_ITEMS(i), launch->items[i]);
  }
  miaow_write(device, MIAOW_QUEUE_PC, kernel->entry);
  miaow_write(device, MIAOW_QUEUE_ARGUMENTS, device->arguments);
  miaow_write(device, MIAOW_QUEUE_GROUP_NUMBERS, kernel->group_numbers);
  miaow_write(device, MIAOW_QUEUE_VECTOR_REGISTERS,
              kernel->vector_registers != 0 ? kernel->vector_registers : kMostVectorRegisters);
  miaow_write(device, MIAOW_QUEUE_SCALAR_REGISTERS,
              kernel->scalar_registers != 0 ? kernel->scalar_registers : kMostScalarRegisters);
  miaow_write(device, MIAOW_QUEUE_SHARE_BYTES, kernel->share_bytes);
  write_name(device, kernel->name);
  device->served_words = 0;
  device->fault = (struct miaow_fault){0};
  device->running = true;
  miaow_write(device, MIAOW_QUEUE_CONTROL, MIAOW_QUEUE_START);
  return MIAOW_OK;
}

static void pulse(const struct miaow* device, uint32_t offset) {
  miaow_write(device, offset, 1);
  miaow_write(device, offset, 0);
}

/* The arguments of the running grid are not allocated any more, but they are its own. */
static bool may_serve(const struct miaow* device, bool store, uint32_t address) {
  if (miaow_in_host(device, address, 4)) return true;
  return !store && device->arguments >= device->host_base &&
         address - device->arguments < 4 * kMostArgumentWords &&
         address - device->host_base <= device->host_bytes - 4;
}

/* A word that the compute unit wants. */
static enum miaow_error serve(struct miaow* device, uint32_t state) {
  const bool store = state == MIAOW_MEMORY_STORE_REQUESTED;
  const uint32_t accepted = store ? MIAOW_MEMORY_STORE_ACCEPTED : MIAOW_MEMORY_LOAD_ACCEPTED;
  pulse(device, MIAOW_ACKNOWLEDGE);
  while (miaow_read(device, MIAOW_MEMORY_STATE) != accepted) {
  }
  const uint32_t address = miaow_read(device, MIAOW_MEMORY_ADDRESS);
  if (!may_serve(device, store, address)) {
    miaow_abort(device);
    device->fault = (struct miaow_fault){.address = address};
    return MIAOW_BAD_ADDRESS;
  }
  if (store)
    io_write32(address, miaow_read(device, MIAOW_STORE_DATA));
  else
    miaow_write(device, MIAOW_LOAD_DATA, io_read32(address));
  pulse(device, MIAOW_DONE);
  ++device->served_words;
  return MIAOW_BUSY;
}

enum miaow_error miaow_poll(struct miaow* device) {
  if (!device->running) return MIAOW_OK;
  const uint32_t state = miaow_read(device, MIAOW_MEMORY_STATE);
  if (state == MIAOW_MEMORY_STORE_REQUESTED || state == MIAOW_MEMORY_LOAD_REQUESTED)
    return serve(device, state);
  const uint32_t status = miaow_read(device, MIAOW_QUEUE_STATUS);
  if (status == MIAOW_QUEUE_RUNNING) return MIAOW_BUSY;
  device->running = false;
  if (status == MIAOW_QUEUE_DONE) return MIAOW_OK;
  device->fault = (struct miaow_fault){
      miaow_read(device, MIAOW_QUEUE_CAUSE), miaow_read(device, MIAOW_QUEUE_FAULT_PC),
      miaow_read(device, MIAOW_QUEUE_FAULT_ADDRESS), miaow_read(device, MIAOW_QUEUE_FAULT_GROUP)};
  return MIAOW_FAULT;
}

enum miaow_error miaow_wait(struct miaow* device, uint32_t most_cycles) {
  for (;;) {
    const enum miaow_error error = miaow_poll(device);
    if (error != MIAOW_BUSY) return error;
    if (most_cycles != 0 && miaow_read(device, MIAOW_QUEUE_CYCLES) > most_cycles)
      return MIAOW_TIMEOUT;
  }
}

void miaow_abort(struct miaow* device) {
  miaow_write(device, MIAOW_QUEUE_CONTROL, MIAOW_QUEUE_ABORT);
  device->running = false;
}

void miaow_read_counters(const struct miaow* device, struct miaow_counters* counters) {
  *counters =
      (struct miaow_counters){miaow_read(device, MIAOW_QUEUE_CYCLES),
                              miaow_read(device, MIAOW_QUEUE_GROUPS_DONE), device->served_words};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "bsp/exception.h"
#include "driver/miaow/registers.h"
#include "platform/memory_map.h"

enum { kNullPageBytes = 256, kAlignment = 256 };

static const uint32_t devices[] = {
#define DEVICE(name) GVP_##name##_CONTROL_BASE,
    GVP_MIAOW_DEVICES(DEVICE)};

unsigned miaow_count(void) { return sizeof devices / sizeof devices[0]; }

void miaow_free_all(struct miaow* device) {
  device->prefetch_free = kNullPageBytes;
  device->host_free = device->host_base;
}

void miaow_reset(struct miaow* device) {
  miaow_write(device, MIAOW_RESET, 0);
  miaow_write(device, MIAOW_RESET, 1);
  miaow_write(device, MIAOW_RESET, 0);
  device->running = false;
  device->resident = NULL;
  miaow_free_all(device);
}

enum miaow_error miaow_open(struct miaow* device, unsigned index, void* memory, uint32_t bytes) {
  const uint32_t base = (uint32_t)(uintptr_t)memory;
  if (device == NULL || index >= miaow_count() || base % kAlignment != 0 || base + bytes < base ||
      (memory == NULL && bytes != 0))
    return MIAOW_INVALID_ARGUMENT;
  memset(device, 0, sizeof *device);
  device->control = devices[index];
  uint32_t id;
  if (!probe_read32(device->control + MIAOW_QUEUE_ID, &id) || id != MIAOW_QUEUE_ID_VALUE)
    return MIAOW_NOT_FOUND;
  device->units = miaow_read(device, MIAOW_QUEUE_UNITS);
  device->wavefronts = miaow_read(device, MIAOW_QUEUE_WAVEFRONTS);
  device->prefetch_bytes = miaow_read(device, MIAOW_QUEUE_PREFETCH_BYTES);
  /* Addresses below are prefetch memory's. */
  if (base < device->prefetch_bytes && bytes != 0) return MIAOW_INVALID_ARGUMENT;
  device->host_base = base;
  device->host_bytes = bytes;
  miaow_reset(device);
  return MIAOW_OK;
}

enum miaow_error miaow_allocate(struct miaow* device, enum miaow_place place, uint32_t bytes,
                                miaow_address* address) {
  if (device == NULL || address == NULL || bytes == 0) return MIAOW_INVALID_ARGUMENT;
  const bool near = place == MIAOW_PREFETCH;
  uint32_t* first = near ? &device->prefetch_free : &device->host_free;
  const uint32_t end = near ? device->prefetch_bytes : device->host_base + device->host_bytes;
  if (*first > end || bytes > end - *first) return MIAOW_OUT_OF_MEMORY;
  *address = *first;
  const uint32_t rest = end - *first;
  const uint32_t whole = bytes > UINT32_MAX - kAlignment
                             ? rest
                             : (bytes + kAlignment - 1) & ~(uint32_t)(kAlignment - 1);
  *first += whole < rest ? whole : rest;
  return MIAOW_OK;
}

bool miaow_in_prefetch(const struct miaow* device, miaow_address address, uint32_t bytes) {
  return address >= kNullPageBytes && address <= device->prefetch_free &&
         bytes <= device->prefetch_free - address;
}
bool miaow_in_host(const struct miaow* device, miaow_address address, uint32_t bytes) {
  return address >= device->host_base && address <= device->host_free &&
         bytes <= device->host_free - address;
}

void miaow_write_prefetch(struct miaow* device, miaow_address to, uint32_t word) {
  miaow_write(device, MIAOW_PREFETCH_ADDRESS, to);
  miaow_write(device, MIAOW_LOAD_DATA, word);
  miaow_write(device, MIAOW_DONE, 1);
  miaow_write(device, MIAOW_DONE, 0);
}

/* Whether a copy can be made: while a grid runs prefetch memory is its own. */
static enum miaow_error check_copy(const struct miaow* device, const void* data,
                                   miaow_address address, uint32_t bytes) {
  if (device == NULL || data == NULL || address % 4 != 0 || bytes % 4 != 0 ||
      (!miaow_in_prefetch(device, address, bytes) && !miaow_in_host(device, address, bytes)))
    return MIAOW_INVALID_ARGUMENT;
  return device->running ? MIAOW_BUSY : MIAOW_OK;
}

enum miaow_error miaow_copy_to_device(struct miaow* device, miaow_address to, const void* from,
                                      uint32_t bytes) {
  const enum miaow_error error = check_copy(device, from, to, bytes);
  if (error != MIAOW_OK) return error;
  if (miaow_in_host(device, to, bytes)) {
    memcpy((void*)(uintptr_t)to, from, bytes);
    return MIAOW_OK;
  }
  for (uint32_t at = 0; at < bytes; at += 4) {
    uint32_t word;
    memcpy(&word, (const char*)from + at, sizeof word);
    miaow_write_prefetch(device, to + at, word);
  }
  return MIAOW_OK;
}

enum miaow_error miaow_copy_from_device(struct miaow* device, void* to, miaow_address from,
                                        uint32_t bytes) {
  const enum miaow_error error = check_copy(device, to, from, bytes);
  if (error != MIAOW_OK) return error;
  if (miaow_in_host(device, from, bytes)) {
    memcpy(to, (const void*)(uintptr_t)from, bytes);
    return MIAOW_OK;
  }
  for (uint32_t at = 0; at < bytes; at += 4) {
    miaow_write(device, MIAOW_PREFETCH_ADDRESS, from + at);
    const uint32_t word = miaow_read(device, MIAOW_STORE_DATA);
    memcpy((char*)to + at, &word, sizeof word);
  }
  return MIAOW_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory: a first-fit allocator over a list of blocks in address order, kept in host
 * memory, and copies.  Both kinds of device memory (the device's window, DDR3 that the host
 * shares) are reached by ordinary loads and stores; only the base differs. */
#include <stdlib.h>
#include <string.h>

#include "bsp/cache.h"
#include "bsp/io.h"
#include "driver/module.h"

enum { kAlignment = kNullPageBytes };

struct gpgpu_memory_block {
  struct gpgpu_memory_block* next;
  gpgpu_address address;
  uint32_t bytes; /* multiples of kAlignment */
  bool used;
};

/* Provided by bsp/linker.ld. */
extern char _device_memory_start[], _device_memory_end[];

static void discard(struct gpgpu* gpu) {
  while (gpu->memory != NULL) {
    struct gpgpu_memory_block* block = gpu->memory;
    gpu->memory = block->next;
    free(block);
  }
}

enum gpgpu_error memory_initialize(struct gpgpu* gpu) {
  discard(gpu);
  gpgpu_address start = kNullPageBytes;
  if (gpu->properties.global_on_bus) {
    const uint32_t part =
        (uint32_t)(_device_memory_end - _device_memory_start) / gpgpu_count() & ~(kAlignment - 1u);
    start = (gpgpu_address)_device_memory_start + gpu->index * part;
    gpu->properties.global_bytes = part;
  }
  struct gpgpu_memory_block* all = malloc(sizeof *all);
  if (all == NULL) return GPGPU_OUT_OF_MEMORY;
  *all = (struct gpgpu_memory_block){
      .address = start, .bytes = gpu->properties.global_bytes & ~(uint32_t)(kAlignment - 1)};
  gpu->memory = all;
  return GPGPU_OK;
}

enum gpgpu_error gpgpu_allocate(struct gpgpu* gpu, uint32_t bytes, gpgpu_address* address) {
  if (gpu == NULL || address == NULL || bytes == 0) return GPGPU_INVALID_ARGUMENT;
  *address = GPGPU_NULL;
  if (bytes > gpu->properties.global_bytes) return GPGPU_OUT_OF_MEMORY;
  bytes = (bytes + kAlignment - 1) & ~(uint32_t)(kAlignment - 1);
  for (struct gpgpu_memory_block* block = gpu->memory; block != NULL; block = block->next) {
    if (block->used || block->bytes < bytes) continue;
    if (block->bytes > bytes) {
      struct gpgpu_memory_block* rest = malloc(sizeof *rest);
      if (rest == NULL) return GPGPU_OUT_OF_MEMORY;
      *rest = (struct gpgpu_memory_block){
          .next = block->next, .address = block->address + bytes, .bytes = block->bytes - bytes};
      block->next = rest;
      block->bytes = bytes;
    }
    block->used = true;
    *address = block->address;
    return GPGPU_OK;
  }
  return GPGPU_OUT_OF_MEMORY;
}

/* Joins a free block with the free blocks after it. */
static void merge(struct gpgpu_memory_block* block) {
  while (block->next != NULL && !block->used && !block->next->used) {
    struct gpgpu_memory_block* next = block->next;
    block->bytes += next->bytes;
    block->next = next->next;
    free(next);
  }
}

enum gpgpu_error gpgpu_free(struct gpgpu* gpu, gpgpu_address address) {
  if (gpu == NULL) return GPGPU_INVALID_ARGUMENT;
  struct gpgpu_memory_block* previous = NULL;
  for (struct gpgpu_memory_block* block = gpu->memory; block != NULL; block = block->next) {
    if (block->address == address && block->used) {
      block->used = false;
      merge(block);
      if (previous != NULL) merge(previous);
      return GPGPU_OK;
    }
    previous = block;
  }
  return GPGPU_INVALID_ARGUMENT; /* never allocated, or freed already */
}

uint32_t gpgpu_free_bytes(const struct gpgpu* gpu) {
  uint32_t bytes = 0;
  for (const struct gpgpu_memory_block* block = gpu->memory; block != NULL; block = block->next)
    if (!block->used) bytes += block->bytes;
  return bytes;
}

/* Where the host sees [address, address + bytes); null if that is not all in one allocation. */
static char* seen_by_host(const struct gpgpu* gpu, gpgpu_address address, uint32_t bytes) {
  for (const struct gpgpu_memory_block* block = gpu->memory; block != NULL; block = block->next) {
    const uint32_t offset = address - block->address;
    if (address < block->address || offset >= block->bytes) continue;
    if (!block->used || bytes > block->bytes - offset) return NULL;
    return (char*)(gpu->properties.global_on_bus ? address : gpu->window + address);
  }
  return NULL;
}

/* In DDR3 the host's data cache is between the host and what the device sees.  Allocations are
 * whole cache lines, so nothing of the host's own is dropped with them.  What a kernel may have
 * changed since the host last looked is dropped before the host reads it, and before it writes a
 * part of a line: the rest of that line goes to memory with it. */
static void to_memory(const struct gpgpu* gpu, const void* memory, uint32_t bytes) {
  if (gpu->properties.global_on_bus) cache_flush(memory, bytes);
}
static void from_memory(const struct gpgpu* gpu, const void* memory, uint32_t bytes) {
  if (gpu->properties.global_on_bus) cache_invalidate(memory, bytes);
}
static void before_writing(const struct gpgpu* gpu, const char* memory, uint32_t bytes) {
  if (bytes == 0) return;
  from_memory(gpu, memory, 1);
  from_memory(gpu, memory + bytes - 1, 1);
}

enum gpgpu_error gpgpu_copy_to_device(struct gpgpu* gpu, gpgpu_address to, const void* from,
                                      uint32_t bytes) {
  if (gpu == NULL || (from == NULL && bytes > 0)) return GPGPU_INVALID_ARGUMENT;
  char* memory = seen_by_host(gpu, to, bytes);
  if (memory == NULL) return GPGPU_INVALID_ARGUMENT;
  before_writing(gpu, memory, bytes);
  memcpy(memory, from, bytes);
  to_memory(gpu, memory, bytes);
  return GPGPU_OK;
}

enum gpgpu_error gpgpu_copy_from_device(struct gpgpu* gpu, void* to, gpgpu_address from,
                                        uint32_t bytes) {
  if (gpu == NULL || (to == NULL && bytes > 0)) return GPGPU_INVALID_ARGUMENT;
  const char* memory = seen_by_host(gpu, from, bytes);
  if (memory == NULL) return GPGPU_INVALID_ARGUMENT;
  from_memory(gpu, memory, bytes);
  memcpy(to, memory, bytes);
  return GPGPU_OK;
}

enum gpgpu_error gpgpu_copy_on_device(struct gpgpu* gpu, gpgpu_address to, gpgpu_address from,
                                      uint32_t bytes) {
  if (gpu == NULL) return GPGPU_INVALID_ARGUMENT;
  char* target = seen_by_host(gpu, to, bytes);
  const char* source = seen_by_host(gpu, from, bytes);
  if (target == NULL || source == NULL) return GPGPU_INVALID_ARGUMENT;
  from_memory(gpu, source, bytes);
  before_writing(gpu, target, bytes);
  memmove(target, source, bytes);
  to_memory(gpu, target, bytes);
  return GPGPU_OK;
}

enum gpgpu_error gpgpu_fill(struct gpgpu* gpu, gpgpu_address to, uint32_t word, uint32_t words) {
  if (gpu == NULL || to % 4 != 0 || words > UINT32_MAX / 4) return GPGPU_INVALID_ARGUMENT;
  volatile uint32_t* memory = (volatile uint32_t*)seen_by_host(gpu, to, 4 * words);
  if (memory == NULL) return GPGPU_INVALID_ARGUMENT;
  before_writing(gpu, (const char*)memory, 4 * words);
  for (uint32_t i = 0; i < words; ++i) memory[i] = word;
  to_memory(gpu, (const void*)memory, 4 * words);
  return GPGPU_OK;
}

enum gpgpu_error gpgpu_bind_texture(struct gpgpu* gpu, unsigned texture, gpgpu_address address,
                                    uint32_t bytes) {
  if (gpu == NULL || texture >= FLEXGRIP_TEXTURES) return GPGPU_INVALID_ARGUMENT;
  if (bytes != 0 && seen_by_host(gpu, address, bytes) == NULL) return GPGPU_INVALID_ARGUMENT;
  if (!gpu->properties.textures) return GPGPU_OK;
  if ((io_read32(gpu->control + FLEXGRIP_STATUS) & FLEXGRIP_STATUS_RUNNING) != 0) return GPGPU_BUSY;
  io_write32(gpu->control + FLEXGRIP_TEXTURE_BASE(texture), address);
  io_write32(gpu->control + FLEXGRIP_TEXTURE_BYTES(texture), bytes);
  return GPGPU_OK;
}

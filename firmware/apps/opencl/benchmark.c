/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/opencl/benchmark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/memory_map.h"

/* The lower half of DDR3 is the device's, the upper one the host's arrays. */
enum { kHalf = GVP_DDR3_SIZE / 2 };

static struct miaow device;
static uint32_t* next_words;

enum miaow_error benchmark_open(void) {
  return miaow_open(&device, 0, (void*)GVP_DDR3_BASE, kHalf);
}
const struct miaow* benchmark_device(void) { return &device; }

void benchmark_begin(struct benchmark* b) {
  b->failed = b->differs = false;
  b->launches = 0;
  b->cycles = b->served_words = 0;
  b->checksum = 2166136261u;
  miaow_free_all(&device);
  next_words = (uint32_t*)(GVP_DDR3_BASE + kHalf);
}

void* host_words(uint32_t words) {
  const uint32_t* const end = (const uint32_t*)(GVP_DDR3_BASE + GVP_DDR3_SIZE);
  if (words > (uint32_t)(end - next_words)) {
    printf("opencl: the host has no memory left\n");
    exit(1);
  }
  uint32_t* const first = next_words;
  next_words += words;
  return first;
}

/* Returns whether all is well. */
static bool expect_ok(struct benchmark* b, const char* what, enum miaow_error error) {
  if (error == MIAOW_OK) return true;
  b->failed = true;
  printf("  %s: %s", what, miaow_error_string(error));
  if (error == MIAOW_FAULT || error == MIAOW_BAD_ADDRESS) {
    char text[160];
    miaow_describe_fault(miaow_last_fault(&device), text, sizeof text);
    printf(": %s", text);
  }
  printf("\n");
  return false;
}

miaow_address device_room(struct benchmark* b, uint32_t words) {
  miaow_address address;
  if (b->failed) return MIAOW_NULL;
  if (!b->host_memory && miaow_allocate(&device, MIAOW_PREFETCH, 4 * words, &address) == MIAOW_OK)
    return address;
  if (!expect_ok(b, "allocate", miaow_allocate(&device, MIAOW_HOST, 4 * words, &address)))
    return MIAOW_NULL;
  return address;
}

miaow_address device_words(struct benchmark* b, const void* data, uint32_t words) {
  const miaow_address address = device_room(b, words);
  device_write(b, address, data, words);
  return address;
}

void device_write(struct benchmark* b, miaow_address to, const void* data, uint32_t words) {
  if (!b->failed) expect_ok(b, "copy", miaow_copy_to_device(&device, to, data, 4 * words));
}

void device_read(struct benchmark* b, void* data, miaow_address from, uint32_t words) {
  if (b->failed)
    memset(data, 0, 4 * words);
  else
    expect_ok(b, "copy back", miaow_copy_from_device(&device, data, from, 4 * words));
}

void launch(struct benchmark* b, const struct miaow_kernel* kernel, struct extents all,
            struct extents group, const uint32_t* arguments, uint32_t words) {
  const struct miaow_launch request = {
      .groups = {all.x / group.x, all.y / group.y, all.z / group.z},
      .items = {group.x, group.y, group.z},
      .arguments = arguments,
      .argument_words = words};
  struct miaow_counters counters;
  if (b->failed) return;
  if (!expect_ok(b, kernel->name, miaow_start(&device, kernel, &request)) ||
      !expect_ok(b, kernel->name, miaow_wait(&device, 0)))
    return;
  miaow_read_counters(&device, &counters);
  b->cycles += counters.cycles;
  b->served_words += counters.served_words;
  ++b->launches;
}

struct extents tile(const struct benchmark* b, uint32_t side) {
  const uint32_t most = b->wide ? 16 : 8;
  const uint32_t least = side < most ? side : most;
  return (struct extents){least, least, 1};
}

struct extents row(const struct benchmark* b, uint32_t items) {
  const uint32_t most = b->wide ? 256 : 64;
  return (struct extents){items < most ? items : most, 1, 1};
}

uint32_t random_word(uint32_t* seed) {
  uint32_t x = *seed;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return *seed = x;
}

void random_integers(int32_t* values, uint32_t count, uint32_t seed) {
  for (uint32_t i = 0; i < count; ++i) values[i] = (int32_t)(random_word(&seed) >> 24) - 128;
}

void random_floats(float* values, uint32_t count, uint32_t seed) {
  for (uint32_t i = 0; i < count; ++i)
    values[i] = (float)(random_word(&seed) >> 8) * (1.0f / 8388608.0f) - 1.0f;
}

void check(struct benchmark* b, miaow_address result, const void* expected, uint32_t words) {
  uint32_t* const got = host_words(words);
  const uint32_t* const wanted = expected;
  uint32_t wrong = 0, first = 0;
  device_read(b, got, result, words);
  for (uint32_t i = 0; i < words; ++i) b->checksum = (b->checksum ^ got[i]) * 16777619u;
  if (b->failed || !b->verify) return;
  for (uint32_t i = 0; i < words; ++i)
    if (wanted[i] != got[i] && wrong++ == 0) first = i;
  if (wrong == 0) return;
  b->differs = true;
  printf("  %lu of %lu words differ; the first is [%lu]: MicroBlaze %08lx, GPGPU %08lx\n",
         (unsigned long)wrong, (unsigned long)words, (unsigned long)first,
         (unsigned long)wanted[first], (unsigned long)got[first]);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/chapter5/benchmark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostBuffers = 8 };

static struct gpgpu gpu;
static struct gpgpu_module* module;
static gpgpu_address buffers[kMostBuffers];
static unsigned buffer_count;

enum gpgpu_error benchmark_open(void) { return gpgpu_open(&gpu); }
const struct gpgpu_properties* benchmark_device(void) { return &gpu.properties; }

/* Returns whether all is well. */
static bool expect_ok(struct benchmark* b, const char* what, enum gpgpu_error error) {
  if (error == GPGPU_OK) return true;
  b->failed = true;
  printf("  %s: %s", what, gpgpu_error_string(error));
  if (error == GPGPU_FAULT) {
    char text[160];
    gpgpu_describe_fault(gpgpu_last_fault(&gpu), text, sizeof text);
    printf(": %s", text);
  } else if (error == GPGPU_BAD_IMAGE) {
    uint32_t line;
    const char* reason = gpgpu_image_error(&line);
    printf(": line %lu: %s", (unsigned long)line, reason);
  }
  printf("\n");
  return false;
}

void benchmark_begin(struct benchmark* b, bool verify, const struct kernel_image* image) {
  *b = (struct benchmark){.verify = verify, .checksum = 2166136261u};
  buffer_count = 0;
  module = NULL;
  expect_ok(b, "load", gpgpu_module_load(&gpu, image->text, image->bytes, &module));
}

void benchmark_end(struct benchmark* b) {
  while (buffer_count != 0) expect_ok(b, "free", gpgpu_free(&gpu, buffers[--buffer_count]));
  if (module != NULL) gpgpu_module_unload(&gpu, module);
  module = NULL;
}

void* host_memory(uint32_t count, uint32_t element_bytes) {
  void* memory = malloc((size_t)count * element_bytes);
  if (memory == NULL) {
    printf("chapter5: the host has no %lu bytes left\n", (unsigned long)(count * element_bytes));
    exit(1);
  }
  return memory;
}

gpgpu_address device_memory(struct benchmark* b, const void* data, uint32_t bytes) {
  gpgpu_address address;
  if (b->failed) return GPGPU_NULL;
  if (buffer_count == kMostBuffers) abort(); /* more buffers than any benchmark has */
  if (!expect_ok(b, "allocate", gpgpu_allocate(&gpu, bytes, &address))) return GPGPU_NULL;
  buffers[buffer_count++] = address;
  if (data != NULL)
    device_write(b, address, data, bytes);
  else
    expect_ok(b, "clear", gpgpu_fill(&gpu, address, 0, quotient_up(bytes, 4)));
  return address;
}

void device_write(struct benchmark* b, gpgpu_address to, const void* data, uint32_t bytes) {
  if (!b->failed) expect_ok(b, "copy", gpgpu_copy_to_device(&gpu, to, data, bytes));
}

void constant_write(struct benchmark* b, const char* variable, const void* data, uint32_t bytes) {
  if (!b->failed)
    expect_ok(b, variable, gpgpu_module_write_constant(&gpu, module, variable, 0, data, bytes));
}

void texture_bind(struct benchmark* b, gpgpu_address address, uint32_t bytes) {
  if (!b->failed) expect_ok(b, "texture", gpgpu_bind_texture(&gpu, 0, address, bytes));
}

void device_read(struct benchmark* b, void* data, gpgpu_address from, uint32_t bytes) {
  if (b->failed)
    memset(data, 0, bytes);
  else
    expect_ok(b, "copy back", gpgpu_copy_from_device(&gpu, data, from, bytes));
}

void launch(struct benchmark* b, const char* kernel, struct shape shape, const uint32_t* parameters,
            uint32_t count) {
  const struct gpgpu_function* function;
  struct gpgpu_counters counters;
  const struct gpgpu_launch request = {.grid_x = shape.grid_x,
                                       .grid_y = shape.grid_y,
                                       .block_x = shape.block_x,
                                       .block_y = shape.block_y,
                                       .block_z = 1,
                                       .dynamic_shared_bytes = shape.dynamic_shared_bytes,
                                       .parameters = parameters,
                                       .parameter_count = count};
  if (b->failed) return;
  if (!expect_ok(b, kernel, gpgpu_module_function(module, kernel, &function)) ||
      !expect_ok(b, kernel, gpgpu_start(&gpu, function, &request)) ||
      !expect_ok(b, kernel, gpgpu_wait(&gpu, 0)))
    return;
  gpgpu_read_counters(&gpu, &counters);
  b->cycles += counters.cycles;
  ++b->launches;
}

uint32_t float_word(float value) {
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  return word;
}

uint32_t random_word(uint32_t* seed) {
  uint32_t x = *seed;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return *seed = x;
}

float random_float(uint32_t* seed, float low, float high) {
  const float part = (float)(random_word(seed) >> 8) * (1.0f / 16777216.0f);
  return low + part * (high - low);
}

void random_words(uint32_t* words, uint32_t count, uint32_t seed) {
  for (uint32_t i = 0; i < count; ++i) words[i] = random_word(&seed);
}

void add_result(struct benchmark* b, const void* data, uint32_t bytes) {
  const unsigned char* byte = data;
  for (uint32_t i = 0; i < bytes; i += 4) {
    uint32_t word = 0;
    memcpy(&word, byte + i, bytes - i < 4 ? bytes - i : 4);
    b->checksum = (b->checksum ^ word) * 16777619u;
  }
}

void expect_words(struct benchmark* b, const uint32_t* expected, const uint32_t* got,
                  uint32_t count) {
  uint32_t wrong = 0, first = 0;
  if (b->failed) return;
  for (uint32_t i = 0; i < count; ++i)
    if (expected[i] != got[i] && wrong++ == 0) first = i;
  if (wrong == 0) return;
  b->differs = true;
  printf("  %lu of %lu elements differ; the first is [%lu]: MicroBlaze %08lx, GPGPU %08lx\n",
         (unsigned long)wrong, (unsigned long)count, (unsigned long)first,
         (unsigned long)expected[first], (unsigned long)got[first]);
}

static float magnitude(float value) { return value < 0 ? -value : value; }

void expect_floats(struct benchmark* b, const float* expected, const float* got, uint32_t count) {
  const float tolerance = 2e-5f;
  uint32_t wrong = 0, first = 0;
  if (b->failed) return;
  for (uint32_t i = 0; i < count; ++i) {
    const float size = magnitude(expected[i]);
    /* not "greater", so that a NaN is wrong */
    if (!(magnitude(expected[i] - got[i]) <= tolerance * (size > 1 ? size : 1)) && wrong++ == 0)
      first = i;
  }
  if (wrong == 0) return;
  b->differs = true;
  printf("  %lu of %lu elements differ; the first is [%lu]: MicroBlaze %g, GPGPU %g\n",
         (unsigned long)wrong, (unsigned long)count, (unsigned long)first, (double)expected[first],
         (double)got[first]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The GPGPU and its driver, as long as all goes well. */
#include "apps/selftest_gpgpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bsp/io.h"
#include "bsp/timer.h"

struct gpgpu gpu;
bool gpu_found;

enum gpgpu_error run(const struct gpgpu_function* function, struct gpgpu_launch launch,
                     const uint32_t* parameters, uint32_t count) {
  launch.parameters = parameters;
  launch.parameter_count = count;
  const enum gpgpu_error error = gpgpu_start(&gpu, function, &launch);
  return error == GPGPU_OK ? gpgpu_wait(&gpu, kTimeoutUs) : error;
}

const struct gpgpu_function* find(const struct gpgpu_module* module, const char* name) {
  const struct gpgpu_function* function;
  if (gpgpu_module_function(module, name, &function) == GPGPU_OK) return function;
  check(false, name);
  return NULL;
}

static void check_device(void) {
  const struct gpgpu_properties* p = &gpu.properties;
  printf(
      "  FlexGrip: %lu SM of %lu SPs, %lu warps, %lu registers and %lu bytes shared an SM,\n"
      "  %lu threads a block, warp stack of %lu, %lu KiB of global memory in %s\n",
      (unsigned long)p->sms, (unsigned long)p->sps_per_sm, (unsigned long)p->warps_per_sm,
      (unsigned long)p->registers_per_sm, (unsigned long)p->shared_bytes_per_sm,
      (unsigned long)p->threads_per_block, (unsigned long)p->stack_depth,
      (unsigned long)(p->global_bytes / 1024), p->global_on_bus ? "DDR3" : "block RAM");
  check(p->sms > 0 && p->warps_per_sm > 0 && p->threads_per_block >= 32 && p->global_bytes > 0,
        "the device's properties make sense");
}

static void check_memory_allocation(void) {
  gpgpu_address a, b, c, d;
  const uint32_t all = gpgpu_free_bytes(&gpu);
  check(gpgpu_allocate(&gpu, 1, &a) == GPGPU_OK && gpgpu_allocate(&gpu, 1000, &b) == GPGPU_OK &&
            gpgpu_allocate(&gpu, 256, &c) == GPGPU_OK,
        "allocate three pieces of device memory");
  check(a % 256 == 0 && b % 256 == 0 && b - a >= 256 && c - b >= 1024,
        "they are aligned and do not overlap");
  check(gpgpu_free(&gpu, b) == GPGPU_OK && gpgpu_allocate(&gpu, 512, &d) == GPGPU_OK && d == b,
        "freed memory is used again");
  check(gpgpu_free(&gpu, d) == GPGPU_OK && gpgpu_free(&gpu, a) == GPGPU_OK &&
            gpgpu_free(&gpu, c) == GPGPU_OK && gpgpu_free_bytes(&gpu) == all &&
            gpgpu_allocate(&gpu, all, &a) == GPGPU_OK && gpgpu_free(&gpu, a) == GPGPU_OK,
        "freed neighbours become one piece");

  static uint8_t data[300], back[300];
  for (unsigned i = 0; i < sizeof data; ++i) data[i] = (uint8_t)(7 * i + 1);
  bool ok = gpgpu_allocate(&gpu, 1024, &a) == GPGPU_OK && gpgpu_fill(&gpu, a, 0, 256) == GPGPU_OK;
  for (uint32_t offset = 0; offset < 4; ++offset) { /* every alignment */
    memset(back, 0, sizeof back);
    ok &= gpgpu_copy_to_device(&gpu, a + offset, data, sizeof data) == GPGPU_OK &&
          gpgpu_copy_from_device(&gpu, back, a + offset, sizeof back) == GPGPU_OK &&
          memcmp(data, back, sizeof data) == 0;
  }
  check(ok, "copies to the device and back, all alignments");
  memset(back, 0, sizeof back);
  check(gpgpu_copy_on_device(&gpu, a + 512, a + 3, sizeof data) == GPGPU_OK &&
            gpgpu_copy_from_device(&gpu, back, a + 512, sizeof back) == GPGPU_OK &&
            memcmp(data, back, sizeof data) == 0,
        "a copy within the device");
  check(gpgpu_bind_texture(&gpu, 7, a, 1024) == GPGPU_OK &&
            gpgpu_bind_texture(&gpu, 8, a, 1024) == GPGPU_INVALID_ARGUMENT &&
            gpgpu_bind_texture(&gpu, 7, a, 1025) == GPGPU_INVALID_ARGUMENT &&
            (!gpu.properties.textures ||
             (io_read32(gpu.control + FLEXGRIP_TEXTURE_BASE(7)) == a &&
              io_read32(gpu.control + FLEXGRIP_TEXTURE_BYTES(7)) == 1024)) &&
            gpgpu_bind_texture(&gpu, 7, GPGPU_NULL, 0) == GPGPU_OK,
        "device memory is a texture, other memory is none");
  gpgpu_free(&gpu, a);
}

/* Devices can be built without a multiplier or a third operand; kernels that need them are stopped.
 */
static bool can_multiply(void) {
  return gpu.properties.multiplier && gpu.properties.three_operands;
}

static void check_unsupported(const struct gpgpu_module* module, gpgpu_address out) {
  const uint32_t parameters[] = {out, 0};
  const enum gpgpu_error error =
      run(find(module, "number"), (struct gpgpu_launch){1, 1, 32, 1, 1, 0, NULL, 0}, parameters, 2);
  check(error == GPGPU_FAULT &&
            gpgpu_last_fault(&gpu)->cause == FLEXGRIP_CAUSE_UNSUPPORTED_INSTRUCTION,
        "an instruction that this device has no unit for stops the kernel");
  check_skip("kernels that multiply", "this device cannot");
}

/* Both ways to wait, constants of module and kernel, parameters. */
static void check_number(const struct gpgpu_module* module, gpgpu_address out, uint32_t* back) {
  enum { kBlocks = 5, kThreads = 40 };
  const struct gpgpu_function* function = find(module, "number");
  const uint32_t parameters[] = {out, 100000};
  for (unsigned interrupt = 0; interrupt < 2; ++interrupt) {
    gpgpu_use_interrupt(&gpu, interrupt != 0);
    const uint32_t before = interrupt_count(GVP_IRQ_GPGPU);
    bool ok = gpgpu_fill(&gpu, out, 0xFFFFFFFF, kWords) == GPGPU_OK &&
              run(function, (struct gpgpu_launch){kBlocks, 1, kThreads, 1, 1, 0, NULL, 0},
                  parameters, 2) == GPGPU_OK &&
              gpgpu_copy_from_device(&gpu, back, out, 4 * kWords) == GPGPU_OK;
    for (uint32_t i = 0; i < kWords; ++i)
      ok &= back[i] == (i < kBlocks * kThreads ? 3 * i + 1000 + 100000 : 0xFFFFFFFF);
    check(ok, interrupt ? "a kernel, waiting for its interrupt" : "a kernel, polling");
    if (interrupt) check(interrupt_count(GVP_IRQ_GPGPU) > before, "the interrupt came");
  }
  gpgpu_use_interrupt(&gpu, false);
  struct gpgpu_counters counters;
  gpgpu_read_counters(&gpu, &counters);
  check(counters.cycles > 0 && counters.thread_instructions >= kBlocks * kThreads * 11u &&
            counters.warp_instructions >= kBlocks * 2 * 11u,
        "the counters counted it");
}

static volatile uint32_t ticks;
static void count_tick(void* unused) {
  (void)unused;
  ++ticks;
}

/* Two sources of interrupts at a time: ticks at 1 kHz while kernels run and signal their end. */
static void check_ticks_beside_kernels(const struct gpgpu_module* module, gpgpu_address out,
                                       uint32_t* back) {
  enum { kBlocks = 8, kThreads = 32, kTicks = 5, kMostKernels = 10000 };
  const struct gpgpu_function* function = find(module, "number");
  bool ok = true;
  uint32_t kernels = 0;
  const uint32_t before = interrupt_count(GVP_IRQ_GPGPU);
  ticks = 0;
  gpgpu_use_interrupt(&gpu, true);
  timer_tick_start(TIMER_HZ / 1000, count_tick, NULL);
  while (ok && ticks < kTicks && kernels < kMostKernels) {
    const uint32_t parameters[] = {out, kernels};
    ok = run(function, (struct gpgpu_launch){kBlocks, 1, kThreads, 1, 1, 0, NULL, 0}, parameters,
             2) == GPGPU_OK &&
         gpgpu_copy_from_device(&gpu, back, out, 4 * kWords) == GPGPU_OK;
    for (uint32_t i = 0; i < kWords; ++i) ok &= back[i] == 3 * i + 1000 + kernels;
    ++kernels;
  }
  timer_tick_stop();
  gpgpu_use_interrupt(&gpu, false);
  check(ok && ticks >= kTicks, "ticks at 1 kHz come while kernels run, whose results are right");
  check(interrupt_count(GVP_IRQ_GPGPU) - before >= kernels, "and each kernel's interrupt came");
}

static void check_indices(const struct gpgpu_module* module, gpgpu_address out, uint32_t* back) {
  const struct gpgpu_launch launch = {3, 2, 4, 3, 2, 0, NULL, 0};
  bool ok = run(find(module, "indices"), launch, &out, 1) == GPGPU_OK &&
            gpgpu_copy_from_device(&gpu, back, out, 4 * kWords) == GPGPU_OK;
  uint32_t i = 0;
  for (uint32_t block = 0; block < 6; ++block)
    for (uint32_t z = 0; z < 2; ++z)
      for (uint32_t y = 0; y < 3; ++y)
        for (uint32_t x = 0; x < 4; ++x) ok &= back[i++] == (x | y << 8 | z << 16 | block << 24);
  check(ok, "indices of threads and blocks in three and two dimensions");
}

static void check_divergence(const struct gpgpu_module* module, gpgpu_address out, uint32_t* back) {
  const uint32_t parameters[] = {out, 37};
  bool ok = run(find(module, "diverge"), (struct gpgpu_launch){1, 1, 64, 1, 1, 0, NULL, 0},
                parameters, 2) == GPGPU_OK &&
            gpgpu_copy_from_device(&gpu, back, out, 256) == GPGPU_OK;
  for (uint32_t i = 0; i < 64; ++i) ok &= back[i] == (i < 37 ? i % 16 : 0 - i % 16);
  check(ok, "nested divergence and reconvergence");
}

static void check_written_constant(struct gpgpu_module* module, gpgpu_address out, uint32_t* back) {
  const uint32_t scale = 5, parameters[] = {out, 0};
  bool ok = gpgpu_module_write_constant(&gpu, module, "scale", 0, &scale, 4) == GPGPU_OK &&
            run(find(module, "number"), (struct gpgpu_launch){1, 1, 64, 1, 1, 0, NULL, 0},
                parameters, 2) == GPGPU_OK &&
            gpgpu_copy_from_device(&gpu, back, out, 256) == GPGPU_OK;
  for (uint32_t i = 0; i < 64; ++i) ok &= back[i] == 5 * i + 1000;
  check(ok, "a module's constant, written by the host");
}

static void check_kernels(struct gpgpu_module* module, gpgpu_address out, uint32_t* back) {
  const struct gpgpu_launch block = {1, 1, 64, 1, 1, 0, NULL, 0};
  struct gpgpu_launch dynamic = block;
  dynamic.dynamic_shared_bytes = 256;
  bool ok = run(find(module, "dynamic_shared"), dynamic, &out, 1) == GPGPU_OK &&
            gpgpu_copy_from_device(&gpu, back, out, 256) == GPGPU_OK;
  for (uint32_t i = 0; i < 64; ++i) ok &= back[i] == (i + 1) % 64;
  check(ok, "dynamic shared memory and a barrier");

  ok = run(find(module, "local"), block, &out, 1) == GPGPU_OK &&
       gpgpu_copy_from_device(&gpu, back, out, 256) == GPGPU_OK;
  for (uint32_t i = 0; i < 64; ++i) ok &= back[i] == i;
  check(ok, "local memory");

  if (gpu.properties.stack_depth >= 20) {
    check_divergence(module, out, back);
  } else {
    check_skip("nested divergence", "the warp stack of this device is not deep enough");
  }

  gpgpu_address counter;
  uint32_t value = 41;
  ok = gpgpu_module_global(module, "counter", &counter, NULL) == GPGPU_OK &&
       gpgpu_copy_to_device(&gpu, counter, &value, 4) == GPGPU_OK &&
       run(find(module, "count"), (struct gpgpu_launch){1, 1, 1, 1, 1, 0, NULL, 0}, NULL, 0) ==
           GPGPU_OK &&
       gpgpu_copy_from_device(&gpu, &value, counter, 4) == GPGPU_OK;
  check(ok && value == 42, "a module's variable in device memory");
}

void check_gpgpu(void) {
  check_group("GPGPU");
  const enum gpgpu_error error = gpgpu_open(&gpu);
  gpu_found = error == GPGPU_OK;
  if (!gpu_found) {
    check_skip("GPGPU", gpgpu_error_string(error));
    if (error != GPGPU_NOT_FOUND) check(false, "the GPGPU is one this driver knows");
    return;
  }
  check_device();
  check_memory_allocation();
  struct gpgpu_module* module;
  static uint32_t back[kWords];
  gpgpu_address out;
  if (!check(gpgpu_module_load(&gpu, kernel_checks.text, kernel_checks.bytes, &module) == GPGPU_OK,
             "load a module"))
    return;
  if (check(gpgpu_allocate(&gpu, 4 * kWords, &out) == GPGPU_OK, "memory for results")) {
    check_kernels(module, out, back);
    if (can_multiply()) {
      check_number(module, out, back);
      check_ticks_beside_kernels(module, out, back);
      check_indices(module, out, back);
      check_written_constant(module, out, back);
    } else {
      check_unsupported(module, out);
    }
    gpgpu_free(&gpu, out);
  }
  gpgpu_module_unload(&gpu, module);
  check_equal(gpgpu_free_bytes(&gpu), gpu.properties.global_bytes, "unloading frees its memory");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that can go wrong with a GPGPU, on purpose: what the driver refuses, what the device
 * refuses, what stops a running kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/selftest_gpgpu.h"
#include "bsp/exception.h"
#include "bsp/timer.h"

static const struct gpgpu_launch one_warp = {1, 1, 32, 1, 1, 0, NULL, 0};

static void check_error(enum gpgpu_error got, enum gpgpu_error expected, const char* name) {
  if (!check(got == expected, name))
    printf("        got \"%s\", expected \"%s\"\n", gpgpu_error_string(got),
           gpgpu_error_string(expected));
}

static void check_images(void) {
  static const struct {
    const char *text, *name;
    uint32_t line;
  } bad[] = {
      {"", "an empty image", 1},
      {"hello = 1", "text that is no cubin", 1},
      {"architecture {sm_20}\n", "code for another architecture", 1},
      {"code {\n  name = k\n  reg = 3\n", "an image that ends too early", 4},
      {"code {\n  name = k\n  bincode {\n    0x10 0xZZ }\n}\n", "a number that is none", 4},
      {"code {\n  name = k\n  reg = 999\n", "too many registers in the image", 3},
      {"code {\n  name = k\n}\n", "a kernel without code", 4},
  };
  struct gpgpu_module* module;
  for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    const enum gpgpu_error error =
        gpgpu_module_load(&gpu, bad[i].text, strlen(bad[i].text), &module);
    uint32_t line = 0;
    const char* why = gpgpu_image_error(&line);
    if (!check(error == GPGPU_BAD_IMAGE && module == NULL && line == bad[i].line, bad[i].name))
      printf("        \"%s\", line %lu: %s\n", gpgpu_error_string(error), (unsigned long)line, why);
  }
}

static void check_arguments(const struct gpgpu_module* checks) {
  gpgpu_address address;
  const struct gpgpu_function* function;
  uint32_t word = 0;
  check_error(gpgpu_module_function(checks, "nobody", &function), GPGPU_NO_SUCH_FUNCTION,
              "a kernel that is not there");
  check_error(gpgpu_allocate(&gpu, 0, &address), GPGPU_INVALID_ARGUMENT, "allocating nothing");
  check_error(gpgpu_allocate(&gpu, 0x40000000, &address), GPGPU_OUT_OF_MEMORY,
              "allocating more than there is");
  check_error(gpgpu_allocate(&gpu, 256, &address), GPGPU_OK, "allocating a little");
  check_error(gpgpu_copy_to_device(&gpu, address + 254, &word, 4), GPGPU_INVALID_ARGUMENT,
              "copying over the end of the allocation");
  check_error(gpgpu_free(&gpu, address + 4), GPGPU_INVALID_ARGUMENT, "freeing the middle of it");
  check_error(gpgpu_free(&gpu, address), GPGPU_OK, "freeing it");
  check_error(gpgpu_free(&gpu, address), GPGPU_INVALID_ARGUMENT, "freeing it twice");
  check_error(gpgpu_copy_from_device(&gpu, &word, address, 4), GPGPU_INVALID_ARGUMENT,
              "reading it after that");
  check_error(run(find(checks, "number"), one_warp, &word, 1), GPGPU_TOO_MANY_PARAMETERS,
              "the wrong number of parameters");
  check_error(
      run(find(checks, "count"), (struct gpgpu_launch){0, 1, 32, 1, 1, 0, NULL, 0}, NULL, 0),
      GPGPU_INVALID_ARGUMENT, "a grid without blocks");
}

/* The driver refuses, and without it the device does. */
static void check_refusal(const struct gpgpu_function* function, struct gpgpu_launch launch,
                          enum gpgpu_error error, uint32_t cause, const char* name) {
  char text[80];
  snprintf(text, sizeof text, "%s: the driver refuses", name);
  check_error(gpgpu_start(&gpu, function, &launch), error, text);
  snprintf(text, sizeof text, "%s: the device refuses", name);
  check_error(gpgpu_start_unchecked(&gpu, function, &launch), GPGPU_OK, "start it regardless");
  check_error(gpgpu_wait(&gpu, kTimeoutUs), GPGPU_FAULT, text);
  check_equal(gpgpu_last_fault(&gpu)->cause, cause, gpgpu_cause_string(cause));
}

static void check_refusals(const struct gpgpu_module* checks) {
  const struct gpgpu_properties* p = &gpu.properties;
  const struct gpgpu_function* count = find(checks, "count");
  struct gpgpu_launch launch = one_warp;
  launch.block_x = p->threads_per_block;
  launch.block_y = 2;
  check_refusal(count, launch, GPGPU_TOO_MANY_THREADS, FLEXGRIP_CAUSE_TOO_MANY_THREADS,
                "too many threads");
  launch.block_y = 1;
  if (128 * p->threads_per_block > p->registers_per_sm)
    check_refusal(find(checks, "many_registers"), launch, GPGPU_TOO_MANY_REGISTERS,
                  FLEXGRIP_CAUSE_TOO_MANY_REGISTERS, "too many registers");
  else
    check_skip("too many registers", "this device has enough for any block");
  launch = one_warp;
  launch.dynamic_shared_bytes = p->shared_bytes_per_sm;
  check_refusal(count, launch, GPGPU_TOO_MUCH_SHARED, FLEXGRIP_CAUSE_TOO_MUCH_SHARED,
                "too much shared memory");
  launch = one_warp;
  launch.block_y = 0;
  check_error(gpgpu_start_unchecked(&gpu, count, &launch), GPGPU_OK, "a block without threads");
  check_error(gpgpu_wait(&gpu, kTimeoutUs), GPGPU_FAULT, "the device refuses it");
  check_equal(gpgpu_last_fault(&gpu)->cause, FLEXGRIP_CAUSE_BAD_CONFIGURATION,
              gpgpu_cause_string(FLEXGRIP_CAUSE_BAD_CONFIGURATION));
}

enum { kAnyPc = 1 }; /* no instruction has an odd address */

/* Runs a kernel that must be stopped for this cause at this instruction. */
static void check_fault(const struct gpgpu_module* faults, const char* kernel,
                        struct gpgpu_launch launch, const uint32_t* parameter, uint32_t cause,
                        uint32_t pc) {
  const struct gpgpu_function* function = find(faults, kernel);
  if (function == NULL) return;
  const enum gpgpu_error error = run(function, launch, parameter, parameter != NULL ? 1 : 0);
  const struct gpgpu_fault* fault = gpgpu_last_fault(&gpu);
  char text[160];
  snprintf(text, sizeof text, "%s: %s", kernel, gpgpu_cause_string(cause));
  if (check(error == GPGPU_FAULT && fault->cause == cause && (pc == kAnyPc || fault->pc == pc),
            text))
    return;
  gpgpu_describe_fault(fault, text, sizeof text);
  printf("        %s: %s\n", gpgpu_error_string(error), text);
}

static void check_faults(const struct gpgpu_module* faults) {
  const struct gpgpu_launch one_thread = {1, 1, 1, 1, 1, 0, NULL, 0};
  const struct gpgpu_launch two_warps = {1, 1, 64, 1, 1, 0, NULL, 0};
  gpgpu_address address = GPGPU_NULL;
  gpgpu_allocate(&gpu, 256, &address);
  const uint32_t odd = address + 2, nowhere = 0xF0000000;
  const uint32_t outside =
      gpu.properties.global_on_bus ? FLEXGRIP_CAUSE_BUS_ERROR : FLEXGRIP_CAUSE_GLOBAL_OUT_OF_RANGE;
  if (run(find(faults, "load"), one_thread, &nowhere, 1) == GPGPU_OK) {
    check_skip("accesses to global memory out of place", "this device takes any address");
  } else {
    check_fault(faults, "load", one_thread, &odd, FLEXGRIP_CAUSE_MISALIGNED, 8);
    check_equal(gpgpu_last_fault(&gpu)->address, odd, "the fault register has the address");
    check_fault(faults, "store", one_thread, &odd, FLEXGRIP_CAUSE_MISALIGNED, 8);
    check_fault(faults, "load", one_warp, &nowhere, outside, 8);
    check_fault(faults, "store", one_warp, &nowhere, outside, 8);
  }
  gpgpu_free(&gpu, address);
  check_fault(faults, "illegal", one_warp, NULL, FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION, 8);
  check_fault(faults, "shared_out_of_range", one_warp, NULL, FLEXGRIP_CAUSE_SHARED_OUT_OF_RANGE,
              0x10);
  check_fault(faults, "constant_out_of_range", one_warp, NULL, FLEXGRIP_CAUSE_CONSTANT_OUT_OF_RANGE,
              8);
  check_fault(faults, "local_out_of_range", one_warp, NULL, FLEXGRIP_CAUSE_LOCAL_OUT_OF_RANGE, 8);
  check_fault(faults, "code_out_of_range", one_warp, NULL, FLEXGRIP_CAUSE_CODE_OUT_OF_RANGE,
              kAnyPc);
  check_fault(faults, "stack_overflow", one_warp, NULL, FLEXGRIP_CAUSE_STACK_OVERFLOW, 0);
  check_fault(faults, "stack_underflow", one_warp, NULL, FLEXGRIP_CAUSE_STACK_UNDERFLOW, 8);
  check_fault(faults, "trapped", one_warp, NULL, FLEXGRIP_CAUSE_TRAP, 8);
  check_fault(faults, "deadlock", two_warps, NULL, FLEXGRIP_CAUSE_BARRIER_DEADLOCK, kAnyPc);
  gpgpu_use_interrupt(&gpu, true);
  check_fault(faults, "trapped", one_warp, NULL, FLEXGRIP_CAUSE_TRAP, 8);
  gpgpu_use_interrupt(&gpu, false);
}

static volatile uint32_t ticks;
static void count_tick(void* unused) {
  (void)unused;
  ++ticks;
}

/* A clock tick of 1 kHz goes on while the host waits for the device's interrupt. */
static void check_ticks_meanwhile(const struct gpgpu_function* endless) {
  ticks = 0;
  gpgpu_use_interrupt(&gpu, true);
  timer_tick_start(TIMER_HZ / 1000, count_tick, NULL);
  check_error(gpgpu_start(&gpu, endless, &one_warp), GPGPU_OK, "start it, interrupt enabled");
  check_error(gpgpu_wait(&gpu, 5500), GPGPU_TIMEOUT, "no interrupt comes");
  timer_tick_stop();
  check(ticks >= 4, "the timer ticked meanwhile");
  gpgpu_abort(&gpu);
  gpgpu_use_interrupt(&gpu, false);
}

static void check_endless(const struct gpgpu_module* faults, const struct gpgpu_module* checks) {
  const struct gpgpu_function* endless = find(faults, "endless");
  check_error(gpgpu_start(&gpu, endless, &one_warp), GPGPU_OK, "start a kernel that never ends");
  check_error(gpgpu_wait(&gpu, 1000), GPGPU_TIMEOUT, "waiting for it times out");
  check_error(gpgpu_start(&gpu, endless, &one_warp), GPGPU_BUSY, "another start finds it busy");
  exception_expect();
  io_write32(gpu.control + FLEXGRIP_GRID_X, 1);
  const enum exception_cause cause = exception_taken(NULL);
  if (cause == EXCEPTION_NONE)
    check_skip("launch registers are locked", "the core has no bus errors");
  else
    check_equal(cause, EXCEPTION_DATA_BUS, "launch registers are locked: bus error");
  gpgpu_abort(&gpu);
  check_equal(gpgpu_last_fault(&gpu)->cause, FLEXGRIP_CAUSE_ABORTED, "it can be aborted");
  check_ticks_meanwhile(endless);
  gpgpu_address out;
  uint32_t word = 0;
  bool ok = gpgpu_allocate(&gpu, 256, &out) == GPGPU_OK;
  ok = ok && run(find(checks, "local"), one_warp, &out, 1) == GPGPU_OK &&
       gpgpu_copy_from_device(&gpu, &word, out + 4, 4) == GPGPU_OK && word == 1;
  check(ok, "the next kernel runs as if nothing had happened");
  gpgpu_reset(&gpu);
  check_equal(gpgpu_free_bytes(&gpu), gpu.properties.global_bytes, "a reset frees all memory");
}

void check_gpgpu_errors(void) {
  check_group("GPGPU errors");
  if (!gpu_found) {
    check_skip("GPGPU errors", "no GPGPU");
    return;
  }
  bool strings = true;
  for (int i = 0; i < GPGPU_ERRORS; ++i)
    strings &= strcmp(gpgpu_error_string((enum gpgpu_error)i), "unknown error") != 0;
  for (uint32_t i = 0; i <= FLEXGRIP_CAUSE_ABORTED; ++i)
    strings &= (i > FLEXGRIP_CAUSE_TOO_MANY_BLOCKS && i < FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION) ||
               strcmp(gpgpu_cause_string(i), "unknown cause") != 0;
  check(strings, "every error and every cause has a text");
  check_images();
  struct gpgpu_module *checks = NULL, *faults = NULL;
  if (!check(
          gpgpu_module_load(&gpu, kernel_checks.text, kernel_checks.bytes, &checks) == GPGPU_OK &&
              gpgpu_module_load(&gpu, kernel_faults.text, kernel_faults.bytes, &faults) == GPGPU_OK,
          "load two modules"))
    return;
  check_arguments(checks);
  check_refusals(checks);
  check_faults(faults);
  check_endless(faults, checks);
  gpgpu_module_unload(&gpu, faults);
  gpgpu_module_unload(&gpu, checks);
}

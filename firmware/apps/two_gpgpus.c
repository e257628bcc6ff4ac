/* SPDX-License-Identifier: Apache-2.0 */
/* For a board with several GPGPUs: gives each its part of one job, lets them all work at the same
 * time, and puts the results together.
 *
 * Exit code: 0 all is right, 1 a result is wrong or a driver call failed, 10 a GPGPU is missing. */
#include <stdio.h>
#include <stdlib.h>

#include "bsp/timer.h"
#include "driver/gpgpu.h"
#include "kernels/images.h"
#include "platform/memory_map.h"

enum { kGpgpus = 4, kThreads = 4096, kBlock = 256, kTimeoutUs = 1000000, kExitNoGpgpu = 10 };

static struct gpgpu gpus[kGpgpus];
static gpgpu_address results[kGpgpus];
static uint32_t words[kThreads];

static void require(enum gpgpu_error error, unsigned gpu, const char* what) {
  if (error == GPGPU_OK) return;
  printf("GPGPU %u: %s: %s\n", gpu, what, gpgpu_error_string(error));
  exit(error == GPGPU_NOT_FOUND ? kExitNoGpgpu : 1);
}

/* out[i] = 3 i + 1000 + addend (kernels/checks.s), another addend for each. */
static uint32_t addend(unsigned gpu) { return 100000 * (gpu + 1); }

static void start(unsigned gpu) {
  struct gpgpu_module* module;
  const struct gpgpu_function* function;
  require(gpgpu_open_device(&gpus[gpu], gpu), gpu, "open");
  require(gpgpu_module_load(&gpus[gpu], kernel_checks.text, kernel_checks.bytes, &module), gpu,
          "load");
  require(gpgpu_module_function(module, "number", &function), gpu, "find the kernel");
  require(gpgpu_allocate(&gpus[gpu], sizeof words, &results[gpu]), gpu, "allocate");
  gpgpu_use_interrupt(&gpus[gpu], true);
  const uint32_t parameters[] = {results[gpu], addend(gpu)};
  const struct gpgpu_launch launch = {.grid_x = kThreads / kBlock,
                                      .grid_y = 1,
                                      .block_x = kBlock,
                                      .block_y = 1,
                                      .block_z = 1,
                                      .parameters = parameters,
                                      .parameter_count = 2};
  require(gpgpu_start(&gpus[gpu], function, &launch), gpu, "start");
}

static bool verify(unsigned gpu) {
  require(gpgpu_copy_from_device(&gpus[gpu], words, results[gpu], sizeof words), gpu, "copy");
  for (uint32_t i = 0; i < kThreads; ++i) {
    if (words[i] == 3 * i + 1000 + addend(gpu)) continue;
    printf("GPGPU %u: word %lu is %lu\n", gpu, (unsigned long)i, (unsigned long)words[i]);
    return false;
  }
  return true;
}

int main(void) {
  const unsigned count = gpgpu_count() < kGpgpus ? gpgpu_count() : kGpgpus;
  for (unsigned gpu = 0; gpu < count; ++gpu) start(gpu);
  bool good = true;
  for (unsigned gpu = 0; gpu < count; ++gpu) {
    require(gpgpu_wait(&gpus[gpu], kTimeoutUs), gpu, "wait");
    good = verify(gpu) && good;
  }
  printf("%s: %u GPGPUs of the board %s, %u threads each\n", good ? "right" : "WRONG", count,
         GVP_BOARD_NAME, (unsigned)kThreads);
  return good ? 0 : 1;
}

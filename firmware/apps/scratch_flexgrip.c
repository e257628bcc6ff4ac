/* SPDX-License-Identifier: Apache-2.0 */
/* FlexGrip and MIAOW at the same time: each multiplies two matrices of words.  FlexGrip has them in
 * a memory of its own and says by interrupt when it is done; MIAOW has them in DDR3, which this
 * program serves word by word meanwhile.  Both results are compared with the MicroBlaze's.
 *
 * Exit code: 0 all is right, 1 a result is wrong or a driver call failed, 2 the two did not work at
 * the same time, 10 a GPGPU is missing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/bench_host.h"
#include "bsp/timer.h"
#include "driver/gpgpu.h"
#include "driver/miaow/miaow.h"
#include "kernels/images.h"
#include "opencl/matrix_multiply_int.h"

enum { kFlexgripSize = 32, kMiaowSize = 8, kTile = 16, kMiaowTile = 8 };
enum { kMostCycles = 10000000, kTimeoutUs = 1000000 };
enum { kExitApart = 2, kExitMissing = 10 };

static const struct miaow_kernel multiply =
    MIAOW_KERNEL(matrix_multiply_int, MATRIX_MULTIPLY_INT, matrix_multiply, MATRIX_MULTIPLY);

static struct gpgpu flexgrip;
static struct miaow miaow;
static char served[3 * 4 * kMiaowSize * kMiaowSize + 1024] __attribute__((aligned(256)));

struct job {
  uint32_t a[kFlexgripSize * kFlexgripSize], b[kFlexgripSize * kFlexgripSize],
      c[kFlexgripSize * kFlexgripSize];
  uint64_t begin, end; /* timer cycles */
};
static struct job flexgrip_job, miaow_job;
static uint32_t expected[kFlexgripSize * kFlexgripSize];

static void require_flexgrip(enum gpgpu_error error, const char* what) {
  if (error == GPGPU_OK) return;
  printf("FlexGrip: %s: %s\n", what, gpgpu_error_string(error));
  exit(error == GPGPU_NOT_FOUND ? kExitMissing : 1);
}
static void require_miaow(enum miaow_error error, const char* what) {
  if (error == MIAOW_OK) return;
  printf("MIAOW: %s: %s\n", what, miaow_error_string(error));
  exit(error == MIAOW_NOT_FOUND ? kExitMissing : 1);
}

static void fill(struct job* job, uint32_t n, uint32_t seed) {
  for (uint32_t i = 0; i < n * n; ++i) {
    job->a[i] = seed = seed * 1664525u + 1013904223u;
    job->b[i] = seed = seed * 1664525u + 1013904223u;
  }
}

static bool verify(const char* name, const struct job* job, uint32_t n) {
  host_matrix_multiply(expected, job->a, job->b, n);
  for (uint32_t i = 0; i < n * n; ++i) {
    if (job->c[i] == expected[i]) continue;
    printf("%s: word %lu is %lu, not %lu\n", name, (unsigned long)i, (unsigned long)job->c[i],
           (unsigned long)expected[i]);
    return false;
  }
  return true;
}

static gpgpu_address flexgrip_result;

static void start_flexgrip(void) {
  enum { kBytes = 4 * kFlexgripSize * kFlexgripSize };
  struct gpgpu_module* module;
  const struct gpgpu_function* function;
  gpgpu_address a, b;
  require_flexgrip(gpgpu_open(&flexgrip), "open");
  require_flexgrip(gpgpu_module_load(&flexgrip, kernel_matrix_multiply.text,
                                     kernel_matrix_multiply.bytes, &module),
                   "load");
  require_flexgrip(gpgpu_module_function(module, "matrix_multiply", &function), "find the kernel");
  require_flexgrip(gpgpu_allocate(&flexgrip, kBytes, &a), "allocate");
  require_flexgrip(gpgpu_allocate(&flexgrip, kBytes, &b), "allocate");
  require_flexgrip(gpgpu_allocate(&flexgrip, kBytes, &flexgrip_result), "allocate");
  require_flexgrip(gpgpu_copy_to_device(&flexgrip, a, flexgrip_job.a, kBytes), "copy");
  require_flexgrip(gpgpu_copy_to_device(&flexgrip, b, flexgrip_job.b, kBytes), "copy");
  gpgpu_use_interrupt(&flexgrip, true);
  const uint32_t parameters[] = {a, b, flexgrip_result, kFlexgripSize};
  const struct gpgpu_launch launch = {.grid_x = kFlexgripSize / kTile,
                                      .grid_y = kFlexgripSize / kTile,
                                      .block_x = kTile,
                                      .block_y = kTile,
                                      .block_z = 1,
                                      .parameters = parameters,
                                      .parameter_count = 4};
  require_flexgrip(gpgpu_start(&flexgrip, function, &launch), "start");
  flexgrip_job.begin = timer_now();
}

static miaow_address miaow_result;

static void prepare_miaow(miaow_address* a, miaow_address* b) {
  enum { kBytes = 4 * kMiaowSize * kMiaowSize };
  require_miaow(miaow_open(&miaow, 0, served, sizeof served), "open");
  require_miaow(miaow_allocate(&miaow, MIAOW_HOST, kBytes, a), "allocate");
  require_miaow(miaow_allocate(&miaow, MIAOW_HOST, kBytes, b), "allocate");
  require_miaow(miaow_allocate(&miaow, MIAOW_HOST, kBytes, &miaow_result), "allocate");
  require_miaow(miaow_copy_to_device(&miaow, *a, miaow_job.a, kBytes), "copy");
  require_miaow(miaow_copy_to_device(&miaow, *b, miaow_job.b, kBytes), "copy");
}

static void start_miaow(miaow_address a, miaow_address b) {
  const uint32_t arguments[] = {MIAOW_POINTER(miaow_result), MIAOW_POINTER(a), MIAOW_POINTER(b),
                                kMiaowSize};
  const struct miaow_launch launch = {
      .groups = {kMiaowSize / kMiaowTile, kMiaowSize / kMiaowTile, 1},
      .items = {kMiaowTile, kMiaowTile, 1},
      .arguments = arguments,
      .argument_words = sizeof arguments / sizeof arguments[0]};
  require_miaow(miaow_start(&miaow, &multiply, &launch), "start");
  miaow_job.begin = timer_now();
}

/* Serves MIAOW to its end; how many words before FlexGrip's interrupt came. */
static uint32_t serve(void) {
  uint32_t words = 0;
  enum miaow_error error;
  do {
    error = miaow_poll(&miaow);
    if (flexgrip_job.end == 0) {
      words = miaow.served_words;
      if (flexgrip.ended) flexgrip_job.end = timer_now();
    }
    struct miaow_counters counters;
    miaow_read_counters(&miaow, &counters);
    if (counters.cycles > kMostCycles) require_miaow(MIAOW_TIMEOUT, "wait");
  } while (error == MIAOW_BUSY);
  require_miaow(error, "wait");
  miaow_job.end = timer_now();
  return words;
}

int main(void) {
  miaow_address a, b;
  fill(&flexgrip_job, kFlexgripSize, 1);
  fill(&miaow_job, kMiaowSize, 2);
  prepare_miaow(&a, &b);
  start_flexgrip();
  start_miaow(a, b);
  const uint32_t together = serve();
  require_flexgrip(gpgpu_wait(&flexgrip, kTimeoutUs), "wait");
  if (flexgrip_job.end == 0) flexgrip_job.end = timer_now();

  require_flexgrip(gpgpu_copy_from_device(&flexgrip, flexgrip_job.c, flexgrip_result,
                                          4 * kFlexgripSize * kFlexgripSize),
                   "copy back");
  require_miaow(
      miaow_copy_from_device(&miaow, miaow_job.c, miaow_result, 4 * kMiaowSize * kMiaowSize),
      "copy back");
  const bool good =
      verify("FlexGrip", &flexgrip_job, kFlexgripSize) & verify("MIAOW", &miaow_job, kMiaowSize);

  struct gpgpu_counters flexgrip_counters;
  struct miaow_counters miaow_counters;
  gpgpu_read_counters(&flexgrip, &flexgrip_counters);
  miaow_read_counters(&miaow, &miaow_counters);
  printf("FlexGrip: %llu cycles; from %lu us to %lu us\n",
         (unsigned long long)flexgrip_counters.cycles,
         (unsigned long)timer_microseconds(flexgrip_job.begin),
         (unsigned long)timer_microseconds(flexgrip_job.end));
  printf(
      "MIAOW: %lu cycles; from %lu us to %lu us; %lu words served, %lu of them while FlexGrip "
      "ran\n",
      (unsigned long)miaow_counters.cycles, (unsigned long)timer_microseconds(miaow_job.begin),
      (unsigned long)timer_microseconds(miaow_job.end), (unsigned long)miaow_counters.served_words,
      (unsigned long)together);
  if (!good) return 1;
  if (together == 0) {
    printf("they did not work at the same time\n");
    return kExitApart;
  }
  printf("both are right\n");
  return 0;
}

// Adds two vectors on the GPGPU and compares the sums with the processor's own.
#include <stdio.h>
#include <stdlib.h>

#include "driver/gpgpu.h"
#include "kernels.h"

enum { kCount = 256, kThreads = 64, kBytes = kCount * sizeof(int), kTimeoutUs = 1000000 };

static struct gpgpu gpu;

static void require(enum gpgpu_error error, const char* what) {
  if (error == GPGPU_OK) return;
  printf("%s: %s", what, gpgpu_error_string(error));
  if (error == GPGPU_FAULT) {
    char text[160];
    gpgpu_describe_fault(gpgpu_last_fault(&gpu), text, sizeof text);
    printf(": %s", text);
  }
  printf("\n");
  exit(1);
}

int main(void) {
  static int a[kCount], b[kCount], sum[kCount];
  for (int i = 0; i < kCount; ++i) {
    a[i] = i;
    b[i] = 1000 * i;
  }

  require(gpgpu_open(&gpu), "open");
  struct gpgpu_module* module;
  const struct gpgpu_function* vector_add;
  require(gpgpu_module_load(&gpu, kernel_vector_add.text, kernel_vector_add.bytes, &module), "load");
  require(gpgpu_module_function(module, "vector_add", &vector_add), "vector_add");

  gpgpu_address device_a, device_b, device_sum;
  require(gpgpu_allocate(&gpu, kBytes, &device_a), "allocate");
  require(gpgpu_allocate(&gpu, kBytes, &device_b), "allocate");
  require(gpgpu_allocate(&gpu, kBytes, &device_sum), "allocate");
  require(gpgpu_copy_to_device(&gpu, device_a, a, kBytes), "copy");
  require(gpgpu_copy_to_device(&gpu, device_b, b, kBytes), "copy");

  const uint32_t parameters[] = {device_a, device_b, device_sum};
  const struct gpgpu_launch launch = {.grid_x = kCount / kThreads, .grid_y = 1,
                                      .block_x = kThreads, .block_y = 1, .block_z = 1,
                                      .parameters = parameters, .parameter_count = 3};
  require(gpgpu_start(&gpu, vector_add, &launch), "start");
  require(gpgpu_wait(&gpu, kTimeoutUs), "run");
  require(gpgpu_copy_from_device(&gpu, sum, device_sum, kBytes), "copy back");

  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += sum[i] != a[i] + b[i];
  printf("@NAME@: %d sums, %d wrong\n", (int)kCount, wrong);
  return wrong == 0 ? 0 : 1;
}

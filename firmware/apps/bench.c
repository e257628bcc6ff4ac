/* SPDX-License-Identifier: Apache-2.0 */
/* The five benchmarks of the FlexGrip thesis (section 3.5.2) as C on the MicroBlaze and as kernels
 * on the GPGPU: results compared element by element, times in a table.
 *
 * Arguments: sizes, of 32 to 256 and powers of two (default 64): so many words for autocorrelation,
 * bitonic sort and reduction, so many squared for matrix multiplication and transpose.
 * Exit code: 0 all verified, 1 something differs or failed, 2 bad arguments, 10 no GPGPU.
 *
 * "GPGPU" is the kernel alone, by the device's own counter; "with copies" is what the host's timer
 * says from before the first copy to after the last, driver included. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/bench_host.h"
#include "bsp/clocks.h"
#include "bsp/program.h"
#include "bsp/timer.h"
#include "driver/gpgpu.h"
#include "kernels/images.h"

enum { kSmallest = 32, kLargest = 256, kDefaultSize = 64, kExitNoGpgpu = 10, kTile = 16 };
enum { kTimeoutUs = 2000000000 }; /* of one kernel; the slowest takes some 15 s on 8 SPs */

struct measurement {
  uint64_t host_ticks;    /* C on the MicroBlaze, by the timer */
  uint64_t device_cycles; /* the kernel on the GPGPU, by its own counter */
  uint64_t total_ticks;   /* with copies and driver, by the timer */
};

static struct gpgpu gpu;

/* Numbers that look random and are the same every time (xorshift). */
static void fill(uint32_t* words, uint32_t count, uint32_t seed) {
  uint32_t x = seed;
  for (uint32_t i = 0; i < count; ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    words[i] = x;
  }
}

static uint32_t* words(uint32_t count) {
  uint32_t* memory = malloc(4 * count);
  if (memory == NULL) {
    printf("out of memory\n");
    exit(1);
  }
  return memory;
}

/* Ends the benchmark at hand with a message: what failed, and the device's words if it has any. */
static bool failed(const char* what, enum gpgpu_error error) {
  if (error == GPGPU_OK) return false;
  printf("  %s: %s", what, gpgpu_error_string(error));
  if (error == GPGPU_FAULT) {
    char text[160];
    gpgpu_describe_fault(gpgpu_last_fault(&gpu), text, sizeof text);
    printf(": %s", text);
  }
  printf("\n");
  return true;
}

/* A buffer of a kernel: in device memory, with its contents before or room for those after. */
struct buffer {
  const uint32_t* input; /* null: nothing to copy there */
  uint32_t* output;      /* null: nothing to copy back */
  uint32_t words;
  gpgpu_address address;
};

/* Copies, launches, copies back.  The parameters of all our kernels are their buffers' addresses,
 * then n if they ask for it. */
static bool run_kernel(const struct kernel_image* image, const char* name, struct buffer* buffers,
                       uint32_t count, struct gpgpu_launch* launch, const uint32_t* n,
                       struct measurement* m) {
  struct gpgpu_module* module = NULL;
  const struct gpgpu_function* function;
  uint32_t parameters[8];
  enum gpgpu_error error = gpgpu_module_load(&gpu, image->text, image->bytes, &module);
  if (failed("load", error)) return false;
  bool ok = !failed("find the kernel", gpgpu_module_function(module, name, &function));
  for (uint32_t i = 0; i < count; ++i) buffers[i].address = GPGPU_NULL;
  for (uint32_t i = 0; ok && i < count; ++i) {
    ok = !failed("allocate", gpgpu_allocate(&gpu, 4 * buffers[i].words, &buffers[i].address));
    parameters[i] = buffers[i].address;
  }
  if (n != NULL) parameters[count] = *n;
  launch->parameters = parameters;
  launch->parameter_count = count + (n != NULL);

  const uint64_t start = timer_now();
  for (uint32_t i = 0; ok && i < count; ++i)
    if (buffers[i].input != NULL)
      ok = !failed("copy", gpgpu_copy_to_device(&gpu, buffers[i].address, buffers[i].input,
                                                4 * buffers[i].words));
  ok = ok && !failed("launch", gpgpu_start(&gpu, function, launch)) &&
       !failed("run", gpgpu_wait(&gpu, kTimeoutUs));
  for (uint32_t i = 0; ok && i < count; ++i)
    if (buffers[i].output != NULL)
      ok = !failed("copy", gpgpu_copy_from_device(&gpu, buffers[i].output, buffers[i].address,
                                                  4 * buffers[i].words));
  m->total_ticks = timer_now() - start;

  struct gpgpu_counters counters;
  gpgpu_read_counters(&gpu, &counters);
  m->device_cycles = counters.cycles;
  for (uint32_t i = 0; i < count; ++i)
    if (buffers[i].address != GPGPU_NULL) gpgpu_free(&gpu, buffers[i].address);
  gpgpu_module_unload(&gpu, module);
  if (!ok) m->device_cycles = m->total_ticks = 0; /* times of nothing */
  return ok;
}

static bool same(const uint32_t* expected, const uint32_t* got, uint32_t count) {
  uint32_t wrong = 0, first = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (expected[i] != got[i] && wrong++ == 0) first = i;
  if (wrong == 0) return true;
  printf("  %lu of %lu elements differ; the first is [%lu]: MicroBlaze %08lx, GPGPU %08lx\n",
         (unsigned long)wrong, (unsigned long)count, (unsigned long)first,
         (unsigned long)expected[first], (unsigned long)got[first]);
  return false;
}

static bool autocorrelation(uint32_t n, struct measurement* m) {
  uint32_t *in = words(n), *expected = words(n), *out = words(n);
  fill(in, n, 1);
  const uint64_t start = timer_now();
  host_autocorrelation(expected, in, n);
  m->host_ticks = timer_now() - start;
  struct buffer buffers[] = {{.input = in, .words = n}, {.output = out, .words = n}};
  const uint32_t threads = n <= 64 ? 32 : 64; /* at least two blocks where there is work for two */
  struct gpgpu_launch launch = {n / threads, 1, threads, 1, 1, 0, NULL, 0};
  const bool ok =
      run_kernel(&kernel_autocorrelation, "autocorrelation", buffers, 2, &launch, &n, m) &&
      same(expected, out, n);
  free(in), free(expected), free(out);
  return ok;
}

static bool bitonic_sort(uint32_t n, struct measurement* m) {
  uint32_t *in = words(n), *expected = words(n), *out = words(n);
  fill(in, n, 2);
  memcpy(expected, in, 4 * n);
  const uint64_t start = timer_now();
  host_bitonic_sort((int32_t*)expected, n);
  m->host_ticks = timer_now() - start;
  struct buffer buffers[] = {{.input = in, .output = out, .words = n}};
  struct gpgpu_launch launch = {1, 1, n, 1, 1, 0, NULL, 0};
  const bool ok = run_kernel(&kernel_bitonic_sort, "bitonic_sort", buffers, 1, &launch, NULL, m) &&
                  same(expected, out, n);
  free(in), free(expected), free(out);
  return ok;
}

static bool matrix_multiply(uint32_t n, struct measurement* m) {
  const uint32_t count = n * n;
  uint32_t *a = words(count), *b = words(count), *expected = words(count), *out = words(count);
  fill(a, count, 3);
  fill(b, count, 4);
  const uint64_t start = timer_now();
  host_matrix_multiply(expected, a, b, n);
  m->host_ticks = timer_now() - start;
  struct buffer buffers[] = {
      {.input = a, .words = count}, {.input = b, .words = count}, {.output = out, .words = count}};
  struct gpgpu_launch launch = {n / kTile, n / kTile, kTile, kTile, 1, 0, NULL, 0};
  const bool ok =
      run_kernel(&kernel_matrix_multiply, "matrix_multiply", buffers, 3, &launch, &n, m) &&
      same(expected, out, count);
  free(a), free(b), free(expected), free(out);
  return ok;
}

/* Two blocks make a partial sum each; the host adds the two. */
static bool reduction(uint32_t n, struct measurement* m) {
  enum { kBlocks = 2 };
  uint32_t *in = words(n), partial[kBlocks];
  fill(in, n, 5);
  const uint64_t start = timer_now();
  const uint32_t expected = host_reduction(in, n);
  m->host_ticks = timer_now() - start;
  struct buffer buffers[] = {{.input = in, .words = n}, {.output = partial, .words = kBlocks}};
  struct gpgpu_launch launch = {kBlocks, 1, n / (2 * kBlocks), 1, 1, 0, NULL, 0};
  bool ok = run_kernel(&kernel_reduction, "reduction", buffers, 2, &launch, NULL, m);
  for (uint32_t block = 0; ok && block < kBlocks; ++block) {
    const uint32_t part = host_reduction(in + block * (n / kBlocks), n / kBlocks);
    ok = same(&part, &partial[block], 1);
  }
  const uint32_t sum = host_reduction(partial, kBlocks);
  ok = ok && same(&expected, &sum, 1);
  free(in);
  return ok;
}

static bool transpose(uint32_t n, struct measurement* m) {
  const uint32_t count = n * n;
  uint32_t *in = words(count), *expected = words(count), *out = words(count);
  fill(in, count, 6);
  const uint64_t start = timer_now();
  host_transpose(expected, in, n);
  m->host_ticks = timer_now() - start;
  struct buffer buffers[] = {{.output = out, .words = count}, {.input = in, .words = count}};
  struct gpgpu_launch launch = {n / kTile, n / kTile, kTile, kTile, 1, 0, NULL, 0};
  const bool ok = run_kernel(&kernel_transpose, "transpose", buffers, 2, &launch, &n, m) &&
                  same(expected, out, count);
  free(in), free(expected), free(out);
  return ok;
}

static const struct {
  const char* name;
  bool square; /* the data are n by n */
  bool (*run)(uint32_t n, struct measurement* m);
} benchmarks[] = {
    {"autocorrelation", false, autocorrelation},
    {"bitonic sort", false, bitonic_sort},
    {"matrix multiplication", true, matrix_multiply},
    {"parallel reduction", false, reduction},
    {"transpose", true, transpose},
};
enum { kBenchmarks = sizeof benchmarks / sizeof benchmarks[0] };

/* The table's columns, each with the space before it, for a terminal of 80. */
struct columns {
  int size, host_cycles, gpgpu_cycles, ms, ratio, copies;
};
static const struct columns kSmall = {6, 9, 9, 8, 7, 8}, kLarge = {8, 11, 10, 7, 6, 7};

/* A number too long for its column makes the line longer, but never touches the one before. */
static void print_cycles(int width, uint64_t cycles) {
  printf(" %*llu", width - 1, (unsigned long long)cycles);
}

/* Cycles of a clock as milliseconds, with three decimals or as many as there is room for. */
static void print_ms(int width, uint64_t cycles, uint32_t hz) {
  const uint64_t us = (cycles * 1000000 + hz / 2) / hz;
  int digits = 1, decimals = 3;
  for (uint64_t ms = us / 10000; ms != 0; ms /= 10) ++digits;
  unsigned long unit = 1; /* us, that the last decimal stands for */
  for (; decimals > 0 && 1 + digits + 1 + decimals > width; --decimals) unit *= 10;
  const uint64_t units = (us + unit / 2) / unit;
  if (decimals == 0)
    printf(" %*lu", width - 1, (unsigned long)units);
  else
    printf(" %*lu.%0*lu", width - 2 - decimals, (unsigned long)(units / (1000 / unit)), decimals,
           (unsigned long)(units % (1000 / unit)));
}

static void print_ratio(int width, uint64_t numerator, uint64_t denominator) {
  const uint64_t hundredths =
      denominator == 0 ? 0 : (100 * numerator + denominator / 2) / denominator;
  printf(" %*lu.%02lu", width - 4, (unsigned long)(hundredths / 100),
         (unsigned long)(hundredths % 100));
}

static void print_header(const struct columns* c) {
  /* "speed-" touches the left of its column */
  printf("%*s%*s%7s%*s\n", 21 + c->size + c->host_cycles + c->ms, "MicroBlaze",
         c->gpgpu_cycles + c->ms + c->ratio - 7, "GPGPU", "speed-", c->copies, "with");
  printf("%-21s%*s%*s%*s%*s%*s%*s%*s\n", "benchmark", c->size, "size", c->host_cycles, "cycles",
         c->ms, "ms", c->gpgpu_cycles, "cycles", c->ms, "ms", c->ratio, "up", c->copies, "copies");
}

static unsigned run_all(uint32_t n, const struct columns* c) {
  const uint32_t processor_khz = board_clocks.processor_hz / 1000;
  const uint32_t timer_khz = TIMER_HZ / 1000;
  const uint32_t gpgpu_khz = gpu.properties.clock_hz / 1000;
  unsigned verified = 0;
  for (unsigned i = 0; i < kBenchmarks; ++i) {
    struct measurement m = {0, 0, 0};
    const bool ok = benchmarks[i].run(n, &m);
    char size[12];
    snprintf(size, sizeof size, benchmarks[i].square ? "%lux%lu" : "%lu", (unsigned long)n,
             (unsigned long)n);
    printf("%-21s%*s", benchmarks[i].name, c->size, size);
    print_cycles(c->host_cycles, m.host_ticks * processor_khz / timer_khz);
    print_ms(c->ms, m.host_ticks, TIMER_HZ);
    print_cycles(c->gpgpu_cycles, m.device_cycles);
    print_ms(c->ms, m.device_cycles, gpu.properties.clock_hz);
    print_ratio(c->ratio, m.host_ticks * gpgpu_khz, m.device_cycles * timer_khz);
    print_ms(c->copies, m.total_ticks, TIMER_HZ);
    printf(" %s\n", ok ? "ok" : m.total_ticks == 0 ? "FAILED" : "WRONG");
    verified += ok;
  }
  return verified;
}

/* Reads the sizes asked for; false if that is not possible. */
static bool sizes(uint32_t* list, unsigned* count) {
  const char* text = program_arguments();
  *count = 0;
  for (;;) {
    while (*text == ' ') ++text;
    if (*text == '\0') break;
    const uint32_t n = program_next_number(&text);
    if (n < kSmallest || n > kLargest || (n & (n - 1)) != 0 || *count == 8) return false;
    list[(*count)++] = n;
  }
  if (*count == 0) list[(*count)++] = kDefaultSize;
  return true;
}

int main(void) {
  uint32_t list[8];
  unsigned count;
  if (!sizes(list, &count)) {
    printf("bench: cannot read \"%s\"; up to eight sizes are expected, each 32, 64, 128 or 256\n",
           program_arguments());
    return 2;
  }
  const enum gpgpu_error error = gpgpu_open(&gpu);
  if (error != GPGPU_OK) {
    printf("bench: %s\n", gpgpu_error_string(error));
    return error == GPGPU_NOT_FOUND ? kExitNoGpgpu : 1;
  }
  const struct gpgpu_properties* p = &gpu.properties;
  printf("FlexGrip benchmarks: %lu SM%s of %lu SPs, memory in %s, MicroBlaze at %lu MHz\n\n",
         (unsigned long)p->sms, p->sms == 1 ? "" : "s", (unsigned long)p->sps_per_sm,
         p->global_on_bus ? "DDR3" : "block RAM",
         (unsigned long)(board_clocks.processor_hz / 1000000));
  bool large = false;
  for (unsigned i = 0; i < count; ++i) large = large || list[i] > kDefaultSize;
  const struct columns* columns = large ? &kLarge : &kSmall;
  print_header(columns);
  unsigned verified = 0;
  for (unsigned i = 0; i < count; ++i) verified += run_all(list[i], columns);
  printf("\n%u of %u verified\n", verified, count * kBenchmarks);
  return verified == count * kBenchmarks ? 0 : 1;
}

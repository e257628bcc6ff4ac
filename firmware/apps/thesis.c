/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks of the FlexGrip thesis cost on the MicroBlaze alone.  fidelity/ runs this; for
 * a look at host and GPGPU together there is bench.c.
 *
 * Arguments: the level of optimisation, 0 or 2, then pairs of a benchmark, 0 to 4 in the order of the
 * list below, and a size, a power of two from 16 to 256.  Prints a line for each pair: name, size,
 * cycles, and a checksum (FNV-1a of the result's words) to be compared with what is right.
 * Exit code: 0; 1 out of memory; 2 bad arguments. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/thesis_host.h"
#include "bsp/program.h"
#include "bsp/timer.h"

enum { kSmallest = 16, kLargest = 256, kBenchmarks = 5 };

static const char* const names[kBenchmarks] = {"autocorr", "bitonic", "matrixmul", "reduction",
                                               "transpose"};
static int *in_a, *in_b, *out;

/* Numbers that look random and are the same every time (xorshift). */
static void fill(int* words, uint32_t count, uint32_t seed) {
  uint32_t x = seed;
  for (uint32_t i = 0; i < count; ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    words[i] = (int)x;
  }
}

static uint32_t checksum(const int* words, uint32_t count) {
  uint32_t sum = 2166136261u;
  for (uint32_t i = 0; i < count; ++i) sum = (sum ^ (uint32_t)words[i]) * 16777619u;
  return sum;
}

static void measure(const struct thesis_host* host, uint32_t benchmark, uint32_t size) {
  const int n = (int)size;
  const int* result = out;
  uint32_t words = size;
  uint64_t start = 0;
  switch (benchmark) {
    case 0:
      fill(in_a, size, 1);
      start = timer_now();
      host->autocorrelation(out, in_a, n);
      break;
    case 1:
      fill(in_a, size, 2);
      result = in_a;
      start = timer_now();
      host->bitonic_sort(in_a, n);
      break;
    case 2:
      words = size * size;
      fill(in_a, words, 4);
      fill(in_b, words, 5);
      start = timer_now();
      host->matrix_multiply(out, in_a, in_b, n);
      break;
    case 3:
      fill(in_a, size, 3);
      result = in_a;
      words = 1;
      start = timer_now();
      host->reduction(in_a, n);
      break;
    default:
      words = size * size;
      fill(in_a, words, 6);
      start = timer_now();
      host->transpose(out, in_a, n);
  }
  const uint64_t cycles = timer_now() - start;
  printf("%s %lu %llu %08lx\n", names[benchmark], (unsigned long)size, (unsigned long long)cycles,
         (unsigned long)checksum(result, words));
}

/* From the heap, which nobody clears: that would take longer than the small benchmarks. */
static int* matrix(void) { return malloc(kLargest * kLargest * sizeof(int)); }

int main(void) {
  in_a = matrix(), in_b = matrix(), out = matrix();
  if (in_a == NULL || in_b == NULL || out == NULL) {
    printf("thesis: out of memory\n");
    return 1;
  }
  const char* text = program_arguments();
  while (*text == ' ') ++text;
  const struct thesis_host* host = *text == '0' ? &thesis_host_o0 : &thesis_host_o2;
  if ((*text != '0' && *text != '2') || (text[1] != ' ' && text[1] != '\0')) {
    printf("thesis: the first argument is the level of optimisation, 0 or 2\n");
    return 2;
  }
  ++text;
  for (;;) {
    while (*text == ' ') ++text;
    if (*text == '\0') return 0;
    const uint32_t benchmark = program_next_number(&text); /* 0, too, if it is none: size tells */
    const uint32_t size = program_next_number(&text);
    if (benchmark >= kBenchmarks || size < kSmallest || size > kLargest ||
        (size & (size - 1)) != 0) {
      printf("thesis: expected pairs of a benchmark, 0 to 4, and a size of 16, 32, ... 256\n");
      return 2;
    }
    measure(host, benchmark, size);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The 17 benchmarks of the SCRATCH paper (MICRO-50, section 4) in OpenCL C, by the queue of MIAOW:
 * runs them and compares their results with what the MicroBlaze computes itself.
 *
 * Arguments: names of benchmarks, each with a size behind it if it is not to be the small one;
 * "small" (the default) is all of them, "all" with a size behind it all of that size.  Before them:
 * "unverified" leaves the host's part out, the checksums then tell whether two runs have computed
 * the same; "served" has all data in DDR3, which the program serves word by word, else what fits is
 * in prefetch memory; "wide" makes groups of 256 work-items, for which a compute unit has to hold
 * four wavefronts, of all kernels but the transposition's, else they have 64.  Exit code: how many
 * failed or differ; 100 bad arguments, 110 no MIAOW. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/opencl/benchmark.h"
#include "bsp/program.h"

enum { kExitBadArguments = 100, kExitNoDevice = 110 };
enum { kLeast = 8, kMost = 512 }; /* sizes, powers of two */

static const struct entry {
  const char* name;
  const char* title;
  uint32_t small;
  void (*run)(struct benchmark* b);
} entries[] = {
    {"add", "matrix add, integer", 16, run_matrix_add_integer},
    {"addf", "matrix add, float", 16, run_matrix_add_float},
    {"mul", "matrix multiplication, integer", 16, run_matrix_multiply_integer},
    {"mulf", "matrix multiplication, float", 16, run_matrix_multiply_float},
    {"transpose", "matrix transpose", 16, run_transpose},
    {"gauss", "Gaussian elimination", 16, run_gaussian_elimination},
    {"sort", "bitonic sort", 16, run_bitonic_sort},
    {"conv", "2D convolution, integer", 16, run_convolution_integer},
    {"convf", "2D convolution, float", 16, run_convolution_float},
    {"means", "k-means", 16, run_k_means},
    {"max", "max pooling", 16, run_max_pooling},
    {"median", "median pooling", 16, run_median_pooling},
    {"average", "average pooling", 16, run_average_pooling},
    {"cnn", "CNN, integer", 8, run_cnn_integer},
    {"cnnf", "CNN, float", 8, run_cnn_float},
    {"nin", "NIN, integer", 8, run_nin_integer},
    {"ninf", "NIN, float", 8, run_nin_float},
};
enum { kEntries = sizeof entries / sizeof entries[0] };

static unsigned runs, good;

static void run(const struct entry* entry, uint32_t size, struct benchmark options) {
  struct benchmark b = options;
  b.size = size;
  benchmark_begin(&b);
  entry->run(&b);
  const bool ok = !b.failed && !b.differs;
  printf("%-10s%-31s%5lu%9lu%12llu%9llu  %08lx  %s\n", entry->name, entry->title,
         (unsigned long)size, (unsigned long)b.launches, (unsigned long long)b.cycles,
         (unsigned long long)b.served_words, (unsigned long)b.checksum,
         b.failed    ? "FAILED"
         : b.differs ? "WRONG"
         : b.verify  ? "ok"
                     : "not verified");
  ++runs;
  good += ok;
}

static const char* skip_blanks(const char* text) {
  while (*text == ' ') ++text;
  return text;
}

/* Whether *text begins with this word, which is then taken. */
static bool take(const char** text, const char* word) {
  const size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0 || ((*text)[length] != ' ' && (*text)[length] != '\0'))
    return false;
  *text = skip_blanks(*text + length);
  return true;
}

/* The size behind a name, or 0: what stands there is none. */
static uint32_t take_size(const char** text, uint32_t usual) {
  if (!isdigit((unsigned char)**text)) return usual;
  char* end;
  const unsigned long size = strtoul(*text, &end, 10);
  *text = skip_blanks(end);
  if (size >= kLeast && size <= kMost && (size & (size - 1)) == 0) return size;
  printf("opencl: sizes are powers of two from %u to %u\n", kLeast, kMost);
  return 0;
}

/* Whether the arguments can be read; with `go` runs what they ask for. */
static bool read_arguments(bool go) {
  const char* text = skip_blanks(program_arguments());
  struct benchmark options = {.verify = true};
  for (;;) {
    if (take(&text, "unverified"))
      options.verify = false;
    else if (take(&text, "served"))
      options.host_memory = true;
    else if (take(&text, "wide"))
      options.wide = true;
    else
      break;
  }
  if (*text == '\0') text = "small";
  while (*text != '\0') {
    const bool small = take(&text, "small");
    const bool all = !small && take(&text, "all");
    const struct entry* entry = NULL;
    for (unsigned i = 0; i < kEntries && !small && !all && entry == NULL; ++i)
      if (take(&text, entries[i].name)) entry = &entries[i];
    if (entry == NULL && !small && !all) {
      printf("opencl: cannot read \"%s\"; expected are small, all SIZE, or some of", text);
      for (unsigned i = 0; i < kEntries; ++i) printf(" %s", entries[i].name);
      printf(", each with a size behind it or not; before them unverified, served, wide\n");
      return false;
    }
    const uint32_t size = small ? 1 : take_size(&text, entry == NULL ? 0 : entry->small);
    if (size == 0) {
      if (all) printf("opencl: \"all\" needs a size behind it\n");
      return false;
    }
    for (unsigned i = 0; i < kEntries && go; ++i)
      if (entry == NULL || entry == &entries[i])
        run(&entries[i], small ? entries[i].small : size, options);
  }
  return true;
}

int main(void) {
  if (!read_arguments(false)) return kExitBadArguments;
  const enum miaow_error error = benchmark_open();
  if (error != MIAOW_OK) {
    printf("opencl: %s\n", miaow_error_string(error));
    return kExitNoDevice;
  }
  const struct miaow* device = benchmark_device();
  printf("MIAOW: %lu compute unit%s, %lu KiB of prefetch memory\n\n", (unsigned long)device->units,
         device->units == 1 ? "" : "s", (unsigned long)device->prefetch_bytes / 1024);
  printf("%-41s%5s%9s%12s%9s  %-8s\n", "benchmark", "size", "launches", "cycles", "served",
         "checksum");
  read_arguments(true);
  printf("\n%u of %u without a difference\n", good, runs);
  return (int)(runs - good);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The eleven benchmarks of the FlexGrip thesis's chapter 5 (table 12) in CUDA C: runs them on the
 * GPGPU and compares their results with what the MicroBlaze computes itself.
 *
 * Arguments: names of benchmarks, each with a size behind it if it is not to be the small one;
 * "small" (the default) and "large" are all of them.  The large size is the thesis's where that
 * says it, else ours. "unverified", before them, leaves the host's part out: the checksums then
 * tell whether two runs have computed the same. Exit code: 0 all verified (or run), 1 something
 * differs or failed, 2 bad arguments, 10 no GPGPU. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "apps/chapter5/benchmark.h"
#include "bsp/program.h"

enum { kExitNoGpgpu = 10 };

static const struct entry {
  const char* name; /* the thesis's, in small letters */
  const char* title;
  uint32_t small, large;
  uint32_t least, most, unit; /* sizes are multiples of unit ... */
  bool power_of_two;          /* ... or powers of two */
  void (*run)(struct benchmark* b, bool verify, uint32_t size);
} entries[] = {
    {"ac", "autocorrelation", 128, 4096, 32, 16384, 32, false, run_autocorrelation},
    {"bs", "bitonic sort", 512, 16384, 32, 1u << 20, 1, true, run_bitonic_sort},
    {"fwt", "fast Walsh transform", 1024, 65536, 64, 1u << 20, 1, true, run_fast_walsh},
    {"mm", "matrix multiply", 32, 128, 16, 1024, 16, false, run_matrix_multiply},
    {"rd", "reduction", 1024, 65536, 64, 1u << 20, 1, true, run_reduction},
    {"tp", "transpose", 64, 1024, 32, 1024, 32, false, run_transpose},
    {"bfs", "breadth-first search", 300, 65535, 2, 131072, 1, false, run_breadth_first_search},
    {"kmn", "k-means", 100, 65536, 1, 65536, 1, false, run_kmeans},
    {"ge", "Gaussian elimination", 20, 208, 2, 512, 1, false, run_gaussian},
    {"lud", "LU decomposition", 48, 256, 16, 512, 16, false, run_lu_decomposition},
    {"srad", "SRAD", 20, 128, 2, 512, 1, false, run_srad},
};
enum { kEntries = sizeof entries / sizeof entries[0] };

static const struct entry* entry_named(const char* text, size_t length) {
  for (unsigned i = 0; i < kEntries; ++i)
    if (strlen(entries[i].name) == length && memcmp(entries[i].name, text, length) == 0)
      return &entries[i];
  return NULL;
}

static bool possible(const struct entry* entry, uint32_t size) {
  return size >= entry->least && size <= entry->most && size % entry->unit == 0 &&
         (!entry->power_of_two || (size & (size - 1)) == 0);
}

static unsigned runs, good;

static void run(const struct entry* entry, uint32_t size, bool verify) {
  struct benchmark b;
  entry->run(&b, verify, size);
  const bool ok = !b.failed && !b.differs;
  printf("%-5s%-21s%7lu%9lu%13llu  %08lx  %s\n", entry->name, entry->title, (unsigned long)size,
         (unsigned long)b.launches, (unsigned long long)b.cycles, (unsigned long)b.checksum,
         b.failed    ? "FAILED"
         : b.differs ? "WRONG"
         : verify    ? "ok"
                     : "not verified");
  ++runs;
  good += ok;
}

static const char* skip_blanks(const char* text) {
  while (*text == ' ') ++text;
  return text;
}

/* Whether the arguments can be read; with `go` runs what they ask for. */
static bool read_arguments(bool go) {
  const char* text = skip_blanks(program_arguments());
  bool verify = true;
  if (strncmp(text, "unverified", 10) == 0 && (text[10] == ' ' || text[10] == '\0')) {
    verify = false;
    text = skip_blanks(text + 10);
  }
  if (*text == '\0') text = "small";
  while (*text != '\0') {
    const size_t length = strcspn(text, " ");
    const bool small = length == 5 && memcmp(text, "small", length) == 0;
    const bool large = length == 5 && memcmp(text, "large", length) == 0;
    const struct entry* entry = entry_named(text, length);
    if (entry == NULL && !small && !large) {
      printf("chapter5: cannot read \"%s\"; expected are small, large, or some of", text);
      for (unsigned i = 0; i < kEntries; ++i) printf(" %s", entries[i].name);
      printf(", each with a size behind it or not\n");
      return false;
    }
    text = skip_blanks(text + length);
    if (entry == NULL) {
      for (unsigned i = 0; go && i < kEntries; ++i)
        run(&entries[i], small ? entries[i].small : entries[i].large, verify);
      continue;
    }
    uint32_t size = entry->small;
    if (isdigit((unsigned char)*text)) {
      size = program_next_number(&text);
      if (!possible(entry, size)) {
        printf("chapter5: a size of %s is from %lu to %lu and a ", entry->name,
               (unsigned long)entry->least, (unsigned long)entry->most);
        if (entry->power_of_two)
          printf("power of two\n");
        else
          printf("multiple of %lu\n", (unsigned long)entry->unit);
        return false;
      }
      text = skip_blanks(text);
    }
    if (go) run(entry, size, verify);
  }
  return true;
}

int main(void) {
  if (!read_arguments(false)) return 2;
  const enum gpgpu_error error = benchmark_open();
  if (error != GPGPU_OK) {
    printf("chapter5: %s\n", gpgpu_error_string(error));
    return error == GPGPU_NOT_FOUND ? kExitNoGpgpu : 1;
  }
  const struct gpgpu_properties* p = benchmark_device();
  printf("Chapter 5: %lu SM%s of %lu SPs, memory in %s\n\n", (unsigned long)p->sms,
         p->sms == 1 ? "" : "s", (unsigned long)p->sps_per_sm,
         p->global_on_bus ? "DDR3" : "block RAM");
  printf("%-26s%7s%9s%13s  %-8s\n", "benchmark", "size", "launches", "cycles", "checksum");
  read_arguments(true);
  printf("\n%u of %u without a difference\n", good, runs);
  return good == runs ? 0 : 1;
}

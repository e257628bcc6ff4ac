/* SPDX-License-Identifier: Apache-2.0 */
/* Bitonic sort of 64 words in prefetch memory: a launch of 32 work-items for each of the 21 passes.
 */
#include "kernels/bitonic_sort_kernel.h"
#include "launch.h"
#include "platform.h"
#include "xil_printf.h"

enum { kWords = 64, kLogWords = 6, kPairs = kWords / 2, kData = 0x1000, kLimit = 100000 };

static void print_words(const char* title) {
  xil_printf("%s\n", title);
  for (u32 i = 0; i < kWords; ++i)
    xil_printf("%u%c", miaow_read(kPrefetch, kData + 4 * i), i % 16 == 15 ? '\n' : ' ');
}

int main(void) {
  init_platform();
  u32 words[kWords], pairs[kLanes], none[kLanes];
  for (u32 i = 0; i < kWords; ++i) {
    words[i] = (i * 2654435761u + 12345u) >> 8;
    pairs[i] = i;
    none[i] = 0;
    miaow_write(kPrefetch, kData + 4 * i, words[i]);
  }
  print_words("Initial array");
  const struct buffer buffers[] = {{kData, 4 * kWords}};
  miaow_load(bitonic_sort_kernel, sizeof bitonic_sort_kernel / 4);
  for (u32 stage = 0; stage < kLogWords; ++stage) {
    for (u32 pass = 0; pass <= stage; ++pass) {
      const u32 descending = stage + 1 == kLogWords ? 0 : 1u << stage;
      const u32 arguments[] = {1u << (stage - pass), descending};
      miaow_bind(kPrefetch, buffers, 1, arguments, 2);
      if (!miaow_run(kPairs, pairs, none, kLimit)) {
        xil_printf("stage %d, pass %d does not end\n", stage, pass);
        return 2;
      }
    }
  }
  xil_printf("Total number of cycles: %ld\n", miaow_total_cycles());
  print_words("Ordered array");

  for (u32 i = 1; i < kWords; ++i) { /* by insertion */
    const u32 word = words[i];
    u32 at = i;
    for (; at > 0 && words[at - 1] > word; --at) words[at] = words[at - 1];
    words[at] = word;
  }
  int wrong = 0;
  for (u32 i = 0; i < kWords; ++i)
    if (miaow_read(kPrefetch, kData + 4 * i) != words[i]) ++wrong;
  xil_printf("%d of %d words wrong\n", wrong, kWords);
  cleanup_platform();
  return wrong != 0;
}

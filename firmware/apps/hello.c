/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest program: shows that the core, memory, timer and console work. */
#include <stdio.h>

#include "bsp/timer.h"

int main(void) {
  printf("Hello from the MicroBlaze, %lu us after reset.\n",
         (unsigned long)timer_microseconds(timer_now()));
  return 0;
}

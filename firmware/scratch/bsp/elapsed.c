/* SPDX-License-Identifier: Apache-2.0 */
/* clock(), time(), sleep() and what they count with. */
#include "elapsed.h"

#include <errno.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "bsp/console.h"
#include "bsp/program.h"
#include "microblaze_sleep.h"
#include "sleep.h"
#include "xtmrctr_l.h"

static enum { kNotStarted, kRuns, kGivenUp } state;
static uint64_t total;
static uint32_t last;

uint64_t bsp_elapsed(void) {
  const UINTPTR base = XPAR_TMRCTR_0_BASEADDR;
  if (state == kNotStarted) {
    XTmrCtr_SetLoadReg(base, 1, 0);
    XTmrCtr_SetControlStatusReg(base, 1, XTC_CSR_LOAD_MASK);
    XTmrCtr_SetControlStatusReg(base, 1, XTC_CSR_AUTO_RELOAD_MASK | XTC_CSR_ENABLE_TMR_MASK);
    last = 0;
    state = kRuns;
  }
  if (state == kRuns) {
    const uint32_t now = XTmrCtr_GetTimerCounterReg(base, 1);
    total += now - last;
    last = now;
  }
  return total;
}

bool bsp_elapsed_runs(void) { return state == kRuns; }

void bsp_elapsed_give_up(void) {
  if (state == kRuns) XTmrCtr_SetControlStatusReg(XPAR_TMRCTR_0_BASEADDR, 1, 0);
  state = kGivenUp;
}

clock_t times(struct tms* buffer) {
  const uint64_t ticks = bsp_elapsed() / (XPAR_TMRCTR_0_CLOCK_FREQ_HZ / CLOCKS_PER_SEC);
  if (buffer != NULL) {
    buffer->tms_utime = (clock_t)ticks;
    buffer->tms_stime = buffer->tms_cutime = buffer->tms_cstime = 0;
  }
  return (clock_t)ticks;
}

int gettimeofday(struct timeval* now, void* zone) {
  (void)zone;
  const uint64_t cycles = bsp_elapsed();
  now->tv_sec = (time_t)(cycles / XPAR_TMRCTR_0_CLOCK_FREQ_HZ);
  now->tv_usec =
      (suseconds_t)(cycles % XPAR_TMRCTR_0_CLOCK_FREQ_HZ * 1000000u / XPAR_TMRCTR_0_CLOCK_FREQ_HZ);
  return 0;
}

static void wait_for(uint64_t cycles) {
  const uint64_t begin = bsp_elapsed();
  while (bsp_elapsed() - begin < cycles) {
    if (state != kGivenUp) continue;
    console_text("\nsleep: the program uses counter 1 of the timer itself\n");
    program_stop(1);
  }
}

unsigned sleep(unsigned seconds) {
  wait_for((uint64_t)seconds * XPAR_TMRCTR_0_CLOCK_FREQ_HZ);
  return 0;
}
int usleep(useconds_t microseconds) {
  wait_for((uint64_t)microseconds * XPAR_TMRCTR_0_CLOCK_FREQ_HZ / 1000000u);
  return 0;
}
void MB_Sleep(u32 MilliSeconds) {
  wait_for((uint64_t)MilliSeconds * XPAR_TMRCTR_0_CLOCK_FREQ_HZ / 1000u);
}

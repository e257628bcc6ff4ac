/* SPDX-License-Identifier: Apache-2.0 */
/* What programs written for Xilinx's SDK count on, each tried once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bspconfig.h"
#include "launch.h"
#include "mb_interface.h"
#include "microblaze_sleep.h"
#include "platform.h"
#include "sleep.h"
#include "xbasic_types.h"
#include "xdebug.h"
#include "xenv.h"
#include "xil_assert.h"
#include "xil_cache.h"
#include "xil_exception.h"
#include "xil_io.h"
#include "xil_mem.h"
#include "xil_printf.h"
#include "xil_testmem.h"
#include "xil_types.h"
#include "xintc.h"
#include "xio.h"
#include "xparameters.h"
#include "xstatus.h"
#include "xtmrctr.h"
#include "xuartlite.h"

#define DDR3 XPAR_MIG_7SERIES_0_BASEADDR

static int failed;

static void check(const char* what, int good) {
  if (good) return;
  ++failed;
  xil_printf("FAIL %s\n", what);
}

static void test_accesses(void) {
  XIo_Out32(DDR3 + 0x100, 0x12345678u);
  check("a little-endian word", XIo_In8(DDR3 + 0x100) == 0x78 && Xil_In16(DDR3 + 0x102) == 0x1234);
  check("byte order", Xil_In32BE(DDR3 + 0x100) == 0x78563412u);
  check("tests of memory",
        Xil_TestMem32((u32*)DDR3, 256, 0xAAAA5555u, XIL_TESTMEM_ALLMEMTESTS) == 0 &&
            Xil_TestMem16((u16*)DDR3, 256, 0, XIL_TESTMEM_ALLMEMTESTS) == 0 &&
            Xil_TestMem8((u8*)DDR3, 256, 0, XIL_TESTMEM_ALLMEMTESTS) == 0);
  check("a test of what is no memory",
        Xil_TestMem32((u32*)(XPAR_UARTLITE_0_BASEADDR + XUL_STATUS_REG_OFFSET), 1, 1,
                      XIL_TESTMEM_FIXEDPATTERN) != 0);
}

/* The published driver takes three arrays of 64 words for 192: what follows an array on main()'s
 * stack is read as data.  Where there is no memory an exception ends this program. */
static void test_reads_beyond_the_stack(const int* array) {
  for (int i = 0; i < 48 * 1024 / 4; ++i) (void)((volatile const int*)array)[i];
}

static void test_timer(XTmrCtr* timer) {
  check("no second timer", XTmrCtr_Initialize(timer, 1) == XST_DEVICE_NOT_FOUND);
  check("a timer", XTmrCtr_Initialize(timer, XPAR_TMRCTR_0_DEVICE_ID) == XST_SUCCESS);
  check("its test", XTmrCtr_SelfTest(timer, 0) == XST_SUCCESS);
  XTmrCtr_SetResetValue(timer, 0, 1000);
  XTmrCtr_Reset(timer, 0);
  check("it stands", XTmrCtr_GetValue(timer, 0) == 1000 && XTmrCtr_GetValue(timer, 0) == 1000);
  XTmrCtr_Start(timer, 0);
  const u32 first = XTmrCtr_GetValue(timer, 0);
  const u32 second = XTmrCtr_GetValue(timer, 0);
  check("it counts", first >= 1000 && second > first);
  check("it is started", XTmrCtr_Initialize(timer, 0) == XST_DEVICE_IS_STARTED);
  XTmrCtr_Stop(timer, 0);
  check("it stops", XTmrCtr_GetValue(timer, 0) == XTmrCtr_GetValue(timer, 0));
}

static volatile int ticks;
static void tick(void* timer, u8 number) {
  (void)timer;
  if (number == 0) ++ticks;
}

static void test_interrupts(XTmrCtr* timer) {
  static XIntc controller;
  check("a controller", XIntc_Initialize(&controller, XPAR_INTC_0_DEVICE_ID) == XST_SUCCESS);
  check("its test", XIntc_SelfTest(&controller) == XST_SUCCESS);
  XIntc_Connect(&controller, XPAR_INTC_0_TMRCTR_0_VEC_ID, XTmrCtr_InterruptHandler, timer);
  XIntc_Start(&controller, XIN_REAL_MODE);
  XIntc_Enable(&controller, XPAR_INTC_0_TMRCTR_0_VEC_ID);
  Xil_ExceptionInit();
  Xil_ExceptionRegisterHandler(XIL_EXCEPTION_ID_INT, (Xil_ExceptionHandler)XIntc_InterruptHandler,
                               &controller);
  Xil_ExceptionEnable();
  XTmrCtr_SetHandler(timer, tick, timer);
  XTmrCtr_SetOptions(timer, 0,
                     XTC_INT_MODE_OPTION | XTC_AUTO_RELOAD_OPTION | XTC_DOWN_COUNT_OPTION);
  XTmrCtr_SetResetValue(timer, 0, 5000);
  XTmrCtr_Start(timer, 0);
  const clock_t begin = clock();
  while (ticks < 3 && clock() - begin < CLOCKS_PER_SEC) {
  }
  XTmrCtr_Stop(timer, 0);
  Xil_ExceptionDisable();
  check("interrupts of the timer", ticks >= 3);
}

static volatile int exceptions;
static void note(void* data) { exceptions += *(int*)data; }

static void test_exceptions(void) {
  int one = 1;
  Xil_ExceptionRegisterHandler(XIL_EXCEPTION_ID_M_AXI_D_EXCEPTION, note, &one);
  XIo_In32(0xF0000000u);
  check("an exception", exceptions == 1);
  Xil_ExceptionRemoveHandler(XIL_EXCEPTION_ID_M_AXI_D_EXCEPTION);
}

static void test_time(void) {
  const clock_t begin = clock();
  usleep(200);
  MB_Sleep(1);
  const clock_t ticks_passed = clock() - begin;
  /* of 1.2 ms */
  check("clock() and sleep",
        ticks_passed * 1000 / CLOCKS_PER_SEC <= 2 && ticks_passed >= CLOCKS_PER_SEC / 1000);
  srand((unsigned)time(NULL));
}

static void test_caches(void) {
  Xil_DCacheEnable();
  Xil_ICacheEnable();
  XIo_Out32(DDR3 + 0x200, 77);
  Xil_DCacheFlush();
  Xil_DCacheFlushRange(DDR3 + 0x200, 4);
  Xil_DCacheInvalidateRange(DDR3 + 0x200, 4);
  check("what was flushed", XIo_In32(DDR3 + 0x200) == 77);
  Xil_ICacheInvalidate();
  Xil_DCacheDisable();
  Xil_ICacheDisable();
  check("without caches", XIo_In32(DDR3 + 0x200) == 77);
}

static void test_uart(void) {
  static XUartLite uart;
  check("a UART", XUartLite_Initialize(&uart, XPAR_UARTLITE_0_DEVICE_ID) == XST_SUCCESS);
  while (XUartLite_IsSending(&uart)) {
  }
  check("it sends", XUartLite_Send(&uart, (u8*)"uart\n", 5) == 5);
}

int main(void) {
  int array[64] = {0};
  static XTmrCtr timer;
  init_platform();
  print("Hello World\n\r");
  const s64 cycles = 5000000000LL;
  xil_printf("%ld\n", cycles);
  xil_printf("%d %ld %x %08x %02x|%5d|%-5d|%s|%-5s|%.2s|%c|%X|%%|%u\n", -1, 123456, 0xABCu, 0xABCu,
             5, -42, 42, "text", "abc", "abc", 'x', 0xBEEFu, 0xFFFFFFFFu);
  printf("%f %ld %5.2e\n", sqrt(2.0), (long)-5, 12345.678);
  test_accesses();
  test_reads_beyond_the_stack(array);
  test_timer(&timer);
  test_interrupts(&timer);
  test_exceptions();
  test_time();
  test_caches();
  test_uart();
  xil_printf("%d failed\n", failed);
  cleanup_platform();
  return failed;
}

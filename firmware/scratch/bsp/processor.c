/* SPDX-License-Identifier: Apache-2.0 */
/* mb_interface.h and xil_exception.h. */
#include "bsp/cache.h"
#include "bsp/console.h"
#include "bsp/core.h"
#include "bsp/exception.h"
#include "bsp/program.h"
#include "mb_interface.h"
#include "xil_exception.h"

enum { kExceptions = 8 };

static struct {
  XExceptionHandler handler;
  void* data;
} exceptions[kExceptions], interrupt;

void microblaze_enable_interrupts(void) { core_write_msr(core_read_msr() | CORE_MSR_IE); }
void microblaze_disable_interrupts(void) { core_write_msr(core_read_msr() & ~CORE_MSR_IE); }

void microblaze_register_handler(XInterruptHandler Handler, void* DataPtr) {
  interrupt.handler = Handler;
  interrupt.data = DataPtr;
}

/* Called by interrupt_entry with interrupts off. */
void interrupt_dispatch(void);
void interrupt_dispatch(void) {
  if (interrupt.handler == NULL) {
    console_text("\ninterrupt without a handler\n");
    program_stop(EXCEPTION_EXIT_CODE);
  }
  interrupt.handler(interrupt.data);
}

void microblaze_enable_exceptions(void) { core_write_msr(core_read_msr() | CORE_MSR_EE); }
void microblaze_disable_exceptions(void) { core_write_msr(core_read_msr() & ~CORE_MSR_EE); }

void microblaze_register_exception_handler(u32 ExceptionId, XExceptionHandler Handler,
                                           void* DataPtr) {
  if (ExceptionId >= kExceptions) return;
  exceptions[ExceptionId].handler = Handler;
  exceptions[ExceptionId].data = DataPtr;
}

/* In place of the board support package's (--wrap): the program's own handlers first. */
void __real_exception_dispatch(struct exception_frame* frame);
void __wrap_exception_dispatch(struct exception_frame* frame);
void __wrap_exception_dispatch(struct exception_frame* frame) {
  const unsigned cause = frame->esr & 0x1Fu;
  if (cause < kExceptions && exceptions[cause].handler != NULL) {
    exceptions[cause].handler(exceptions[cause].data);
    /* a delay slot's instruction is left for the branch's target */
    if ((frame->esr & 0x1000u) != 0) frame->pc = frame->btr;
    return;
  }
  __real_exception_dispatch(frame);
}

void Xil_ExceptionInit(void) {}
void Xil_ExceptionEnable(void) { microblaze_enable_interrupts(); }
void Xil_ExceptionDisable(void) { microblaze_disable_interrupts(); }
void Xil_ExceptionRegisterHandler(u32 Id, Xil_ExceptionHandler Handler, void* Data) {
  if (Id == XIL_EXCEPTION_ID_INT)
    microblaze_register_handler(Handler, Data);
  else
    microblaze_register_exception_handler(Id, Handler, Data);
}
void Xil_ExceptionRemoveHandler(u32 Id) { Xil_ExceptionRegisterHandler(Id, NULL, NULL); }

void microblaze_enable_icache(void) { cache_initialize(); }
void microblaze_enable_dcache(void) {
  /* of caches that are on already what was not written back would be lost */
  if ((core_read_msr() & CORE_MSR_DCE) == 0) cache_initialize();
}
void microblaze_disable_icache(void) { core_write_msr(core_read_msr() & ~CORE_MSR_ICE); }
void microblaze_disable_dcache(void) {
  microblaze_flush_dcache();
  core_write_msr(core_read_msr() & ~CORE_MSR_DCE);
}

/* Lines by their place in the cache: the largest there is has 64 KiB. */
enum { kMostCacheBytes = 65536, kLeastLineBytes = 16 };
void microblaze_invalidate_icache(void) {
  for (u32 at = 0; at < kMostCacheBytes; at += kLeastLineBytes)
    __asm__ volatile("wic %0, r0" : : "r"(at) : "memory");
}
void microblaze_flush_dcache(void) {
  if ((core_read_msr() & CORE_MSR_DCE) == 0) return;
  for (u32 at = 0; at < kMostCacheBytes; at += kLeastLineBytes)
    __asm__ volatile("wdc.flush %0, r0" : : "r"(at) : "memory");
}
void microblaze_invalidate_dcache(void) {
  if ((core_read_msr() & CORE_MSR_DCE) == 0) return;
  for (u32 at = 0; at < kMostCacheBytes; at += kLeastLineBytes)
    __asm__ volatile("wdc %0, r0" : : "r"(at) : "memory");
}
void microblaze_flush_dcache_range(unsigned int cacheaddr, unsigned int len) {
  cache_flush((const void*)cacheaddr, len);
}
void microblaze_invalidate_dcache_range(unsigned int cacheaddr, unsigned int len) {
  cache_invalidate((const void*)cacheaddr, len);
}
void microblaze_invalidate_icache_range(unsigned int cacheaddr, unsigned int len) {
  for (u32 at = cacheaddr & ~15u; at < cacheaddr + len; at += kLeastLineBytes)
    __asm__ volatile("wic %0, r0" : : "r"(at) : "memory");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The processor: special registers, interrupts, exceptions, caches. */
#ifndef MB_INTERFACE_H
#define MB_INTERFACE_H

#include "xil_types.h"

void microblaze_enable_interrupts(void);
void microblaze_disable_interrupts(void);
/* Called at every interrupt; without one they are a mistake that ends the program. */
void microblaze_register_handler(XInterruptHandler Handler, void* DataPtr);

void microblaze_enable_exceptions(void);
void microblaze_disable_exceptions(void);
/* ExceptionId: ESR[EC], 0 to 7. */
void microblaze_register_exception_handler(u32 ExceptionId, XExceptionHandler Handler,
                                           void* DataPtr);

/* Either turns on all caches there are. */
void microblaze_enable_icache(void);
void microblaze_enable_dcache(void);
void microblaze_disable_icache(void);
void microblaze_disable_dcache(void);
void microblaze_invalidate_icache(void);
void microblaze_flush_dcache(void);
void microblaze_invalidate_dcache(void);
void microblaze_flush_dcache_range(unsigned int cacheaddr, unsigned int len);
void microblaze_invalidate_dcache_range(unsigned int cacheaddr, unsigned int len);
void microblaze_invalidate_icache_range(unsigned int cacheaddr, unsigned int len);

#define mfmsr()                                     \
  ({                                                \
    u32 rval_;                                      \
    __asm__ volatile("mfs %0, rmsr" : "=r"(rval_)); \
    rval_;                                          \
  })
#define mtmsr(v) __asm__ volatile("mts rmsr, %0\n\tnop" : : "r"(v) : "memory")
#define mfear()                                     \
  ({                                                \
    u32 rval_;                                      \
    __asm__ volatile("mfs %0, rear" : "=r"(rval_)); \
    rval_;                                          \
  })
#define mfesr()                                     \
  ({                                                \
    u32 rval_;                                      \
    __asm__ volatile("mfs %0, resr" : "=r"(rval_)); \
    rval_;                                          \
  })
#define mbar(mask) __asm__ volatile("mbar " #mask : : : "memory")
#define isb() mbar(1)
#define nop() __asm__ volatile("nop")

#endif

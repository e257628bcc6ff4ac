/* SPDX-License-Identifier: Apache-2.0 */
#ifndef XIL_CACHE_H
#define XIL_CACHE_H

#include "mb_interface.h"
#include "xil_types.h"

#define Xil_L1DCacheEnable Xil_DCacheEnable
#define Xil_DCacheEnable() microblaze_enable_dcache()
#define Xil_DCacheDisable() microblaze_disable_dcache()
#define Xil_DCacheInvalidate() microblaze_invalidate_dcache()
#define Xil_DCacheFlush() microblaze_flush_dcache()
#define Xil_DCacheFlushRange(Addr, Len) \
  microblaze_flush_dcache_range((unsigned int)(Addr), (unsigned int)(Len))
#define Xil_DCacheInvalidateRange(Addr, Len) \
  microblaze_invalidate_dcache_range((unsigned int)(Addr), (unsigned int)(Len))
#define Xil_ICacheEnable() microblaze_enable_icache()
#define Xil_ICacheDisable() microblaze_disable_icache()
#define Xil_ICacheInvalidate() microblaze_invalidate_icache()
#define Xil_ICacheInvalidateRange(Addr, Len) \
  microblaze_invalidate_icache_range((unsigned int)(Addr), (unsigned int)(Len))

#endif

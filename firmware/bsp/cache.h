/* SPDX-License-Identifier: Apache-2.0 */
/* The core's caches (UG984, "Instruction Cache", "Data Cache"), as far as its version registers say
 * that there are any.  Without caches, or without version registers, nothing here does anything. */
#ifndef GVP_BSP_CACHE_H
#define GVP_BSP_CACHE_H

#include <stddef.h>

/* Empties the caches and turns them on. */
void cache_initialize(void);

/* Before another master reads [memory, memory + bytes): what was written is in memory. */
void cache_flush(const void* memory, size_t bytes);

/* Before reading what another master wrote.  Whole lines are dropped: nothing else may lie in the
 * first and the last one. */
void cache_invalidate(const void* memory, size_t bytes);

#endif

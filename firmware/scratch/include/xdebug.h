/* SPDX-License-Identifier: Apache-2.0 */
#ifndef XDEBUG_H
#define XDEBUG_H

#if defined(DEBUG) && !defined(NDEBUG)
#include <stdio.h>
#define XDBG_DEBUG_ERROR 0x00000001U
#define XDBG_DEBUG_GENERAL 0x00000002U
#define XDBG_DEBUG_ALL 0xFFFFFFFFU
#define xdbg_current_types (XDBG_DEBUG_ERROR | XDBG_DEBUG_GENERAL)
#define xdbg_stmnt(x) x
#define xdbg_printf(type, ...) (((type)&xdbg_current_types) ? printf(__VA_ARGS__) : 0)
#else
#define xdbg_stmnt(x)
#define xdbg_printf(...)
#endif

#endif

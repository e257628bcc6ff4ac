/* SPDX-License-Identifier: Apache-2.0 */
/* The older names of xil_types.h and xil_assert.h. */
#ifndef XBASIC_TYPES_H
#define XBASIC_TYPES_H

#include "xil_assert.h"
#include "xil_types.h"

typedef u8 Xuint8;
typedef u16 Xuint16;
typedef u32 Xuint32;
typedef s8 Xint8;
typedef s16 Xint16;
typedef s32 Xint32;
typedef float Xfloat32;
typedef double Xfloat64;
typedef unsigned long Xboolean;

#define XTRUE 1
#define XFALSE 0
#define XNULL NULL
#define XASSERT_NONE XIL_ASSERT_NONE
#define XASSERT_OCCURRED XIL_ASSERT_OCCURRED
#define XASSERT_VOID Xil_AssertVoid
#define XASSERT_VOID_ALWAYS Xil_AssertVoidAlways
#define XASSERT_NONVOID Xil_AssertNonvoid
#define XASSERT_NONVOID_ALWAYS Xil_AssertNonvoidAlways
#define XAssert Xil_Assert
#define XAssertSetCallback Xil_AssertSetCallback

#endif

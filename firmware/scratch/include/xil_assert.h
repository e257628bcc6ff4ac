/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions as Xilinx's drivers and programs write them.  One that fails prints file and line and,
 * unless Xil_AssertWait says otherwise, ends the program with exit code 1. */
#ifndef XIL_ASSERT_H
#define XIL_ASSERT_H

#include "xil_types.h"

#define XIL_ASSERT_NONE 0U
#define XIL_ASSERT_OCCURRED 1U

typedef void (*Xil_AssertCallback)(const char8* File, s32 Line);

extern u32 Xil_AssertStatus;
extern s32 Xil_AssertWait;

void Xil_Assert(const char8* File, s32 Line);
void Xil_AssertSetCallback(Xil_AssertCallback Routine);
void XNullHandler(void* NullParameter);

#ifndef NDEBUG
#define Xil_AssertVoid(Expression)            \
  do {                                        \
    if (Expression) {                         \
      Xil_AssertStatus = XIL_ASSERT_NONE;     \
    } else {                                  \
      Xil_Assert(__FILE__, __LINE__);         \
      Xil_AssertStatus = XIL_ASSERT_OCCURRED; \
      return;                                 \
    }                                         \
  } while (0)
#define Xil_AssertNonvoid(Expression)         \
  do {                                        \
    if (Expression) {                         \
      Xil_AssertStatus = XIL_ASSERT_NONE;     \
    } else {                                  \
      Xil_Assert(__FILE__, __LINE__);         \
      Xil_AssertStatus = XIL_ASSERT_OCCURRED; \
      return 0;                               \
    }                                         \
  } while (0)
#define Xil_AssertVoidAlways() Xil_AssertVoid(0)
#define Xil_AssertNonvoidAlways() Xil_AssertNonvoid(0)
#else
#define Xil_AssertVoid(Expression)
#define Xil_AssertNonvoid(Expression)
#define Xil_AssertVoidAlways()
#define Xil_AssertNonvoidAlways()
#endif

#endif

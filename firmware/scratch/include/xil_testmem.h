/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of memory, as the SDK's template calls them.  Subtests: each value 0 to 5 below. */
#ifndef XIL_TESTMEM_H
#define XIL_TESTMEM_H

#include "xil_types.h"

#define XIL_TESTMEM_ALLMEMTESTS 0x00U
#define XIL_TESTMEM_INCREMENT 0x01U
#define XIL_TESTMEM_WALKONES 0x02U
#define XIL_TESTMEM_WALKZEROS 0x03U
#define XIL_TESTMEM_INVERSEADDR 0x04U
#define XIL_TESTMEM_FIXEDPATTERN 0x05U
#define XIL_TESTMEM_MAXTEST XIL_TESTMEM_FIXEDPATTERN

/* 0, or -1 where a word is not what was written.  Words, half-words or bytes; Pattern 0: a default
 * one. */
s32 Xil_TestMem32(u32* Addr, u32 Words, u32 Pattern, u8 Subtest);
s32 Xil_TestMem16(u16* Addr, u32 Words, u16 Pattern, u8 Subtest);
s32 Xil_TestMem8(u8* Addr, u32 Words, u8 Pattern, u8 Subtest);

#endif

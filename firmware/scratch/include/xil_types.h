/* SPDX-License-Identifier: Apache-2.0 */
/* Types of programs that were written for Xilinx's standalone board support package. */
#ifndef XIL_TYPES_H
#define XIL_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifndef TRUE
#define TRUE 1U
#endif
#ifndef FALSE
#define FALSE 0U
#endif

#define XIL_COMPONENT_IS_READY 0x11111111U
#define XIL_COMPONENT_IS_STARTED 0x22222222U

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef int sint32;
typedef char char8;
typedef intptr_t INTPTR;
typedef uintptr_t UINTPTR;
typedef ptrdiff_t PTRDIFF;
typedef long LONG;
typedef unsigned long ULONG;

typedef struct {
  u32 Upper;
  u32 Lower;
} Xuint64;
#define XUINT64_MSW(x) ((x).Upper)
#define XUINT64_LSW(x) ((x).Lower)

#define ULONG64_HI_MASK 0xFFFFFFFF00000000U
#define ULONG64_LO_MASK (~ULONG64_HI_MASK)
#define UPPER_32_BITS(n) ((u32)(((n) >> 16) >> 16))
#define LOWER_32_BITS(n) ((u32)(n))

typedef void (*XInterruptHandler)(void* InstancePtr);
typedef void (*XExceptionHandler)(void* InstancePtr);

#endif

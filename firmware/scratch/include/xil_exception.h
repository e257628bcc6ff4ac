/* SPDX-License-Identifier: Apache-2.0 */
#ifndef XIL_EXCEPTION_H
#define XIL_EXCEPTION_H

#include "mb_interface.h"
#include "xil_types.h"

typedef XExceptionHandler Xil_ExceptionHandler;

#define XIL_EXCEPTION_ID_FIRST 0U
#define XIL_EXCEPTION_ID_FSL 0U
#define XIL_EXCEPTION_ID_UNALIGNED_ACCESS 1U
#define XIL_EXCEPTION_ID_ILLEGAL_OPCODE 2U
#define XIL_EXCEPTION_ID_M_AXI_I_EXCEPTION 3U
#define XIL_EXCEPTION_ID_M_AXI_D_EXCEPTION 4U
#define XIL_EXCEPTION_ID_DIV_BY_ZERO 5U
#define XIL_EXCEPTION_ID_FPU 6U
#define XIL_EXCEPTION_ID_STACK_VIOLATION 7U
#define XIL_EXCEPTION_ID_MMU 7U
#define XIL_EXCEPTION_ID_INT 16U
#define XIL_EXCEPTION_ID_LAST XIL_EXCEPTION_ID_INT

void Xil_ExceptionInit(void);
void Xil_ExceptionEnable(void);
void Xil_ExceptionDisable(void);
void Xil_ExceptionRegisterHandler(u32 Id, Xil_ExceptionHandler Handler, void* Data);
void Xil_ExceptionRemoveHandler(u32 Id);

#endif

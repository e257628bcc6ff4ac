/* SPDX-License-Identifier: Apache-2.0 */
/* AXI timer (Xilinx PG079): registers of its two counters. */
#ifndef XTMRCTR_L_H
#define XTMRCTR_L_H

#include "xil_io.h"
#include "xil_types.h"

#define XTC_DEVICE_TIMER_COUNT 2
#define XTC_TIMER_COUNTER_OFFSET 16
#define XTC_TCSR_OFFSET 0
#define XTC_TLR_OFFSET 4
#define XTC_TCR_OFFSET 8

#define XTC_CSR_CASC_MASK 0x00000800U
#define XTC_CSR_ENABLE_ALL_MASK 0x00000400U
#define XTC_CSR_ENABLE_PWM_MASK 0x00000200U
#define XTC_CSR_INT_OCCURED_MASK 0x00000100U
#define XTC_CSR_ENABLE_TMR_MASK 0x00000080U
#define XTC_CSR_ENABLE_INT_MASK 0x00000040U
#define XTC_CSR_LOAD_MASK 0x00000020U
#define XTC_CSR_AUTO_RELOAD_MASK 0x00000010U
#define XTC_CSR_EXT_CAPTURE_MASK 0x00000008U
#define XTC_CSR_EXT_GENERATE_MASK 0x00000004U
#define XTC_CSR_DOWN_COUNT_MASK 0x00000002U
#define XTC_CSR_CAPTURE_MODE_MASK 0x00000001U

extern u8 XTmrCtr_Offsets[];

#define XTimerCtr_ReadReg XTmrCtr_ReadReg
#define XTmrCtr_ReadReg(Base, Number, Offset) \
  Xil_In32((Base) + XTC_TIMER_COUNTER_OFFSET * (Number) + (Offset))
#define XTmrCtr_WriteReg(Base, Number, Offset, Value) \
  Xil_Out32((Base) + XTC_TIMER_COUNTER_OFFSET * (Number) + (Offset), (Value))
#define XTmrCtr_SetControlStatusReg(Base, Number, Value) \
  XTmrCtr_WriteReg((Base), (Number), XTC_TCSR_OFFSET, (Value))
#define XTmrCtr_GetControlStatusReg(Base, Number) XTmrCtr_ReadReg((Base), (Number), XTC_TCSR_OFFSET)
#define XTmrCtr_GetTimerCounterReg(Base, Number) XTmrCtr_ReadReg((Base), (Number), XTC_TCR_OFFSET)
#define XTmrCtr_SetLoadReg(Base, Number, Value) \
  XTmrCtr_WriteReg((Base), (Number), XTC_TLR_OFFSET, (Value))
#define XTmrCtr_GetLoadReg(Base, Number) XTmrCtr_ReadReg((Base), (Number), XTC_TLR_OFFSET)
#define XTC_CHANGE_CSR(Base, Number, Clear, Set) \
  XTmrCtr_SetControlStatusReg((Base), (Number),  \
                              (XTmrCtr_GetControlStatusReg((Base), (Number)) & ~(Clear)) | (Set))
#define XTmrCtr_Enable(Base, Number) XTC_CHANGE_CSR(Base, Number, 0U, XTC_CSR_ENABLE_TMR_MASK)
#define XTmrCtr_Disable(Base, Number) XTC_CHANGE_CSR(Base, Number, XTC_CSR_ENABLE_TMR_MASK, 0U)
#define XTmrCtr_EnableIntr(Base, Number) XTC_CHANGE_CSR(Base, Number, 0U, XTC_CSR_ENABLE_INT_MASK)
#define XTmrCtr_DisableIntr(Base, Number) XTC_CHANGE_CSR(Base, Number, XTC_CSR_ENABLE_INT_MASK, 0U)
#define XTmrCtr_LoadTimerCounterReg(Base, Number) \
  XTC_CHANGE_CSR(Base, Number, 0U, XTC_CSR_LOAD_MASK)
#define XTmrCtr_HasEventOccurred(Base, Number) \
  ((XTmrCtr_GetControlStatusReg((Base), (Number)) & XTC_CSR_INT_OCCURED_MASK) != 0U)

#endif

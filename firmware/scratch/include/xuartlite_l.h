/* SPDX-License-Identifier: Apache-2.0 */
/* AXI UART Lite (Xilinx PG142): registers. */
#ifndef XUARTLITE_L_H
#define XUARTLITE_L_H

#include "xil_io.h"
#include "xil_types.h"

#define XUL_RX_FIFO_OFFSET 0
#define XUL_TX_FIFO_OFFSET 4
#define XUL_STATUS_REG_OFFSET 8
#define XUL_CONTROL_REG_OFFSET 12
#define XUL_CR_ENABLE_INTR 0x10
#define XUL_CR_FIFO_RX_RESET 0x02
#define XUL_CR_FIFO_TX_RESET 0x01
#define XUL_SR_PARITY_ERROR 0x80
#define XUL_SR_FRAMING_ERROR 0x40
#define XUL_SR_OVERRUN_ERROR 0x20
#define XUL_SR_INTR_ENABLED 0x10
#define XUL_SR_TX_FIFO_FULL 0x08
#define XUL_SR_TX_FIFO_EMPTY 0x04
#define XUL_SR_RX_FIFO_FULL 0x02
#define XUL_SR_RX_FIFO_VALID_DATA 0x01
#define XUL_FIFO_SIZE 16

#define XUartLite_ReadReg(Base, Offset) Xil_In32((Base) + (Offset))
#define XUartLite_WriteReg(Base, Offset, Value) Xil_Out32((Base) + (Offset), (u32)(Value))
#define XUartLite_SetControlReg(Base, Mask) XUartLite_WriteReg((Base), XUL_CONTROL_REG_OFFSET, Mask)
#define XUartLite_GetStatusReg(Base) XUartLite_ReadReg((Base), XUL_STATUS_REG_OFFSET)
#define XUartLite_IsReceiveEmpty(Base) \
  ((XUartLite_GetStatusReg(Base) & XUL_SR_RX_FIFO_VALID_DATA) != XUL_SR_RX_FIFO_VALID_DATA)
#define XUartLite_IsTransmitFull(Base) \
  ((XUartLite_GetStatusReg(Base) & XUL_SR_TX_FIFO_FULL) == XUL_SR_TX_FIFO_FULL)
#define XUartLite_IsTransmitEmpty(Base) \
  ((XUartLite_GetStatusReg(Base) & XUL_SR_TX_FIFO_EMPTY) == XUL_SR_TX_FIFO_EMPTY)
#define XUartLite_IsIntrEnabled(Base) \
  ((XUartLite_GetStatusReg(Base) & XUL_SR_INTR_ENABLED) == XUL_SR_INTR_ENABLED)
#define XUartLite_EnableIntr(Base) XUartLite_SetControlReg((Base), XUL_CR_ENABLE_INTR)
#define XUartLite_DisableIntr(Base) XUartLite_SetControlReg((Base), 0)

void XUartLite_SendByte(UINTPTR BaseAddress, u8 Data);
u8 XUartLite_RecvByte(UINTPTR BaseAddress);

#endif

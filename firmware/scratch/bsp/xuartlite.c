/* SPDX-License-Identifier: Apache-2.0 */
#include "xuartlite.h"

static XUartLite_Config configuration = {XPAR_UARTLITE_0_DEVICE_ID,  XPAR_UARTLITE_0_BASEADDR,
                                         XPAR_UARTLITE_0_BAUDRATE,   XPAR_UARTLITE_0_USE_PARITY,
                                         XPAR_UARTLITE_0_ODD_PARITY, XPAR_UARTLITE_0_DATA_BITS};

void XUartLite_SendByte(UINTPTR BaseAddress, u8 Data) {
  while (XUartLite_IsTransmitFull(BaseAddress)) {
  }
  XUartLite_WriteReg(BaseAddress, XUL_TX_FIFO_OFFSET, Data);
}

u8 XUartLite_RecvByte(UINTPTR BaseAddress) {
  while (XUartLite_IsReceiveEmpty(BaseAddress)) {
  }
  return (u8)XUartLite_ReadReg(BaseAddress, XUL_RX_FIFO_OFFSET);
}

XUartLite_Config* XUartLite_LookupConfig(u16 DeviceId) {
  return DeviceId == configuration.DeviceId ? &configuration : NULL;
}

int XUartLite_CfgInitialize(XUartLite* InstancePtr, XUartLite_Config* Config,
                            UINTPTR EffectiveAddr) {
  (void)Config;
  InstancePtr->RegBaseAddress = EffectiveAddr;
  InstancePtr->IsReady = XIL_COMPONENT_IS_READY;
  return XST_SUCCESS;
}

int XUartLite_Initialize(XUartLite* InstancePtr, u16 DeviceId) {
  XUartLite_Config* const found = XUartLite_LookupConfig(DeviceId);
  if (found == NULL) return XST_DEVICE_NOT_FOUND;
  return XUartLite_CfgInitialize(InstancePtr, found, found->RegBaseAddr);
}

void XUartLite_ResetFifos(XUartLite* InstancePtr) {
  XUartLite_SetControlReg(InstancePtr->RegBaseAddress, XUL_CR_FIFO_TX_RESET | XUL_CR_FIFO_RX_RESET);
}

unsigned int XUartLite_Send(XUartLite* InstancePtr, u8* DataBufferPtr, unsigned int NumBytes) {
  unsigned int sent = 0;
  for (; sent < NumBytes && !XUartLite_IsTransmitFull(InstancePtr->RegBaseAddress); ++sent)
    XUartLite_WriteReg(InstancePtr->RegBaseAddress, XUL_TX_FIFO_OFFSET, DataBufferPtr[sent]);
  return sent;
}

unsigned int XUartLite_Recv(XUartLite* InstancePtr, u8* DataBufferPtr, unsigned int NumBytes) {
  unsigned int received = 0;
  for (; received < NumBytes && !XUartLite_IsReceiveEmpty(InstancePtr->RegBaseAddress); ++received)
    DataBufferPtr[received] =
        (u8)XUartLite_ReadReg(InstancePtr->RegBaseAddress, XUL_RX_FIFO_OFFSET);
  return received;
}

int XUartLite_IsSending(XUartLite* InstancePtr) {
  return !XUartLite_IsTransmitEmpty(InstancePtr->RegBaseAddress);
}

/* After a reset of both FIFOs there is nothing to receive and nothing to send. */
int XUartLite_SelfTest(XUartLite* InstancePtr) {
  XUartLite_ResetFifos(InstancePtr);
  const u32 status = XUartLite_GetStatusReg(InstancePtr->RegBaseAddress);
  return (status & ~(u32)XUL_SR_INTR_ENABLED) == XUL_SR_TX_FIFO_EMPTY ? XST_SUCCESS : XST_FAILURE;
}

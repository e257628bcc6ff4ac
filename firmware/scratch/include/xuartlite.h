/* SPDX-License-Identifier: Apache-2.0 */
/* AXI UART Lite (Xilinx PG142): Xilinx's driver interface for the board's console, polled. */
#ifndef XUARTLITE_H
#define XUARTLITE_H

#include "xil_assert.h"
#include "xil_types.h"
#include "xparameters.h"
#include "xstatus.h"
#include "xuartlite_l.h"

typedef struct {
  u16 DeviceId;
  UINTPTR RegBaseAddr;
  u32 BaudRate;
  u8 UseParity;
  u8 ParityOdd;
  u8 DataBits;
} XUartLite_Config;

typedef struct {
  UINTPTR RegBaseAddress;
  u32 IsReady;
} XUartLite;

int XUartLite_Initialize(XUartLite* InstancePtr, u16 DeviceId);
XUartLite_Config* XUartLite_LookupConfig(u16 DeviceId);
int XUartLite_CfgInitialize(XUartLite* InstancePtr, XUartLite_Config* Config,
                            UINTPTR EffectiveAddr);
void XUartLite_ResetFifos(XUartLite* InstancePtr);
/* As many bytes as fit, or are there; their number. */
unsigned int XUartLite_Send(XUartLite* InstancePtr, u8* DataBufferPtr, unsigned int NumBytes);
unsigned int XUartLite_Recv(XUartLite* InstancePtr, u8* DataBufferPtr, unsigned int NumBytes);
int XUartLite_IsSending(XUartLite* InstancePtr);
int XUartLite_SelfTest(XUartLite* InstancePtr);

#endif

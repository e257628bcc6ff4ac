/* SPDX-License-Identifier: Apache-2.0 */
/* AXI interrupt controller (Xilinx PG099): Xilinx's driver interface, for the one of the board. */
#ifndef XINTC_H
#define XINTC_H

#include "xil_assert.h"
#include "xil_types.h"
#include "xintc_l.h"
#include "xparameters.h"
#include "xstatus.h"

#define XIN_SVC_SGL_ISR_OPTION 1UL
#define XIN_SVC_ALL_ISRS_OPTION 2UL
#define XIN_SIMULATION_MODE 0
#define XIN_REAL_MODE 1

typedef struct {
  u16 DeviceId;
  UINTPTR BaseAddress;
} XIntc_Config;

typedef struct {
  UINTPTR BaseAddress;
  u32 IsReady;
  u32 IsStarted;
  XIntc_Config* CfgPtr;
} XIntc;

int XIntc_Initialize(XIntc* InstancePtr, u16 DeviceId);
int XIntc_Start(XIntc* InstancePtr, u8 Mode);
void XIntc_Stop(XIntc* InstancePtr);
int XIntc_Connect(XIntc* InstancePtr, u8 Id, XInterruptHandler Handler, void* CallBackRef);
void XIntc_Disconnect(XIntc* InstancePtr, u8 Id);
void XIntc_Enable(XIntc* InstancePtr, u8 Id);
void XIntc_Disable(XIntc* InstancePtr, u8 Id);
void XIntc_Acknowledge(XIntc* InstancePtr, u8 Id);
XIntc_Config* XIntc_LookupConfig(u16 DeviceId);
int XIntc_SelfTest(XIntc* InstancePtr);
int XIntc_SetOptions(XIntc* InstancePtr, u32 Options);
u32 XIntc_GetOptions(XIntc* InstancePtr);
void XIntc_VoidInterruptHandler(void);
void XIntc_InterruptHandler(XIntc* InstancePtr);

#endif

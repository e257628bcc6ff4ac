/* SPDX-License-Identifier: Apache-2.0 */
/* AXI timer (Xilinx PG079): Xilinx's driver interface, for the one of the board.  Counter 1 also
 * counts for clock(), time() and sleep(); a program that uses it itself cannot use these. */
#ifndef XTMRCTR_H
#define XTMRCTR_H

#include "xil_assert.h"
#include "xil_types.h"
#include "xparameters.h"
#include "xstatus.h"
#include "xtmrctr_l.h"

#define XTC_CASCADE_MODE_OPTION 0x00000080UL
#define XTC_ENABLE_ALL_OPTION 0x00000040UL
#define XTC_DOWN_COUNT_OPTION 0x00000020UL
#define XTC_CAPTURE_MODE_OPTION 0x00000010UL
#define XTC_INT_MODE_OPTION 0x00000008UL
#define XTC_AUTO_RELOAD_OPTION 0x00000004UL
#define XTC_EXT_COMPARE_OPTION 0x00000002UL

typedef struct {
  u16 DeviceId;
  UINTPTR BaseAddress;
  u32 SysClockFreqHz;
} XTmrCtr_Config;

typedef void (*XTmrCtr_Handler)(void* CallBackRef, u8 TmrCtrNumber);

typedef struct {
  u32 Interrupts;
} XTmrCtrStats;

typedef struct {
  XTmrCtr_Config Config;
  XTmrCtrStats Stats;
  UINTPTR BaseAddress;
  u32 IsReady;
  u32 IsStartedTmrCtr0;
  u32 IsStartedTmrCtr1;
  XTmrCtr_Handler Handler;
  void* CallBackRef;
} XTmrCtr;

int XTmrCtr_Initialize(XTmrCtr* InstancePtr, u16 DeviceId);
void XTmrCtr_CfgInitialize(XTmrCtr* InstancePtr, XTmrCtr_Config* ConfigPtr, UINTPTR EffectiveAddr);
int XTmrCtr_InitHw(XTmrCtr* InstancePtr);
XTmrCtr_Config* XTmrCtr_LookupConfig(u16 DeviceId);
void XTmrCtr_Start(XTmrCtr* InstancePtr, u8 TmrCtrNumber);
void XTmrCtr_Stop(XTmrCtr* InstancePtr, u8 TmrCtrNumber);
u32 XTmrCtr_GetValue(XTmrCtr* InstancePtr, u8 TmrCtrNumber);
void XTmrCtr_SetResetValue(XTmrCtr* InstancePtr, u8 TmrCtrNumber, u32 ResetValue);
u32 XTmrCtr_GetCaptureValue(XTmrCtr* InstancePtr, u8 TmrCtrNumber);
int XTmrCtr_IsExpired(XTmrCtr* InstancePtr, u8 TmrCtrNumber);
void XTmrCtr_Reset(XTmrCtr* InstancePtr, u8 TmrCtrNumber);
void XTmrCtr_SetOptions(XTmrCtr* InstancePtr, u8 TmrCtrNumber, u32 Options);
u32 XTmrCtr_GetOptions(XTmrCtr* InstancePtr, u8 TmrCtrNumber);
void XTmrCtr_GetStats(XTmrCtr* InstancePtr, XTmrCtrStats* StatsPtr);
void XTmrCtr_ClearStats(XTmrCtr* InstancePtr);
int XTmrCtr_SelfTest(XTmrCtr* InstancePtr, u8 TmrCtrNumber);
void XTmrCtr_SetHandler(XTmrCtr* InstancePtr, XTmrCtr_Handler FuncPtr, void* CallBackRef);
void XTmrCtr_InterruptHandler(void* InstancePtr);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "xtmrctr.h"

#include "elapsed.h"

u8 XTmrCtr_Offsets[] = {0, XTC_TIMER_COUNTER_OFFSET};

static XTmrCtr_Config configuration = {XPAR_TMRCTR_0_DEVICE_ID, XPAR_TMRCTR_0_BASEADDR,
                                       XPAR_TMRCTR_0_CLOCK_FREQ_HZ};

/* What an option sets in a counter's control register. */
static const struct {
  u32 option;
  u32 mask;
} options[] = {
    {XTC_CASCADE_MODE_OPTION, XTC_CSR_CASC_MASK},
    {XTC_ENABLE_ALL_OPTION, XTC_CSR_ENABLE_ALL_MASK},
    {XTC_DOWN_COUNT_OPTION, XTC_CSR_DOWN_COUNT_MASK},
    {XTC_CAPTURE_MODE_OPTION, XTC_CSR_CAPTURE_MODE_MASK | XTC_CSR_EXT_CAPTURE_MASK},
    {XTC_INT_MODE_OPTION, XTC_CSR_ENABLE_INT_MASK},
    {XTC_AUTO_RELOAD_OPTION, XTC_CSR_AUTO_RELOAD_MASK},
    {XTC_EXT_COMPARE_OPTION, XTC_CSR_EXT_GENERATE_MASK},
};
enum { kOptions = sizeof options / sizeof options[0] };

static u32 control(const XTmrCtr* timer, u8 number) {
  return XTmrCtr_GetControlStatusReg(timer->BaseAddress, number);
}
static void set_control(const XTmrCtr* timer, u8 number, u32 value) {
  XTmrCtr_SetControlStatusReg(timer->BaseAddress, number, value);
}
static u32* started(XTmrCtr* timer, u8 number) {
  return number == 0 ? &timer->IsStartedTmrCtr0 : &timer->IsStartedTmrCtr1;
}

XTmrCtr_Config* XTmrCtr_LookupConfig(u16 DeviceId) {
  return DeviceId == configuration.DeviceId ? &configuration : NULL;
}

void XTmrCtr_CfgInitialize(XTmrCtr* InstancePtr, XTmrCtr_Config* ConfigPtr, UINTPTR EffectiveAddr) {
  InstancePtr->Config = *ConfigPtr;
  InstancePtr->BaseAddress = EffectiveAddr;
  InstancePtr->Handler = NULL;
  InstancePtr->CallBackRef = NULL;
  InstancePtr->Stats.Interrupts = 0;
  InstancePtr->IsReady = XIL_COMPONENT_IS_READY;
}

int XTmrCtr_InitHw(XTmrCtr* InstancePtr) {
  for (u8 number = 0; number < XTC_DEVICE_TIMER_COUNT; ++number) {
    *started(InstancePtr, number) = 0;
    if (number == 1 && bsp_elapsed_runs()) continue; /* clock() goes on */
    XTmrCtr_SetLoadReg(InstancePtr->BaseAddress, number, 0);
    set_control(InstancePtr, number, XTC_CSR_INT_OCCURED_MASK | XTC_CSR_LOAD_MASK);
    set_control(InstancePtr, number, 0);
  }
  return XST_SUCCESS;
}

int XTmrCtr_Initialize(XTmrCtr* InstancePtr, u16 DeviceId) {
  XTmrCtr_Config* const found = XTmrCtr_LookupConfig(DeviceId);
  if (found == NULL) return XST_DEVICE_NOT_FOUND;
  if (InstancePtr->IsReady == XIL_COMPONENT_IS_READY &&
      (InstancePtr->IsStartedTmrCtr0 == XIL_COMPONENT_IS_STARTED ||
       InstancePtr->IsStartedTmrCtr1 == XIL_COMPONENT_IS_STARTED))
    return XST_DEVICE_IS_STARTED;
  XTmrCtr_CfgInitialize(InstancePtr, found, found->BaseAddress);
  return XTmrCtr_InitHw(InstancePtr);
}

void XTmrCtr_Start(XTmrCtr* InstancePtr, u8 TmrCtrNumber) {
  if (TmrCtrNumber == 1) bsp_elapsed_give_up();
  const u32 value = control(InstancePtr, TmrCtrNumber);
  set_control(InstancePtr, TmrCtrNumber, value | XTC_CSR_LOAD_MASK);
  *started(InstancePtr, TmrCtrNumber) = XIL_COMPONENT_IS_STARTED;
  set_control(InstancePtr, TmrCtrNumber, (value & ~XTC_CSR_LOAD_MASK) | XTC_CSR_ENABLE_TMR_MASK);
}

void XTmrCtr_Stop(XTmrCtr* InstancePtr, u8 TmrCtrNumber) {
  if (TmrCtrNumber == 1) bsp_elapsed_give_up();
  set_control(InstancePtr, TmrCtrNumber,
              control(InstancePtr, TmrCtrNumber) & ~XTC_CSR_ENABLE_TMR_MASK);
  *started(InstancePtr, TmrCtrNumber) = 0;
}

u32 XTmrCtr_GetValue(XTmrCtr* InstancePtr, u8 TmrCtrNumber) {
  return XTmrCtr_GetTimerCounterReg(InstancePtr->BaseAddress, TmrCtrNumber);
}
void XTmrCtr_SetResetValue(XTmrCtr* InstancePtr, u8 TmrCtrNumber, u32 ResetValue) {
  if (TmrCtrNumber == 1) bsp_elapsed_give_up();
  XTmrCtr_SetLoadReg(InstancePtr->BaseAddress, TmrCtrNumber, ResetValue);
}
u32 XTmrCtr_GetCaptureValue(XTmrCtr* InstancePtr, u8 TmrCtrNumber) {
  return XTmrCtr_GetLoadReg(InstancePtr->BaseAddress, TmrCtrNumber);
}
int XTmrCtr_IsExpired(XTmrCtr* InstancePtr, u8 TmrCtrNumber) {
  return XTmrCtr_HasEventOccurred(InstancePtr->BaseAddress, TmrCtrNumber);
}

void XTmrCtr_Reset(XTmrCtr* InstancePtr, u8 TmrCtrNumber) {
  if (TmrCtrNumber == 1) bsp_elapsed_give_up();
  const u32 value = control(InstancePtr, TmrCtrNumber);
  set_control(InstancePtr, TmrCtrNumber, value | XTC_CSR_LOAD_MASK);
  set_control(InstancePtr, TmrCtrNumber, value);
}

void XTmrCtr_SetOptions(XTmrCtr* InstancePtr, u8 TmrCtrNumber, u32 Options) {
  if (TmrCtrNumber == 1) bsp_elapsed_give_up();
  u32 value = 0;
  for (unsigned i = 0; i < kOptions; ++i)
    if ((Options & options[i].option) != 0) value |= options[i].mask;
  set_control(InstancePtr, TmrCtrNumber, value);
}

u32 XTmrCtr_GetOptions(XTmrCtr* InstancePtr, u8 TmrCtrNumber) {
  const u32 value = control(InstancePtr, TmrCtrNumber);
  u32 set = 0;
  for (unsigned i = 0; i < kOptions; ++i)
    if ((value & options[i].mask) != 0) set |= options[i].option;
  return set;
}

void XTmrCtr_GetStats(XTmrCtr* InstancePtr, XTmrCtrStats* StatsPtr) {
  *StatsPtr = InstancePtr->Stats;
}
void XTmrCtr_ClearStats(XTmrCtr* InstancePtr) { InstancePtr->Stats.Interrupts = 0; }

/* Stops the counter; what is loaded into it stands in it. */
int XTmrCtr_SelfTest(XTmrCtr* InstancePtr, u8 TmrCtrNumber) {
  if (TmrCtrNumber == 1) bsp_elapsed_give_up();
  set_control(InstancePtr, TmrCtrNumber, 0);
  XTmrCtr_SetLoadReg(InstancePtr->BaseAddress, TmrCtrNumber, 0);
  set_control(InstancePtr, TmrCtrNumber, XTC_CSR_LOAD_MASK | XTC_CSR_INT_OCCURED_MASK);
  const u32 value = XTmrCtr_GetValue(InstancePtr, TmrCtrNumber);
  set_control(InstancePtr, TmrCtrNumber, 0);
  return value == 0 ? XST_SUCCESS : XST_FAILURE;
}

void XTmrCtr_SetHandler(XTmrCtr* InstancePtr, XTmrCtr_Handler FuncPtr, void* CallBackRef) {
  InstancePtr->Handler = FuncPtr;
  InstancePtr->CallBackRef = CallBackRef;
}

/* A counter that does not go on by itself begins anew with its load register. */
void XTmrCtr_InterruptHandler(void* InstancePtr) {
  XTmrCtr* const timer = InstancePtr;
  for (u8 number = 0; number < XTC_DEVICE_TIMER_COUNT; ++number) {
    const u32 value = control(timer, number);
    if ((value & XTC_CSR_ENABLE_INT_MASK) == 0 || (value & XTC_CSR_INT_OCCURED_MASK) == 0) continue;
    ++timer->Stats.Interrupts;
    if (timer->Handler != NULL) timer->Handler(timer->CallBackRef, number);
    u32 next = control(timer, number);
    if ((next & XTC_CSR_AUTO_RELOAD_MASK) == 0 && (next & XTC_CSR_CAPTURE_MODE_MASK) == 0) {
      next &= ~XTC_CSR_ENABLE_TMR_MASK;
      set_control(timer, number, next | XTC_CSR_LOAD_MASK);
      next |= XTC_CSR_ENABLE_TMR_MASK;
    }
    set_control(timer, number, next | XTC_CSR_INT_OCCURED_MASK);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "xintc.h"

#include "bsp/console.h"

enum { kInputs = 32 };

static XIntc_Config configuration = {XPAR_INTC_0_DEVICE_ID, XPAR_INTC_0_BASEADDR};
static u32 service = XIN_SVC_SGL_ISR_OPTION;
static struct {
  XInterruptHandler handler;
  void* data;
} inputs[kInputs];

static u32 in(u32 offset) { return XIntc_In32(XPAR_INTC_0_BASEADDR + offset); }
static void out(u32 offset, u32 value) { XIntc_Out32(XPAR_INTC_0_BASEADDR + offset, value); }

XIntc_Config* XIntc_LookupConfig(u16 DeviceId) {
  return DeviceId == configuration.DeviceId ? &configuration : NULL;
}

int XIntc_Initialize(XIntc* InstancePtr, u16 DeviceId) {
  if (XIntc_LookupConfig(DeviceId) == NULL) return XST_DEVICE_NOT_FOUND;
  if (InstancePtr->IsReady == XIL_COMPONENT_IS_READY &&
      InstancePtr->IsStarted == XIL_COMPONENT_IS_STARTED)
    return XST_DEVICE_IS_STARTED;
  InstancePtr->BaseAddress = configuration.BaseAddress;
  InstancePtr->CfgPtr = &configuration;
  InstancePtr->IsStarted = 0;
  service = XIN_SVC_SGL_ISR_OPTION;
  for (unsigned i = 0; i < kInputs; ++i) inputs[i].handler = NULL;
  out(XIN_MER_OFFSET, 0);
  out(XIN_IER_OFFSET, 0);
  out(XIN_IAR_OFFSET, 0xFFFFFFFFu);
  InstancePtr->IsReady = XIL_COMPONENT_IS_READY;
  return XST_SUCCESS;
}

int XIntc_Start(XIntc* InstancePtr, u8 Mode) {
  if (Mode != XIN_REAL_MODE && Mode != XIN_SIMULATION_MODE) return XST_INVALID_PARAM;
  out(XIN_MER_OFFSET,
      XIN_INT_MASTER_ENABLE_MASK | (Mode == XIN_REAL_MODE ? XIN_INT_HARDWARE_ENABLE_MASK : 0u));
  InstancePtr->IsStarted = XIL_COMPONENT_IS_STARTED;
  return XST_SUCCESS;
}

void XIntc_Stop(XIntc* InstancePtr) {
  out(XIN_MER_OFFSET, 0);
  InstancePtr->IsStarted = 0;
}

int XIntc_Connect(XIntc* InstancePtr, u8 Id, XInterruptHandler Handler, void* CallBackRef) {
  (void)InstancePtr;
  if (Id >= kInputs) return XST_INVALID_PARAM;
  inputs[Id].handler = Handler;
  inputs[Id].data = CallBackRef;
  return XST_SUCCESS;
}
void XIntc_Disconnect(XIntc* InstancePtr, u8 Id) {
  XIntc_Disable(InstancePtr, Id);
  if (Id < kInputs) inputs[Id].handler = NULL;
}
void XIntc_Enable(XIntc* InstancePtr, u8 Id) {
  (void)InstancePtr;
  if (Id < kInputs) out(XIN_SIE_OFFSET, 1u << Id);
}
void XIntc_Disable(XIntc* InstancePtr, u8 Id) {
  (void)InstancePtr;
  if (Id < kInputs) out(XIN_CIE_OFFSET, 1u << Id);
}
void XIntc_Acknowledge(XIntc* InstancePtr, u8 Id) {
  (void)InstancePtr;
  if (Id < kInputs) out(XIN_IAR_OFFSET, 1u << Id);
}
void XIntc_RegisterHandler(UINTPTR BaseAddress, int InterruptId, XInterruptHandler Handler,
                           void* CallBackRef) {
  (void)BaseAddress;
  XIntc_Connect(NULL, (u8)InterruptId, Handler, CallBackRef);
}

/* The enable register can be written and read back. */
int XIntc_SelfTest(XIntc* InstancePtr) {
  (void)InstancePtr;
  const u32 enabled = in(XIN_IER_OFFSET);
  out(XIN_IER_OFFSET, enabled);
  return in(XIN_IER_OFFSET) == enabled ? XST_SUCCESS : XST_INTC_FAIL_SELFTEST;
}

int XIntc_SetOptions(XIntc* InstancePtr, u32 Options) {
  (void)InstancePtr;
  if (Options != XIN_SVC_SGL_ISR_OPTION && Options != XIN_SVC_ALL_ISRS_OPTION)
    return XST_INVALID_PARAM;
  service = Options;
  return XST_SUCCESS;
}
u32 XIntc_GetOptions(XIntc* InstancePtr) {
  (void)InstancePtr;
  return service;
}

/* The lowest input has the highest priority.  What is served before its device has let go of a
 * level has to be acknowledged afterwards; edges before, so that none is lost: twice does no harm.
 */
void XIntc_DeviceInterruptHandler(void* DeviceId) {
  (void)DeviceId;
  u32 pending = in(XIN_IPR_OFFSET);
  for (unsigned i = 0; i < kInputs && pending != 0; ++i) {
    if ((pending & 1u << i) == 0) continue;
    out(XIN_IAR_OFFSET, 1u << i);
    if (inputs[i].handler != NULL) {
      inputs[i].handler(inputs[i].data);
    } else {
      console_text("interrupt input without a handler; it is disabled\n");
      out(XIN_CIE_OFFSET, 1u << i);
    }
    out(XIN_IAR_OFFSET, 1u << i);
    pending &= ~(1u << i);
    if (service == XIN_SVC_SGL_ISR_OPTION) return;
  }
}
void XIntc_InterruptHandler(XIntc* InstancePtr) {
  (void)InstancePtr;
  XIntc_DeviceInterruptHandler(NULL);
}
void XIntc_VoidInterruptHandler(void) { XIntc_DeviceInterruptHandler(NULL); }

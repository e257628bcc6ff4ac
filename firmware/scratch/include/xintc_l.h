/* SPDX-License-Identifier: Apache-2.0 */
/* AXI interrupt controller (Xilinx PG099): registers. */
#ifndef XINTC_L_H
#define XINTC_L_H

#include "xil_io.h"
#include "xil_types.h"
#include "xparameters.h"

#define XIN_ISR_OFFSET 0x00
#define XIN_IPR_OFFSET 0x04
#define XIN_IER_OFFSET 0x08
#define XIN_IAR_OFFSET 0x0C
#define XIN_SIE_OFFSET 0x10
#define XIN_CIE_OFFSET 0x14
#define XIN_IVR_OFFSET 0x18
#define XIN_MER_OFFSET 0x1C
#define XIN_INT_MASTER_ENABLE_MASK 0x1U
#define XIN_INT_HARDWARE_ENABLE_MASK 0x2U

#define XIntc_In32 Xil_In32
#define XIntc_Out32 Xil_Out32
#define XIntc_MasterEnable(Base) \
  XIntc_Out32((Base) + XIN_MER_OFFSET, XIN_INT_MASTER_ENABLE_MASK | XIN_INT_HARDWARE_ENABLE_MASK)
#define XIntc_MasterDisable(Base) XIntc_Out32((Base) + XIN_MER_OFFSET, 0)
#define XIntc_EnableIntr(Base, Mask) XIntc_Out32((Base) + XIN_IER_OFFSET, (Mask))
#define XIntc_DisableIntr(Base, Mask) \
  XIntc_Out32((Base) + XIN_IER_OFFSET, XIntc_In32((Base) + XIN_IER_OFFSET) & ~(Mask))
#define XIntc_AckIntr(Base, Mask) XIntc_Out32((Base) + XIN_IAR_OFFSET, (Mask))
#define XIntc_GetIntrStatus(Base) \
  (XIntc_In32((Base) + XIN_ISR_OFFSET) & XIntc_In32((Base) + XIN_IER_OFFSET))

/* Serves all that is pending; DeviceId as an integer in a pointer. */
void XIntc_DeviceInterruptHandler(void* DeviceId);
void XIntc_RegisterHandler(UINTPTR BaseAddress, int InterruptId, XInterruptHandler Handler,
                           void* CallBackRef);

#endif

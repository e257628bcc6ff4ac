/* SPDX-License-Identifier: Apache-2.0 */
/* The older names of xil_io.h. */
#ifndef XIO_H
#define XIO_H

#include "xbasic_types.h"
#include "xil_io.h"

typedef u32 XIo_Address;

/* Addresses come as integers or as pointers. */
#define XIo_In8(Addr) (*(volatile u8*)(Addr))
#define XIo_In16(Addr) (*(volatile u16*)(Addr))
#define XIo_In32(Addr) (*(volatile u32*)(Addr))
#define XIo_Out8(Addr, Value) (*(volatile u8*)(Addr) = (u8)(Value))
#define XIo_Out16(Addr, Value) (*(volatile u16*)(Addr) = (u16)(Value))
#define XIo_Out32(Addr, Value) (*(volatile u32*)(Addr) = (u32)(Value))

#define XIo_EndianSwap16(Source, DestPtr) (*(u16*)(DestPtr) = Xil_EndianSwap16(Source))
#define XIo_EndianSwap32(Source, DestPtr) (*(u32*)(DestPtr) = Xil_EndianSwap32(Source))
#define XIo_InSwap16(Addr) Xil_EndianSwap16(XIo_In16(Addr))
#define XIo_InSwap32(Addr) Xil_EndianSwap32(XIo_In32(Addr))
#define XIo_OutSwap16(Addr, Value) XIo_Out16(Addr, Xil_EndianSwap16(Value))
#define XIo_OutSwap32(Addr, Value) XIo_Out32(Addr, Xil_EndianSwap32(Value))

#endif

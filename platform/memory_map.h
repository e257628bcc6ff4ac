/* SPDX-License-Identifier: Apache-2.0 */
/* The memory map of the default platform: a MicroBlaze system on a Xilinx ML605 (the map that
 * QEMU calls petalogix-ml605) with a soft GPGPU beside it.  Plain C: the platform's composition,
 * the firmware and the documentation all take it from here.  Sizes are bytes. */
#ifndef GVP_PLATFORM_MEMORY_MAP_H
#define GVP_PLATFORM_MEMORY_MAP_H

#define GVP_LMB_BASE 0x00000000u /* local block RAM: reset, interrupt and exception vectors */
#define GVP_LMB_SIZE 0x00020000u
#define GVP_GPGPU_CONTROL_BASE 0x44A00000u /* control, configuration, constant memory */
#define GVP_GPGPU_CONTROL_SIZE 0x00010000u
#define GVP_GPGPU_CODE_BASE 0x45000000u /* system (instruction) memory window */
#define GVP_GPGPU_CODE_SIZE 0x00040000u
#define GVP_GPGPU_GLOBAL_BASE 0x46000000u /* global memory window, used size is configurable */
#define GVP_GPGPU_GLOBAL_MAX_SIZE 0x02000000u
#define GVP_DDR3_BASE 0x50000000u
#define GVP_DDR3_SIZE 0x20000000u
#define GVP_INTC_BASE 0x81800000u /* AXI interrupt controller */
#define GVP_INTC_SIZE 0x00010000u
#define GVP_TIMER_BASE 0x83C00000u /* AXI timer */
#define GVP_TIMER_SIZE 0x00010000u
#define GVP_UART16550_BASE 0x83E00000u /* AXI UART 16550, registers from +0x1000, stride 4 */
#define GVP_UART16550_SIZE 0x00010000u
#define GVP_UARTLITE_BASE 0x84000000u
#define GVP_UARTLITE_SIZE 0x00010000u

/* Inputs of the interrupt controller. */
#define GVP_IRQ_TIMER 2
#define GVP_IRQ_UART16550 5
#define GVP_IRQ_UARTLITE 6
#define GVP_IRQ_GPGPU 7

/* Clocks, Hz. */
#define GVP_SYSTEM_CLOCK_HZ 100000000u
#define GVP_DDR3_CLOCK_HZ 400000000u

#endif

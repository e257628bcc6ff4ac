/* SPDX-License-Identifier: Apache-2.0 */
/* AXI UART 16550 (Xilinx PG143): polled driver, and the registers for tests. */
#ifndef GVP_BSP_UART16550_H
#define GVP_BSP_UART16550_H

#include "bsp/io.h"
#include "platform/memory_map.h"

#define UART16550_REGISTERS (GVP_UART16550_BASE + 0x1000u)
/* Offsets; 0 and 4 are the divisor while LCR bit 7 is set. */
#define UART16550_DATA 0x00u
#define UART16550_INTERRUPT_ENABLE 0x04u
#define UART16550_INTERRUPT_IDENTITY 0x08u /* read */
#define UART16550_FIFO_CONTROL 0x08u       /* write */
#define UART16550_LINE_CONTROL 0x0Cu
#define UART16550_MODEM_CONTROL 0x10u
#define UART16550_LINE_STATUS 0x14u
#define UART16550_MODEM_STATUS 0x18u
#define UART16550_SCRATCH 0x1Cu

#define UART16550_LINE_STATUS_DATA_READY 0x01u
#define UART16550_LINE_STATUS_HOLDING_EMPTY 0x20u
#define UART16550_LINE_STATUS_EMPTY 0x40u
#define UART16550_MODEM_CONTROL_LOOPBACK 0x10u
#define UART16550_BAUD 115200u

static inline uint32_t uart16550_read(uint32_t offset) {
  return io_read32(UART16550_REGISTERS + offset);
}
static inline void uart16550_write(uint32_t offset, uint32_t value) {
  io_write32(UART16550_REGISTERS + offset, value);
}

void uart16550_initialize(void); /* 115200 baud, 8N1, FIFOs on, no interrupts */
void uart16550_send(uint8_t character);
int uart16550_receive(void); /* -1: nothing there */
void uart16550_flush(void);

#endif

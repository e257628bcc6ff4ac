/* SPDX-License-Identifier: Apache-2.0 */
#include "bsp/uart16550.h"

#include "bsp/clocks.h"

enum { kDivisorLatch = 0x80, k8N1 = 0x03, kFifoEnableAndReset = 0x07, kFifoDepth = 16 };

/* Places left in the transmit FIFO, at least: full knowledge only when it ran empty. */
static unsigned room;

void uart16550_initialize(void) {
  const uint32_t divisor = board_clocks.uart16550_hz / (16u * UART16550_BAUD);
  uart16550_write(UART16550_INTERRUPT_ENABLE, 0);
  uart16550_write(UART16550_LINE_CONTROL, kDivisorLatch);
  uart16550_write(UART16550_DATA, divisor & 0xFF);
  uart16550_write(UART16550_INTERRUPT_ENABLE, divisor >> 8);
  uart16550_write(UART16550_LINE_CONTROL, k8N1);
  uart16550_write(UART16550_FIFO_CONTROL, kFifoEnableAndReset);
  uart16550_write(UART16550_MODEM_CONTROL, 0);
  room = 0;
}

void uart16550_send(uint8_t character) {
  while (room == 0) {
    if ((uart16550_read(UART16550_LINE_STATUS) & UART16550_LINE_STATUS_HOLDING_EMPTY) != 0)
      room = kFifoDepth;
  }
  --room;
  uart16550_write(UART16550_DATA, character);
}

int uart16550_receive(void) {
  if ((uart16550_read(UART16550_LINE_STATUS) & UART16550_LINE_STATUS_DATA_READY) == 0) return -1;
  return (int)(uart16550_read(UART16550_DATA) & 0xFF);
}

void uart16550_flush(void) {
  while ((uart16550_read(UART16550_LINE_STATUS) & UART16550_LINE_STATUS_EMPTY) == 0) {
  }
}

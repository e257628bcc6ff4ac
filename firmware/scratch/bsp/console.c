/* SPDX-License-Identifier: Apache-2.0 */
/* The console of boards that have no 16550: the UART Lite, polled. */
#include "bsp/console.h"

#include <string.h>

#include "bsp/uartlite.h"

static uint32_t status(void) { return io_read32(GVP_UARTLITE_BASE + UARTLITE_STATUS); }

void console_initialize(void) {
  io_write32(GVP_UARTLITE_BASE + UARTLITE_CONTROL,
             UARTLITE_CONTROL_RESET_TRANSMIT | UARTLITE_CONTROL_RESET_RECEIVE);
}

void console_write(const char* text, size_t length) {
  for (size_t i = 0; i < length; ++i) uartlite_send((uint8_t)text[i]);
}

void console_text(const char* text) { console_write(text, strlen(text)); }

void console_decimal(uint32_t value) {
  char digits[10];
  size_t length = 0;
  do {
    digits[sizeof digits - ++length] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  console_write(digits + sizeof digits - length, length);
}

void console_hex(uint32_t value) {
  char text[10] = "0x";
  for (unsigned i = 0; i < 8; ++i) text[2 + i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
  console_write(text, sizeof text);
}

int console_read(void) { return uartlite_receive(); }

/* The status knows of the FIFO alone; the last character is still being sent when it is empty. */
void console_flush(void) {
  while ((status() & UARTLITE_STATUS_TRANSMIT_EMPTY) == 0) {
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "bsp/console.h"

#include <string.h>

#include "bsp/uart16550.h"

void console_initialize(void) { uart16550_initialize(); }

void console_write(const char* text, size_t length) {
  for (size_t i = 0; i < length; ++i) uart16550_send((uint8_t)text[i]);
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

int console_read(void) { return uart16550_receive(); }

void console_flush(void) { uart16550_flush(); }

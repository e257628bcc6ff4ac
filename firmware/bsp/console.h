/* SPDX-License-Identifier: Apache-2.0 */
/* The console: the 16550, polled.  printf() ends here too; these functions need no C library and
 * work in exception handlers.  Lines end in "\n" alone. */
#ifndef GVP_BSP_CONSOLE_H
#define GVP_BSP_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

void console_initialize(void);
void console_write(const char* text, size_t length);
void console_text(const char* text);
void console_decimal(uint32_t value);
void console_hex(uint32_t value); /* 0x and eight digits */
int console_read(void);           /* the next character received, -1 if there is none */
void console_flush(void);         /* returns when the last bit is on the line */

#endif

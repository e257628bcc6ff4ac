/* SPDX-License-Identifier: Apache-2.0 */
#include "xil_printf.h"

#include <stdbool.h>

#include "bsp/console.h"

enum { kDigits = 10 };

struct field {
  bool left;
  bool zeros;
  int width;
  int precision; /* negative: none */
};

/* As the original does, a line ends in what the program wrote. */
void outbyte(char8 c) { console_write(&c, 1); }

char8 inbyte(void) {
  int character;
  do {
    character = console_read();
  } while (character < 0);
  return (char8)character;
}

void print(const char8* ptr) { console_text(ptr); }

static void put_field(const char8* sign, const char8* text, int length, const struct field* field) {
  const int sign_length = (int)strlen(sign);
  int room = field->width - length - sign_length;
  if (!field->left && !field->zeros)
    for (; room > 0; --room) outbyte(' ');
  console_write(sign, (size_t)sign_length);
  if (!field->left && field->zeros)
    for (; room > 0; --room) outbyte('0');
  console_write(text, (size_t)length);
  for (; room > 0; --room) outbyte(' ');
}

static void put_number(u32 value, u32 base, bool negative, const char8* digits,
                       const struct field* field) {
  char8 text[kDigits];
  int length = 0;
  do {
    text[kDigits - ++length] = digits[value % base];
    value /= base;
  } while (value != 0);
  put_field(negative ? "-" : "", text + kDigits - length, length, field);
}

void putnum(u32 num) {
  const struct field eight = {false, true, 8, -1};
  put_number(num, 16, false, "0123456789ABCDEF", &eight);
}

/* Digits of a number in a format. */
static int take_number(const char8** at) {
  int value = 0;
  for (; isdigit((unsigned char)**at); ++*at)
    if (value < 10000) value = 10 * value + (**at - '0');
  return value;
}

static const char8* take_flags(const char8* at, struct field* field) {
  const struct field none = {false, false, 0, -1};
  *field = none;
  for (; *at == '-' || *at == '0'; ++at) {
    if (*at == '-')
      field->left = true;
    else
      field->zeros = true;
  }
  field->width = take_number(&at);
  if (*at == '.') {
    ++at;
    field->precision = take_number(&at);
  }
  while (*at == 'l') ++at;
  return at;
}

static int text_length(const char8* text, const struct field* field) {
  const int length = (int)strlen(text);
  return field->precision >= 0 && field->precision < length ? field->precision : length;
}

void xil_printf(const char8* ctrl1, ...) {
  va_list list;
  va_start(list, ctrl1);
  for (const char8* at = ctrl1; *at != '\0'; ++at) {
    if (*at != '%') {
      outbyte(*at);
      continue;
    }
    struct field field;
    at = take_flags(at + 1, &field);
    switch (*at) {
      case '%':
        outbyte('%');
        break;
      case 'd':
      case 'i': {
        const s32 value = va_arg(list, s32);
        put_number(value < 0 ? 0u - (u32)value : (u32)value, 10, value < 0, "0123456789", &field);
        break;
      }
      case 'u':
        put_number(va_arg(list, u32), 10, false, "0123456789", &field);
        break;
      case 'x':
        put_number(va_arg(list, u32), 16, false, "0123456789abcdef", &field);
        break;
      case 'X':
      case 'p':
        put_number(va_arg(list, u32), 16, false, "0123456789ABCDEF", &field);
        break;
      case 'c':
        outbyte((char8)va_arg(list, int));
        break;
      case 's': {
        const char8* text = va_arg(list, const char8*);
        put_field("", text, text_length(text, &field), &field);
        break;
      }
      case '\0':
        va_end(list);
        return;
      default:
        break;
    }
  }
  va_end(list);
}

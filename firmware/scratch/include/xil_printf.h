/* SPDX-License-Identifier: Apache-2.0 */
/* The small printf of Xilinx's board support package, on the console. */
#ifndef XIL_PRINTF_H
#define XIL_PRINTF_H

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "xil_types.h"
#include "xparameters.h"

typedef char8* charptr;
typedef s32 (*func_ptr)(int c);

/* %d %i %u %x %X %p %c %s %%, with -, 0, a width, the precision of a string, and l, which changes
 * nothing: every argument is one word, of a longer one the first (least significant) word is
 * printed.  Floats are not among them: what is unknown prints nothing and takes no argument. */
void xil_printf(const char8* ctrl1, ...);
void print(const char8* ptr);
void putnum(u32 num); /* eight digits, hexadecimal */
void outbyte(char8 c);
char8 inbyte(void); /* waits */

#endif

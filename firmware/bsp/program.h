/* SPDX-License-Identifier: Apache-2.0 */
/* How a program starts and ends on the bare board. */
#ifndef GVP_BSP_PROGRAM_H
#define GVP_BSP_PROGRAM_H

#include <stdint.h>

/* Characters of the arguments with their final NUL, at most. */
#define PROGRAM_ARGUMENT_BYTES 1024u

/* Words given to the program, "" if none: see docs/firmware.md, "Arguments". */
const char* program_arguments(void);
/* Takes the next blank-separated word off *text as an unsigned decimal number; 0 if there is none
 * or it is no number. */
uint32_t program_next_number(const char** text);

/* PROGRAM_FILE(name, most_bytes); outside of functions: room for a file that whoever loads the
 * program puts there, and name_bytes, its size, 0 if there is none.  See docs/firmware.md, "Files".
 */
#define PROGRAM_FILE(name, most_bytes)                                        \
  static char name[most_bytes] __attribute__((section(".bss.noinit"), used)); \
  static volatile uint32_t name##_bytes __attribute__((section(".data"), used)) = 0

/* Ends the program: waits until the serial line has sent everything, turns interrupts off, leaves
 * the code in r3 and spins on a branch to itself, which is how a runner knows. */
void program_stop(int code) __attribute__((noreturn));

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware exceptions (UG984, "Hardware Exceptions").  An exception nobody expects prints the
 * registers and ends the program with EXCEPTION_EXIT_CODE.  Code that touches what may not be
 * there expects one: exception_expect(), the access, exception_taken().
 *
 * Cores can be built without some or all exceptions; then the access just goes on with whatever
 * the bus returned, and exception_taken() says that nothing happened. */
#ifndef GVP_BSP_EXCEPTION_H
#define GVP_BSP_EXCEPTION_H

#include "bsp/io.h"

#define EXCEPTION_EXIT_CODE 100

/* ESR[EC] */
enum exception_cause {
  EXCEPTION_STREAM = 0,
  EXCEPTION_UNALIGNED = 1,
  EXCEPTION_ILLEGAL_OPCODE = 2,
  EXCEPTION_INSTRUCTION_BUS = 3,
  EXCEPTION_DATA_BUS = 4,
  EXCEPTION_DIVIDE = 5,
  EXCEPTION_FPU = 6,
  EXCEPTION_PRIVILEGED_OR_STACK = 7,
  EXCEPTION_NONE = 0x100,
};

/* As exception_entry stores it; offsets are known there. */
struct exception_frame {
  uint32_t r[32];
  uint32_t msr;
  uint32_t esr;
  uint32_t ear;
  uint32_t btr;
  uint32_t pc; /* where execution goes on */
};

/* From now until exception_taken() the next exception is noted, and its instruction skipped. */
void exception_expect(void);
/* What happened since: the cause, or EXCEPTION_NONE; the address accessed in *address if wanted. */
enum exception_cause exception_taken(uint32_t* address);

/* Reads a word that may not be there; false if the bus answered with an error. */
bool probe_read32(uint32_t address, uint32_t* value);
bool probe_write32(uint32_t address, uint32_t value);

const char* exception_name(enum exception_cause cause);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "bsp/exception.h"

#include "bsp/console.h"
#include "bsp/core.h"
#include "bsp/program.h"

struct exception_frame exception_frame;
volatile uint32_t user_vector_count;
uint32_t user_vector_scratch;

static volatile bool expecting;
static volatile enum exception_cause taken = EXCEPTION_NONE;
static volatile uint32_t taken_address;

enum { kEsrCause = 0x1F, kEsrDelaySlot = 0x1000 };

const char* exception_name(enum exception_cause cause) {
  switch (cause) {
    case EXCEPTION_STREAM:
      return "stream";
    case EXCEPTION_UNALIGNED:
      return "unaligned access";
    case EXCEPTION_ILLEGAL_OPCODE:
      return "illegal opcode";
    case EXCEPTION_INSTRUCTION_BUS:
      return "instruction bus error";
    case EXCEPTION_DATA_BUS:
      return "data bus error";
    case EXCEPTION_DIVIDE:
      return "division by zero or overflow";
    case EXCEPTION_FPU:
      return "floating point";
    case EXCEPTION_PRIVILEGED_OR_STACK:
      return "privileged instruction or stack limit";
    case EXCEPTION_NONE:
      return "none";
  }
  return "memory management";
}

void exception_expect(void) {
  taken = EXCEPTION_NONE;
  expecting = true;
}

enum exception_cause exception_taken(uint32_t* address) {
  __asm__ volatile("" : : : "memory");
  expecting = false;
  if (address != NULL) *address = taken_address;
  return taken;
}

bool probe_read32(uint32_t address, uint32_t* value) {
  exception_expect();
  *value = io_read32(address);
  return exception_taken(NULL) == EXCEPTION_NONE;
}

bool probe_write32(uint32_t address, uint32_t value) {
  exception_expect();
  io_write32(address, value);
  return exception_taken(NULL) == EXCEPTION_NONE;
}

static void dump(const struct exception_frame* frame) {
  const uint32_t cause = frame->esr & kEsrCause;
  console_text("\nunexpected exception: ");
  console_text(exception_name((enum exception_cause)cause));
  console_text("\n  at  ");
  console_hex((frame->esr & kEsrDelaySlot) != 0 ? frame->r[15] : frame->r[17] - 4);
  if ((frame->esr & kEsrDelaySlot) != 0) console_text(" (r15; the delay slot of a branch)");
  console_text("\n  esr ");
  console_hex(frame->esr);
  console_text("  ear ");
  console_hex(frame->ear);
  console_text("  msr ");
  console_hex(frame->msr);
  console_text("  btr ");
  console_hex(frame->btr);
  for (unsigned i = 0; i < 32; ++i) {
    console_text(i % 4 == 0 ? "\n  r" : "  r");
    console_decimal(i);
    console_text(i < 10 ? "  " : " ");
    console_hex(frame->r[i]);
  }
  console_text("\n");
}

/* Called by exception_entry on the exception stack. */
void exception_dispatch(struct exception_frame* frame);
void exception_dispatch(struct exception_frame* frame) {
  if (!expecting) {
    dump(frame);
    program_stop(EXCEPTION_EXIT_CODE);
  }
  expecting = false;
  taken = (enum exception_cause)(frame->esr & kEsrCause);
  taken_address = frame->ear;
  /* r17 is the instruction after; in a delay slot that is the branch's target instead. */
  if ((frame->esr & kEsrDelaySlot) != 0) frame->pc = frame->btr;
  /* Nothing to go on with where there is no memory: return from the call that went there. */
  if (taken == EXCEPTION_INSTRUCTION_BUS) frame->pc = frame->r[15] + 8;
}

/* Called by break_entry. */
void break_dispatch(uint32_t address);
void break_dispatch(uint32_t address) {
  console_text("\nunexpected break at ");
  console_hex(address);
  console_text("\n");
  program_stop(EXCEPTION_EXIT_CODE);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Why a launch of a GPGPU was refused or stopped: name, number, meaning; the texts are those of
 * messages too.  One table for all devices, so that a cause reads alike wherever it comes from.
 * 1..15 refuse a launch before it starts, 16.. stop one that runs.  Plain C: models and drivers
 * both include this file; C++ has it as FaultCause (fault.h). */
#ifndef GVP_GPGPU_CAUSES_H
#define GVP_GPGPU_CAUSES_H

/* clang-format off */
#define GPGPU_CAUSES(CAUSE) \
  CAUSE(NONE, kNone, 0, "no fault") \
  CAUSE(BAD_CONFIGURATION, kBadConfiguration, 1, "a launch register is zero or out of range") \
  CAUSE(TOO_MANY_THREADS, kTooManyThreads, 2, "a block has more threads than the device takes") \
  CAUSE(TOO_MANY_REGISTERS, kTooManyRegisters, 3, "one block does not fit the register file") \
  CAUSE(TOO_MUCH_SHARED, kTooMuchShared, 4, "one block does not fit shared memory") \
  CAUSE(TOO_MANY_WARPS, kTooManyWarps, 5, "one block does not fit the warp slots") \
  CAUSE(TOO_MANY_BLOCKS, kTooManyBlocks, 6, "more blocks per SM than fit") \
  CAUSE(ILLEGAL_INSTRUCTION, kIllegalInstruction, 16, "illegal instruction") \
  CAUSE(UNSUPPORTED_INSTRUCTION, kUnsupportedInstruction, 17, "instruction this device has no unit for") \
  CAUSE(MISALIGNED, kMisaligned, 18, "misaligned memory access") \
  CAUSE(GLOBAL_OUT_OF_RANGE, kGlobalOutOfRange, 19, "access outside of global memory") \
  CAUSE(SHARED_OUT_OF_RANGE, kSharedOutOfRange, 20, "access outside of the block's shared memory") \
  CAUSE(CONSTANT_OUT_OF_RANGE, kConstantOutOfRange, 21, "access outside of the constant bank") \
  CAUSE(LOCAL_OUT_OF_RANGE, kLocalOutOfRange, 22, "access outside of the thread's local memory") \
  CAUSE(CODE_OUT_OF_RANGE, kCodeOutOfRange, 23, "execution outside of the code") \
  CAUSE(STACK_OVERFLOW, kStackOverflow, 24, "reconvergence stack overflow") \
  CAUSE(BARRIER_DEADLOCK, kBarrierDeadlock, 25, "barrier deadlock") \
  CAUSE(BUS_ERROR, kBusError, 26, "bus error") \
  CAUSE(TRAP, kTrap, 27, "trap") \
  CAUSE(STACK_UNDERFLOW, kStackUnderflow, 28, "break without pre-break") \
  CAUSE(ABORTED, kAborted, 29, "reset while running") \
  CAUSE(NULL_PAGE, kNullPage, 30, "access through a null pointer")
/* clang-format on */

static inline const char* gpgpu_cause_text(unsigned long cause) {
  switch (cause) {
#define GPGPU_CAUSE_CASE(name, enumerator, number, text) \
  case number:                                           \
    return text;
    GPGPU_CAUSES(GPGPU_CAUSE_CASE)
#undef GPGPU_CAUSE_CASE
    default:
      return "unknown cause";
  }
}

#endif

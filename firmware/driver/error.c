/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "driver/gpgpu.h"

const char* gpgpu_error_string(enum gpgpu_error error) {
  switch (error) {
    case GPGPU_OK:
      return "no error";
    case GPGPU_NOT_FOUND:
      return "no GPGPU found";
    case GPGPU_WRONG_VERSION:
      return "the GPGPU has a register map this driver does not know";
    case GPGPU_INVALID_ARGUMENT:
      return "invalid argument";
    case GPGPU_OUT_OF_MEMORY:
      return "out of memory";
    case GPGPU_BAD_IMAGE:
      return "not a cubin in text form";
    case GPGPU_NO_SUCH_FUNCTION:
      return "no such kernel or variable in the module";
    case GPGPU_TOO_MANY_PARAMETERS:
      return "too many parameters, or not as many as the kernel has";
    case GPGPU_TOO_MANY_THREADS:
      return "more threads than a block may have";
    case GPGPU_TOO_MANY_WARPS:
      return "one block has more warps than an SM";
    case GPGPU_TOO_MANY_REGISTERS:
      return "one block needs more registers than an SM has";
    case GPGPU_TOO_MUCH_SHARED:
      return "one block needs more shared memory than an SM has";
    case GPGPU_BUSY:
      return "a kernel is running";
    case GPGPU_TIMEOUT:
      return "the kernel still runs after the time allowed";
    case GPGPU_FAULT:
      return "the GPGPU refused or stopped the kernel";
    case GPGPU_ERRORS:
      break;
  }
  return "unknown error";
}

const char* gpgpu_cause_string(uint32_t cause) {
  switch (cause) {
    case FLEXGRIP_CAUSE_NONE:
      return "no fault";
    case FLEXGRIP_CAUSE_BAD_CONFIGURATION:
      return "a launch register is zero or out of range";
    case FLEXGRIP_CAUSE_TOO_MANY_THREADS:
      return "too many threads per block";
    case FLEXGRIP_CAUSE_TOO_MANY_REGISTERS:
      return "one block exceeds the register file";
    case FLEXGRIP_CAUSE_TOO_MUCH_SHARED:
      return "one block exceeds shared memory";
    case FLEXGRIP_CAUSE_TOO_MANY_WARPS:
      return "one block exceeds the warp slots";
    case FLEXGRIP_CAUSE_TOO_MANY_BLOCKS:
      return "more blocks per core than fit";
    case FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION:
      return "illegal instruction";
    case FLEXGRIP_CAUSE_UNSUPPORTED_INSTRUCTION:
      return "instruction this device has no unit for";
    case FLEXGRIP_CAUSE_MISALIGNED:
      return "misaligned access";
    case FLEXGRIP_CAUSE_GLOBAL_OUT_OF_RANGE:
      return "global memory access out of range";
    case FLEXGRIP_CAUSE_SHARED_OUT_OF_RANGE:
      return "shared memory access out of range";
    case FLEXGRIP_CAUSE_CONSTANT_OUT_OF_RANGE:
      return "constant memory access out of range";
    case FLEXGRIP_CAUSE_LOCAL_OUT_OF_RANGE:
      return "local memory access out of range";
    case FLEXGRIP_CAUSE_CODE_OUT_OF_RANGE:
      return "execution left the code memory";
    case FLEXGRIP_CAUSE_STACK_OVERFLOW:
      return "warp stack overflow";
    case FLEXGRIP_CAUSE_BARRIER_DEADLOCK:
      return "barrier deadlock";
    case FLEXGRIP_CAUSE_BUS_ERROR:
      return "bus error";
    case FLEXGRIP_CAUSE_TRAP:
      return "trap instruction";
    case FLEXGRIP_CAUSE_STACK_UNDERFLOW:
      return "break without a loop";
    case FLEXGRIP_CAUSE_ABORTED:
      return "aborted by the host";
    default:
      return "unknown cause";
  }
}

void gpgpu_describe_fault(const struct gpgpu_fault* fault, char* text, size_t size) {
  if (fault->cause < FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION || fault->cause == FLEXGRIP_CAUSE_ABORTED) {
    snprintf(text, size, "%s", gpgpu_cause_string(fault->cause));
    return;
  }
  snprintf(
      text, size, "%s at pc 0x%lx, address 0x%lx, SM %lu, warp %lu, lane %lu, block (%lu, %lu)",
      gpgpu_cause_string(fault->cause), (unsigned long)fault->pc, (unsigned long)fault->address,
      (unsigned long)fault->sm, (unsigned long)fault->warp, (unsigned long)fault->lane,
      (unsigned long)fault->block_x, (unsigned long)fault->block_y);
}

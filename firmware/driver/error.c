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

const char* gpgpu_cause_string(uint32_t cause) { return gpgpu_cause_text(cause); }

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

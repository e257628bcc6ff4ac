/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "driver/miaow/miaow.h"

const char* miaow_error_string(enum miaow_error error) {
  switch (error) {
    case MIAOW_OK:
      return "no error";
    case MIAOW_NOT_FOUND:
      return "no MIAOW with a queue of grids found";
    case MIAOW_INVALID_ARGUMENT:
      return "invalid argument";
    case MIAOW_OUT_OF_MEMORY:
      return "out of memory";
    case MIAOW_TOO_MUCH_CODE:
      return "more code than instruction memory holds";
    case MIAOW_TOO_MUCH_SHARED:
      return "a work-group needs more local memory than a compute unit has";
    case MIAOW_TOO_MANY_ITEMS:
      return "more work-items than a work-group may have";
    case MIAOW_TOO_MANY_ARGUMENTS:
      return "not as many words of arguments as the kernel has";
    case MIAOW_BUSY:
      return "a grid is running";
    case MIAOW_TIMEOUT:
      return "the grid still runs after the cycles allowed";
    case MIAOW_FAULT:
      return "MIAOW refused or stopped the grid";
    case MIAOW_BAD_ADDRESS:
      return "the grid wants memory that is not its own";
    case MIAOW_ERRORS:
      break;
  }
  return "unknown error";
}

const struct miaow_fault* miaow_last_fault(const struct miaow* device) { return &device->fault; }

void miaow_describe_fault(const struct miaow_fault* fault, char* text, size_t size) {
  if (fault->cause == MIAOW_CAUSE_NONE)
    snprintf(text, size, "address 0x%lx", (unsigned long)fault->address);
  else if (fault->cause < MIAOW_CAUSE_ILLEGAL_INSTRUCTION || fault->cause == MIAOW_CAUSE_ABORTED)
    snprintf(text, size, "%s", gpgpu_cause_text(fault->cause));
  else
    snprintf(text, size, "%s at pc 0x%lx, address 0x%lx, group %lu", gpgpu_cause_text(fault->cause),
             (unsigned long)fault->pc, (unsigned long)fault->address, (unsigned long)fault->group);
}

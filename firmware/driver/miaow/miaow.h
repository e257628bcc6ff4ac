/* SPDX-License-Identifier: Apache-2.0 */
/* Driver for the queue of grids of the MIAOW soft GPGPU, in the manner of FlexGrip's (gpgpu.h):
 * find the device, allocate and fill memory, launch a kernel that oclc compiled, wait.  The
 * registers are those of models/gpgpu/miaow/miaow_registers.h; docs/miaow.md says what they do and
 * has a worked example.
 *
 * Memory of kernels is of two kinds.  Prefetch memory, where the device has it, is in the compute
 * unit, at the addresses from 0 on.  All other addresses are those of the host's memory, which the
 * device cannot reach: the host serves it, word by word, in miaow_poll() and miaow_wait().  A grid
 * therefore makes progress there only while one of these is called.
 *
 * One grid runs at a time.  Addresses are 32-bit numbers (miaow_address).  All sizes are bytes,
 * all times cycles of the compute unit's clock.  Not thread safe. */
#ifndef GVP_DRIVER_MIAOW_H
#define GVP_DRIVER_MIAOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/gpgpu/causes.h"
#include "models/gpgpu/miaow/miaow_registers.h"

typedef uint32_t miaow_address;
#define MIAOW_NULL 0u /* no address: nothing is allocated in the first 256 bytes */

enum miaow_error {
  MIAOW_OK = 0,
  MIAOW_NOT_FOUND,        /* nothing answers at the device's address, or it has no queue */
  MIAOW_INVALID_ARGUMENT, /* null pointer, zero size, range outside of what is allocated */
  MIAOW_OUT_OF_MEMORY,
  MIAOW_TOO_MUCH_CODE,      /* more than instruction memory holds */
  MIAOW_TOO_MUCH_SHARED,    /* a group needs more local memory than a compute unit has */
  MIAOW_TOO_MANY_ITEMS,     /* of a group */
  MIAOW_TOO_MANY_ARGUMENTS, /* not as many words as the kernel has */
  MIAOW_BUSY,               /* a grid is running */
  MIAOW_TIMEOUT,            /* it runs on after the cycles allowed */
  MIAOW_FAULT,              /* the device refused or stopped it; see miaow_last_fault() */
  MIAOW_BAD_ADDRESS,        /* it wants memory that is not its own; it is ended; likewise */
  MIAOW_ERRORS              /* number of codes */
};

/* A kernel as oclc's headers describe it: docs/oclc.md, "Kernels in firmware". */
struct miaow_kernel {
  const char* name;
  const uint32_t* code; /* of its file */
  uint32_t code_words;
  uint32_t entry;                              /* byte offset in it */
  uint32_t vector_registers, scalar_registers; /* of a wavefront; 0: as many as there can be */
  uint32_t share_bytes;                        /* of a group */
  uint32_t group_numbers;                      /* bits 0..2 */
  uint32_t hidden_arguments; /* byte offset of what follows the kernel's own arguments */
  uint32_t argument_bytes;   /* of the whole segment */
};
/* MIAOW_KERNEL(shapes, SHAPES, scale, SCALE): kernel `scale` of a header of that --name. */
#define MIAOW_KERNEL(file, FILE, kernel, KERNEL)                                \
  {                                                                             \
#kernel, file##_code, FILE##_CODE_WORDS, FILE##_##KERNEL##_ENTRY,           \
        FILE##_##KERNEL##_VECTOR_REGISTERS, FILE##_##KERNEL##_SCALAR_REGISTERS, \
        FILE##_##KERNEL##_SHARE_BYTES, FILE##_##KERNEL##_GROUP_NUMBERS,         \
        FILE##_##KERNEL##_HIDDEN_ARGUMENTS, FILE##_##KERNEL##_ARGUMENT_BYTES    \
  }

/* MIAOW_CAUSE_NONE and so on. */
enum {
#define MIAOW_CAUSE_ENUMERATOR(name, enumerator, number, text) MIAOW_CAUSE_##name = (number),
  GPGPU_CAUSES(MIAOW_CAUSE_ENUMERATOR)
#undef MIAOW_CAUSE_ENUMERATOR
};

/* Why and where a grid was refused or stopped.  With MIAOW_BAD_ADDRESS there is the address alone.
 */
struct miaow_fault {
  uint32_t cause;   /* MIAOW_CAUSE_* */
  uint32_t pc;      /* bytes, in instruction memory */
  uint32_t address; /* of the memory access, if it was one */
  uint32_t group;   /* counted from 0, x first */
};

struct miaow_counters {
  uint32_t cycles; /* of the last grid, or the running one so far */
  uint32_t groups_done;
  uint32_t served_words; /* by the host, for it */
};

/* A device.  Members are for reading only. */
struct miaow {
  uint32_t control;    /* where the registers are */
  uint32_t units;      /* compute units */
  uint32_t wavefronts; /* that a compute unit holds: a group has 64 times as many work-items */
  uint32_t prefetch_bytes;
  uint32_t prefetch_free; /* first address that is not allocated */
  uint32_t host_base, host_bytes, host_free;
  const uint32_t* resident; /* code that instruction memory holds from its begin on */
  miaow_address arguments;  /* of the running grid */
  bool running;
  uint32_t served_words;
  struct miaow_fault fault;
};

struct miaow_launch {
  uint32_t groups[3];        /* work-groups; each at least 1 */
  uint32_t items[3];         /* work-items of a group, likewise */
  const uint32_t* arguments; /* the kernel's own, as words: a pointer is MIAOW_POINTER(address) */
  uint32_t argument_words;
};
#define MIAOW_POINTER(address) (address), 0u

/* ---- device and memory -------------------------------------------------------------------- */
unsigned miaow_count(void); /* that the board has */
/* Finds the device, from 0 to miaow_count() - 1, and resets it.  memory: what the host serves, of
 * `bytes`, aligned to 256; may be null where prefetch memory is all that kernels need. */
enum miaow_error miaow_open(struct miaow* device, unsigned index, void* memory, uint32_t bytes);
/* Stops whatever runs and forgets all allocations. */
void miaow_reset(struct miaow* device);

enum miaow_place { MIAOW_PREFETCH, MIAOW_HOST };
/* Aligned to 256 bytes.  Without prefetch memory there are MIAOW_HOST's alone. */
enum miaow_error miaow_allocate(struct miaow* device, enum miaow_place place, uint32_t bytes,
                                miaow_address* address);
void miaow_free_all(struct miaow* device);
/* Of allocated memory; address and bytes are multiples of 4. */
enum miaow_error miaow_copy_to_device(struct miaow* device, miaow_address to, const void* from,
                                      uint32_t bytes);
enum miaow_error miaow_copy_from_device(struct miaow* device, void* to, miaow_address from,
                                        uint32_t bytes);

/* ---- grids -------------------------------------------------------------------------------- */
/* Loads the code, unless it is there, writes the arguments and starts.  What cannot fit is refused
 * here, before the device sees it. */
enum miaow_error miaow_start(struct miaow* device, const struct miaow_kernel* kernel,
                             const struct miaow_launch* launch);
/* Serves a word of memory, if one is wanted.  MIAOW_BUSY: the grid goes on; MIAOW_OK: it has ended
 * (or none was started); else why it failed. */
enum miaow_error miaow_poll(struct miaow* device);
/* Polls until the end, or until the grid has run for so many cycles; 0: for ever.  After
 * MIAOW_TIMEOUT it still runs: wait again, or miaow_abort(). */
enum miaow_error miaow_wait(struct miaow* device, uint32_t most_cycles);
void miaow_abort(struct miaow* device);
void miaow_read_counters(const struct miaow* device, struct miaow_counters* counters);

/* ---- errors ------------------------------------------------------------------------------- */
const char* miaow_error_string(enum miaow_error error);
const struct miaow_fault* miaow_last_fault(const struct miaow* device);
/* "misaligned memory access at pc 0x18, address 0x3, group 5" */
void miaow_describe_fault(const struct miaow_fault* fault, char* text, size_t size);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Driver for the FlexGrip soft GPGPU, in the manner of CUDA's driver API: find the device, load a
 * module of kernels, allocate and fill device memory, launch, wait.  The registers are those of
 * models/gpgpu/flexgrip/flexgrip_registers.h; see docs/firmware.md for a worked example.
 *
 * One kernel runs at a time.  Addresses of device memory are 32-bit numbers (gpgpu_address), not
 * pointers: where the device has a memory of its own they are offsets into it, where it is a
 * master on the bus they are bus addresses.  All sizes are bytes.  Not thread safe. */
#ifndef GVP_DRIVER_GPGPU_H
#define GVP_DRIVER_GPGPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/gpgpu/flexgrip/flexgrip_registers.h"

typedef uint32_t gpgpu_address;
#define GPGPU_NULL 0u /* no address: nothing is allocated in the first 256 bytes */

enum gpgpu_error {
  GPGPU_OK = 0,
  /* The driver's own. */
  GPGPU_NOT_FOUND,        /* nothing answers at the device's address, or something else does */
  GPGPU_WRONG_VERSION,    /* a register map this driver does not know */
  GPGPU_INVALID_ARGUMENT, /* null pointer, zero size, unaligned where it must not be */
  GPGPU_OUT_OF_MEMORY,    /* device memory, code memory, constant memory or the host's heap */
  GPGPU_BAD_IMAGE,        /* not a cubin in text form; gpgpu_image_error() says where and why */
  GPGPU_NO_SUCH_FUNCTION,
  GPGPU_TOO_MANY_PARAMETERS,
  GPGPU_TOO_MANY_THREADS, /* this and the next three: one block exceeds what an SM has */
  GPGPU_TOO_MANY_WARPS,
  GPGPU_TOO_MANY_REGISTERS,
  GPGPU_TOO_MUCH_SHARED,
  GPGPU_BUSY,    /* a kernel is running */
  GPGPU_TIMEOUT, /* the kernel is still running */
  GPGPU_FAULT,   /* the device refused or stopped the kernel; see gpgpu_last_fault() */
  GPGPU_ERRORS   /* number of codes */
};

/* Why the device refused or stopped a kernel, and where. */
struct gpgpu_fault {
  uint32_t cause;   /* FLEXGRIP_CAUSE_* */
  uint32_t pc;      /* byte address of the instruction, from the beginning of the kernel */
  uint32_t address; /* of the memory access, if it was one */
  uint32_t sm, warp, block_slot, lane;
  uint32_t block_x, block_y;
};

struct gpgpu_properties {
  uint32_t sms, sps_per_sm;
  uint32_t warps_per_sm, blocks_per_sm, threads_per_block;
  uint32_t registers_per_sm, shared_bytes_per_sm;
  uint32_t stack_depth, local_bytes;
  uint32_t code_bytes, constant_bytes;
  uint32_t global_bytes; /* that the driver allocates from */
  bool global_on_bus;    /* global memory is DDR3, shared with the host */
  bool multiplier, three_operands, floating_point;
  uint32_t clock_hz; /* what gpgpu_counters.cycles counts */
  bool kernel_names; /* the device can be told the name of a kernel, for its messages */
  bool textures;     /* it has texture caches: gpgpu_bind_texture() */
};

struct gpgpu_counters {
  uint64_t cycles, warp_instructions, thread_instructions, stall_cycles, divergent_branches;
  uint32_t max_stack_depth;
};

struct gpgpu_memory_block; /* driver/memory.c */
struct gpgpu_function;     /* driver/module.h */
struct gpgpu_module;

/* A device.  Members are for reading only. */
struct gpgpu {
  uint32_t control, code, window; /* where the registers and memory windows are */
  unsigned interrupt;             /* input of the interrupt controller */
  unsigned index;                 /* which of the board's GPGPUs */
  struct gpgpu_properties properties;
  struct gpgpu_memory_block* memory;     /* all of device memory, in address order */
  const struct gpgpu_function* resident; /* whose code and constants the device holds */
  bool use_interrupt;
  volatile bool ended; /* set by the interrupt */
  struct gpgpu_fault fault;
};

struct gpgpu_launch {
  uint32_t grid_x, grid_y;
  uint32_t block_x, block_y, block_z;
  uint32_t dynamic_shared_bytes;
  const uint32_t* parameters;
  uint32_t parameter_count;
};

/* ---- device ------------------------------------------------------------------------------- */
/* Finds the device and resets it.  Where the bus has no error response (some emulators), reading
 * an address nobody answers gives a wrong identification, which is as good. */
enum gpgpu_error gpgpu_open(struct gpgpu* gpu);
/* The same for one of several, from 0 to gpgpu_count() - 1; gpgpu_open() opens the first.  Those
 * whose global memory is DDR3 share the device memory there in equal parts. */
unsigned gpgpu_count(void);
enum gpgpu_error gpgpu_open_device(struct gpgpu* gpu, unsigned index);
/* Stops whatever runs, forgets modules' residence and all allocations. */
void gpgpu_reset(struct gpgpu* gpu);
/* How gpgpu_wait() learns of the end: by interrupt, or by reading the status (the default). */
void gpgpu_use_interrupt(struct gpgpu* gpu, bool enable);

/* ---- modules ------------------------------------------------------------------------------ */
/* image: a cubin in text form as g80as, kcc and CUDA 1 and 2's nvcc write it. */
enum gpgpu_error gpgpu_module_load(struct gpgpu* gpu, const char* image, size_t bytes,
                                   struct gpgpu_module** module);
void gpgpu_module_unload(struct gpgpu* gpu, struct gpgpu_module* module);
enum gpgpu_error gpgpu_module_function(const struct gpgpu_module* module, const char* name,
                                       const struct gpgpu_function** function);
/* Where a module's __constant__ or __device__ variable is. */
enum gpgpu_error gpgpu_module_global(const struct gpgpu_module* module, const char* name,
                                     gpgpu_address* address, uint32_t* bytes);
enum gpgpu_error gpgpu_module_write_constant(struct gpgpu* gpu, struct gpgpu_module* module,
                                             const char* name, uint32_t offset, const void* data,
                                             uint32_t bytes);
/* The line of the image and the reason of the last GPGPU_BAD_IMAGE. */
const char* gpgpu_image_error(uint32_t* line);

/* ---- device memory ------------------------------------------------------------------------ */
/* Aligned to 256 bytes. */
enum gpgpu_error gpgpu_allocate(struct gpgpu* gpu, uint32_t bytes, gpgpu_address* address);
enum gpgpu_error gpgpu_free(struct gpgpu* gpu, gpgpu_address address);
uint32_t gpgpu_free_bytes(const struct gpgpu* gpu);
/* Copies check that the range lies in device memory; any alignment. */
enum gpgpu_error gpgpu_copy_to_device(struct gpgpu* gpu, gpgpu_address to, const void* from,
                                      uint32_t bytes);
enum gpgpu_error gpgpu_copy_from_device(struct gpgpu* gpu, void* to, gpgpu_address from,
                                        uint32_t bytes);
enum gpgpu_error gpgpu_copy_on_device(struct gpgpu* gpu, gpgpu_address to, gpgpu_address from,
                                      uint32_t bytes);
enum gpgpu_error gpgpu_fill(struct gpgpu* gpu, gpgpu_address to, uint32_t word, uint32_t words);

/* Loads of these addresses go by the texture caches of the SMs from the next kernel on, as long as
 * another range is not bound as the same texture, 0 to 7; bytes 0: of none.  Where kernels read
 * memory that they do not write, that leaves the L1 data caches to the rest.  Results are the same
 * with and without, so a device without textures does as well: it is told nothing. */
enum gpgpu_error gpgpu_bind_texture(struct gpgpu* gpu, unsigned texture, gpgpu_address address,
                                    uint32_t bytes);

/* ---- kernels ------------------------------------------------------------------------------ */
/* How many blocks of this launch an SM runs at a time: the smallest of the three quotients of the
 * FlexGrip thesis (section 4.1.2) and the number of block slots. */
enum gpgpu_error gpgpu_blocks_per_sm(const struct gpgpu* gpu, const struct gpgpu_function* function,
                                     const struct gpgpu_launch* launch, uint32_t* blocks);
/* Starts a kernel.  What cannot fit is refused here, before the device sees it. */
enum gpgpu_error gpgpu_start(struct gpgpu* gpu, const struct gpgpu_function* function,
                             const struct gpgpu_launch* launch);
/* The same without asking whether it fits: the device then refuses it.  For tests. */
enum gpgpu_error gpgpu_start_unchecked(struct gpgpu* gpu, const struct gpgpu_function* function,
                                       const struct gpgpu_launch* launch);
/* Waits for the end; 0: for ever.  After GPGPU_TIMEOUT the kernel still runs: wait again, or
 * gpgpu_abort(). */
enum gpgpu_error gpgpu_wait(struct gpgpu* gpu, uint32_t timeout_us);
void gpgpu_abort(struct gpgpu* gpu);
void gpgpu_read_counters(const struct gpgpu* gpu, struct gpgpu_counters* counters);

/* ---- errors ------------------------------------------------------------------------------- */
const char* gpgpu_error_string(enum gpgpu_error error);
const char* gpgpu_cause_string(uint32_t cause);
const struct gpgpu_fault* gpgpu_last_fault(const struct gpgpu* gpu);
/* "misaligned memory access at pc 0x18, address 0x3, SM 0, warp 1, lane 0, block (0, 0)" */
void gpgpu_describe_fault(const struct gpgpu_fault* fault, char* text, size_t size);

#endif

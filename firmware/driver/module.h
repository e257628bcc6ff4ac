/* SPDX-License-Identifier: Apache-2.0 */
/* A loaded module, as the driver keeps it: what a cubin says, in host memory.  Code and constants
 * go to the device when a kernel is started that it does not hold yet.  Internal to the driver. */
#ifndef GVP_DRIVER_MODULE_H
#define GVP_DRIVER_MODULE_H

#include "driver/gpgpu.h"

enum {
  kNullPageBytes =
      256, /* of device memory in block RAM: never allocated, as null pointers lead there */
  kSharedHeaderBytes = 16, /* s[0..15]: block and grid size, block number; filled by the device */
  kMaxNameBytes = 64,
};

/* A piece of a constant bank with its contents. */
struct gpgpu_constants {
  struct gpgpu_constants* next;
  char name[kMaxNameBytes]; /* empty: literals that no name leads to */
  uint32_t bank, offset, bytes;
  uint32_t* words; /* bytes / 4, rounded up */
};

/* A variable in device memory; its address stands in a word of a constant bank. */
struct gpgpu_variable {
  struct gpgpu_variable* next;
  char name[kMaxNameBytes];
  uint32_t bank, offset, bytes;
  uint32_t* words; /* null: zero */
  gpgpu_address address;
};

struct gpgpu_function {
  struct gpgpu_function* next;
  const struct gpgpu_module* module;
  char name[kMaxNameBytes];
  uint32_t registers, shared_bytes, local_bytes; /* shared: header and parameters included */
  uint32_t parameter_bytes;
  bool has_parameter_bytes; /* the cubin says */
  uint32_t code_words;
  uint32_t* code;
  struct gpgpu_constants* constants; /* of this kernel alone */
};

struct gpgpu_module {
  struct gpgpu_function* functions;
  struct gpgpu_constants* constants;
  struct gpgpu_variable* variables;
};

/* Reads a text cubin; on GPGPU_BAD_IMAGE and GPGPU_OUT_OF_MEMORY what was built so far is in
 * *module, for module_discard(). */
enum gpgpu_error cubin_read(const char* image, size_t bytes, struct gpgpu_module* module);
void module_discard(struct gpgpu_module* module);

/* Makes the device hold the code and constants of a function. */
enum gpgpu_error module_make_resident(struct gpgpu* gpu, const struct gpgpu_function* function);

/* memory.c */
enum gpgpu_error memory_initialize(struct gpgpu* gpu);

#endif

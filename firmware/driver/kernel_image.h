/* SPDX-License-Identifier: Apache-2.0 */
/* A text cubin in the program itself, for gpgpu_module_load(); the build embeds it. */
#ifndef GVP_DRIVER_KERNEL_IMAGE_H
#define GVP_DRIVER_KERNEL_IMAGE_H

#include <stddef.h>

struct kernel_image {
  const char* text;
  size_t bytes;
};

#endif

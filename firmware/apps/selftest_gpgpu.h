/* SPDX-License-Identifier: Apache-2.0 */
/* What the two files of GPGPU checks share. */
#ifndef GVP_APPS_SELFTEST_GPGPU_H
#define GVP_APPS_SELFTEST_GPGPU_H

#include "apps/check.h"
#include "bsp/interrupt.h"
#include "driver/gpgpu.h"
#include "kernels/images.h"
#include "platform/memory_map.h"

enum { kWords = 256, kTimeoutUs = 1000000 };

extern struct gpgpu gpu;
extern bool gpu_found;

/* Starts a kernel and waits for it. */
enum gpgpu_error run(const struct gpgpu_function* function, struct gpgpu_launch launch,
                     const uint32_t* parameters, uint32_t count);
/* A kernel of a module; fails a check and is null if there is none. */
const struct gpgpu_function* find(const struct gpgpu_module* module, const char* name);

#endif

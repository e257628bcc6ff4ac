/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the runtime API share: the device, opened when first used, and errors. */
#ifndef GVP_CUDA_CUDA_CONTEXT_H
#define GVP_CUDA_CUDA_CONTEXT_H

#include "cuda/cuda_runtime.h"
#include "driver/gpgpu.h"

/* Notes an error as the last one and returns it. */
cudaError_t cuda_result(cudaError_t error);
cudaError_t cuda_driver_result(enum gpgpu_error error);

/* Opens the device if that has not been done; null and an error noted if there is none. */
struct gpgpu* cuda_device(void);
/* Waits for the kernel under way; its error. */
cudaError_t cuda_settle(void);
/* To be called when a kernel has been started. */
void cuda_started(const char* kernel);
void cuda_forget_modules(void);
/* Whether the module has a variable of this name; false and an error noted if it cannot be loaded.
 */
bool cuda_has_symbol(struct cuda_module* module, const char* name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels and variables of a file. */
#include <string.h>

#include "cuda/cuda_context.h"
#include "driver/module.h"

enum { kMostNameBytes = 64 };

static struct cuda_module* modules; /* that are loaded */

static struct gpgpu_module* loaded(struct gpgpu* gpu, struct cuda_module* module) {
  if (module->loaded != NULL) return module->loaded;
  if (cuda_driver_result(gpgpu_module_load(gpu, module->image, module->bytes, &module->loaded)) !=
      cudaSuccess) {
    module->loaded = NULL;
    return NULL;
  }
  module->next = modules;
  modules = module;
  return module->loaded;
}

void cuda_forget_modules(void) {
  while (modules != NULL) {
    struct cuda_module* module = modules;
    modules = module->next;
    gpgpu_module_unload(cuda_device(), module->loaded);
    module->loaded = NULL;
  }
}

static void add_word(struct cuda_arguments* arguments, uint32_t word) {
  if (arguments->count < kCudaMostParameterWords) arguments->words[arguments->count] = word;
  ++arguments->count;
}

void cuda_add_argument(struct cuda_arguments* arguments, const void* value, size_t bytes) {
  for (size_t done = 0; done < bytes; done += 4) {
    uint32_t word = 0;
    memcpy(&word, (const char*)value + done, bytes - done < 4 ? bytes - done : 4);
    add_word(arguments, word);
  }
}

void cuda_add_pointer(struct cuda_arguments* arguments, const volatile void* pointer) {
  add_word(arguments, (uint32_t)(uintptr_t)pointer);
}

cudaError_t cuda_launch(struct cuda_module* module, const char* kernel,
                        struct cuda_configuration configuration,
                        const struct cuda_arguments* arguments) {
  struct gpgpu* gpu = cuda_device();
  if (gpu == NULL) return cudaErrorNoDevice;
  const cudaError_t before = cuda_settle();
  if (before != cudaSuccess) return before;
  const dim3 grid = configuration.grid;
  const dim3 block = configuration.block;
  if (grid.z != 1 || configuration.shared_bytes > UINT32_MAX)
    return cuda_result(cudaErrorInvalidConfiguration);
  if (arguments->count > kCudaMostParameterWords) return cuda_result(cudaErrorInvalidValue);
  struct gpgpu_module* with_kernel = loaded(gpu, module);
  if (with_kernel == NULL) return cudaPeekAtLastError();
  const struct gpgpu_function* function;
  const enum gpgpu_error found = gpgpu_module_function(with_kernel, kernel, &function);
  if (found != GPGPU_OK) return cuda_driver_result(found);
  const struct gpgpu_launch launch = {.grid_x = grid.x,
                                      .grid_y = grid.y,
                                      .block_x = block.x,
                                      .block_y = block.y,
                                      .block_z = block.z,
                                      .dynamic_shared_bytes = (uint32_t)configuration.shared_bytes,
                                      .parameters = arguments->words,
                                      .parameter_count = arguments->count};
  const enum gpgpu_error error = gpgpu_start(gpu, function, &launch);
  /* All else that the driver calls an invalid argument has been looked at. */
  if (error == GPGPU_INVALID_ARGUMENT) return cuda_result(cudaErrorInvalidConfiguration);
  if (error == GPGPU_OK) cuda_started(kernel);
  return cuda_driver_result(error);
}

/* The name without the quotation marks that it may be given with. */
static bool plain_name(const char* name, char* plain) {
  size_t length = strlen(name);
  if (length >= 2 && name[0] == '"') {
    ++name;
    length -= 2;
  }
  if (length >= kMostNameBytes) return false;
  memcpy(plain, name, length);
  plain[length] = '\0';
  return true;
}

struct symbol {
  struct gpgpu* gpu;
  struct gpgpu_module* module;
  char name[kMostNameBytes];
  gpgpu_address address;    /* of a __device__ variable */
  const uint32_t* constant; /* what the driver knows of a __constant__ one; null: it is none */
  uint32_t bytes;
};

static bool look_up(struct symbol* symbol) {
  symbol->constant = NULL;
  if (gpgpu_module_global(symbol->module, symbol->name, &symbol->address, &symbol->bytes) ==
      GPGPU_OK)
    return true;
  for (const struct gpgpu_constants* c = symbol->module->constants; c != NULL; c = c->next) {
    if (strcmp(c->name, symbol->name) != 0) continue;
    symbol->constant = c->words;
    symbol->bytes = c->bytes;
    return true;
  }
  return false;
}

bool cuda_has_symbol(struct cuda_module* module, const char* name) {
  struct symbol symbol;
  symbol.gpu = cuda_device();
  if (symbol.gpu == NULL || !plain_name(name, symbol.name)) return false;
  symbol.module = loaded(symbol.gpu, module);
  return symbol.module != NULL && look_up(&symbol);
}

/* A piece of a variable, when all is done that may use it. */
static cudaError_t find_symbol(struct cuda_module* module, const char* name, size_t bytes,
                               size_t offset, struct symbol* symbol) {
  symbol->gpu = cuda_device();
  if (symbol->gpu == NULL) return cudaErrorNoDevice;
  const cudaError_t before = cuda_settle();
  if (before != cudaSuccess) return before;
  symbol->module = loaded(symbol->gpu, module);
  if (symbol->module == NULL) return cudaPeekAtLastError();
  if (!plain_name(name, symbol->name) || !look_up(symbol))
    return cuda_result(cudaErrorInvalidSymbol);
  if (offset > symbol->bytes || bytes > symbol->bytes - offset)
    return cuda_result(cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cuda_copy_to_symbol(struct cuda_module* module, const char* name, const void* from,
                                size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  struct symbol symbol;
  const cudaError_t error = find_symbol(module, name, bytes, offset, &symbol);
  if (error != cudaSuccess) return error;
  if (symbol.constant == NULL)
    return cudaMemcpy((void*)(uintptr_t)(symbol.address + (uint32_t)offset), from, bytes, kind);
  if (kind != cudaMemcpyHostToDevice) return cuda_result(cudaErrorInvalidMemcpyDirection);
  return cuda_driver_result(gpgpu_module_write_constant(symbol.gpu, symbol.module, symbol.name,
                                                        (uint32_t)offset, from, (uint32_t)bytes));
}

cudaError_t cuda_copy_from_symbol(struct cuda_module* module, const char* name, void* to,
                                  size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  struct symbol symbol;
  const cudaError_t error = find_symbol(module, name, bytes, offset, &symbol);
  if (error != cudaSuccess) return error;
  if (symbol.constant == NULL)
    return cudaMemcpy(to, (const void*)(uintptr_t)(symbol.address + (uint32_t)offset), bytes, kind);
  if (kind != cudaMemcpyDeviceToHost) return cuda_result(cudaErrorInvalidMemcpyDirection);
  memcpy(to, (const char*)symbol.constant + offset, bytes); /* no kernel writes it */
  return cudaSuccess;
}

cudaError_t cuda_symbol_address(struct cuda_module* module, const char* name, void** pointer) {
  struct symbol symbol;
  const cudaError_t error = find_symbol(module, name, 0, 0, &symbol);
  if (error != cudaSuccess) return error;
  if (symbol.constant != NULL) return cuda_result(cudaErrorInvalidSymbol); /* has no address */
  *pointer = (void*)(uintptr_t)symbol.address;
  return cudaSuccess;
}
